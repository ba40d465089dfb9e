// A file system of SQLite's with a fault to order: the n-th operation fails, is swallowed, or is
// the last before the power goes. See README.md for what it plays and what it does not.
#pragma once

#include <sqlite3.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "disk.h"

namespace enablement::testing {

// What can be counted. Reads are numbered apart from what changes the disk.
enum class Operation : unsigned char { write, sync, truncate, remove, link, read };

enum class Fault : unsigned char {
  ioError,     // nothing happens, SQLITE_IOERR_*
  full,        // nothing happens, SQLITE_FULL (of a sync, a removal or a read: SQLITE_IOERR_*)
  shortWrite,  // the first half of a write happens, SQLITE_FULL
  swallow,     // nothing happens and success is reported: a disk that lies
};

enum class Lasting : unsigned char { once, fromThenOn };

// One for the process: SQLite's default from the first get() on. A connection opened with the
// system's own file system by name ("unix") passes it by. Any thread.
class FaultVfs {
 public:
  static FaultVfs& get();

  // No faults, counters at zero, whatever lies on the disk is durable. With no file open.
  void reset();
  // No faults from now on.
  void heal();

  // Operations that change the disk, numbered from 1 since reset().
  void failAt(std::size_t number, Fault fault, Lasting lasting);
  void failReadAt(std::size_t number, Fault fault, Lasting lasting);
  // Every sync reports success and does nothing.
  void swallowSyncs();
  // All files together may have so many bytes: beyond them it is SQLITE_FULL. None: no limit.
  void limitBytes(std::optional<std::int64_t> bytes);
  // After that operation nothing reaches the disk any more and everything fails.
  void cutPowerAfter(std::size_t number, fs::path folder);

  [[nodiscard]] std::size_t operations() const;
  [[nodiscard]] std::size_t reads() const;
  [[nodiscard]] std::int64_t bytes() const;  // of all files
  // Whether an ordered fault has happened, or the power is out.
  [[nodiscard]] bool hasFired() const;
  // What the n-th operation was, for messages: "sync enablement.db-wal".
  [[nodiscard]] std::string operation(std::size_t number) const;
  // What lay in the folder when the power went.
  [[nodiscard]] const Wreck& wreck() const { return *wreck_; }

  // The functions below are for the shim itself.

  // What becomes of the operation that is about to happen; none: it happens.
  std::optional<Fault> begin(Operation operation, std::string_view path);
  // It has happened, or was to fail.
  void end(Operation operation);
  template <typename Edit>
  auto onDisk(Edit edit) {
    const std::scoped_lock lock(mutex_);
    return edit(disk_);
  }
  [[nodiscard]] bool exceedsLimit(const FileId& file, std::int64_t size) const;
  [[nodiscard]] bool isPowerOut() const;
  [[nodiscard]] sqlite3_vfs* real() const { return real_; }

 private:
  struct Order {
    std::size_t number = 0;
    Fault fault = Fault::ioError;
    Lasting lasting = Lasting::once;
    [[nodiscard]] bool meets(std::size_t count) const {
      return number != 0 && (lasting == Lasting::once ? count == number : count >= number);
    }
  };

  FaultVfs();

  sqlite3_vfs* real_;
  sqlite3_vfs own_;
  mutable std::mutex mutex_;  // everything below
  Disk disk_;
  std::size_t operations_ = 0;
  std::size_t reads_ = 0;
  std::vector<std::string> trace_;
  std::optional<Order> changeOrder_;
  std::optional<Order> readOrder_;
  bool swallowsSyncs_ = false;
  std::optional<std::int64_t> limit_;
  std::size_t cutAfter_ = 0;
  fs::path cutFolder_;
  std::optional<Wreck> wreck_;
  bool hasFired_ = false;
};

// While one lives on a thread, the system calls that are watched are SQLite's own, which are
// counted already.
class InsideSqlite {
 public:
  InsideSqlite() { ++depth; }
  ~InsideSqlite() { --depth; }
  InsideSqlite(const InsideSqlite&) = delete;
  InsideSqlite& operator=(const InsideSqlite&) = delete;
  static bool here() { return depth > 0; }

 private:
  static thread_local int depth;
};

}  // namespace enablement::testing
