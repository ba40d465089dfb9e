// What stat() tells of a store's file. Internal.
//
// The file is never opened outside SQLite: closing it again would drop the locks that SQLite holds
// for this process, and another process would then delete a write-ahead log that is in use.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include <enablement/schema/error.h>

namespace enablement {

// Which file a path names, and whether somebody wrote to it.
struct FileStamp {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t size = 0;
  std::int64_t modifiedNs = 0;
  std::int64_t walBytes = 0;  // of the write-ahead log beside it; 0 when there is none
  bool isRegular = false;

  [[nodiscard]] bool namesSameFile(const FileStamp& other) const {
    return device == other.device && inode == other.inode;
  }
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

// A stamp that the next write is sure to change. The kernel's file times stand still for some
// milliseconds: right after a write, another one may leave the same time behind. Waits until that
// is over, for as long as nobody writes on and on.
[[nodiscard]] Result<std::optional<FileStamp>> sureStampOf(const std::filesystem::path& path);

// None when nothing has that name.
[[nodiscard]] Result<std::optional<FileStamp>> stampOf(const std::filesystem::path& path);

// `path` with a suffix, as SQLite names the files that go with a database.
[[nodiscard]] std::filesystem::path beside(const std::filesystem::path& path,
                                           const std::string& suffix);
[[nodiscard]] std::int64_t walBytesBeside(const std::filesystem::path& path);

// An errno of the system's; `doing` completes "cannot …".
[[nodiscard]] Error systemError(const std::string& doing, const std::filesystem::path& path,
                                int number);

}  // namespace enablement
