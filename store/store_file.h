// Opening a store's file without harming what is there. Internal.
#pragma once

#include <memory>
#include <optional>

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

// Creates the file when it does not exist and `access` is readWrite, migrates an older one, and
// leaves every byte of a file that cannot be used as it was (I16).
[[nodiscard]] Result<StoreFile> openStoreFile(const StoreOptions& options, Opening opening);

// Copies a store, as one moment of it, into a new file. `invalidArgument` when something has that
// name already.
[[nodiscard]] Status backUpInto(const std::filesystem::path& target, SQLite::Database& source);

}  // namespace enablement
