// What a run was made on.
#pragma once

#include <filesystem>
#include <string>

namespace enablement::bench {

[[nodiscard]] std::string processorName();
[[nodiscard]] std::string kernelName();
// Of the file system that a folder is on, e.g. "ext4".
[[nodiscard]] std::string fileSystemOf(const std::filesystem::path& folder);

}  // namespace enablement::bench
