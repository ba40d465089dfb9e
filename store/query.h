// Prepared statements that are kept, and one in use. Internal: includes SQLiteCpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

namespace enablement {

// Statements by their SQL text, which must be a string literal. Must be destroyed before the
// database: SQLiteCpp aborts otherwise.
class StatementCache {
 public:
  explicit StatementCache(SQLite::Database& database) : database_(database) {}

  SQLite::Statement& get(const char* sql) {
    auto& statement = statements_[sql];
    if (!statement) statement = std::make_unique<SQLite::Statement>(database_, sql);
    return *statement;
  }

 private:
  SQLite::Database& database_;
  std::unordered_map<const char*, std::unique_ptr<SQLite::Statement>> statements_;
};

// One use of a statement: parameters in order, then rows or run(). Reset on every way out, so that
// no statement keeps a read transaction open. Throws SQLite::Exception.
class Query {
 public:
  template <typename... Values>
  Query(StatementCache& cache, const char* sql, const Values&... values)
      : statement_(cache.get(sql)) {
    int i = 0;
    (bind(++i, values), ...);
  }
  ~Query() {
    statement_.tryReset();
    statement_.clearBindings();
  }
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  bool next() { return statement_.executeStep(); }
  void run() { statement_.exec(); }

  [[nodiscard]] std::string text(int column) { return statement_.getColumn(column).getString(); }
  [[nodiscard]] std::int64_t integer(int column) { return statement_.getColumn(column).getInt64(); }
  [[nodiscard]] std::optional<bool> flag(int column) {
    const auto value = statement_.getColumn(column);
    return value.isNull() ? std::nullopt : std::optional(value.getInt64() != 0);
  }

 private:
  void bind(int i, std::string_view text) { statement_.bind(i, std::string(text)); }
  void bind(int i, std::int64_t value) { statement_.bind(i, value); }
  void bind(int i, bool value) { statement_.bind(i, value ? 1 : 0); }
  template <typename Value>
  void bind(int i, const std::optional<Value>& value) {
    if (value)
      bind(i, *value);
    else
      statement_.bind(i);
  }
  // A literal or an int would otherwise pick the overload for bool.
  void bind(int i, const char* text) { bind(i, std::string_view(text)); }
  void bind(int i, const std::string& text) { statement_.bind(i, text); }
  void bind(int i, int value) { bind(i, static_cast<std::int64_t>(value)); }

  SQLite::Statement& statement_;
};

}  // namespace enablement
