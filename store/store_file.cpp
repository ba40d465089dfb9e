#include <enablement/store/store_file.h>

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

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
      uri += {'%', hex[static_cast<unsigned char>(c) >> 4], hex[static_cast<unsigned char>(c) & 15]};
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
  if (!failed)
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all, failed);
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

// A whole store under a name that nobody else uses.
Status buildNew(const std::filesystem::path& path, const StoreOptions& options) {
  const int descriptor = ::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (descriptor < 0) return fail(systemError("create", path, errno));
  ::close(descriptor);
  auto built = attempt("create the schema", path, [&] {
    const auto database = connect(path, options.busyTimeout);
    database->exec("PRAGMA application_id = " + std::to_string(applicationId));
    climbInOneTransaction(*database, options.clock);
  });
  if (!built) return built;
  return syncPath(path, O_RDONLY);
}

// Built aside and linked into place: there is never an empty or half-made file under the store's
// name, and a file that another process put there meanwhile stays.
Status createStore(const StoreOptions& options) {
  if (auto made = makeFolder(options.path); !made) return made;
  const auto draft = beside(options.path, (".new-" + std::to_string(::getpid())).c_str());
  ::unlink(draft.c_str());
  Status created = buildNew(draft, options);
  if (created && ::link(draft.c_str(), options.path.c_str()) != 0 && errno != EEXIST)
    created = fail(systemError("create", options.path, errno));
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) ::unlink(beside(draft, suffix).c_str());
  if (!created) return created;
  return syncPath(std::filesystem::absolute(options.path).parent_path(), O_RDONLY | O_DIRECTORY);
}

Result<StoreFile> openExisting(const StoreOptions& options) {
  const auto& path = options.path;
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
    return StoreFile{std::move(*database), *version,
                     Error{ErrorCode::readOnly, path.string() + " was opened to look only", ""}};
  }

  auto writable = attempt("open", path, [&] { return connect(path, options.busyTimeout); });
  const bool refused = !writable && (writable.error().code == ErrorCode::readOnly ||
                                     !folderIsWritable(path));
  if (refused || (writable && sqlite3_db_readonly((*writable)->getHandle(), "main") == 1))
    return StoreFile{std::move(*database), *version,
                     Error{ErrorCode::readOnly, path.string() + " cannot be written",
                           "make the file and its folder writable"}};
  if (!writable) return fail(writable.error());

  if (*version < currentSchemaVersion()) {
    auto climbed = attempt("migrate the schema", path,
                           [&] { climbInOneTransaction(**writable, options.clock); });
    if (!climbed) return fail(climbed.error());
    version = currentSchemaVersion();
  }
  return StoreFile{std::move(*writable), *version};
}

}  // namespace

Result<StoreFile> openStoreFile(const StoreOptions& options) {
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
      return fail(ErrorCode::corrupt,
                  path.string() + " is missing beside its write-ahead log " +
                      beside(path, "-wal").string(),
                  "restore the file, or remove the log to begin with no decisions");
    case Found::nothing:
      if (options.access != Access::readWrite)
        return fail(ErrorCode::io, "there is no store at " + path.string(),
                    "name the store with --db; a daemon or a verb that writes creates it");
      if (auto created = createStore(options); !created) return fail(created.error());
      break;
    case Found::file:
      break;
  }
  return openExisting(options);
}

}  // namespace enablement
