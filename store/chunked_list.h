// A list of immutable chunks: copying it is cheap, and an edit copies one chunk. Internal.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace enablement {

// As ShardedMap is to a hash map, so is this to an array: for what is found by a small number. The
// same rules about copies and cache lines hold.
template <typename T>
class ChunkedList {
 public:
  ChunkedList() = default;
  ChunkedList(const ChunkedList& other) : spine_(other.spine_) {}
  ChunkedList& operator=(const ChunkedList& other) {
    spine_ = other.spine_;
    ownsSpine_ = false;
    owned_.clear();
    return *this;
  }
  ChunkedList(ChunkedList&&) noexcept = default;
  ChunkedList& operator=(ChunkedList&&) noexcept = default;

  // Null beyond the end. Valid as long as this list is neither edited nor destroyed.
  [[nodiscard]] const T* find(std::size_t i) const {
    if (!spine_ || i / chunkSize >= spine_->size()) return nullptr;
    return &(*spine_)[i / chunkSize]->items[i % chunkSize];
  }

  // The list grows to hold it.
  T& editable(std::size_t i) {
    if (!ownsSpine_) {
      spine_ = spine_ ? std::make_shared<Spine>(*spine_) : std::make_shared<Spine>();
      owned_.assign(spine_->size(), false);
      ownsSpine_ = true;
    }
    for (; i / chunkSize >= spine_->size(); owned_.push_back(true))
      spine_->push_back(std::shared_ptr<Chunk>(new Chunk));
    auto& chunk = (*spine_)[i / chunkSize];
    if (!owned_[i / chunkSize]) {
      chunk.reset(new Chunk(*chunk));
      owned_[i / chunkSize] = true;
    }
    return chunk->items[i % chunkSize];
  }

 private:
  static constexpr std::size_t chunkSize = 64;
  struct alignas(64) Chunk {
    std::array<T, chunkSize> items;
  };
  using Spine = std::vector<std::shared_ptr<Chunk>>;

  std::shared_ptr<Spine> spine_;
  bool ownsSpine_ = false;
  std::vector<bool> owned_;  // which chunks this copy has made its own
};

}  // namespace enablement
