// The numbered SQL scripts and what brings a file to the current schema.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include <enablement/schema/clock.h>

namespace SQLite {
class Database;
}

namespace enablement {

// One step of the schema: NNNN_name.up.sql and its way back, embedded at build time.
struct Migration {
  int version;
  std::string_view name;
  std::string_view sha256;  // of the up script without byte order mark and with LF line ends
  std::string_view up;
  std::string_view down;
};

// In ascending order, without gaps, from version 1.
[[nodiscard]] std::span<const Migration> migrations();

// The schema that this program writes.
[[nodiscard]] inline int currentSchemaVersion() {
  return migrations().back().version;
}

// What a file says of its schema.
struct SchemaVersion {
  int version;
  int lastCompatible;  // the oldest schema version whose programs may still use the file
};

// The functions below throw SQLite::Exception; the store turns it into an Error.

// None when the file has no schema of ours at all.
[[nodiscard]] std::optional<SchemaVersion> readSchemaVersion(SQLite::Database& database);

// Brings the file up to the current schema, with a row of bookkeeping for each step. The caller
// holds the transaction, so that the climb is whole or did not happen.
void climb(SQLite::Database& database, const Clock& clock);

}  // namespace enablement
