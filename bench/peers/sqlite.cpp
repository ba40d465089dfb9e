#include <enablement/bench/peers/sqlite.h>

#include <sqlite3.h>

#include <string>

#include <SQLiteCpp/SQLiteCpp.h>

#include <enablement/bench/must.h>

namespace enablement::bench {
namespace {

constexpr const char* schema = R"(
PRAGMA journal_mode = WAL;
CREATE TABLE decision (
  key     TEXT    NOT NULL,
  place   TEXT    NOT NULL,
  scope   INTEGER NOT NULL,
  enabled INTEGER NOT NULL,
  PRIMARY KEY (key, place)
) STRICT, WITHOUT ROWID;
)";
constexpr const char* lookUp =
    "SELECT scope, enabled FROM decision WHERE key = ?1 AND place IN ('', ?2, ?3)";

void bind(sqlite3_stmt* statement, int at, std::string_view text) {
  sqlite3_bind_text(statement, at, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
}

}  // namespace

void writeSqlite(const std::filesystem::path& file, const DataSet& data) {
  SQLite::Database database(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  database.exec(schema);
  SQLite::Transaction transaction(database);
  SQLite::Statement insert(database, "INSERT INTO decision VALUES (?, ?, ?, ?)");
  for (const Decision& decision : data.decisions()) {
    insert.bind(1, data.names()[decision.target].printed);
    insert.bind(2, std::string(data.placeOf(decision)));
    insert.bind(3, static_cast<int>(decision.scope));
    insert.bind(4, decision.enabled ? 1 : 0);
    insert.exec();
    insert.reset();
  }
  transaction.commit();
}

RawSqlite::RawSqlite(const std::filesystem::path& file) {
  must(sqlite3_open_v2(file.c_str(), &database_, SQLITE_OPEN_READWRITE, nullptr) == SQLITE_OK,
       "cannot open " + file.string());
  must(sqlite3_prepare_v3(database_, lookUp, -1, SQLITE_PREPARE_PERSISTENT, &statement_, nullptr) ==
           SQLITE_OK,
       sqlite3_errmsg(database_));
}

RawSqlite::~RawSqlite() {
  sqlite3_finalize(statement_);
  sqlite3_close(database_);
}

Found RawSqlite::find(std::string_view session, std::string_view folder,
                      std::string_view key) const {
  bind(statement_, 1, key);
  bind(statement_, 2, folder);
  bind(statement_, 3, session);
  Found all = 0;
  while (sqlite3_step(statement_) == SQLITE_ROW)
    all |= found(static_cast<Scope>(sqlite3_column_int(statement_, 0)),
                 sqlite3_column_int(statement_, 1) != 0);
  sqlite3_reset(statement_);
  return all;
}

WrappedSqlite::WrappedSqlite(const std::filesystem::path& file)
    : database_(std::make_unique<SQLite::Database>(file.string(), SQLite::OPEN_READWRITE)),
      statement_(std::make_unique<SQLite::Statement>(*database_, lookUp)) {}

WrappedSqlite::~WrappedSqlite() = default;

Found WrappedSqlite::find(const std::string& session, const std::string& folder,
                          const std::string& key) const {
  statement_->bindNoCopy(1, key);
  statement_->bindNoCopy(2, folder);
  statement_->bindNoCopy(3, session);
  Found all = 0;
  while (statement_->executeStep())
    all |= found(static_cast<Scope>(statement_->getColumn(0).getInt()),
                 statement_->getColumn(1).getInt() != 0);
  statement_->reset();
  return all;
}

}  // namespace enablement::bench
