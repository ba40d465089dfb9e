// What a runtime may get servers from beside the list, as it comes from a file.
#pragma once

#include <string_view>

#include <enablement/enforcement/inputs.h>
#include <enablement/tool/json_input.h>

namespace enablement::tool {

// Members of the file's object: `rootConfiguration`, `builtIns`, `userServers`, `workspace`,
// `plugins`, `injected`, `ephemeral`. Where it says nothing of plugins on disk, their URIs stand
// for directories, and where it says nothing of definitions, empty ones stand for those of the
// servers that are listed. `invalidArgument`, naming `name` and the member, for one of the wrong
// kind.
[[nodiscard]] Result<Sources> sourcesFrom(const Json& members, const Json& customizations,
                                          std::string_view name);

}  // namespace enablement::tool
