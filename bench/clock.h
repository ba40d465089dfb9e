// Time around one operation of a few nanoseconds: the processor's time stamp counter where it runs
// at one rate, else the steady clock. What asking costs is measured, and taken off.
#pragma once

#include <chrono>
#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace enablement::bench {

using Ticks = std::uint64_t;

// The fences keep what is timed between them: without, the processor moves it out.
[[nodiscard]] inline Ticks ticksBefore() {
#if defined(__x86_64__)
  _mm_lfence();
  const Ticks now = __rdtsc();
  _mm_lfence();
  return now;
#else
  return static_cast<Ticks>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

[[nodiscard]] inline Ticks ticksAfter() {
#if defined(__x86_64__)
  unsigned core = 0;
  const Ticks now = __rdtscp(&core);
  _mm_lfence();
  return now;
#else
  return ticksBefore();
#endif
}

struct Clockwork {
  double nanosecondsPerTick;
  Ticks ownCost;  // of two askings with nothing between them
};

// Measured once.
[[nodiscard]] const Clockwork& clockwork();

using Nanoseconds = double;

[[nodiscard]] inline Nanoseconds since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace enablement::bench
