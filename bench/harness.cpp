#include <enablement/bench/harness.h>

#include <algorithm>

namespace enablement::bench {

Nanoseconds quantile(std::vector<Nanoseconds> values, double part) {
  if (values.empty()) return 0;
  const auto at = static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1) + 0.5);
  std::ranges::nth_element(values, values.begin() + at);
  return values[static_cast<std::size_t>(at)];
}

Figures Samples::figures() const {
  return {.median = quantile(batches, 0.5),
          .p50 = quantile(singles, 0.5),
          .p99 = quantile(singles, 0.99),
          .allocations = operations == 0
                             ? 0
                             : static_cast<double>(allocations) / static_cast<double>(operations),
          .operations = operations + singles.size()};
}

std::vector<Figures> measure(const std::vector<Contender>& contenders, std::size_t rounds) {
  std::vector<Samples> samples(contenders.size());
  for (std::size_t round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < contenders.size(); ++i) contenders[i].slice(samples[i]);
  std::vector<Figures> figures;
  for (const Samples& each : samples) figures.push_back(each.figures());
  return figures;
}

}  // namespace enablement::bench
