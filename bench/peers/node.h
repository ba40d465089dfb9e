// The maps of a host in a dynamic language, run with node where it is installed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include <enablement/bench/clock.h>
#include <enablement/bench/data.h>

namespace enablement::bench {

struct NodeFigures {
  Nanoseconds median;
  Nanoseconds p99;    // of batches: node cannot time one look-up
  std::uint64_t sum;  // over all answers, each times its place
  std::string version;
};

// None where there is no node.
[[nodiscard]] std::optional<NodeFigures> runNode(const std::filesystem::path& folder,
                                                 const DataSet& data, std::size_t rounds);

}  // namespace enablement::bench
