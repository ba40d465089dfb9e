// Opening a store's file without harming what is there. Internal.
#pragma once

#include <memory>
#include <optional>

#include <enablement/schema/error.h>
#include <enablement/store/options.h>

namespace SQLite {
class Database;
}

namespace enablement {

struct StoreFile {
  std::unique_ptr<SQLite::Database> database;
  int schemaVersion = 0;
  // Set when the file can be read but not written.
  std::optional<Error> readOnly = {};
};

// Creates the file when it does not exist and `access` is readWrite, migrates an older one, and
// leaves every byte of a file that cannot be used as it was (I16).
[[nodiscard]] Result<StoreFile> openStoreFile(const StoreOptions& options);

}  // namespace enablement
