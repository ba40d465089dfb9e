// What is to be known of a store's file without its decisions.
#include <sqlite3.h>
#include <sys/stat.h>

#include <array>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <enablement/store/file_stamp.h>
#include <enablement/store/sqlite_error.h>
#include <enablement/store/store_file.h>
#include <enablement/store/upkeep.h>

namespace enablement {
namespace {

std::optional<FileMode> modeOf(const std::filesystem::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileMode{static_cast<unsigned>(status.st_mode) & 07777U,
                  static_cast<unsigned>(status.st_uid)};
}

// What the header says. A file that is read as it lies there is never asked for its log, so SQLite
// would name another mode.
bool isLogged(SQLite::Database& database) {
  sqlite3_file* file = nullptr;
  std::array<unsigned char, 2> versions{};  // of the format, for writing and for reading
  constexpr sqlite3_int64 offset = 18;
  return sqlite3_file_control(database.getHandle(), "main", SQLITE_FCNTL_FILE_POINTER, &file) ==
             SQLITE_OK &&
         file != nullptr && file->pMethods != nullptr &&
         file->pMethods->xRead(file, versions.data(), static_cast<int>(versions.size()), offset) ==
             SQLITE_OK &&
         versions[0] == 2;
}

}  // namespace

FileFacts fileFacts(const std::filesystem::path& path) {
  FileFacts facts{.file = modeOf(path)};
  const auto folder = path.parent_path();
  facts.folder = modeOf(folder.empty() ? std::filesystem::path(".") : folder);
  if (const auto stamp = stampOf(path); stamp && *stamp) facts.bytes = (*stamp)->size;
  facts.walBytes = walBytesBeside(path);
  facts.sqlite = sqlite3_libversion();
  return facts;
}

Result<StoreFacts> storeFacts(const StoreOptions& options) {
  return readStoreFile(options, [&](Inspected& file) {
    return attempt("read the header", options.path, [&] {
      SQLite::Database& database = *file.database;
      const auto number = [&](const char* pragma) {
        return database.execAndGet(pragma).getInt64();
      };
      StoreFacts facts{.schemaVersion = file.schemaVersion};
      facts.journalMode =
          isLogged(database) ? "wal" : database.execAndGet("PRAGMA journal_mode").getString();
      facts.pageSize = number("PRAGMA page_size");
      facts.pages = number("PRAGMA page_count");
      facts.freePages = number("PRAGMA freelist_count");
      return facts;
    });
  });
}

}  // namespace enablement
