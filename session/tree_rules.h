// What each action does to the list of customizations (S2). Internal.
//
// Every rule is given the list, or null if there is none, and an action that checkShape() has seen.
// It returns the next list, or nothing if its rule says *unchanged*.
#pragma once

#include <optional>

#include <enablement/schema/json_text.h>
#include <enablement/session/reducer.h>

namespace enablement {

[[nodiscard]] std::optional<Json> toggled(const Json* list, const Json& action,
                                          Generation generation);
[[nodiscard]] std::optional<Json> updated(const Json* list, const Json& action);
[[nodiscard]] std::optional<Json> removed(const Json* list, const Json& action);

// `state` and `channel` of the MCP servers with the id; no channel: it is taken away.
[[nodiscard]] std::optional<Json> withServerState(const Json* list, const Json& action,
                                                  const Json& state, const Json* channel);

}  // namespace enablement
