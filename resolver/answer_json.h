// Answers as JSON, in the shapes of the contract.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <enablement/schema/resolution.h>

namespace enablement {

// {kind: directory, uri}, {kind: none} or {kind: pending}
[[nodiscard]] nlohmann::ordered_json toJson(const WorkingDirectory& directory);
// {state, reason}
[[nodiscard]] nlohmann::ordered_json toJson(Effective answer);
// {kind: resolved, enabled, enablement, workingDirectory} or {kind: pending, reason}
[[nodiscard]] nlohmann::ordered_json toJson(const Resolution& resolution);
// The `enablement` field of a resolved entry: [{kind, uri?, enabled}], most specific first.
[[nodiscard]] nlohmann::ordered_json enablementJson(const Resolved& resolved);

}  // namespace enablement
