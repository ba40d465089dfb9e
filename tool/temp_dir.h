// A folder for a store that nobody keeps.
#pragma once

#include <array>
#include <filesystem>

#include <enablement/schema/error.h>

namespace enablement::tool {

// A new folder of its own under $TMPDIR, in memory or under /tmp, removed with all that is in it
// when this goes.
class TempDir {
 public:
  // `io`.
  static Result<TempDir> create();
  ~TempDir();
  TempDir(TempDir&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  TempDir& operator=(TempDir&&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  explicit TempDir(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

// While it lives, an interrupt (Ctrl-C, a hang-up, a termination) does not end the process but is
// remembered, so that what is temporary can be removed first. When it goes, the process ends as it
// was asked to.
class InterruptLater {
 public:
  InterruptLater();
  ~InterruptLater();
  InterruptLater(const InterruptLater&) = delete;
  InterruptLater& operator=(const InterruptLater&) = delete;

  [[nodiscard]] static bool asked();

 private:
  using Handler = void (*)(int);
  std::array<Handler, 3> before_;
};

}  // namespace enablement::tool
