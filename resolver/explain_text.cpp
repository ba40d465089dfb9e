// The explanation in words, for people.
#include <algorithm>
#include <array>
#include <cstddef>
#include <ctime>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include <enablement/resolver/explain.h>

namespace enablement {
namespace {

using Kind = ExplainedLayer::Kind;

std::string word(bool enabled) {
  return enabled ? "enabled" : "disabled";
}

std::string sinceAndBy(const ExplainedLayer& layer) {
  if (!layer.changed) return {};
  return " since " + shortTime(*layer.changed) + " by " + layer.by;
}

const ExplainedLayer* decidingLayer(const Explanation& explanation) {
  const auto deciding = std::find_if(explanation.layers.begin(), explanation.layers.end(),
                                     [](const ExplainedLayer& layer) { return layer.decides; });
  return deciding == explanation.layers.end() ? nullptr : &*deciding;
}

// What the layers from `begin` on say together.
bool saidFrom(const std::vector<ExplainedLayer>& layers, Kind begin) {
  for (const ExplainedLayer& layer : layers)
    if (layer.kind >= begin && layer.value) return *layer.value;
  return true;
}

std::string inWords(const Explanation& explanation, const ExplainedLayer& layer) {
  const auto elsewhere = [&](const std::string& where, Kind begin) {
    return "; " + where + " it is " + word(saidFrom(explanation.layers, begin));
  };
  const std::string state = word(layer.value.value_or(true));
  switch (layer.kind) {
    case Kind::session:
      return state + " in this session" +
             (layer.unclaimed ? " as imported under its id, not claimed yet" : sinceAndBy(layer)) +
             (explanation.directory.uri() ? elsewhere("elsewhere in this folder", Kind::workspace)
                                          : elsewhere("everywhere else", Kind::global));
    case Kind::workspace:
      return state + " in this folder" + sinceAndBy(layer) +
             elsewhere("everywhere else", Kind::global);
    case Kind::global:
      return state + " everywhere" + sinceAndBy(layer);
    case Kind::clientBase:
      return state + " by what client " + layer.where + " states; nobody has decided otherwise";
    case Kind::discoveryDefault:
      return state + " by the runtime's own configuration; nobody has decided otherwise";
    case Kind::builtIn:
      break;
  }
  return state + " by default; nobody has decided anything";
}

std::string waitingFor(EffectiveReason reason) {
  switch (reason) {
    case EffectiveReason::store:
      return "pending until the store can be read";
    case EffectiveReason::session:
      return "pending until the session's decisions are loaded";
    case EffectiveReason::workingDirectory:
      return "pending until the session's folder is known";
    case EffectiveReason::child:
      return "pending until all that is in it is known";
    default:
      return "pending";
  }
}

std::string ownInWords(const Explanation& explanation) {
  const Effective own = explanation.own;
  if (own.state == EffectiveState::pending) return waitingFor(own.reason);
  if (const ExplainedLayer* layer = decidingLayer(explanation)) return inWords(explanation, *layer);
  if (own.reason == EffectiveReason::flag) return std::string(name(own.state)) + " by its own flag";
  if (own.reason == EffectiveReason::invalid)
    return "disabled because its URI or name is invalid: it has no key to decide about";
  return std::string(name(own.state)) + " by default; nobody has decided anything";
}

std::string firstLine(const Explanation& explanation) {
  const Effective answer = explanation.answer;
  const auto& container = explanation.container;
  if (answer.reason == EffectiveReason::child) return waitingFor(EffectiveReason::child);
  std::string masking;
  if (answer.reason == EffectiveReason::container && container)
    masking = " because " + container->name + " is " + std::string(name(container->answer.state)) +
              " (" + std::string(name(container->answer.reason)) + ")";
  else if (answer.state != explanation.own.state)
    masking = " because another entry has the same id (" + std::string(name(answer.reason)) + ")";
  else
    return ownInWords(explanation);
  return std::string(name(answer.state)) + masking + "; its own answer: " + ownInWords(explanation);
}

// Text from outside stays on its line: control characters are escaped.
std::string onOneLine(std::string_view text) {
  static constexpr char hex[] = "0123456789abcdef";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F)
      out += {'\\', 'x', hex[byte >> 4], hex[byte & 0xF]};
    else
      out += c;
  }
  return out;
}

using Row = std::array<std::string, 5>;

Row rowOf(const ExplainedLayer& layer) {
  const std::string value = !layer.value ? "-" : *layer.value ? "on" : "off";
  std::string by = layer.by;
  if (layer.changed && !layer.value) by += " (removed)";
  if (layer.redundant) by += by.empty() ? "(redundant)" : " (redundant)";
  return {std::string(layer.decides ? "> " : "  ") + std::string(name(layer.kind)), value,
          layer.changed ? shortTime(*layer.changed) : "", onOneLine(by), onOneLine(layer.where)};
}

constexpr std::size_t textWidth = 80;
constexpr std::size_t gap = 2;

// Columns that UTF-8 takes: its characters.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

// The first row holds the headings. Where the rows would be too wide, their last cells stand below
// them, one on a line.
std::string table(const std::vector<Row>& rows) {
  std::array<std::size_t, std::tuple_size_v<Row>> widths{};
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(row[i]));
  std::size_t beside = widths.size();
  const auto width = [&] {
    return std::accumulate(widths.begin(), widths.begin() + static_cast<std::ptrdiff_t>(beside),
                           gap * (beside - 1));
  };
  while (beside > 1 && width() > textWidth) --beside;

  const Row& headings = rows.front();
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < beside; ++i)
      line += row[i] + std::string(widths[i] - columns(row[i]) + gap, ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    for (std::size_t i = beside; i < row.size() && &row != &headings; ++i)
      if (!row[i].empty()) line += "\n    " + headings[i] + "  " + row[i];
    text += line + "\n";
  }
  return text;
}

}  // namespace

std::string shortTime(Timestamp time) {
  const auto seconds = std::chrono::system_clock::to_time_t(time);
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  std::array<char, 32> text{};
  const auto size = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M UTC", &utc);
  return {text.data(), size};
}

std::string toText(const Explanation& explanation) {
  std::string text = onOneLine(firstLine(explanation)) + "\n";
  if (!explanation.layers.empty()) {
    std::vector<Row> rows{{"  layer", "value", "changed", "by", "where"}};
    for (const ExplainedLayer& layer : explanation.layers) rows.push_back(rowOf(layer));
    text += "\n" + table(rows);
  }
  for (const QueuedPart& part : explanation.queued)
    text += "\nwaits: " + std::string(name(part.asked)) + " for the " +
            std::string(name(part.scope)) + (part.folder.empty() ? "" : " " + part.folder) +
            ", asked " + shortTime(part.since) + " by " + onOneLine(part.by) + "\n";
  if (explanation.historyError)
    text += "\nnothing is known of changes: " + onOneLine(explanation.historyError->message) + "\n";
  return text;
}

}  // namespace enablement
