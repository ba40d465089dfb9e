// A map of immutable shards: copying it is cheap, and an edit copies one shard. Internal.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

namespace enablement {

// Readers hold whole maps by value inside an immutable snapshot; the one writer copies the map,
// edits its copy and publishes that. A copy shares everything; the first edit copies the list of
// shards and the shard that it touches. What this copy has already made its own is edited in place,
// so a bulk load costs no copies. `Hash` and `Equal` may be transparent.
//
// Whatever readers touch fills whole cache lines, and its reference count lies elsewhere: a writer
// that copies shared pointers never takes a line from a reader.
template <typename Key, typename Value, typename Hash, typename Equal = std::equal_to<>>
class ShardedMap {
 public:
  using Entry = std::pair<const Key, Value>;

  ShardedMap() = default;
  // A copy owns nothing. The original must not be edited while it is shared: it has become part of
  // a snapshot.
  ShardedMap(const ShardedMap& other) : spine_(other.spine_), size_(other.size_) {}
  ShardedMap& operator=(const ShardedMap& other) {
    spine_ = other.spine_;
    size_ = other.size_;
    ownsSpine_ = false;
    owned_.clear();
    return *this;
  }
  ShardedMap(ShardedMap&&) noexcept = default;
  ShardedMap& operator=(ShardedMap&&) noexcept = default;

  [[nodiscard]] std::size_t size() const { return size_; }

  // The entry, null when there is none. Valid as long as this map is neither edited nor destroyed.
  template <typename K>
  [[nodiscard]] const Entry* findEntry(const K& key) const {
    if (!spine_) return nullptr;
    const std::size_t hash = Hash{}(key);
    const Shard* shard = spine_->shards[hash >> spine_->shift].get();
    if (!shard) return nullptr;
    const auto it = shard->map.find(key, hash);
    return it == shard->map.end() ? nullptr : &*it;
  }
  // Its value.
  template <typename K>
  [[nodiscard]] const Value* find(const K& key) const {
    const Entry* entry = findEntry(key);
    return entry ? &entry->second : nullptr;
  }

  // An entry that is there keeps its key object.
  void put(Key key, Value value) {
    if (size_ == manyEntries) spread();
    Map& map = editable(Hash{}(key));
    const auto [it, added] = map.insert_or_assign(std::move(key), std::move(value));
    if (added) ++size_;
  }

  template <typename K>
  void erase(const K& key) {
    if (!find(key)) return;
    Map& map = editable(Hash{}(key));
    map.erase(map.find(key));
    --size_;
  }

  // Calls visit(key, value) for each entry, in no order.
  template <typename Visit>
  void forEach(Visit visit) const {
    if (!spine_) return;
    for (const auto& shard : spine_->shards)
      if (shard)
        for (const auto& [key, value] : shard->map) visit(key, value);
  }

 private:
  // Few shards keep a small map in few cache lines; many keep the copies of a big one's small.
  static constexpr unsigned fewBits = 4;
  static constexpr unsigned manyBits = 8;
  static constexpr std::size_t manyEntries = 1024;
  static constexpr std::size_t cacheLine = 64;

  using Map = absl::flat_hash_map<Key, Value, Hash, Equal>;
  struct alignas(cacheLine) Shard {
    Map map;
  };
  struct Spine {
    explicit Spine(unsigned bits) : shift(sizeof(std::size_t) * 8 - bits), shards(1U << bits) {}
    unsigned shift;  // the top bits choose the shard: the low ones choose the slot inside it
    std::vector<std::shared_ptr<Shard>> shards;
  };

  // Not make_shared: it would put the reference counts beside what readers touch.
  Map& editable(std::size_t hash) {
    if (!ownsSpine_) {
      spine_.reset(spine_ ? new Spine(*spine_) : new Spine(fewBits));
      owned_.assign(spine_->shards.size(), false);
      ownsSpine_ = true;
    }
    const std::size_t i = hash >> spine_->shift;
    auto& shard = spine_->shards[i];
    if (!owned_[i]) {
      shard.reset(shard ? new Shard(*shard) : new Shard);
      owned_[i] = true;
    }
    return shard->map;
  }

  void spread() {
    if (spine_->shards.size() == 1U << manyBits) return;
    const std::shared_ptr<Spine> few = std::exchange(spine_, std::make_shared<Spine>(manyBits));
    owned_.assign(spine_->shards.size(), false);
    ownsSpine_ = true;
    for (const auto& shard : few->shards)
      if (shard)
        for (const auto& [key, value] : shard->map) editable(Hash{}(key)).emplace(key, value);
  }

  std::shared_ptr<Spine> spine_;
  bool ownsSpine_ = false;
  std::vector<bool> owned_;  // which shards this copy has made its own
  std::size_t size_ = 0;
};

}  // namespace enablement
