// What the readers of imported files have in common. Internal.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <enablement/schema/error.h>
#include <enablement/store/import_source.h>

namespace enablement {

// The bytes of a file. `invalidArgument` when it cannot be read.
[[nodiscard]] Result<std::string> readWholeFile(const std::filesystem::path& file);

// Tells a changed source from the same.
[[nodiscard]] std::string contentHash(std::string_view content);

// A marker for a file, by its absolute path.
[[nodiscard]] ImportMarker markerFor(ImportKind kind, const std::filesystem::path& file,
                                     std::string_view place, std::string_view content);

}  // namespace enablement
