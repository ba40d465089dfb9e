// What a run found: figures and, where something is to be reached, whether it was. Written as
// Markdown and as JSON.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <enablement/bench/harness.h>

namespace enablement::bench {

// A bound that a value is to keep.
struct Goal {
  enum class Kind : unsigned char { atMost, atLeast };
  Kind kind;
  double bound;

  [[nodiscard]] bool isReached(double value) const {
    return kind == Kind::atMost ? value <= bound : value >= bound;
  }
};

[[nodiscard]] constexpr Goal atMost(double bound) {
  return {Goal::Kind::atMost, bound};
}
[[nodiscard]] constexpr Goal atLeast(double bound) {
  return {Goal::Kind::atLeast, bound};
}

// What one operation took.
struct Line {
  std::string name;
  std::string data;  // the data set, or how much was stored
  Figures figures;
};

// A value that is judged, or only shown.
struct Comparison {
  std::string what;
  std::string data;
  double value;
  std::string unit;  // "×", "ns", "bytes", "allocations"
  std::optional<Goal> goal = {};
};

struct Section {
  std::string title;
  std::vector<Line> lines = {};
  std::vector<Comparison> comparisons = {};
  std::vector<std::string> notes = {};  // a sentence each
};

class Report {
 public:
  // Stays where it is until the end.
  Section& section(std::string title);

  // Whether a look-up that must not allocates. Of all that is judged this alone is repeatable.
  [[nodiscard]] bool allocates() const;

  [[nodiscard]] std::string markdown() const;
  [[nodiscard]] nlohmann::ordered_json json() const;

  // What the run was made on, a line each; before the sections.
  std::vector<std::pair<std::string, std::string>> circumstances = {};

 private:
  std::vector<std::unique_ptr<Section>> sections_;
};

}  // namespace enablement::bench
