#include <enablement/migrations/migrator.h>

#include <algorithm>
#include <utility>

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

constexpr auto putBookkeeping =
    "INSERT INTO migration (version, name, sha256, applied_at, duration_us)"
    " VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT DO UPDATE SET name = excluded.name, sha256 = excluded.sha256";
constexpr auto removeBookkeeping = "DELETE FROM migration WHERE version = ?";
constexpr auto removeLaterBookkeeping = "DELETE FROM migration WHERE version > ?";
constexpr auto readBookkeeping =
    "SELECT version, name, sha256, applied_at, duration_us FROM migration ORDER BY version";

using Clockwork = std::chrono::steady_clock;
using std::chrono::microseconds;

void record(SQLite::Database& database, const Migration& step, Timestamp at, microseconds took) {
  SQLite::Statement put(database, putBookkeeping);
  put.bind(1, step.version);
  put.bind(2, std::string(step.name));
  put.bind(3, std::string(step.sha256));
  put.bind(4, static_cast<std::int64_t>(at.time_since_epoch().count()));
  put.bind(5, static_cast<std::int64_t>(took.count()));
  put.exec();
}

void setVersion(SQLite::Database& database, int version) {
  if (version > 0) {
    SQLite::Statement update(database, "UPDATE meta SET version = ?");
    update.bind(1, version);
    update.exec();
  }
  database.exec("PRAGMA user_version = " + std::to_string(version));
}

std::vector<Loss> lossesOf(SQLite::Database& database, const Migration& step) {
  std::vector<Loss> losses;
  SQLite::Statement query(database, std::string(step.loss));
  while (query.executeStep())
    if (const std::int64_t count = query.getColumn(1).getInt64(); count > 0)
      losses.push_back({query.getColumn(0).getString(), count});
  return losses;
}

MigrationStep take(SQLite::Database& database, const Migration& step, Direction direction,
                   const Clock& clock) {
  const bool up = direction == Direction::up;
  MigrationStep taken{step.version, std::string(step.name), direction, {}, {}};
  try {
    if (!up) taken.losses = lossesOf(database, step);
    const auto start = Clockwork::now();
    database.exec(std::string(up ? step.up : step.down));
    setVersion(database, up ? step.version : step.version - 1);
    taken.took = std::chrono::duration_cast<microseconds>(Clockwork::now() - start);
    if (up) {
      record(database, step, clock(), taken.took);
    } else {
      SQLite::Statement remove(database, removeBookkeeping);
      remove.bind(1, step.version);
      remove.exec();
    }
  } catch (const SQLite::Exception& failed) {
    throw SQLite::Exception("step " + std::to_string(step.version) + " " + taken.name +
                                (up ? " up: " : " down: ") + failed.what(),
                            failed.getErrorCode());
  }
  return taken;
}

// What the bookkeeping says of one script.
void compare(const Migration& script, const AppliedMigration* row, int version,
             std::vector<MigrationFinding>& findings) {
  using Kind = MigrationFinding::Kind;
  const auto find = [&](Kind kind, std::string what, std::string remedy) {
    findings.push_back(
        {kind, script.version, std::string(script.name), std::move(what), std::move(remedy)});
  };
  if (script.version > version && row == nullptr)
    find(Kind::pending, "is not applied yet", "enablectl migrate up");
  else if (script.version > version)
    find(Kind::outOfOrder,
         "is in the bookkeeping, but the schema has version " + std::to_string(version),
         "restore a backup, or correct the bookkeeping: enablectl migrate repair");
  else if (row == nullptr)
    find(Kind::missing, "is in the schema, but not in the bookkeeping",
         "add it to the bookkeeping: enablectl migrate repair");
  else if (row->sha256 != script.sha256 || row->name != script.name)
    find(Kind::changed, "is not the script that was applied, " + row->name,
         "use the program that applied it, or accept this one: enablectl migrate repair");
}

}  // namespace

std::string_view name(MigrationFinding::Kind kind) {
  switch (kind) {
    case MigrationFinding::Kind::missing:
      return "missing";
    case MigrationFinding::Kind::changed:
      return "changed";
    case MigrationFinding::Kind::outOfOrder:
      return "out of order";
    case MigrationFinding::Kind::pending:
      return "pending";
  }
  return "";
}

std::optional<SchemaVersion> readSchemaVersion(SQLite::Database& database) {
  if (!database.tableExists("meta")) return std::nullopt;
  SQLite::Statement query(database, "SELECT version, last_compatible_version FROM meta");
  if (!query.executeStep()) return std::nullopt;
  return SchemaVersion{query.getColumn(0).getInt(), query.getColumn(1).getInt()};
}

std::vector<AppliedMigration> appliedMigrations(SQLite::Database& database) {
  std::vector<AppliedMigration> applied;
  if (!database.tableExists("migration")) return applied;
  SQLite::Statement query(database, readBookkeeping);
  while (query.executeStep())
    applied.push_back({query.getColumn(0).getInt(), query.getColumn(1).getString(),
                       query.getColumn(2).getString(),
                       Timestamp(std::chrono::milliseconds(query.getColumn(3).getInt64())),
                       microseconds(query.getColumn(4).getInt64())});
  return applied;
}

std::vector<MigrationFinding> validate(SQLite::Database& database, Migrations scripts) {
  using Kind = MigrationFinding::Kind;
  const auto schema = readSchemaVersion(database);
  const int version = schema ? schema->version : 0;
  const auto applied = appliedMigrations(database);
  std::vector<MigrationFinding> findings;
  for (const Migration& script : scripts) {
    const auto row = std::find_if(
        applied.begin(), applied.end(),
        [&](const AppliedMigration& candidate) { return candidate.version == script.version; });
    compare(script, row == applied.end() ? nullptr : &*row, version, findings);
  }
  for (const AppliedMigration& row : applied)
    if (row.version > scripts.back().version)
      findings.push_back({Kind::missing, row.version, row.name,
                          "was applied by a newer program; this one has no such script",
                          "update this program"});
  for (std::size_t i = 1; i < applied.size(); ++i)
    if (applied[i].at < applied[i - 1].at)
      findings.push_back({Kind::outOfOrder, applied[i].version, applied[i].name,
                          "was applied before step " + std::to_string(applied[i - 1].version),
                          "accept the order if a clock was wrong: enablectl migrate repair"});
  std::stable_sort(findings.begin(), findings.end(),
                   [](const auto& a, const auto& b) { return a.version < b.version; });
  return findings;
}

bool isBroken(const std::vector<MigrationFinding>& findings) {
  return std::any_of(findings.begin(), findings.end(), [](const MigrationFinding& finding) {
    return finding.kind != MigrationFinding::Kind::pending;
  });
}

std::vector<MigrationStep> migrate(SQLite::Database& database, int to, const Clock& clock,
                                   Migrations scripts) {
  database.exec(createBookkeeping);
  const auto before = readSchemaVersion(database);
  const int from = before ? before->version : 0;
  std::vector<MigrationStep> steps;
  for (const Migration& script : scripts)
    if (script.version > from && script.version <= to)
      steps.push_back(take(database, script, Direction::up, clock));
  for (auto script = scripts.rbegin(); script != scripts.rend(); ++script)
    if (script->version <= from && script->version > to)
      steps.push_back(take(database, *script, Direction::down, clock));
  return steps;
}

void repairBookkeeping(SQLite::Database& database, const Clock& clock, Migrations scripts) {
  database.exec(createBookkeeping);
  const auto schema = readSchemaVersion(database);
  const int version = schema ? schema->version : 0;
  for (const Migration& script : scripts)
    if (script.version <= version) record(database, script, clock(), {});
  if (version <= scripts.back().version) {
    SQLite::Statement remove(database, removeLaterBookkeeping);
    remove.bind(1, version);
    remove.exec();
  }
  // A step cannot have been applied before the one that it builds on.
  database.exec(
      "UPDATE migration SET applied_at ="
      " (SELECT max(m.applied_at) FROM migration AS m WHERE m.version <= migration.version)");
}

}  // namespace enablement
