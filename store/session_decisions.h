// The decisions of one session, kept in memory while it is loaded. Internal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <absl/container/flat_hash_map.h>

#include <enablement/schema/target.h>

namespace enablement {

// A value. Most look-ups find nothing, so most must not search: one word tells of nearly every
// target that it is not in here.
class alignas(64) SessionDecisions {
 public:
  [[nodiscard]] std::optional<bool> find(const TargetKey& key) const {
    if ((seen_ & bitOf(key)) == 0) return std::nullopt;
    const auto it = decisions_.find(key);
    return it == decisions_.end() ? std::nullopt : std::optional(it->second);
  }
  [[nodiscard]] bool empty() const { return decisions_.empty(); }
  [[nodiscard]] std::size_t size() const { return decisions_.size(); }
  [[nodiscard]] auto begin() const { return decisions_.begin(); }
  [[nodiscard]] auto end() const { return decisions_.end(); }

  // No value removes the decision.
  void put(const TargetKey& key, std::optional<bool> enabled) {
    if (!enabled) {
      decisions_.erase(key);
      return;
    }
    decisions_.insert_or_assign(key, *enabled);
    seen_ |= bitOf(key);
  }

  friend bool operator==(const SessionDecisions& a, const SessionDecisions& b) {
    return a.decisions_ == b.decisions_;
  }

 private:
  // Bits of the hash that choose neither a shard nor a slot.
  static std::uint64_t bitOf(const TargetKey& key) {
    return std::uint64_t{1} << ((key.hash() >> 40U) % 64U);
  }

  std::uint64_t seen_ = 0;  // one bit for each key that was ever put
  absl::flat_hash_map<TargetKey, bool, TargetKeyHash> decisions_;
};

// Of one session, by customization id.
using SessionUnclaimed = std::map<std::string, bool, std::less<>>;

}  // namespace enablement
