// What a disk holds beneath the page cache, file by file. See README.md.
#pragma once

#include <sys/types.h>

#include <compare>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enablement::testing {

namespace fs = std::filesystem;

std::string readFile(const fs::path& file);
void writeFile(const fs::path& file, std::string_view bytes);

// A file whatever its names are: a link(2) gives the same file another one.
struct FileId {
  dev_t device;
  ino_t inode;
  auto operator<=>(const FileId&) const = default;
};

std::optional<FileId> fileIdOf(const fs::path& path);

// What the page cache has taken and the disk may not have yet.
struct UnsyncedChange {
  bool truncates;  // to `offset`; otherwise `bytes` were written there
  std::int64_t offset;
  std::string bytes;
};

struct DiskFile {
  std::string durable;  // as of the last successful sync
  std::vector<UnsyncedChange> unsynced = {};
  std::int64_t size = 0;  // as programs see it
};

// Which unsynced changes reached the disk before the power went.
struct Survivors {
  enum class Kind : unsigned char { none, all, some };
  Kind kind = Kind::none;
  std::uint64_t seed = 0;  // of `some`: which, and whether a write is whole or torn at 512 bytes
};

// A folder at the moment of a power cut.
struct Wreck {
  std::map<std::string, FileId> names = {};
  std::map<FileId, DiskFile> files = {};

  // Empties the folder and puts into it what is found there once the power is back.
  void rebuild(const fs::path& folder, Survivors survivors) const;
};

// The files that were opened since forget(). A file's content at its first opening is durable.
class Disk {
 public:
  void forget() { files_.clear(); }
  [[nodiscard]] bool knows(const FileId& file) const { return files_.contains(file); }

  void adopt(const FileId& file, std::string content);
  void write(const FileId& file, std::int64_t offset, std::string_view bytes);
  void truncate(const FileId& file, std::int64_t size);
  void sync(const FileId& file);
  void remove(const FileId& file) { files_.erase(file); }

  // Of all files, if one of them became `size` long.
  [[nodiscard]] std::int64_t bytesWith(const FileId& file, std::int64_t size) const;
  [[nodiscard]] std::int64_t sizeOf(const FileId& file) const;

  // What lies in `folder` now. Without `-shm` files: those are memory.
  [[nodiscard]] Wreck wreckOf(const fs::path& folder) const;

 private:
  std::map<FileId, DiskFile> files_;
};

}  // namespace enablement::testing
