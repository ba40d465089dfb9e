// A store's health: checked, copied, made smaller, and read out of a damaged file.
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <enablement/store/upkeep.h>

#include "database_text.h"
#include "places.h"
#include "service_fixture.h"

namespace enablement {
namespace {

namespace fs = std::filesystem;
using test::must;
using test::Names;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Target plugin(const std::string& id) {
  return {TargetKey::plugin(id).value(), std::nullopt};
}

class UpkeepTest : public ::testing::Test {
 protected:
  UpkeepTest() {
    options.path = temp / "enablement.db";
    options.clock = clock.clock();
    options.busyTimeout = std::chrono::milliseconds(30);
    fresh = options;
    fresh.path = temp / "fresh.db";
  }

  void fill(int decisions) {
    const auto service = EnablementService::open(options);
    for (int i = 0; i < decisions; ++i)
      must(service->setStored(plugin("acme/tool-" + std::to_string(1000 + i)), std::nullopt,
                              i % 2 != 0, "tester"));
    must(service->setWorkingDirectory("ahp://s", WorkingDirectory::none()));
    must(service->set("ahp://s", plugin("acme/waits"), Scope::session, false, "tester"));
  }
  void sql(const std::string& statements) const {
    SQLite::Database(options.path.string(), SQLite::OPEN_READWRITE).exec(statements);
  }
  // Writes over a page of a table or index, somewhere in its middle.
  void damage(const std::string& table) const {
    std::int64_t page = 0;
    std::int64_t size = 0;
    {
      SQLite::Database database(options.path.string(), SQLite::OPEN_READONLY);
      size = database.execAndGet("PRAGMA page_size").getInt64();
      page =
          database
              .execAndGet("SELECT pageno FROM dbstat WHERE name = '" + table +
                          "' AND pagetype = 'leaf' ORDER BY path LIMIT 1 OFFSET (SELECT count(*) "
                          "FROM dbstat WHERE name = '" +
                          table + "' AND pagetype = 'leaf') / 2")
              .getInt64();
    }
    std::fstream file(options.path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp((page - 1) * size);
    file << std::string(static_cast<std::size_t>(size), '\x5A');
  }
  Names problems(const StoreOptions& store, bool full) {
    const auto report = checkStore(store, full);
    if (!report) return {describe(report.error())};
    Names all;
    for (const Check& check : report->checks)
      for (const std::string& problem : check.problems) all.push_back(check.name + ": " + problem);
    return all;
  }
  Names stored(const StoreOptions& store) {
    return test::show(EnablementService::open(store)->stored());
  }
  static RecoveredTable table(const RecoveryReport& report, const std::string& name) {
    for (const RecoveredTable& one : report.tables)
      if (one.name == name) return one;
    return {};
  }

  test::TempFolder temp;
  test::FakeClock clock;
  StoreOptions options;
  StoreOptions fresh;
};

// check

TEST_F(UpkeepTest, AWholeStoreIsSoundWhileAServiceUsesIt) {
  fill(10);
  const auto service = EnablementService::open(options);
  must(service->setStored(plugin("acme/live"), std::nullopt, false, "tester"));
  EXPECT_THAT(problems(options, false), IsEmpty());
  EXPECT_THAT(problems(options, true), IsEmpty());
}

TEST_F(UpkeepTest, ACheckFindsWhatWasDoneBehindTheStoresBack_I16) {
  fill(10);
  const std::vector<std::pair<std::string, std::string>> cases{
      {"UPDATE decision SET enabled = 1 - enabled WHERE owner_uri = 'acme/tool-1003'",
       "decisions: "},
      {"DELETE FROM queued_part", "decisions: "},
      {"INSERT INTO unclaimed_decision VALUES ('ahp://s', 'id', 1, 1)", "decisions: "},
      {"DELETE FROM history WHERE sequence = 3", "history: 1 decision has no row"},
      {"CREATE TABLE notes (x TEXT)", "tables: table notes is not of our making"},
      {"DROP VIEW decisions", "tables: view decisions is missing"},
      {"UPDATE migration SET sha256 = 'x'", "bookkeeping: step 1 initial is not the script"},
      {"UPDATE history SET cause = 'whim' WHERE sequence = 2", "history: a row of table history"}};
  for (const auto& [statement, problem] : cases) {
    const std::string before = test::TempFolder::bytesOf(options.path);
    sql(statement);
    EXPECT_THAT(problems(options, true), Contains(HasSubstr(problem))) << statement;
    test::TempFolder::write(options.path, before);
  }
  EXPECT_THAT(problems(options, true), IsEmpty());
}

TEST_F(UpkeepTest, ACheckReadsEveryPage) {
  fill(400);
  damage("decision");
  const auto before = temp.contents();
  EXPECT_THAT(problems(options, false), Contains(HasSubstr("pages: ")));
  EXPECT_THAT(problems(options, true), Contains(HasSubstr("pages: ")));
  EXPECT_EQ(temp.contents(), before);
}

// backup, vacuum

TEST_F(UpkeepTest, ABackupIsTheStoreOfOneMomentWhateverItsVersion) {
  fill(5);
  must(runMigration(options, rehearseMigration(options, 1).value()));
  must(backUpStore(options, fresh.path));
  EXPECT_EQ(schemaState(fresh).value().version, 1);
  EXPECT_EQ(stored(fresh).size(), 5U);
  EXPECT_EQ(backUpStore(options, fresh.path).error().code, ErrorCode::invalidArgument);
}

TEST_F(UpkeepTest, AVacuumGivesBackWhatWasRemovedAndKeepsEveryRow) {
  fill(600);
  {
    const auto service = EnablementService::open(options);
    for (int i = 0; i < 550; ++i)
      must(service->purge(plugin("acme/tool-" + std::to_string(1000 + i)).key, "tester"));
  }
  const auto service = EnablementService::open(options);
  std::vector<Event> events;
  const auto heard = service->subscribe([&](const Event& event) { events.push_back(event); });
  must(service->setWorkingDirectory("ahp://s", WorkingDirectory::none()));
  must(service->loadSession("ahp://s"));
  events.clear();
  const auto before = test::show(service->stored());
  const auto history = service->history().value().size();
  EXPECT_GT(reclaimableBytes(options).value(), 0);
  const auto report = vacuumStore(options).value();
  EXPECT_LT(report.after, report.before);
  must(service->refresh());
  EXPECT_THAT(events, IsEmpty()) << "nobody's answer has changed";
  EXPECT_EQ(test::show(service->stored()), before);
  EXPECT_EQ(service->history().value().size(), history);
  must(service->setStored(plugin("acme/after"), std::nullopt, false, "tester"));
  EXPECT_THAT(problems(options, true), IsEmpty());
}

TEST_F(UpkeepTest, AVacuumWaitsNoLongerThanItIsTold) {
  fill(5);
  const test::OtherWriter other(options.path);
  EXPECT_EQ(vacuumStore(options).error().code, ErrorCode::busy);
}

// recover

TEST_F(UpkeepTest, AWholeStoreIsRecoveredRowForRow) {
  fill(50);
  const auto report = recoverStore(options, fresh.path).value();
  EXPECT_TRUE(report.isComplete());
  EXPECT_EQ(table(report, "decision").read, 50);
  EXPECT_EQ(table(report, "queued_part").read, 1);
  EXPECT_EQ(table(report, "history").read, 51);
  SQLite::Database from(options.path.string(), SQLite::OPEN_READONLY);
  SQLite::Database into(fresh.path.string(), SQLite::OPEN_READONLY);
  for (const char* name : {"decision", "queued_part", "unclaimed_decision", "import_source"})
    EXPECT_EQ(testing::rowsAsText(into, name), testing::rowsAsText(from, name));
  EXPECT_THAT(problems(fresh, true), IsEmpty());
}

TEST_F(UpkeepTest, DecisionsOnADamagedPageAreRebuiltFromTheirHistory) {
  fill(400);
  const Names all = stored(options);
  damage("decision");
  const auto before = temp.contents();
  const auto report = recoverStore(options, fresh.path).value();
  const RecoveredTable decisions = table(report, "decision");
  EXPECT_GT(decisions.rebuilt, 0);
  EXPECT_FALSE(decisions.readToTheEnd);
  EXPECT_EQ(decisions.read + decisions.rebuilt, 400);
  EXPECT_EQ(stored(fresh), all);
  EXPECT_THAT(problems(fresh, true), IsEmpty());
  fs::remove(fresh.path);
  EXPECT_EQ(temp.contents(), before) << "the damaged file stays as it is";
}

TEST_F(UpkeepTest, DecisionsOutliveTheirHistory) {
  fill(400);
  const Names all = stored(options);
  damage("history");
  const auto report = recoverStore(options, fresh.path).value();
  EXPECT_FALSE(report.isComplete());
  EXPECT_EQ(table(report, "decision").read, 400);
  EXPECT_GT(table(report, "history").read, 100) << "from both ends";
  EXPECT_EQ(stored(fresh), all);
  EXPECT_THAT(problems(fresh, true), IsEmpty());
}

TEST_F(UpkeepTest, WhereARowAndItsHistoryDisagreeOffWins_I16) {
  fill(4);  // 1000 and 1002 off, 1001 and 1003 on
  sql("UPDATE decision SET enabled = 1 - enabled WHERE owner_uri IN "
      "('acme/tool-1000', 'acme/tool-1001')");
  const auto report = recoverStore(options, fresh.path).value();
  EXPECT_THAT(table(report, "decision").problems,
              ElementsAre(HasSubstr("acme/tool-1000"), HasSubstr("acme/tool-1001")));
  EXPECT_EQ(stored(fresh), (Names{"global acme/tool-1000 off", "global acme/tool-1001 off",
                                  "global acme/tool-1002 off", "global acme/tool-1003 on"}));
}

TEST_F(UpkeepTest, RowsThatCannotBeUnderstoodAreCountedAndLeftOut) {
  fill(3);
  sql("PRAGMA ignore_check_constraints = ON;"
      "INSERT INTO decision VALUES ('galaxy', '', 'plugin', 'acme/x', '', 1, 1);"
      "UPDATE history SET cause = 'whim' WHERE sequence = 2");
  const auto report = recoverStore(options, fresh.path).value();
  EXPECT_EQ(table(report, "decision").lost, 1);
  EXPECT_EQ(table(report, "history").lost, 1);
  EXPECT_FALSE(report.isComplete());
  EXPECT_EQ(stored(fresh).size(), 3U);
  EXPECT_THAT(problems(fresh, true), IsEmpty());
}

TEST_F(UpkeepTest, AWriteAheadLogThatWasLeftOverIsRead) {
  fill(3);
  const fs::path copy = temp / "copy.db";
  {
    const auto service = EnablementService::open(options);
    must(service->setStored(plugin("acme/in-the-log"), std::nullopt, false, "tester"));
    fs::copy_file(options.path, copy);
    fs::copy_file(options.path.string() + "-wal", copy.string() + "-wal");
  }
  StoreOptions damaged = options;
  damaged.path = copy;
  EXPECT_EQ(table(recoverStore(damaged, fresh.path).value(), "decision").read, 4);
}

TEST_F(UpkeepTest, AStoreOfEveryVersionCanBeRecovered) {
  for (int version = 1; version <= currentSchemaVersion(); ++version) {
    fs::remove(options.path);
    fs::remove(fresh.path);
    {
      SQLite::Database database(options.path.string(),
                                SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
      database.exec(testing::textOf(
          testing::inTests("../schema/golden/v" + std::to_string(version) + ".sql")));
    }
    const auto report = recoverStore(options, fresh.path).value();
    EXPECT_TRUE(report.isComplete()) << version;
    EXPECT_EQ(stored(fresh).size(), 4U) << version;
    EXPECT_EQ(table(report, "unclaimed_decision").read, version == 1 ? 0 : 2);
    EXPECT_THAT(problems(fresh, true), IsEmpty()) << version;
  }
}

TEST_F(UpkeepTest, WhatHasNoTablesLeftIsSaidToBeLost) {
  fill(3);
  std::fstream(options.path, std::ios::in | std::ios::out | std::ios::binary).seekp(100)
      << std::string(900, '\x5A');
  const auto lost = recoverStore(options, fresh.path);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, ErrorCode::corrupt);
  EXPECT_FALSE(fs::exists(fresh.path));
}

TEST_F(UpkeepTest, RecoveryOverwritesNothing) {
  fill(3);
  test::TempFolder::write(fresh.path, "somebody's");
  EXPECT_EQ(recoverStore(options, fresh.path).error().code, ErrorCode::invalidArgument);
  EXPECT_EQ(test::TempFolder::bytesOf(fresh.path), "somebody's");
}

TEST_F(UpkeepTest, ALongRecoveryTellsHowFarItIs) {
  fill(1100);
  std::int64_t told = 0;
  must(recoverStore(options, fresh.path, [&](std::int64_t rows) { told = rows; }));
  EXPECT_GE(told, 2000);
}

}  // namespace
}  // namespace enablement
