// Folders as people write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <enablement/schema/error.h>
#include <enablement/schema/resolution.h>

namespace enablement::tool {

// A folder from a path or a URI (a scheme of two letters or more and a `:`). An existing path is
// turned into its real path first, which the library, comparing text, never does; another one is
// made absolute. `invalidUri`, `invalidArgument`.
[[nodiscard]] Result<WorkingDirectory> folderFrom(std::string_view text);

// The path of a folder on this machine. None for a folder elsewhere.
[[nodiscard]] std::optional<std::string> localPath(std::string_view uri);

}  // namespace enablement::tool
