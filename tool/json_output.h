// The library's values as JSON: in the shapes of the contract where it has one.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <enablement/resolver/answer_json.h>
#include <enablement/resolver/service.h>
#include <enablement/tool/json_input.h>

namespace enablement::tool {

// As a scenario's `stored` shows it: scope, then place, then printed key.
[[nodiscard]] Json storedJson(std::span<const StoredDecision> stored);

// A row of a list.
[[nodiscard]] Json toJson(const StoredDecision& decision);
// A change, as a write reports it.
[[nodiscard]] Json toJson(const HistoryEntry& entry);
[[nodiscard]] Json toJson(std::span<const HistoryEntry> entries);
[[nodiscard]] Json toJson(const QueuedPart& part);
[[nodiscard]] Json toJson(const UnclaimedDecision& decision);

// "2026-05-01 10:20", UTC, for tables.
[[nodiscard]] std::string minutes(Timestamp time);

// UTC with milliseconds, as 2026-05-01T10:20:33.123Z.
[[nodiscard]] std::string utc(Timestamp time);

// Whether two values are equal as JSON: the order of members does not count.
[[nodiscard]] bool sameJson(const Json& a, const Json& b);

// JSON for a person: what fits on a line is one line. Lines after the first are indented.
[[nodiscard]] std::string legible(const Json& value, std::size_t indent = 0);

// JSON for a program. Text that is not UTF-8 does not stop it.
[[nodiscard]] std::string document(const Json& value);

}  // namespace enablement::tool
