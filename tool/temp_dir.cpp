#include <enablement/tool/temp_dir.h>

#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>

namespace enablement::tool {
namespace {

constexpr std::array interrupts{SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t received = 0;

void remember(int signal) {
  received = signal;
}

std::filesystem::path baseFolder() {
  // In memory where that is possible: a scenario tests the rules, not the disk, and on a disk each
  // of its commits would wait for the device.
  std::error_code error;
  const std::filesystem::path memory = "/dev/shm";
  if (std::getenv("TMPDIR") == nullptr && std::filesystem::is_directory(memory, error) &&
      ::access(memory.c_str(), W_OK) == 0)
    return memory;
  const std::filesystem::path base = std::filesystem::temp_directory_path(error);
  return error ? "/tmp" : base;
}

}  // namespace

Result<TempDir> TempDir::create() {
  const std::filesystem::path base = baseFolder();
  std::string name = (base / "enablectl-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    return fail(ErrorCode::io,
                "cannot create a folder in " + base.string() + ": " + std::strerror(errno),
                "set TMPDIR to a folder that can be written");
  return TempDir(name);
}

TempDir::~TempDir() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

InterruptLater::InterruptLater() {
  received = 0;
  for (std::size_t i = 0; i < interrupts.size(); ++i) {
    before_[i] = std::signal(interrupts[i], remember);
    if (before_[i] == SIG_IGN) std::signal(interrupts[i], SIG_IGN);  // as under nohup
  }
}

InterruptLater::~InterruptLater() {
  for (std::size_t i = 0; i < interrupts.size(); ++i) std::signal(interrupts[i], before_[i]);
  if (received != 0) std::raise(received);
}

bool InterruptLater::asked() {
  return received != 0;
}

}  // namespace enablement::tool
