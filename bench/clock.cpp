#include <enablement/bench/clock.h>

#include <algorithm>
#include <vector>

namespace enablement::bench {
namespace {

Clockwork measured() {
  const auto start = std::chrono::steady_clock::now();
  const Ticks first = ticksBefore();
  while (since(start) < 50e6) {
  }
  const Nanoseconds passed = since(start);
  const Ticks last = ticksAfter();

  std::vector<Ticks> costs(10'001);
  for (Ticks& cost : costs) {
    const Ticks before = ticksBefore();
    cost = ticksAfter() - before;
  }
  std::ranges::nth_element(costs, costs.begin() + 5'000);
  return {passed / static_cast<double>(last - first), costs[5'000]};
}

}  // namespace

const Clockwork& clockwork() {
  static const Clockwork once = measured();
  return once;
}

}  // namespace enablement::bench
