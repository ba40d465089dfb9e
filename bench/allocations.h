// Counts what `operator new` gives out. A program that links allocations.cpp has it replaced.
#pragma once

#include <cstddef>
#include <cstdint>

namespace enablement::bench {

// Of this thread, since it began: counting costs no shared cache line.
[[nodiscard]] std::uint64_t allocations();

// Bytes that are live, of all threads, as malloc rounds them. Only counted while somebody wants it:
// the counter would be shared by readers that are timed.
class LiveBytes {
 public:
  LiveBytes();
  ~LiveBytes();
  LiveBytes(const LiveBytes&) = delete;
  LiveBytes& operator=(const LiveBytes&) = delete;

  // Since the beginning of this object; what was there before and is freed counts as less.
  [[nodiscard]] std::int64_t sinceStart() const;
};

}  // namespace enablement::bench
