// A prepared statement for each look-up, on a file with a write-ahead log: through SQLite's own
// interface, and through SQLiteCpp. The session's folder comes from memory, as a host has it there.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include <enablement/bench/data.h>
#include <enablement/bench/found.h>

struct sqlite3;
struct sqlite3_stmt;
namespace SQLite {
class Database;
class Statement;
}  // namespace SQLite

namespace enablement::bench {

// One row a decision; a key's rows lie side by side, so that one statement finds all three.
void writeSqlite(const std::filesystem::path& file, const DataSet& data);

class RawSqlite {
 public:
  explicit RawSqlite(const std::filesystem::path& file);
  ~RawSqlite();
  RawSqlite(const RawSqlite&) = delete;
  RawSqlite& operator=(const RawSqlite&) = delete;

  [[nodiscard]] Found find(std::string_view session, std::string_view folder,
                           std::string_view key) const;

 private:
  sqlite3* database_ = nullptr;
  sqlite3_stmt* statement_ = nullptr;
};

class WrappedSqlite {
 public:
  explicit WrappedSqlite(const std::filesystem::path& file);
  ~WrappedSqlite();

  [[nodiscard]] Found find(const std::string& session, const std::string& folder,
                           const std::string& key) const;

 private:
  std::unique_ptr<SQLite::Database> database_;
  std::unique_ptr<SQLite::Statement> statement_;  // after the database it belongs to
};

}  // namespace enablement::bench
