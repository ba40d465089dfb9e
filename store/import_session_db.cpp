// Reads the decisions that a session's own database holds, without leaving a trace in it.
#include <sqlite3.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>

#include <SQLiteCpp/SQLiteCpp.h>

#include <enablement/schema/json_text.h>
#include <enablement/schema/text.h>
#include <enablement/store/file_stamp.h>
#include <enablement/store/import_source.h>
#include <enablement/store/import_text.h>
#include <enablement/store/sqlite_error.h>
#include <enablement/store/store_file.h>

namespace enablement {
namespace {

namespace fs = std::filesystem;

constexpr auto readValue =
    "SELECT value FROM session_metadata WHERE key = 'customizationEnablement'";
constexpr int lockWait = 500;  // milliseconds

// A private copy of a database and its log.
class Copy {
 public:
  explicit Copy(const fs::path& file) {
    std::string name = (fs::temp_directory_path() / "enablement-import-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) return;
    folder_ = name;
    std::error_code failed;
    fs::copy_file(file, database(), failed);
    if (!failed) fs::copy_file(beside(file, "-wal"), beside(database(), "-wal"), failed);
    complete_ = !failed;
  }
  ~Copy() {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;

  [[nodiscard]] bool isComplete() const { return complete_; }
  [[nodiscard]] fs::path database() const { return folder_ / "session.db"; }

 private:
  fs::path folder_;
  bool complete_ = false;
};

// Whether the header says that there is, or may be, a write-ahead log. It is no file of SQLite's in
// this process: reading it drops no lock.
bool usesLog(const fs::path& file) {
  std::array<char, 20> header{};
  std::ifstream(file, std::ios::binary).read(header.data(), header.size());
  return header[18] == 2 || header[19] == 2;
}

Result<std::optional<std::string>> valueIn(const std::string& uri, const fs::path& file) {
  return attempt("read the session's decisions", file, [&]() -> Result<std::optional<std::string>> {
    SQLite::Database database(uri, SQLite::OPEN_READONLY | SQLite::OPEN_URI, lockWait);
    if (!database.tableExists("session_metadata"))
      return fail(ErrorCode::corrupt, file.string() + " has no table session_metadata",
                  "it is no session database, or one of an older layout");
    SQLite::Statement query(database, readValue);
    if (!query.executeStep() || query.getColumn(0).isNull()) return std::nullopt;
    return query.getColumn(0).getString();
  });
}

// A database without a log is read under its own locks. SQLite would lay an index beside one with a
// log: that is read as it lies there while the log is empty, and else, unless it is in use and has
// its index already, from a copy.
Result<std::optional<std::string>> readValueOf(const fs::path& file) {
  for (int again = 0; again < stillReads; ++again) {
    const auto stamp = sureStampOf(file);
    if (!stamp) return fail(stamp.error());
    if (!*stamp)
      return fail(ErrorCode::invalidArgument, "there is no file " + file.string(),
                  "nothing was imported from it");
    if (!(*stamp)->isRegular || (*stamp)->size == 0)
      return fail(ErrorCode::corrupt, file.string() + " is no database",
                  "nothing was imported from it");
    if (!usesLog(file)) return valueIn(readOnlyUri(file, false), file);
    std::error_code ignored;
    if ((*stamp)->walBytes > 0 && fs::exists(beside(file, "-shm"), ignored))
      return valueIn(readOnlyUri(file, false), file);
    Result<std::optional<std::string>> value;
    if ((*stamp)->walBytes == 0) {
      value = valueIn(readOnlyUri(file, true), file);
    } else {
      const Copy copy(file);
      if (!copy.isComplete())
        return fail(ErrorCode::io, "cannot copy " + file.string() + " and its log",
                    "nothing was imported from it");
      value = valueIn(readOnlyUri(copy.database(), false), file);
    }
    if (const auto after = stampOf(file); after && *after == *stamp) return value;
  }
  return fail(ErrorCode::busy, file.string() + " is written to all the time", "try again");
}

void collect(ImportSource& source, std::string_view session, const Json& decisions) {
  using Pointer = Json::json_pointer;
  for (const auto& [id, enabled] : decisions.items()) {
    const std::string at = (Pointer() / id).to_string();
    if (id.empty() || id.size() > maxTextBytes || !isUtf8(id))
      source.rejected.push_back({at, "is no customization id"});
    else if (!enabled.is_boolean())
      source.rejected.push_back({at, "is neither true nor false"});
    else
      source.unclaimed.push_back({std::string(session), id, enabled.get<bool>(), {}, {}});
  }
}

}  // namespace

Result<ImportSource> readSessionDb(std::string_view session, const fs::path& file) {
  if (auto ok = checkSession(session); !ok) return fail(ok.error());
  const auto value = readValueOf(file);
  if (!value) return fail(value.error());
  ImportSource source{markerFor(ImportKind::sessionDb, file, session, value->value_or(""))};
  if (!*value) return source;
  const auto json = parseJson(**value, file.string() + ": customizationEnablement");
  if (!json) return fail(json.error());
  if (!json->is_object())
    return fail(ErrorCode::invalidArgument,
                file.string() + ": customizationEnablement is not an object",
                "its shape: {customization id: true|false}");
  collect(source, session, *json);
  return source;
}

}  // namespace enablement
