// The numbered SQL scripts, and what brings a file from one schema version to another.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
  std::string_view loss;  // selects what people decided that going down would give up: what, count
};

using Migrations = std::span<const Migration>;

// In ascending order, without gaps, from version 1.
[[nodiscard]] Migrations migrations();

// The schema that this program writes.
[[nodiscard]] inline int currentSchemaVersion() {
  return migrations().back().version;
}

// What a file says of its schema.
struct SchemaVersion {
  int version;
  int lastCompatible;  // the oldest schema version whose programs may still use the file
};

// A row of a file's bookkeeping.
struct AppliedMigration {
  int version;
  std::string name;
  std::string sha256;
  Timestamp at;
  std::chrono::microseconds took;
};

// What people decided and a step down gives up.
struct Loss {
  std::string what;  // in the singular: "queued part"
  std::int64_t count;
  friend bool operator==(const Loss&, const Loss&) = default;
};

enum class Direction : unsigned char { up, down };

// A step that was taken.
struct MigrationStep {
  int version;  // of the script; a step down ends one below
  std::string name;
  Direction direction;
  std::chrono::microseconds took;
  std::vector<Loss> losses;  // none for a step up; nothing is listed that counts 0
};

// Where a file's bookkeeping and the scripts of this program disagree.
struct MigrationFinding {
  enum class Kind : unsigned char {
    missing,     // the schema has the step, the bookkeeping or this program does not know of it
    changed,     // the script is not the one that was applied
    outOfOrder,  // applied before a step that it builds on
    pending,     // not applied yet; nothing is wrong with that
  };
  Kind kind;
  int version;
  std::string name;
  std::string what;
  std::string remedy;
};

[[nodiscard]] std::string_view name(MigrationFinding::Kind kind);

// The functions below throw SQLite::Exception; the store turns it into an Error.

// None when the file has no schema of ours at all.
[[nodiscard]] std::optional<SchemaVersion> readSchemaVersion(SQLite::Database& database);
// In ascending order.
[[nodiscard]] std::vector<AppliedMigration> appliedMigrations(SQLite::Database& database);

// In ascending order of versions.
[[nodiscard]] std::vector<MigrationFinding> validate(SQLite::Database& database,
                                                     Migrations scripts = migrations());
// Whether a finding is more than a step that waits.
[[nodiscard]] bool isBroken(const std::vector<MigrationFinding>& findings);

// Takes the steps that lead to schema version `to`, up or down, with their bookkeeping. The caller
// holds the transaction, so that the whole way was gone or none of it.
std::vector<MigrationStep> migrate(SQLite::Database& database, int to, const Clock& clock,
                                   Migrations scripts = migrations());
// Makes the bookkeeping what the scripts say, for every step that the file's version includes.
// Steps that it knew keep their time. The caller holds the transaction.
void repairBookkeeping(SQLite::Database& database, const Clock& clock,
                       Migrations scripts = migrations());

}  // namespace enablement
