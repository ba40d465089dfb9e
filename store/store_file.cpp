#include <enablement/store/store_file.h>

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/SQLiteCpp.h>

#include <enablement/migrations/migrator.h>
#include <enablement/store/sqlite_error.h>

namespace enablement {
namespace {

// "ENBL" in the file's header marks a store of ours.
constexpr int applicationId = 0x454E424C;

std::filesystem::path beside(const std::filesystem::path& file, const char* suffix) {
  return file.string() + suffix;
}

Error systemError(const std::string& doing, const std::filesystem::path& file, int number) {
  const ErrorCode code = number == ENOSPC || number == EDQUOT ? ErrorCode::full
                         : number == EROFS || number == EACCES || number == EPERM
                             ? ErrorCode::readOnly
                             : ErrorCode::io;
  return {code, "cannot " + doing + " " + file.string() + ": " + std::strerror(number),
          "check the path, its folder and your rights there"};
}

// What stat() alone can tell. The file is never opened outside SQLite: closing it again would drop
// the locks that SQLite holds in this process.
enum class Found { nothing, orphanedWal, emptyFile, notAFile, file };

Result<Found> look(const std::filesystem::path& path) {
  struct stat main = {};
  struct stat wal = {};
  if (::stat(path.c_str(), &main) == 0) {
    if (!S_ISREG(main.st_mode)) return Found::notAFile;
    return main.st_size == 0 ? Found::emptyFile : Found::file;
  }
  if (errno != ENOENT) return fail(systemError("look at", path, errno));
  const bool walLeft = ::stat(beside(path, "-wal").c_str(), &wal) == 0 && wal.st_size > 0;
  return walLeft ? Found::orphanedWal : Found::nothing;
}

bool folderIsWritable(const std::filesystem::path& file) {
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  return ::access(folder.c_str(), W_OK) == 0;
}

std::string readOnlyUri(const std::filesystem::path& path) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(path).string()) {
    const auto special = std::string_view("?#%").find(c) != std::string_view::npos;
    static constexpr char hex[] = "0123456789ABCDEF";
    if (special)
      uri +=
          {'%', hex[static_cast<unsigned char>(c) >> 4], hex[static_cast<unsigned char>(c) & 15]};
    else
      uri += c;
  }
  // After a clean stop there is no -wal, and in a folder that cannot be written SQLite could not
  // make the files it needs beside it: nobody can change the file then, so it may say so.
  const bool still = !folderIsWritable(path) && ::access(beside(path, "-wal").c_str(), F_OK) != 0;
  return uri + (still ? "?immutable=1" : "?mode=ro");
}

std::unique_ptr<SQLite::Database> connectReadOnly(const StoreOptions& options) {
  return std::make_unique<SQLite::Database>(readOnlyUri(options.path),
                                            SQLite::OPEN_READONLY | SQLite::OPEN_URI,
                                            static_cast<int>(options.busyTimeout.count()));
}

std::unique_ptr<SQLite::Database> connect(const std::filesystem::path& path,
                                          std::chrono::milliseconds busyTimeout) {
  auto database = std::make_unique<SQLite::Database>(path.string(), SQLite::OPEN_READWRITE,
                                                     static_cast<int>(busyTimeout.count()));
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

Status makeFolder(const std::filesystem::path& file) {
  const auto folder = std::filesystem::absolute(file).parent_path();
  std::error_code failed;
  if (std::filesystem::exists(folder, failed)) return {};
  std::filesystem::create_directories(folder, failed);
  if (!failed) std::filesystem::permissions(folder, std::filesystem::perms::owner_all, failed);
  if (failed) return fail(systemError("make the folder", folder, failed.value()));
  return {};
}

Status syncPath(const std::filesystem::path& path, int flags) {
  const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC);
  if (descriptor < 0) return fail(systemError("open", path, errno));
  const int failed = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  if (failed != 0) return fail(systemError("sync", path, failed));
  return {};
}

// Makes `path` whole or not at all: `build` fills a draft under a name that nobody else uses, which
// is then linked into place. There is never an empty or half-made file under the real name, and a
// file that is there already stays: then EEXIST is returned, otherwise 0.
template <typename Build>
Result<int> createWhole(const std::filesystem::path& path, Build build) {
  const auto draft = beside(path, (".new-" + std::to_string(::getpid())).c_str());
  const auto sweep = [&] {
    for (const char* suffix : {"", "-wal", "-shm", "-journal"})
      ::unlink(beside(draft, suffix).c_str());
  };
  sweep();
  const int descriptor = ::open(draft.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (descriptor < 0) return fail(systemError("create", draft, errno));
  ::close(descriptor);

  Status built = attempt("create the file", draft, [&] { build(draft); });
  if (built) built = syncPath(draft, O_RDONLY);
  const int linked = built && ::link(draft.c_str(), path.c_str()) != 0 ? errno : 0;
  sweep();
  if (!built) return fail(built.error());
  if (linked != 0 && linked != EEXIST) return fail(systemError("create", path, linked));
  const auto folder = std::filesystem::absolute(path).parent_path();
  if (auto synced = syncPath(folder, O_RDONLY | O_DIRECTORY); !synced) return fail(synced.error());
  return linked;
}

Status createStore(const StoreOptions& options) {
  if (auto made = makeFolder(options.path); !made) return made;
  const auto created = createWhole(options.path, [&](const std::filesystem::path& draft) {
    const auto database = connect(draft, options.busyTimeout);
    database->exec("PRAGMA application_id = " + std::to_string(applicationId));
    climbInOneTransaction(*database, options.clock);
  });
  // Another process that was faster has made the same thing.
  return created.map([](int) {});
}

Result<StoreFile> openExisting(const StoreOptions& options, Opening opening) {
  const auto& path = options.path;
  const FileIdentity identity = identityOf(path).value_or(FileIdentity{});
  // Read-only first: opening for writing would already rewrite the header of a foreign file and
  // empty a write-ahead log that somebody may still want.
  auto database = attempt("read the header", path, [&] { return connectReadOnly(options); });
  if (!database) return fail(database.error());
  auto version = attempt("read the header", path, [&] { return usableVersion(**database, path); });
  if (!version) return fail(version.error());

  if (options.access == Access::look) {
    if (*version == 0)
      return fail(ErrorCode::corrupt, path.string() + " holds no schema yet",
                  "run `enablectl migrate up`");
    return StoreFile{std::move(*database), identity, *version,
                     Error{ErrorCode::readOnly, path.string() + " was opened to look only", ""}};
  }

  auto writable = attempt("open", path, [&] { return connect(path, options.busyTimeout); });
  const bool refused =
      !writable && (writable.error().code == ErrorCode::readOnly || !folderIsWritable(path));
  if (refused || (writable && sqlite3_db_readonly((*writable)->getHandle(), "main") == 1))
    return StoreFile{std::move(*database), identity, *version,
                     Error{ErrorCode::readOnly, path.string() + " cannot be written",
                           "make the file and its folder writable"}};
  if (!writable) return fail(writable.error());

  if (*version < currentSchemaVersion()) {
    if (opening == Opening::again)
      return fail(ErrorCode::corrupt,
                  path.string() + " was migrated down to schema version " +
                      std::to_string(*version) + " while this program was using it",
                  "start this program again to migrate it up to version " +
                      std::to_string(currentSchemaVersion()));
    auto climbed = attempt("migrate the schema", path,
                           [&] { climbInOneTransaction(**writable, options.clock); });
    if (!climbed) return fail(climbed.error());
    version = currentSchemaVersion();
  }
  return StoreFile{std::move(*writable), identity, *version};
}

}  // namespace

std::optional<FileIdentity> identityOf(const std::filesystem::path& path) {
  struct stat found = {};
  if (::stat(path.c_str(), &found) != 0) return std::nullopt;
  return FileIdentity{found.st_dev, found.st_ino};
}

Status backUpInto(const std::filesystem::path& target, SQLite::Database& source) {
  const auto taken = [&] {
    return fail(ErrorCode::invalidArgument, target.string() + " exists already",
                "name a file that does not exist");
  };
  if (identityOf(target)) return taken();
  const auto created = createWhole(target, [&](const std::filesystem::path& draft) {
    SQLite::Database copy(draft.string(), SQLite::OPEN_READWRITE);
    SQLite::Backup(copy, source).executeStep(-1);
  });
  if (!created) return fail(created.error());
  return *created == EEXIST ? taken() : Status();
}

Result<StoreFile> openStoreFile(const StoreOptions& options, Opening opening) {
  const auto& path = options.path;
  const auto found = look(path);
  if (!found) return fail(found.error());
  switch (*found) {
    case Found::notAFile:
      return fail(ErrorCode::io, path.string() + " is not a regular file", "name another file");
    case Found::emptyFile:
      return fail(ErrorCode::corrupt, path.string() + " is empty: its content was lost",
                  "restore a backup, or remove the file to begin with no decisions");
    case Found::orphanedWal:
      return fail(
          ErrorCode::corrupt,
          path.string() + " is missing beside its write-ahead log " + beside(path, "-wal").string(),
          "restore the file, or remove the log to begin with no decisions");
    case Found::nothing:
      if (opening == Opening::again)
        return fail(ErrorCode::io, path.string() + " is gone",
                    "put it back, or start this program again to begin with no decisions");
      if (options.access != Access::readWrite)
        return fail(ErrorCode::io, "there is no store at " + path.string(),
                    "name the store with --db; a daemon or a verb that writes creates it");
      if (auto created = createStore(options); !created) return fail(created.error());
      break;
    case Found::file:
      break;
  }
  return openExisting(options, opening);
}

}  // namespace enablement
