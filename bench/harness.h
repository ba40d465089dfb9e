// Measures operations side by side: each has a slice of a few milliseconds in turn, so that what
// else the machine does falls on all of them alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <enablement/bench/allocations.h>
#include <enablement/bench/clock.h>

namespace enablement::bench {

struct Settings {
  bool isShort = false;
  std::string folder = {};  // for files, on the file system that is measured

  // A measure of the full run, or what is left of it in a short one.
  [[nodiscard]] std::size_t scaled(std::size_t full, std::size_t less) const {
    return isShort ? less : full;
  }
};

// Of one operation.
struct Figures {
  Nanoseconds median = 0;  // of whole batches, per operation: how fast many in a row are
  Nanoseconds p50 = 0;     // of single operations, none overlapping the next
  Nanoseconds p99 = 0;
  double allocations = 0;  // of the thread that operates
  std::size_t operations = 0;
};

struct Samples {
  std::vector<Nanoseconds> batches = {};  // per operation
  std::vector<Nanoseconds> singles = {};
  std::uint64_t allocations = 0;
  std::size_t operations = 0;  // in batches

  [[nodiscard]] Figures figures() const;
};

// The value at a part of the whole, 0 to 1; 0 of no values.
[[nodiscard]] Nanoseconds quantile(std::vector<Nanoseconds> values, double part);

// What is given here has to be computed.
template <typename Value>
void keep(const Value& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

struct Contender {
  std::string name;
  std::function<void(Samples&)> slice;
};

constexpr Nanoseconds sliceLength = 4e6;

// An operation that is called as operation(i), i running on through all slices.
template <typename Operation>
[[nodiscard]] Contender contender(std::string name, std::size_t batch, Operation operation) {
  auto slice = [batch, operation = std::move(operation), next = std::size_t{0},
                noted = std::vector<Ticks>()](Samples& samples) mutable {
    // The others have had the caches until now.
    for (std::size_t i = 0; i < 2 * batch; ++i) keep(operation(next++));

    const auto start = std::chrono::steady_clock::now();
    do {
      const std::uint64_t before = allocations();
      const auto batchStart = std::chrono::steady_clock::now();
      for (std::size_t i = 0; i < batch; ++i) keep(operation(next++));
      const Nanoseconds took = since(batchStart);
      samples.allocations += allocations() - before;
      samples.batches.push_back(took / static_cast<double>(batch));
      samples.operations += batch;
    } while (since(start) < sliceLength);

    const auto [perTick, cost] = clockwork();
    noted.resize(batch);
    const auto singlesStart = std::chrono::steady_clock::now();
    do {
      for (Ticks& ticks : noted) {
        const Ticks before = ticksBefore();
        keep(operation(next++));
        ticks = ticksAfter() - before;
      }
      for (const Ticks ticks : noted)
        samples.singles.push_back(ticks > cost ? static_cast<double>(ticks - cost) * perTick : 0);
    } while (since(singlesStart) < sliceLength);
  };
  return {std::move(name), std::move(slice)};
}

// In the order of the contenders.
[[nodiscard]] std::vector<Figures> measure(const std::vector<Contender>& contenders,
                                           std::size_t rounds);

}  // namespace enablement::bench
