// How far a long piece of work is.
#pragma once

#include <chrono>
#include <string_view>

#include <enablement/tool/common.h>

namespace enablement::tool {

// A line on standard error, on a terminal, once the work takes more than a second. It is gone when
// this goes.
class ProgressLine {
 public:
  explicit ProgressLine(const Common& common);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(std::string_view text);
  void clear();

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool shown_;
  bool said_ = false;
};

}  // namespace enablement::tool
