// A store's schema, looked at and changed.
#include <algorithm>
#include <string>
#include <utility>

#include <SQLiteCpp/Database.h>

#include <enablement/store/file_stamp.h>
#include <enablement/store/sqlite_error.h>
#include <enablement/store/store_file.h>
#include <enablement/store/upkeep.h>

namespace enablement {
namespace {

int versionOf(SQLite::Database& database) {
  const auto schema = readSchemaVersion(database);
  return schema ? schema->version : 0;
}

Status checkTarget(const StoreOptions& options, int from, int to) {
  const int newest = currentSchemaVersion();
  if (from > newest)
    return fail(ErrorCode::newerSchema,
                options.path.string() + " has schema version " + std::to_string(from) +
                    ", this program knows version " + std::to_string(newest),
                "migrate it with the program that made it; the file was left alone");
  if (to < 0 || to > newest)
    return fail(ErrorCode::invalidArgument, "there is no schema version " + std::to_string(to),
                "name one from 0 to " + std::to_string(newest));
  return {};
}

Result<MigrationRun> take(SQLite::Database& database, const StoreOptions& options, int to) {
  const int from = versionOf(database);
  if (auto ok = checkTarget(options, from, to); !ok) return fail(ok.error());
  return MigrationRun{false, from, to, migrate(database, to, options.clock)};
}

Status sameAsRehearsed(const StoreOptions& options, const MigrationRun& run,
                       const MigrationRun& rehearsed) {
  if (run.from == rehearsed.from && run.losses() == rehearsed.losses()) return {};
  return fail(ErrorCode::busy, options.path.string() + " was changed by another process meanwhile",
              "look at what is there now and try again; nothing was migrated");
}

Result<MigrationRun> rehearseCreation(const StoreOptions& options, int to) {
  return attempt("rehearse", options.path, [&]() -> Result<MigrationRun> {
    SQLite::Database memory(":memory:", SQLite::OPEN_READWRITE);
    auto run = take(memory, options, to);
    if (run) run->creates = true;
    return run;
  });
}

}  // namespace

std::vector<Loss> MigrationRun::losses() const {
  std::vector<Loss> all;
  for (const MigrationStep& step : steps)
    for (const Loss& loss : step.losses) {
      const auto same = std::find_if(all.begin(), all.end(),
                                     [&](const Loss& other) { return other.what == loss.what; });
      if (same == all.end())
        all.push_back(loss);
      else
        same->count += loss.count;
    }
  return all;
}

Result<SchemaState> schemaState(const StoreOptions& options) {
  return readStoreFile(options, [&](Inspected& file) {
    return attempt("read the schema", options.path, [&] {
      return SchemaState{file.schemaVersion, appliedMigrations(*file.database),
                         validate(*file.database)};
    });
  });
}

Result<MigrationRun> rehearseMigration(const StoreOptions& options, int to) {
  const auto found = stampOf(options.path);
  if (!found) return fail(found.error());
  if (!*found && walBytesBeside(options.path) == 0) return rehearseCreation(options, to);
  return readStoreFile(options, [&](Inspected& file) -> Result<MigrationRun> {
    if (auto ok = checkTarget(options, file.schemaVersion, to); !ok) return fail(ok.error());
    const auto copy = copyIntoMemory(options.path, *file.database);
    if (!copy) return fail(copy.error());
    return attempt("rehearse the migration", options.path,
                   [&] { return take(**copy, options, to); });
  });
}

Result<MigrationRun> runMigration(const StoreOptions& options, const MigrationRun& rehearsed) {
  if (rehearsed.creates) {
    if (auto created = createStoreFile(options, rehearsed.to); !created)
      return fail(created.error());
    return rehearsed;
  }
  // The file is looked at first, so that nothing is written to one that is not ours.
  const auto file = inspectStoreFile(options);
  if (!file) return fail(file.error());
  const auto writable = connectToStore(options);
  if (!writable) return fail(writable.error());
  MigrationRun run;
  const auto migrated = attempt("migrate the schema", options.path, [&] {
    return inOneTransaction(**writable, [&]() -> Status {
      auto taken = take(**writable, options, rehearsed.to);
      if (!taken) return fail(taken.error());
      run = *std::move(taken);
      return run.steps.empty() ? Status() : sameAsRehearsed(options, run, rehearsed);
    });
  });
  if (!migrated) return fail(migrated.error());
  return run;
}

Status repairMigrations(const StoreOptions& options) {
  const auto file = inspectStoreFile(options);
  if (!file) return fail(file.error());
  const auto writable = connectToStore(options);
  if (!writable) return fail(writable.error());
  return attempt("repair the bookkeeping", options.path, [&] {
    return inOneTransaction(**writable, [&]() -> Status {
      if (auto ok = checkTarget(options, versionOf(**writable), 0); !ok) return ok;
      repairBookkeeping(**writable, options.clock);
      return {};
    });
  });
}

}  // namespace enablement
