#include <enablement/tool/temp_dir.h>

#include <stdlib.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

namespace enablement::tool {
namespace {

constexpr std::array interrupts{SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t received = 0;

void remember(int signal) {
  received = signal;
}

}  // namespace

Result<TempDir> TempDir::create() {
  std::error_code error;
  std::filesystem::path base = std::filesystem::temp_directory_path(error);
  if (error) base = "/tmp";
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
