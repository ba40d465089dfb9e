#include <enablement/store/sqlite_error.h>

#include <sqlite3.h>

namespace enablement {
namespace {

ErrorCode codeOf(int sqlite) {
  switch (sqlite & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
      return ErrorCode::busy;
    case SQLITE_FULL:
      return ErrorCode::full;
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return ErrorCode::readOnly;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_CONSTRAINT:
    case SQLITE_ERROR:  // a table or column that is missing: not our schema any more
    case SQLITE_MISMATCH:
      return ErrorCode::corrupt;
    default:
      return ErrorCode::io;
  }
}

std::string_view hintFor(ErrorCode code) {
  switch (code) {
    case ErrorCode::busy:
      return "another process is writing; try again";
    case ErrorCode::full:
      return "free some space on the device and try again";
    case ErrorCode::readOnly:
      return "make the file and its folder writable, or use another --db";
    case ErrorCode::corrupt:
      return "nothing was changed; restore a backup or recover what can be read";
    default:
      return "check the file, its folder and the device";
  }
}

}  // namespace

Error sqliteError(const SQLite::Exception& exception, std::string_view doing,
                  const std::filesystem::path& file) {
  const ErrorCode code = codeOf(exception.getErrorCode());
  return {code, "cannot " + std::string(doing) + " in " + file.string() + ": " + exception.what(),
          std::string(hintFor(code))};
}

}  // namespace enablement
