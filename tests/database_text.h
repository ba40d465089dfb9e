// A database as text: its tables and every row, in stable order.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>

namespace enablement::testing {

inline std::vector<std::string> firstColumn(SQLite::Database& database, const std::string& sql) {
  std::vector<std::string> values;
  SQLite::Statement query(database, sql);
  while (query.executeStep()) values.push_back(query.getColumn(0).getString());
  return values;
}

// The statements that make its tables and views.
inline std::string tablesAsText(SQLite::Database& database) {
  std::string text;
  for (const std::string& sql : firstColumn(
           database, "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name"))
    text += sql + ";\n";
  return text;
}

inline std::string rowsAsText(SQLite::Database& database, const std::string& table) {
  std::string columns;
  std::string quoted;
  for (const std::string& column :
       firstColumn(database, "SELECT name FROM pragma_table_info('" + table + "')")) {
    columns += (columns.empty() ? "" : ", ") + column;
    if (!quoted.empty()) quoted += " || ', ' || ";
    // How long a step took is another time each time.
    quoted += column == "duration_us" ? "'0'" : "quote(" + column + ")";
  }
  std::string text;
  for (const std::string& values :
       firstColumn(database, "SELECT " + quoted + " FROM " + table + " ORDER BY " + columns))
    text += "INSERT INTO " + table + " VALUES (" + values + ");\n";
  return text;
}

// Runs as SQL, and then makes the same database.
inline std::string asText(SQLite::Database& database) {
  std::string text;
  for (const char* pragma : {"application_id", "user_version"})
    text += std::string("PRAGMA ") + pragma + " = " +
            database.execAndGet(std::string("PRAGMA ") + pragma).getString() + ";\n";
  text += tablesAsText(database);
  for (const std::string& table :
       firstColumn(database, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"))
    text += rowsAsText(database, table);
  return text;
}

inline std::string asText(const std::filesystem::path& file) {
  SQLite::Database database(file.string(), SQLite::OPEN_READONLY);
  return asText(database);
}

inline std::string textOf(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace enablement::testing
