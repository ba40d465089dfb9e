#include <enablement/tool/progress.h>

#include <unistd.h>

#include <iostream>

namespace enablement::tool {

ProgressLine::ProgressLine(const Common& common)
    : shown_(!common.quiet && isatty(STDERR_FILENO) != 0) {}

void ProgressLine::show(std::string_view text) {
  if (!shown_ || std::chrono::steady_clock::now() - start_ < std::chrono::seconds(1)) return;
  std::cerr << "\r\x1b[K" << text << std::flush;
  said_ = true;
}

void ProgressLine::clear() {
  if (said_) std::cerr << "\r\x1b[K" << std::flush;
  said_ = false;
}

}  // namespace enablement::tool
