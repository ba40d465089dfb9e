// The ids and names of MCP servers (S9).
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <enablement/resolver/entry_target.h>

namespace enablement {

// The published id of a bare server: `mcp-top-level:<provider>:<owner session>:<name>`. The session
// is the one that owns the server in the protocol's words, e.g. `ahp://copilot/1`; never a
// runtime's own id of its session, which changes when that is resumed.
[[nodiscard]] std::string bareServerId(std::string_view provider, std::string_view ownerSession,
                                       std::string_view name);

// Which plugin brings the server of each name: the URI that names the plugin, never the folder that
// it was put into. Of several plugins with such a server the first. For a list that is well-formed.
[[nodiscard]] OwnerMap ownersByName(const nlohmann::ordered_json& customizations);

// Every server that is declared: those of the root configuration, and those of every plugin in the
// list, whether they are on or off. In byte order.
[[nodiscard]] std::set<std::string> declaredServers(std::vector<std::string> rootConfiguration,
                                                    const nlohmann::ordered_json& customizations);

}  // namespace enablement
