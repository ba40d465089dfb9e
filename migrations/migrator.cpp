#include <enablement/migrations/migrator.h>

#include <chrono>
#include <string>

#include <SQLiteCpp/SQLiteCpp.h>

namespace enablement {
namespace {

// Not part of any numbered script: it must exist before the first and outlive the last.
constexpr auto createBookkeeping = R"sql(
CREATE TABLE IF NOT EXISTS migration (
  version     INTEGER NOT NULL PRIMARY KEY,
  name        TEXT    NOT NULL,
  sha256      TEXT    NOT NULL,
  applied_at  INTEGER NOT NULL,  -- UTC, milliseconds
  duration_us INTEGER NOT NULL
) STRICT)sql";

constexpr auto insertBookkeeping =
    "INSERT INTO migration (version, name, sha256, applied_at, duration_us)"
    " VALUES (?, ?, ?, ?, ?)";

void setVersion(SQLite::Database& database, int version) {
  SQLite::Statement update(database, "UPDATE meta SET version = ?");
  update.bind(1, version);
  update.exec();
  database.exec("PRAGMA user_version = " + std::to_string(version));
}

void apply(SQLite::Database& database, const Migration& step, const Clock& clock) {
  const auto start = std::chrono::steady_clock::now();
  database.exec(std::string(step.up));
  setVersion(database, step.version);
  const auto duration = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - start);

  SQLite::Statement insert(database, insertBookkeeping);
  insert.bind(1, step.version);
  insert.bind(2, std::string(step.name));
  insert.bind(3, std::string(step.sha256));
  insert.bind(4, static_cast<std::int64_t>(clock().time_since_epoch().count()));
  insert.bind(5, static_cast<std::int64_t>(duration.count()));
  insert.exec();
}

}  // namespace

std::optional<SchemaVersion> readSchemaVersion(SQLite::Database& database) {
  if (!database.tableExists("meta")) return std::nullopt;
  SQLite::Statement query(database, "SELECT version, last_compatible_version FROM meta");
  if (!query.executeStep()) return std::nullopt;
  return SchemaVersion{query.getColumn(0).getInt(), query.getColumn(1).getInt()};
}

void climb(SQLite::Database& database, const Clock& clock) {
  database.exec(createBookkeeping);
  const auto before = readSchemaVersion(database);
  const int from = before ? before->version : 0;
  for (const Migration& step : migrations())
    if (step.version > from) apply(database, step, clock);
}

}  // namespace enablement
