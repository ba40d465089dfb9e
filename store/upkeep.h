// What is done to a store beside using it: its schema, its health, its copies. The functions open
// the file themselves and work while services have it open.
//
// Thread rule: each call stands alone; any thread. All wait for another process's lock as long as
// options.busyTimeout, then fail with `busy`. Whatever fails leaves the file as it was.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <enablement/migrations/migrator.h>
#include <enablement/schema/error.h>
#include <enablement/store/options.h>

namespace enablement {

// The schema of a file.
struct SchemaState {
  int version = 0;  // 0: no schema yet
  std::vector<AppliedMigration> applied;
  std::vector<MigrationFinding> findings;
};

// Takes no lock for writing. `newerSchema` for a file that only a newer program may use, `corrupt`
// for a database of another program, `io` for a missing one.
[[nodiscard]] Result<SchemaState> schemaState(const StoreOptions& options);

// Steps from one schema version to another.
struct MigrationRun {
  bool creates = false;  // there was no file
  int from = 0;
  int to = 0;
  std::vector<MigrationStep> steps = {};

  // What all steps give up, added up.
  [[nodiscard]] std::vector<Loss> losses() const;
};

// Takes the steps on a copy in memory, to see what they would do. No file is created or written,
// no lock for writing taken. `invalidArgument` for a version that does not exist.
[[nodiscard]] Result<MigrationRun> rehearseMigration(const StoreOptions& options, int to);

// The same in the file, in one transaction that holds the write lock. A missing file is created.
// Does what was rehearsed and nothing else: when somebody has taken the same steps meanwhile there
// is nothing left to do; `busy` when the file is otherwise not what it was, or would lose more than
// was agreed to.
[[nodiscard]] Result<MigrationRun> runMigration(const StoreOptions& options,
                                                const MigrationRun& rehearsed);

// Makes the bookkeeping what the scripts of this program say; see validate().
[[nodiscard]] Status repairMigrations(const StoreOptions& options);

// One thing that was looked at.
struct Check {
  std::string name;  // pages, tables, bookkeeping, decisions, history
  std::vector<std::string> problems = {};
};

struct CheckReport {
  int schemaVersion = 0;
  std::vector<Check> checks = {};

  [[nodiscard]] bool isSound() const;
};

// Whether the file is whole: its pages, every row that people decided, and the digest over them.
// `full` also checks indexes, the tables against the scripts, and the history row by row. Nothing
// is written. Errors are those of a file that cannot be opened at all.
[[nodiscard]] Result<CheckReport> checkStore(const StoreOptions& options, bool full);

// Copies what is committed, of whatever schema version, into a new file. `invalidArgument` when
// something has that name.
[[nodiscard]] Status backUpStore(const StoreOptions& options, const std::filesystem::path& target);

// What became of a table's rows.
struct RecoveredTable {
  std::string name;
  std::int64_t read = 0;     // found whole, and taken over
  std::int64_t rebuilt = 0;  // not readable, but their history told what they said
  std::int64_t lost = 0;     // known to have been there, or found and not understood
  bool readToTheEnd = true;  // if not, rows that nothing tells of may be missing
  std::vector<std::string> problems = {};
};

struct RecoveryReport {
  int schemaVersion = 0;  // of the damaged file
  std::vector<RecoveredTable> tables = {};

  [[nodiscard]] bool isComplete() const;
};

// Called now and then with the number of rows read so far.
using RowProgress = std::function<void(std::int64_t rows)>;

// Reads a damaged file row by row, with ordinary selects, into a new one of the current schema. The
// damaged file stays as it is. Where a decision and its history disagree, off wins.
// `invalidArgument` when `into` exists, `corrupt` when not even the list of tables can be read.
[[nodiscard]] Result<RecoveryReport> recoverStore(const StoreOptions& damaged,
                                                  const std::filesystem::path& into,
                                                  const RowProgress& progress = {});

// Bytes of the file and its write-ahead log, before and after.
struct VacuumReport {
  std::int64_t before = 0;
  std::int64_t after = 0;
};

// Rewrites the file without the space that deleted rows left. `busy` when another process reads or
// writes for too long. Decisions, history and their order stay.
[[nodiscard]] Result<VacuumReport> vacuumStore(const StoreOptions& options);
// How many bytes it would give back, about.
[[nodiscard]] Result<std::int64_t> reclaimableBytes(const StoreOptions& options);

// Who may do what with a file or folder.
struct FileMode {
  unsigned mode = 0;  // the permission bits
  unsigned owner = 0;
};

// What is to be seen from outside, of whatever has that name.
struct FileFacts {
  std::optional<FileMode> file = {};  // none: it is not there
  std::optional<FileMode> folder = {};
  std::int64_t bytes = 0;
  std::int64_t walBytes = 0;
  std::string sqlite = {};  // the version of the library that this program runs with
};

[[nodiscard]] FileFacts fileFacts(const std::filesystem::path& path);

// What the file says of itself.
struct StoreFacts {
  int schemaVersion = 0;
  std::string journalMode = {};
  std::int64_t pageSize = 0;
  std::int64_t pages = 0;
  std::int64_t freePages = 0;
};

// Errors are those of a file that cannot be opened. Nothing is written.
[[nodiscard]] Result<StoreFacts> storeFacts(const StoreOptions& options);

}  // namespace enablement
