// What tree entries are to the resolver: the one builder that makes targets from them (I5), and the
// flags of those that are none.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include <enablement/schema/error.h>
#include <enablement/schema/resolution.h>
#include <enablement/schema/target.h>

namespace enablement {

// Which plugin owns a bare server, by server name. An own-key look-up: `constructor` and
// `__proto__` are names like any other.
using OwnerMap = std::map<std::string, std::string, std::less<>>;

// What an entry is to the resolver. Types that are not known have a flag, as directories have.
enum class EntryKind : unsigned char { plugin, mcpServer, flagged };

[[nodiscard]] EntryKind kindOf(const nlohmann::ordered_json& entry);

// The own answer of an entry with a flag. Absent means on; anything that is there and is not true
// is off: what is not understood fails closed.
[[nodiscard]] Effective answerOfFlag(const nlohmann::ordered_json& entry);

// The target of a plugin or server entry at the top level. A bare server has the owner that
// `owners` names for it, or none. `invalidUri`, `invalidArgument` for the entry's own URI or name,
// or that of its owner.
[[nodiscard]] Result<Target> targetOfTopLevel(const nlohmann::ordered_json& entry,
                                              const OwnerMap& owners);

// The target of a plugin or server entry inside a container: a server has the container as owner if
// that is a plugin, otherwise none, whatever `owners` would say.
[[nodiscard]] Result<Target> targetOfChild(const nlohmann::ordered_json& entry,
                                           const std::optional<TargetKey>& containingPlugin);

}  // namespace enablement
