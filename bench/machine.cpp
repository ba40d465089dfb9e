#include <enablement/bench/machine.h>

#include <sys/utsname.h>

#include <fstream>
#include <sstream>
#include <system_error>

namespace enablement::bench {

std::string processorName() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

std::string kernelName() {
  utsname name{};
  return ::uname(&name) == 0 ? std::string(name.sysname) + " " + name.release : "unknown";
}

std::string fileSystemOf(const std::filesystem::path& folder) {
  // The mount with the longest name that the folder lies in; a later one covers an earlier.
  std::error_code failed;
  const std::string path = std::filesystem::canonical(folder, failed).string() + "/";
  std::ifstream in("/proc/self/mounts");
  std::string best = "unknown";
  std::size_t length = 0;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string device;
    std::string mount;
    std::string type;
    words >> device >> mount >> type;
    if (mount.size() >= length && (mount == "/" || path.starts_with(mount + "/"))) {
      best = type;
      length = mount.size();
    }
  }
  return best;
}

}  // namespace enablement::bench
