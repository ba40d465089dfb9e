#include <enablement/bench/report.h>

#include <fmt/format.h>

#include <cmath>

#include <nlohmann/json.hpp>

namespace enablement::bench {
namespace {

// Three figures that count, in the unit that suits.
std::string timeText(Nanoseconds value) {
  if (value <= 0) return "–";
  const char* unit = "ns";
  for (const char* next : {"µs", "ms", "s"}) {
    if (value < 1000) break;
    value /= 1000;
    unit = next;
  }
  return fmt::format("{:.{}f} {}", value, value < 10 ? 2 : value < 100 ? 1 : 0, unit);
}

std::string numberText(double value) {
  return fmt::format("{:.{}f}", value, value < 10 ? 2 : value < 100 ? 1 : 0);
}

std::string boundText(const Comparison& comparison) {
  if (!comparison.goal) return "shown";
  return fmt::format("{} {:g} {}", comparison.goal->kind == Goal::Kind::atMost ? "≤" : "≥",
                     comparison.goal->bound, comparison.unit);
}

std::string verdictText(const Comparison& comparison) {
  if (!comparison.goal) return "";
  return comparison.goal->isReached(comparison.value) ? "yes" : "**no**";
}

std::string allocationsText(double allocations) {
  return allocations == 0 ? "0" : fmt::format("{:.3g}", allocations);
}

void writeSection(std::string& text, const Section& section) {
  text += fmt::format("\n## {}\n", section.title);
  if (!section.lines.empty()) {
    text += "\n| operation | data | median | p50 | p99 | allocations |\n";
    text += "| --- | --- | ---: | ---: | ---: | ---: |\n";
  }
  for (const Line& line : section.lines) {
    const Figures& figures = line.figures;
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", line.name, line.data,
                        timeText(figures.median), timeText(figures.p50), timeText(figures.p99),
                        allocationsText(figures.allocations));
  }
  if (!section.comparisons.empty()) {
    text += "\n| compared | data | value | to reach | reached |\n";
    text += "| --- | --- | ---: | --- | --- |\n";
  }
  for (const Comparison& comparison : section.comparisons)
    text += fmt::format("| {} | {} | {} {} | {} | {} |\n", comparison.what, comparison.data,
                        numberText(comparison.value), comparison.unit, boundText(comparison),
                        verdictText(comparison));
  if (!section.notes.empty()) text += "\n";
  for (const std::string& note : section.notes) text += "- " + note + "\n";
}

nlohmann::ordered_json jsonOf(const Line& line) {
  return {{"operation", line.name},
          {"data", line.data},
          {"medianNs", line.figures.median},
          {"p50Ns", line.figures.p50},
          {"p99Ns", line.figures.p99},
          {"allocations", line.figures.allocations},
          {"operations", line.figures.operations}};
}

nlohmann::ordered_json jsonOf(const Comparison& comparison) {
  nlohmann::ordered_json json{{"compared", comparison.what},
                              {"data", comparison.data},
                              {"value", comparison.value},
                              {"unit", comparison.unit}};
  if (!comparison.goal) return json;
  json[comparison.goal->kind == Goal::Kind::atMost ? "atMost" : "atLeast"] = comparison.goal->bound;
  json["reached"] = comparison.goal->isReached(comparison.value);
  return json;
}

template <typename Value>
nlohmann::ordered_json listOf(const std::vector<Value>& values) {
  auto list = nlohmann::ordered_json::array();
  for (const Value& value : values) list.push_back(jsonOf(value));
  return list;
}

}  // namespace

Section& Report::section(std::string title) {
  sections_.push_back(std::make_unique<Section>(Section{std::move(title)}));
  return *sections_.back();
}

bool Report::allocates() const {
  for (const auto& section : sections_)
    for (const Comparison& comparison : section->comparisons)
      if (comparison.unit == "allocations" && !comparison.goal->isReached(comparison.value))
        return true;
  return false;
}

std::string Report::markdown() const {
  std::string text =
      "# The last run\n\nMade by `./scripts/bench`. See README.md for what is measured.\n\n";
  for (const auto& [name, value] : circumstances) text += fmt::format("- {}: {}\n", name, value);
  for (const auto& section : sections_) writeSection(text, *section);
  return text;
}

nlohmann::ordered_json Report::json() const {
  nlohmann::ordered_json json;
  for (const auto& [name, value] : circumstances) json["circumstances"][name] = value;
  json["sections"] = nlohmann::ordered_json::array();
  for (const auto& section : sections_)
    json["sections"].push_back({{"title", section->title},
                                {"figures", listOf(section->lines)},
                                {"comparisons", listOf(section->comparisons)},
                                {"notes", section->notes}});
  return json;
}

}  // namespace enablement::bench
