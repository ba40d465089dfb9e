// Which programs have a file open.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace enablement::tool {

struct Holder {
  int process;
  std::string program;  // its name as the system keeps it; empty when that cannot be read
};

// As far as this user may see: other people's processes are not looked into. Looks at names alone
// and opens nothing, for closing a store's file would drop SQLite's locks. This process is left
// out.
[[nodiscard]] std::vector<Holder> holdersOf(const std::filesystem::path& path);

}  // namespace enablement::tool
