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

// The version of a file that this program may use; `newerSchema` for one that must be left alone.
Result<int> usableVersion(SQLite::Database& database, const std::filesystem::path& path) {
  const auto schema = readSchemaVersion(database);
  if (!schema) return 0;
  if (schema->version > currentSchemaVersion() && schema->lastCompatible > currentSchemaVersion())
    return fail(ErrorCode::newerSchema,
                path.string() + " has schema version " + std::to_string(schema->version) +
                    ", this program knows version " + std::to_string(currentSchemaVersion()),
                "update this program; the file was left alone");
  return schema->version;
}

Status climb(SQLite::Database& database, const StoreOptions& options) {
  return inOneTransaction(database, [&]() -> Status {
    if (isBroken(validate(database)))
      return fail(ErrorCode::corrupt,
                  options.path.string() + " was not migrated by the scripts of this program",
                  "see what differs: enablectl migrate validate");
    migrate(database, currentSchemaVersion(), options.clock);
    return {};
  });
}

Result<StoreFile> openInMemory(const StoreOptions& options) {
  return attempt("create a store", "memory", [&]() -> Result<StoreFile> {
    auto database = std::make_unique<SQLite::Database>(":memory:", SQLite::OPEN_READWRITE);
    if (auto climbed = climb(*database, options); !climbed) return fail(climbed.error());
    return StoreFile{std::move(database), {}, currentSchemaVersion()};
  });
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

using ReadVersion = Result<int> (*)(SQLite::Database&, const std::filesystem::path&);

Result<Inspected> inspect(const StoreOptions& options, const FileStamp& stamp, bool still,
                          ReadVersion readVersion) {
  return attempt("read the header", options.path, [&]() -> Result<Inspected> {
    auto database = connectReadOnly(options, still);
    if (database->execAndGet("PRAGMA application_id").getInt() != applicationId)
      return fail(ErrorCode::corrupt, options.path.string() + " is a database of another program",
                  "it was left alone; name another file");
    const auto version = readVersion(*database, options.path);
    if (!version) return fail(version.error());
    return Inspected{std::move(database), *version, stamp, still};
  });
}

Result<Inspected> inspect(const StoreOptions& options, ReadVersion readVersion) {
  const auto& path = options.path;
  const auto stamp = stampOf(path);
  if (!stamp) return fail(stamp.error());
  if (!*stamp) return fail(missing(options, Opening::first));
  if (!(*stamp)->isRegular)
    return fail(ErrorCode::io, path.string() + " is not a regular file", "name another file");
  if ((*stamp)->size == 0)
    return fail(ErrorCode::corrupt, path.string() + " is empty: its content was lost",
                "restore a backup, or remove the file to begin with no decisions");
  // Read-only: opening for writing would already rewrite the header of a foreign file and empty a
  // write-ahead log that somebody may still want. A file whose log is empty is read as it lies
  // there: SQLite then makes no files beside it, which it could not in a folder that cannot be
  // written, and should not beside a foreign database.
  return inspect(options, **stamp, (*stamp)->walBytes == 0, readVersion);
}

// The same. What cannot be understood was perhaps torn by somebody who wrote meanwhile: a file is
// damaged only if it is so while nobody writes.
Result<Inspected> inspectUntorn(const StoreOptions& options, ReadVersion readVersion) {
  auto inspected = inspect(options, readVersion);
  for (int again = 0; !inspected && again < stillReads; ++again) {
    const auto before = sureStampOf(options.path);
    inspected = inspect(options, readVersion);
    if (const auto after = stampOf(options.path); before && after && *before == *after) break;
  }
  return inspected;
}

// What the header says, of a file whose tables may be damaged. Kept equal to meta.version.
Result<int> versionInHeader(SQLite::Database& database, const std::filesystem::path& path) {
  const int version = database.execAndGet("PRAGMA user_version").getInt();
  if (version <= currentSchemaVersion()) return version;
  return fail(ErrorCode::newerSchema,
              path.string() + " has schema version " + std::to_string(version) +
                  ", this program knows version " + std::to_string(currentSchemaVersion()),
              "update this program; the file was left alone");
}

// An older file is shown as it will be once it is migrated: as a copy that was.
Result<StoreFile> lookAt(const StoreOptions& options, Inspected file) {
  const Error onlyLooking{ErrorCode::readOnly, options.path.string() + " was opened to look only",
                          ""};
  if (file.schemaVersion == 0)
    return fail(ErrorCode::corrupt, options.path.string() + " holds no schema yet",
                "run: enablectl migrate up");
  if (file.schemaVersion >= currentSchemaVersion())
    return StoreFile{std::move(file.database), file.stamp, file.schemaVersion, file.isStill,
                     onlyLooking};
  auto copy = copyIntoMemory(options.path, *file.database);
  if (!copy) return fail(copy.error());
  auto climbed = attempt("migrate a copy", options.path, [&] { return climb(**copy, options); });
  if (!climbed) return fail(climbed.error());
  return StoreFile{std::move(*copy), file.stamp, currentSchemaVersion(), true, onlyLooking};
}

Status bringUp(const StoreOptions& options, SQLite::Database& database, int version,
               Opening opening) {
  const auto& path = options.path;
  if (version >= currentSchemaVersion()) return {};
  if (opening == Opening::again)
    return fail(ErrorCode::corrupt,
                path.string() + " was migrated down to schema version " + std::to_string(version) +
                    " while this program was using it",
                "start this program again to migrate it up to version " +
                    std::to_string(currentSchemaVersion()));
  return attempt("migrate the schema", path, [&] { return climb(database, options); });
}

Result<StoreFile> openExisting(const StoreOptions& options, Opening opening) {
  auto inspected = inspectStoreFile(options);
  if (!inspected) return fail(inspected.error());
  if (options.access == Access::look)
    return readStoreFile(options,
                         [&](Inspected& file) { return lookAt(options, std::move(file)); });

  auto writable = connectToStore(options);
  if (!writable && writable.error().code == ErrorCode::readOnly) {
    const Error refused = writable.error();
    if (inspected->schemaVersion < currentSchemaVersion()) {
      auto file = lookAt(options, std::move(*inspected));
      if (file) file->readOnly = refused;
      return file;
    }
    return StoreFile{std::move(inspected->database), inspected->stamp, inspected->schemaVersion,
                     inspected->isStill, refused};
  }
  if (!writable) return fail(writable.error());
  if (auto up = bringUp(options, **writable, inspected->schemaVersion, opening); !up)
    return fail(up.error());
  return StoreFile{std::move(*writable), inspected->stamp,
                   std::max(inspected->schemaVersion, currentSchemaVersion())};
}

}  // namespace

Status backUpInto(const std::filesystem::path& target, SQLite::Database& source,
                  const std::function<bool()>& isTorn) {
  const auto created = createWhole(target, [&](const std::filesystem::path& draft) {
    SQLite::Database copy(draft.string(), SQLite::OPEN_READWRITE);
    SQLite::Backup(copy, source).executeStep(-1);
    if (isTorn()) throw SQLite::Exception("it was written to meanwhile", SQLITE_BUSY);
  });
  if (!created) return fail(created.error());
  if (*created == Created::made) return {};
  return fail(ErrorCode::invalidArgument, target.string() + " exists already",
              "name a file that does not exist");
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

Status inOneTransaction(SQLite::Database& database, const std::function<Status()>& body) {
  const auto rollBack = [&] {
    // After an error such as a full disk SQLite may have rolled back already.
    if (sqlite3_get_autocommit(database.getHandle()) == 0) database.tryExec("ROLLBACK");
  };
  database.exec("BEGIN IMMEDIATE");
  try {
    if (auto done = body(); !done) {
      rollBack();
      return done;
    }
    database.exec("COMMIT");
  } catch (...) {
    rollBack();
    throw;
  }
  return {};
}

Result<std::unique_ptr<SQLite::Database>> copyIntoMemory(const std::filesystem::path& path,
                                                         SQLite::Database& source) {
  return attempt("copy into memory", path, [&] {
    auto copy = std::make_unique<SQLite::Database>(":memory:", SQLite::OPEN_READWRITE);
    SQLite::Backup(*copy, source).executeStep(-1);
    return copy;
  });
}

Status createStoreFile(const StoreOptions& options, int schemaVersion,
                       const std::function<void(SQLite::Database&)>& fill) {
  if (auto made = makeFolderOf(options.path); !made) return made;
  const auto created = createWhole(options.path, [&](const std::filesystem::path& draft) {
    // With a rollback journal, so that whatever fails is reported here: the last checkpoint of a
    // write-ahead log happens on closing, which reports nothing.
    SQLite::Database database(draft.string(), SQLite::OPEN_READWRITE);
    database.exec("PRAGMA synchronous = FULL");
    database.exec("PRAGMA application_id = " + std::to_string(applicationId));
    // Nothing in here fails without throwing.
    (void)inOneTransaction(database, [&]() -> Status {
      migrate(database, schemaVersion, options.clock);
      if (fill) fill(database);
      return {};
    });
    database.exec("PRAGMA journal_mode = WAL");
  });
  // Another process that was faster has made the same thing.
  return created.map([](Created) {});
}

Result<std::unique_ptr<SQLite::Database>> connectToStore(const StoreOptions& options) {
  const auto& path = options.path;
  auto writable = attempt("open", path, [&] { return connect(options); });
  const bool refused =
      !writable && (writable.error().code == ErrorCode::readOnly || !folderIsWritable(path));
  if (refused || (writable && sqlite3_db_readonly((*writable)->getHandle(), "main") == 1))
    return fail(ErrorCode::readOnly, path.string() + " cannot be written",
                "make the file and its folder writable");
  return writable;
}

Result<Inspected> inspectStoreFile(const StoreOptions& options) {
  return inspectUntorn(options, usableVersion);
}

Result<Inspected> inspectDamagedFile(const StoreOptions& options) {
  return inspectUntorn(options, versionInHeader);
}

Result<StoreFile> openStoreFile(const StoreOptions& options, Opening opening) {
  const auto& path = options.path;
  if (path.empty()) return openInMemory(options);
  const auto found = stampOf(path);
  if (!found) return fail(found.error());
  if (!*found) {
    const bool mayCreate = options.access == Access::readWrite && opening == Opening::first &&
                           walBytesBeside(path) == 0;
    if (!mayCreate) return fail(missing(options, opening));
    if (auto created = createStoreFile(options, currentSchemaVersion()); !created)
      return fail(created.error());
  }
  return openExisting(options, opening);
}

}  // namespace enablement
