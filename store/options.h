// How a store is opened.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>

#include <enablement/schema/clock.h>

namespace enablement {

// Who may change the file.
enum class Access : unsigned char {
  // A daemon: the file is created when it does not exist, and migrated when it is older.
  readWrite,
  // A tool that writes to a store that must exist already.
  existing,
  // A tool that only looks: nothing in the file changes, no lock for writing is taken, writes are
  // refused with `readOnly`. A settling session shows its queued parts as if they were applied.
  look,
};

struct StoreOptions {
  // Empty: a store in memory, which ends with the service.
  std::filesystem::path path;
  Access access = Access::readWrite;
  Clock clock = systemNow;
  // How long a call waits for another process's write lock before it fails with `busy`.
  std::chrono::milliseconds busyTimeout{2000};
  // The most decisions that may be stored; a write that exceeds it fails with `limit` (I13).
  std::optional<std::size_t> decisionCap = {};
  // How many of the newest history rows are kept. The newest row of an existing decision always is.
  std::size_t historyRows = 10'000;
};

}  // namespace enablement
