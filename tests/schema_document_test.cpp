// docs/schema.md and the view `decisions` are part of the contract with people who use sqlite3.
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <enablement/store/records.h>

#include "database_text.h"
#include "places.h"
#include "service_fixture.h"

namespace enablement {
namespace {

using Columns = std::map<std::string, std::set<std::string>>;

// Every heading that names a table, and what its rows explain.
Columns explained() {
  Columns columns;
  std::string table;
  std::istringstream document(testing::textOf(testing::inTests("../docs/schema.md")));
  for (std::string line; std::getline(document, line);) {
    std::smatch match;
    if (std::regex_search(line, match, std::regex("^## (\\w+)"))) table = match[1];
    if (!line.starts_with("| `")) continue;
    const std::string names = line.substr(0, line.find(" | "));
    static const std::regex quoted("`(\\w+)`");
    for (std::sregex_iterator name(names.begin(), names.end(), quoted), end; name != end; ++name)
      columns[table].insert((*name)[1]);
  }
  return columns;
}

class SchemaDocument : public ::testing::Test {
 protected:
  SchemaDocument() {
    options.path = temp / "enablement.db";
    EnablementService::open(options);
    database = std::make_unique<SQLite::Database>(options.path.string(), SQLite::OPEN_READWRITE);
  }
  test::TempFolder temp;
  StoreOptions options;
  std::unique_ptr<SQLite::Database> database;
};

TEST_F(SchemaDocument, ExplainsEveryColumnOfEveryTableAndNoOther) {
  Columns found;
  for (const std::string& table :
       testing::firstColumn(*database, "SELECT name FROM sqlite_master WHERE type <> 'index'"))
    for (const std::string& column :
         testing::firstColumn(*database, "SELECT name FROM pragma_table_info('" + table + "')"))
      found[table].insert(column);
  EXPECT_EQ(explained(), found);
}

TEST_F(SchemaDocument, NamesEveryCause) {
  const std::string document = testing::textOf(testing::inTests("../docs/schema.md"));
  for (int i = 0;; ++i) {
    const auto cause = static_cast<Cause>(i);
    if (!parseCause(name(cause)) || parseCause(name(cause)) != cause) break;
    EXPECT_THAT(document, ::testing::HasSubstr("`" + std::string(name(cause)) + "`"));
  }
}

TEST_F(SchemaDocument, TheViewShowsEachDecisionAsPeopleSpeakOfIt) {
  database->exec(
      "INSERT INTO decision VALUES"
      " ('global', '', 'plugin', 'file:///p', '', 1, 1),"
      " ('global', '', 'mcpServer', '', 'db', 0, 1),"
      " ('workspace', 'file:///repo', 'mcpServer', 'file:///p', 'a b', 0, 2),"
      " ('session', 'ahp://s', 'plugin', 'acme/x', '', 1, 9);"
      "INSERT INTO history VALUES"
      " (1, 1777630833123, 'ann', 'set', 'decision', 'global', '', '', 'plugin', 'file:///p', '',"
      "  '', NULL, 1, 0, 0),"
      " (2, 0, 'bob', 'set', 'decision', 'workspace', 'file:///repo', '', 'mcpServer', 'file:///p',"
      "  'a b', '', NULL, 0, 0, 0)");
  EXPECT_EQ(
      testing::firstColumn(
          *database,
          "SELECT scope || '|' || \"where\" || '|' || target || '|' || value || '|'"
          " || coalesce(since, '?') || '|' || coalesce(\"by\", '?') FROM decisions"),
      (std::vector<std::string>{
          "global||file:///p|on|2026-05-01T10:20:33.123Z|ann",
          "global||mcpServers#db|off|2026-05-01T10:20:33.123Z|ann", "session|ahp://s|acme/x|on|?|?",
          "workspace|file:///repo|file:///p#mcp=a b|off|1970-01-01T00:00:00.000Z|bob"}));
}

}  // namespace
}  // namespace enablement
