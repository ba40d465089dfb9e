// A map of immutable shards: copying it is cheap, and an edit copies one shard. Internal.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <memory>
#include <utility>

#include <absl/container/flat_hash_map.h>

namespace enablement {

// Readers hold whole maps by value inside an immutable snapshot; the one writer copies the map,
// edits its copy and publishes that. A shard that this copy has already made its own is edited in
// place, so a bulk load costs no copies. `Hash` and `Equal` may be transparent.
template <typename Key, typename Value, typename Hash, typename Equal = std::equal_to<>>
class ShardedMap {
 public:
  using Shard = absl::flat_hash_map<Key, Value, Hash, Equal>;

  ShardedMap() = default;
  // A copy shares all shards and owns none. The original must not be edited while it is shared:
  // it has become part of a snapshot.
  ShardedMap(const ShardedMap& other) : shards_(other.shards_), size_(other.size_) {}
  ShardedMap& operator=(const ShardedMap& other) {
    shards_ = other.shards_;
    size_ = other.size_;
    owned_.reset();
    return *this;
  }
  ShardedMap(ShardedMap&&) noexcept = default;
  ShardedMap& operator=(ShardedMap&&) noexcept = default;

  [[nodiscard]] std::size_t size() const { return size_; }

  // The value, null when there is none. Valid as long as this map is neither edited nor destroyed.
  template <typename K>
  [[nodiscard]] const Value* find(const K& key) const {
    const std::size_t hash = Hash{}(key);
    const auto& shard = shards_[shardOf(hash)];
    if (!shard) return nullptr;
    const auto it = shard->find(key, hash);
    return it == shard->end() ? nullptr : &it->second;
  }

  void put(Key key, Value value) {
    Shard& shard = editable(shardOf(Hash{}(key)));
    const auto [it, added] = shard.insert_or_assign(std::move(key), std::move(value));
    if (added) ++size_;
  }

  template <typename K>
  void erase(const K& key) {
    if (!find(key)) return;
    Shard& shard = editable(shardOf(Hash{}(key)));
    shard.erase(shard.find(key));
    --size_;
  }

  // Calls visit(key, value) for each entry, in no order.
  template <typename Visit>
  void forEach(Visit visit) const {
    for (const auto& shard : shards_)
      if (shard)
        for (const auto& [key, value] : *shard) visit(key, value);
  }

 private:
  static constexpr std::size_t shardCount = 256;

  // The top bits: the low ones choose the slot inside a shard.
  static std::size_t shardOf(std::size_t hash) { return hash >> (sizeof(hash) * 8 - 8); }

  Shard& editable(std::size_t i) {
    if (!owned_[i]) {
      shards_[i] = shards_[i] ? std::make_shared<Shard>(*shards_[i]) : std::make_shared<Shard>();
      owned_[i] = true;
    }
    return *shards_[i];
  }

  std::array<std::shared_ptr<Shard>, shardCount> shards_;
  std::bitset<shardCount> owned_;
  std::size_t size_ = 0;
};

}  // namespace enablement
