#include <enablement/tool/holders.h>

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <system_error>

namespace enablement::tool {
namespace {

namespace fs = std::filesystem;

std::optional<int> processIn(const fs::path& folder) {
  const std::string name = folder.filename();
  int number = 0;
  const char* const end = name.data() + name.size();
  const auto [read, error] = std::from_chars(name.data(), end, number);
  if (error != std::errc() || read != end) return std::nullopt;
  return number;
}

bool holds(const fs::path& process, const fs::path& file) {
  std::error_code hidden;
  for (fs::directory_iterator one(process / "fd", hidden), end; !hidden && one != end;
       one.increment(hidden)) {
    std::error_code gone;
    if (fs::read_symlink(one->path(), gone) == file && !gone) return true;
  }
  return false;
}

std::string programOf(const fs::path& process) {
  std::ifstream stream(process / "comm");
  std::string name;
  std::getline(stream, name);
  return name;
}

}  // namespace

std::vector<Holder> holdersOf(const fs::path& path) {
  std::vector<Holder> holders;
  std::error_code failed;
  const fs::path file = fs::canonical(path, failed);
  if (failed) return holders;
  for (fs::directory_iterator one("/proc", failed), end; !failed && one != end;
       one.increment(failed)) {
    const auto process = processIn(one->path());
    if (process && *process != getpid() && holds(one->path(), file))
      holders.push_back({*process, programOf(one->path())});
  }
  std::sort(holders.begin(), holders.end(),
            [](const Holder& a, const Holder& b) { return a.process < b.process; });
  return holders;
}

}  // namespace enablement::tool
