// Whether a store's file is whole.
#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include <SQLiteCpp/SQLiteCpp.h>

#include <enablement/store/sqlite_error.h>
#include <enablement/store/store.h>
#include <enablement/store/upkeep.h>

namespace enablement {
namespace {

// No report gets longer by one broken page that a thousand rows are on.
constexpr auto quickCheck = "PRAGMA quick_check(20)";
constexpr auto integrityCheck = "PRAGMA integrity_check(20)";

// A person reads these: not SQLite's own tables.
constexpr auto readTables =
    "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name";

// Rows whose history row is not there, or tells of something else.
constexpr auto untoldDecisions =
    "SELECT count(*) FROM decision AS d WHERE NOT EXISTS (SELECT 1 FROM history AS h"
    " WHERE h.sequence = d.sequence AND h.subject = 'decision' AND h.scope = d.scope"
    "   AND h.place = d.place AND h.type = d.type AND h.owner_uri = d.owner_uri"
    "   AND h.name = d.name AND h.value_after = d.enabled)";
constexpr auto untoldParts =
    "SELECT count(*) FROM queued_part AS q WHERE NOT EXISTS (SELECT 1 FROM history AS h"
    " WHERE h.sequence = q.sequence AND h.subject = 'queue' AND h.session = q.session"
    "   AND h.scope = q.scope AND h.place = q.folder AND h.type = q.type"
    "   AND h.owner_uri = q.owner_uri AND h.name = q.name)";
constexpr auto untoldUnclaimed =
    "SELECT count(*) FROM unclaimed_decision AS u WHERE NOT EXISTS (SELECT 1 FROM history AS h"
    " WHERE h.sequence = u.sequence AND h.subject = 'unclaimed' AND h.place = u.session"
    "   AND h.customization_id = u.customization_id AND h.value_after = u.enabled)";

using Rows = std::vector<std::tuple<std::string, std::string, std::string>>;

// Adds what SQLite says when it cannot go on reading.
template <typename Body>
void look(Check& check, const std::filesystem::path& path, std::string_view doing, Body body) {
  if (const Status done = attempt(doing, path, body); !done)
    check.problems.push_back(done.error().message);
}

Check checkPages(SQLite::Database& database, const std::filesystem::path& path, bool full) {
  Check check{"pages"};
  look(check, path, "read every page", [&] {
    SQLite::Statement query(database, full ? integrityCheck : quickCheck);
    while (query.executeStep())
      if (auto line = query.getColumn(0).getString(); line != "ok")
        check.problems.push_back(std::move(line));
  });
  return check;
}

Rows tablesOf(SQLite::Database& database) {
  Rows rows;
  SQLite::Statement query(database, readTables);
  while (query.executeStep())
    rows.emplace_back(query.getColumn(0).getString(), query.getColumn(1).getString(),
                      query.getColumn(2).getString());
  return rows;
}

Check checkTables(SQLite::Database& database, const StoreOptions& options, int version) {
  Check check{"tables"};
  look(check, options.path, "compare the tables", [&] {
    SQLite::Database fresh(":memory:", SQLite::OPEN_READWRITE);
    migrate(fresh, version, options.clock);
    const Rows expected = tablesOf(fresh);
    const Rows found = tablesOf(database);
    const auto tell = [&](const Rows& some, const Rows& others, std::string_view what) {
      for (const auto& row : some)
        if (std::find(others.begin(), others.end(), row) == others.end())
          check.problems.push_back(std::get<0>(row) + " " + std::get<1>(row) + " " +
                                   std::string(what));
    };
    tell(expected, found,
         "is missing, or is not what the scripts of version " + std::to_string(version) + " make");
    tell(found, expected, "is not of our making");
  });
  return check;
}

Check checkBookkeeping(SQLite::Database& database, const std::filesystem::path& path) {
  Check check{"bookkeeping"};
  look(check, path, "read the bookkeeping", [&] {
    for (const MigrationFinding& finding : validate(database))
      // A newer program's steps are no damage.
      if (finding.kind != MigrationFinding::Kind::pending &&
          finding.version <= currentSchemaVersion())
        check.problems.push_back("step " + std::to_string(finding.version) + " " + finding.name +
                                 " " + finding.what);
  });
  return check;
}

// Every row understood, and all of them together what the history says.
Check checkDecisions(const StoreOptions& options) {
  Check check{"decisions"};
  const auto note = [&](const auto& result) {
    if (!result) check.problems.push_back(result.error().message);
    return static_cast<bool>(result);
  };
  StoreOptions looking = options;
  looking.access = Access::look;
  const auto store = Store::open(looking);
  if (!note(store)) return check;
  auto transaction = (*store)->begin(Store::Mode::read);
  if (!note(transaction)) return check;
  const bool whole = note(transaction->everything());
  if (whole) return check;
  // Which tables hold rows that cannot be understood.
  note(transaction->stored());
  note(transaction->queued());
  note(transaction->unclaimed());
  std::sort(check.problems.begin(), check.problems.end());
  check.problems.erase(std::unique(check.problems.begin(), check.problems.end()),
                       check.problems.end());
  return check;
}

void countUntold(Check& check, SQLite::Database& database, const char* sql, const char* what) {
  const std::int64_t count = database.execAndGet(sql).getInt64();
  if (count == 0) return;
  check.problems.push_back(std::to_string(count) + " " + what +
                           (count == 1 ? " has no row in the history that tells of it"
                                       : "s have no row in the history that tells of them"));
}

Check checkHistory(SQLite::Database& database, const StoreOptions& options, int version) {
  Check check{"history"};
  look(check, options.path, "read the history", [&] {
    countUntold(check, database, untoldDecisions, "decision");
    countUntold(check, database, untoldParts, "queued part");
    if (version >= 2) countUntold(check, database, untoldUnclaimed, "unclaimed decision");
  });
  StoreOptions looking = options;
  looking.access = Access::look;
  const auto store = Store::open(looking);
  if (!store) return check;  // told already
  if (auto transaction = (*store)->begin(Store::Mode::read))
    if (const auto history = transaction->history({}); !history)
      check.problems.push_back(history.error().message);
  return check;
}

}  // namespace

bool CheckReport::isSound() const {
  return std::all_of(checks.begin(), checks.end(),
                     [](const Check& check) { return check.problems.empty(); });
}

Result<CheckReport> checkStore(const StoreOptions& options, bool full) {
  return readStoreFile(options, [&](Inspected& file) -> Result<CheckReport> {
    SQLite::Database& database = *file.database;
    const int version = file.schemaVersion;
    CheckReport report{version};
    report.checks.push_back(checkPages(database, options.path, full));
    if (full && version <= currentSchemaVersion())
      report.checks.push_back(checkTables(database, options, version));
    report.checks.push_back(checkBookkeeping(database, options.path));
    if (version == 0) return report;
    report.checks.push_back(checkDecisions(options));
    if (full) report.checks.push_back(checkHistory(database, options, version));
    return report;
  });
}

}  // namespace enablement
