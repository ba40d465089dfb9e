// A sum over stored rows that shows when one was lost, added or altered behind our back. Internal.
#pragma once

#include <cstdint>
#include <string_view>

#include <enablement/store/records.h>

namespace enablement {

// SQLite does not notice a flipped bit inside a row: an "off" would read as "on". So every history
// row carries the sum, modulo 2^64, of the hashes of all decisions and queued parts after its
// change, and another of all unclaimed decisions; a sum is kept up to date row by row, whatever the
// order. XXH3 is stable across versions
// and machines.
class Digest {
 public:
  Digest() = default;
  explicit Digest(std::int64_t stored) : sum_(static_cast<std::uint64_t>(stored)) {}

  void add(const StoredDecision& row) { sum_ += hash(row); }
  void remove(const StoredDecision& row) { sum_ -= hash(row); }
  void add(const QueuedPart& row) { sum_ += hash(row); }
  void remove(const QueuedPart& row) { sum_ -= hash(row); }
  void add(const UnclaimedDecision& row) { sum_ += hash(row); }
  void remove(const UnclaimedDecision& row) { sum_ -= hash(row); }

  [[nodiscard]] std::int64_t stored() const { return static_cast<std::int64_t>(sum_); }
  friend bool operator==(const Digest&, const Digest&) = default;

 private:
  static std::uint64_t hash(const StoredDecision& row);
  static std::uint64_t hash(const QueuedPart& row);
  static std::uint64_t hash(const UnclaimedDecision& row);

  std::uint64_t sum_ = 0;
};

}  // namespace enablement
