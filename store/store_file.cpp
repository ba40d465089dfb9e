#include <enablement/store/store_file.h>

#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/SQLiteCpp.h>

#include <enablement/migrations/migrator.h>
#include <enablement/store/sqlite_error.h>
#include <enablement/store/whole_file.h>

namespace enablement {
namespace {

// "ENBL" in the file's header marks a store of ours.
constexpr int applicationId = 0x454E424C;

bool folderIsWritable(const std::filesystem::path& file) {
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  return ::access(folder.c_str(), W_OK) == 0;
}

std::string readOnlyUri(const std::filesystem::path& path, bool still) {
  static constexpr char hex[] = "0123456789ABCDEF";
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(path).string()) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::string_view("?#%").find(c) == std::string_view::npos)
      uri += c;
    else
      uri += {'%', hex[byte >> 4], hex[byte & 0xF]};
  }
  return uri + (still ? "?immutable=1" : "?mode=ro");
}

std::unique_ptr<SQLite::Database> connectReadOnly(const StoreOptions& options, bool still) {
  return std::make_unique<SQLite::Database>(readOnlyUri(options.path, still),
                                            SQLite::OPEN_READONLY | SQLite::OPEN_URI,
                                            static_cast<int>(options.busyTimeout.count()));
}

std::unique_ptr<SQLite::Database> connect(const StoreOptions& options) {
  auto database = std::make_unique<SQLite::Database>(options.path.string(), SQLite::OPEN_READWRITE,
                                                     static_cast<int>(options.busyTimeout.count()));
  database->exec("PRAGMA journal_mode = WAL");
  database->exec("PRAGMA synchronous = FULL");
  database->exec("PRAGMA foreign_keys = ON");
  database->exec("PRAGMA trusted_schema = OFF");
  return database;
}

// The version of a file that this program may use; `corrupt` for one that is not ours,
// `newerSchema` for one that must be left alone.
Result<int> usableVersion(SQLite::Database& database, const std::filesystem::path& path) {
  if (database.execAndGet("PRAGMA application_id").getInt() != applicationId)
    return fail(ErrorCode::corrupt, path.string() + " is a database of another program",
                "it was left alone; name another file");
  const auto schema = readSchemaVersion(database);
  if (!schema) return 0;
  if (schema->version > currentSchemaVersion() && schema->lastCompatible > currentSchemaVersion())
    return fail(ErrorCode::newerSchema,
                path.string() + " has schema version " + std::to_string(schema->version) +
                    ", this program knows version " + std::to_string(currentSchemaVersion()),
                "update this program; the file was left alone");
  return schema->version;
}

void climbInOneTransaction(SQLite::Database& database, const Clock& clock) {
  database.exec("BEGIN IMMEDIATE");
  try {
    climb(database, clock);
    database.exec("COMMIT");
  } catch (...) {
    if (sqlite3_get_autocommit(database.getHandle()) == 0) database.tryExec("ROLLBACK");
    throw;
  }
}

Result<StoreFile> openInMemory(const StoreOptions& options) {
  return attempt("create a store", "memory", [&] {
    auto database = std::make_unique<SQLite::Database>(":memory:", SQLite::OPEN_READWRITE);
    climbInOneTransaction(*database, options.clock);
    return StoreFile{std::move(database), {}, currentSchemaVersion()};
  });
}

Status createStore(const StoreOptions& options) {
  if (auto made = makeFolderOf(options.path); !made) return made;
  const auto created = createWhole(options.path, [&](const std::filesystem::path& draft) {
    // With a rollback journal, so that whatever fails is reported here: the last checkpoint of a
    // write-ahead log happens on closing, which reports nothing.
    SQLite::Database database(draft.string(), SQLite::OPEN_READWRITE);
    database.exec("PRAGMA synchronous = FULL");
    database.exec("PRAGMA application_id = " + std::to_string(applicationId));
    climbInOneTransaction(database, options.clock);
    database.exec("PRAGMA journal_mode = WAL");
  });
  // Another process that was faster has made the same thing.
  return created.map([](Created) {});
}

// A connection that cannot write, with the schema version of the file.
struct Inspected {
  std::unique_ptr<SQLite::Database> database;
  int schemaVersion;
  bool isStill;
};

// A file whose write-ahead log is empty is read as it lies there: SQLite then makes no files beside
// it, which it could not in a folder that cannot be written, and should not beside a foreign
// database. Whoever goes on reading so has to look whether the file changed meanwhile.
Result<Inspected> inspect(const StoreOptions& options, bool still) {
  return attempt("read the header", options.path, [&]() -> Result<Inspected> {
    auto database = connectReadOnly(options, still);
    const auto version = usableVersion(*database, options.path);
    if (!version) return fail(version.error());
    return Inspected{std::move(database), *version, still};
  });
}

Result<StoreFile> openExisting(const StoreOptions& options, const FileStamp& stamp,
                               Opening opening) {
  const auto& path = options.path;
  // Read-only first: opening for writing would already rewrite the header of a foreign file and
  // empty a write-ahead log that somebody may still want.
  const bool still = stamp.walBytes == 0;
  auto inspected = inspect(options, still);
  // Somebody may have begun to write just now.
  if (!inspected && still && walBytesBeside(path) > 0) inspected = inspect(options, false);
  if (!inspected) return fail(inspected.error());
  const int version = inspected->schemaVersion;
  const auto asReadOnly = [&](std::string why, std::string hint) {
    return StoreFile{std::move(inspected->database), stamp, version, inspected->isStill,
                     Error{ErrorCode::readOnly, path.string() + std::move(why), std::move(hint)}};
  };

  if (options.access == Access::look) {
    if (version == 0)
      return fail(ErrorCode::corrupt, path.string() + " holds no schema yet",
                  "run `enablectl migrate up`");
    return asReadOnly(" was opened to look only", "");
  }

  auto writable = attempt("open", path, [&] { return connect(options); });
  const bool refused =
      !writable && (writable.error().code == ErrorCode::readOnly || !folderIsWritable(path));
  if (refused || (writable && sqlite3_db_readonly((*writable)->getHandle(), "main") == 1))
    return asReadOnly(" cannot be written", "make the file and its folder writable");
  if (!writable) return fail(writable.error());

  if (version < currentSchemaVersion()) {
    if (opening == Opening::again)
      return fail(ErrorCode::corrupt,
                  path.string() + " was migrated down to schema version " +
                      std::to_string(version) + " while this program was using it",
                  "start this program again to migrate it up to version " +
                      std::to_string(currentSchemaVersion()));
    auto climbed = attempt("migrate the schema", path,
                           [&] { climbInOneTransaction(**writable, options.clock); });
    if (!climbed) return fail(climbed.error());
  }
  return StoreFile{std::move(*writable), stamp, std::max(version, currentSchemaVersion())};
}

Error missing(const StoreOptions& options, Opening opening) {
  const auto& path = options.path;
  if (walBytesBeside(path) > 0)
    return {
        ErrorCode::corrupt,
        path.string() + " is missing beside its write-ahead log " + beside(path, "-wal").string(),
        "restore the file, or remove the log to begin with no decisions"};
  if (opening == Opening::again)
    return {ErrorCode::io, path.string() + " is gone",
            "put it back, or start this program again to begin with no decisions"};
  return {ErrorCode::io, "there is no store at " + path.string(),
          "name the store with --db; a daemon or a verb that writes creates it"};
}

}  // namespace

Status backUpInto(const std::filesystem::path& target, SQLite::Database& source) {
  const auto created = createWhole(target, [&](const std::filesystem::path& draft) {
    SQLite::Database copy(draft.string(), SQLite::OPEN_READWRITE);
    SQLite::Backup(copy, source).executeStep(-1);
  });
  if (!created) return fail(created.error());
  if (*created == Created::made) return {};
  return fail(ErrorCode::invalidArgument, target.string() + " exists already",
              "name a file that does not exist");
}

Result<StoreFile> openStoreFile(const StoreOptions& options, Opening opening) {
  const auto& path = options.path;
  if (path.empty()) return openInMemory(options);
  auto found = stampOf(path);
  if (!found) return fail(found.error());
  if (!*found) {
    const bool mayCreate = options.access == Access::readWrite && opening == Opening::first &&
                           walBytesBeside(path) == 0;
    if (!mayCreate) return fail(missing(options, opening));
    if (auto created = createStore(options); !created) return fail(created.error());
    found = stampOf(path);
    if (!found || !*found) return fail(missing(options, opening));
  }
  const FileStamp& stamp = **found;
  if (!stamp.isRegular)
    return fail(ErrorCode::io, path.string() + " is not a regular file", "name another file");
  if (stamp.size == 0)
    return fail(ErrorCode::corrupt, path.string() + " is empty: its content was lost",
                "restore a backup, or remove the file to begin with no decisions");
  return openExisting(options, stamp, opening);
}

}  // namespace enablement
