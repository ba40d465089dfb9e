#include <enablement/tool/json_output.h>

#include <array>
#include <cstdio>

#include <enablement/tool/console.h>

namespace enablement::tool {
namespace {

std::string dumped(const Json& value, int indent = -1) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json orNull(const std::optional<bool>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace

Json storedJson(std::span<const StoredDecision> stored) {
  Json scopes = {
      {"global", Json::object()}, {"workspace", Json::object()}, {"session", Json::object()}};
  for (const StoredDecision& decision : stored) {
    Json& scope = scopes[std::string(name(decision.scope))];
    Json& place = decision.scope == Scope::global ? scope : scope[decision.place];
    place[decision.key.printed()] = decision.enabled;
  }
  return scopes;
}

Json toJson(const StoredDecision& decision) {
  return {{"scope", name(decision.scope)},    {"where", decision.place},
          {"target", decision.key.printed()}, {"enabled", decision.enabled},
          {"since", utc(decision.since)},     {"by", decision.by}};
}

Json toJson(const HistoryEntry& entry) {
  return {{"sequence", entry.sequence},
          {"at", utc(entry.at)},
          {"by", entry.actor},
          {"subject", name(entry.subject)},
          {"cause", name(entry.cause)},
          {"scope", name(entry.scope)},
          {"where", entry.place},
          {"session", entry.session},
          {"target", entry.key ? Json(entry.key->printed()) : Json()},
          {"customizationId", entry.key ? Json() : Json(entry.customizationId)},
          {"before", orNull(entry.before)},
          {"after", orNull(entry.after)}};
}

Json toJson(std::span<const HistoryEntry> entries) {
  Json list = Json::array();
  for (const HistoryEntry& entry : entries) list.push_back(toJson(entry));
  return list;
}

Json toJson(const QueuedPart& part) {
  return {{"session", part.session},   {"target", part.target.key.printed()},
          {"scope", name(part.scope)}, {"folder", part.folder},
          {"asked", name(part.asked)}, {"discoveryDefault", orNull(part.target.discoveryDefault)},
          {"since", utc(part.since)},  {"by", part.by}};
}

Json toJson(const UnclaimedDecision& decision) {
  return {{"session", decision.session},
          {"customizationId", decision.customizationId},
          {"enabled", decision.enabled},
          {"since", utc(decision.since)},
          {"by", decision.by}};
}

std::string minutes(Timestamp time) {
  const std::string text = utc(time);
  return text.substr(0, 10) + " " + text.substr(11, 5);
}

std::string utc(Timestamp time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()),
                static_cast<int>(clock.subseconds().count()));
  return text.data();
}

bool sameJson(const Json& a, const Json& b) {
  return nlohmann::json(a) == nlohmann::json(b);
}

std::string legible(const Json& value, std::size_t indent) {
  std::string line = shown(dumped(value));
  if (!value.is_structured() || value.empty() || indent + columns(line) <= textWidth) return line;
  std::string out(1, value.is_object() ? '{' : '[');
  const std::string margin = "\n" + std::string(indent + 2, ' ');
  const char* comma = "";
  for (const auto& [key, member] : value.items()) {
    out += comma + margin;
    if (value.is_object()) out += shown(dumped(key)) + ": ";
    out += legible(member, indent + 2);
    comma = ",";
  }
  return out + "\n" + std::string(indent, ' ') + (value.is_object() ? "}" : "]");
}

std::string document(const Json& value) {
  return dumped(value, 2);
}

}  // namespace enablement::tool
