// A folder for the files of a run, gone at its end.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include <enablement/bench/must.h>

namespace enablement::bench {

class TempFolder {
 public:
  explicit TempFolder(const std::filesystem::path& in) : path_((in / "bench-XXXXXX").string()) {
    must(::mkdtemp(path_.data()) != nullptr, "cannot make " + path_);
  }
  ~TempFolder() {
    std::error_code failed;
    std::filesystem::remove_all(path_, failed);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace enablement::bench
