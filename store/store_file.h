// Opening a store's file without harming what is there. Internal.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include <enablement/schema/error.h>
#include <enablement/store/file_stamp.h>
#include <enablement/store/options.h>

namespace SQLite {
class Database;
}

namespace enablement {

enum class Opening : unsigned char {
  first,
  // A store that this process has used already: it is neither created nor migrated. A file that is
  // missing or older now was taken away or migrated down on purpose, and an empty store in its
  // place would mean "everything on".
  again,
};

struct StoreFile {
  std::unique_ptr<SQLite::Database> database;
  FileStamp stamp = {};  // when it was opened
  int schemaVersion = 0;
  // Read as it lies there: what others write is not seen, and whoever reads on must look at the
  // stamp.
  bool isStill = false;
  // Set when the file can be read but not written.
  std::optional<Error> readOnly = {};
};

// A connection that cannot write, with the schema version of the file: 0 when it has none.
struct Inspected {
  std::unique_ptr<SQLite::Database> database;
  int schemaVersion = 0;
  FileStamp stamp = {};
  // As in StoreFile.
  bool isStill = false;
};

// How SQLite opens a file to read it: under its locks, or, while nobody writes, as it lies there.
[[nodiscard]] std::string readOnlyUri(const std::filesystem::path& path, bool still);

// Looks at a file that exists: a lock for reading is all it takes. A file that is not ours, or
// empty, or missing beside its log, is `corrupt`, one that a newer program alone may use
// `newerSchema`.
[[nodiscard]] Result<Inspected> inspectStoreFile(const StoreOptions& options);
// The same for a file that may be damaged: only its header is read. Its version is what the header
// says.
[[nodiscard]] Result<Inspected> inspectDamagedFile(const StoreOptions& options);

// How often a file that others write to is read again before that is `busy`.
inline constexpr int stillReads = 10;

// What `read` makes of an inspected file; again when somebody wrote to it meanwhile, because what
// was read may be torn then.
template <typename Read>
auto readStoreFile(const StoreOptions& options, Read read)
    -> decltype(read(std::declval<Inspected&>())) {
  for (int again = 0; again < stillReads; ++again) {
    const auto sure = sureStampOf(options.path);
    auto file = inspectStoreFile(options);
    if (!file) return fail(file.error());
    const bool still = file->isStill;
    if (still && (!sure || *sure != file->stamp)) continue;
    auto result = read(*file);
    if (!still) return result;
    if (const auto after = stampOf(options.path); after && *after == *sure) return result;
  }
  return fail(ErrorCode::busy, options.path.string() + " is written to all the time", "try again");
}

// A connection that can write to a file that was inspected. `readOnly` where nothing can.
[[nodiscard]] Result<std::unique_ptr<SQLite::Database>> connectToStore(const StoreOptions& options);

// Its own copy of what is committed, in memory: the file's version can be changed there freely.
[[nodiscard]] Result<std::unique_ptr<SQLite::Database>> copyIntoMemory(
    const std::filesystem::path& path, SQLite::Database& source);

// Makes a new store at this schema version, empty but for what `fill` writes, in one transaction;
// somebody else may have made one meanwhile.
[[nodiscard]] Status createStoreFile(const StoreOptions& options, int schemaVersion,
                                     const std::function<void(SQLite::Database&)>& fill = {});

// Runs `body` in a transaction that holds the write lock; rolled back when it fails or throws.
Status inOneTransaction(SQLite::Database& database, const std::function<Status()>& body);

// Creates the file when it does not exist and `access` is readWrite, migrates an older one, and
// leaves every byte of a file that cannot be used as it was (I16).
[[nodiscard]] Result<StoreFile> openStoreFile(const StoreOptions& options, Opening opening);

// Copies a store, as one moment of it, into a new file. `invalidArgument` when something has that
// name already, `busy` when the copy `isTorn`.
[[nodiscard]] Status backUpInto(const std::filesystem::path& target, SQLite::Database& source,
                                const std::function<bool()>& isTorn);

}  // namespace enablement
