// Targets as people write them.
#pragma once

#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include <enablement/schema/error.h>
#include <enablement/schema/target.h>

namespace enablement::tool {

// For the help of verbs: the three forms, and how a shell takes them.
inline constexpr const char* targetHelp =
    "TARGET is one of three; quote it, for shells read # and blanks:\n"
    "  PLUGIN               acme/tools, or a URI: file:///plugins/alpha\n"
    "  'PLUGIN#mcp=SERVER'  a server of a plugin: 'acme/tools#mcp=db'\n"
    "  'mcpServers#SERVER'  a server without a plugin: 'mcpServers#search'\n"
    "\n";

// A key from its printed form. The error lists the three forms. `invalidUri`, `invalidArgument`.
[[nodiscard]] Result<TargetKey> keyFrom(std::string_view text);

// The positional TARGET.
CLI::Option* addTargetText(CLI::App& verb, std::string& target);

// A word for a POSIX shell, quoted where that is needed.
[[nodiscard]] std::string shellWord(std::string_view text);

}  // namespace enablement::tool
