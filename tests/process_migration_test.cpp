// Migrations that are killed, and those that meet.
#include <SQLiteCpp/SQLiteCpp.h>

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <enablement/migrations/migrator.h>
#include <enablement/store/upkeep.h>

#include "database_text.h"
#include "fault/support.h"
#include "places.h"
#include "process/child_process.h"

namespace enablement::testing {
namespace {

using ::testing::AnyOf;

const std::string newest = std::to_string(currentSchemaVersion());

class MigratingProcesses : public ::testing::Test {
 protected:
  // A file as a program of that version left it, with decisions of all scopes.
  void lay(const std::string& version) const {
    restore(folder_.path(), {});
    SQLite::Database database(file_.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    database.exec(textOf(inTests("../schema/golden/v" + version + ".sql")));
    database.exec("PRAGMA journal_mode = WAL");
  }
  // Without the time that a step was taken.
  [[nodiscard]] std::string content() const {
    SQLite::Database database(file_.string(), SQLite::OPEN_READWRITE);
    database.exec("PRAGMA query_only = ON");
    std::string text = tablesAsText(database);
    for (const char* table : {"meta", "decision", "queued_part", "history"})
      text += rowsAsText(database, table);
    return text;
  }
  [[nodiscard]] int enablectl(std::vector<std::string> words) const {
    words.insert(words.begin(), {"--db", file_.string(), "-q"});
    return ChildProcess(words, enablectlProgram).finish();
  }

  // Kills a migration before each of its statements in turn.
  void killAtEachStatement(const std::string& from, const std::string& to) {
    lay(from);
    const std::string before = content();
    ASSERT_EQ(ChildProcess({"migrate", file_.string(), to, "-1"}).finish(), 0);
    const std::string after = content();
    ASSERT_NE(before, after);
    int killed = 0;
    for (int statement = 1;; ++statement) {
      SCOPED_TRACE(statement);
      lay(from);
      const int end =
          ChildProcess({"migrate", file_.string(), to, std::to_string(statement)}).finish();
      if (end == 0) break;
      ASSERT_EQ(end, 9);
      ++killed;
      ASSERT_EQ(content(), before);
      ASSERT_EQ(ChildProcess({"migrate", file_.string(), to, "-1"}).finish(), 0);
      ASSERT_EQ(content(), after) << "the next one does it all";
    }
    EXPECT_GT(killed, 8) << "each statement of the script, and those around it";
  }

  TempFolder folder_;
  fs::path file_ = folder_.path() / "enablement.db";
};

TEST_F(MigratingProcesses, AClimbThatIsKilledAtAnyStatementHasNotHappened) {
  for (int version = 1; version < currentSchemaVersion(); ++version)
    killAtEachStatement(std::to_string(version), newest);
}

TEST_F(MigratingProcesses, AStepDownThatIsKilledAtAnyStatementHasNotHappened) {
  killAtEachStatement(newest, "1");
}

TEST_F(MigratingProcesses, OfTwoThatMigrateAtTheSameTimeOneDoesItAndTheOtherWaits) {
  for (int round = 0; round < 20; ++round) {
    lay("1");
    ChildProcess one({"migrate", file_.string(), newest, "-1"});
    ChildProcess other({"migrate", file_.string(), newest, "-1"});
    const std::string steps = one.hear().value_or("?") + other.hear().value_or("?");
    ASSERT_THAT(steps, AnyOf("10", "01"));
  }
}

TEST_F(MigratingProcesses, TwoDaemonsThatStartOnAnOlderFileAreBothReady) {
  for (int round = 0; round < 20; ++round) {
    lay("1");
    ChildProcess one({"serve", file_.string()});
    ChildProcess other({"serve", file_.string()});
    one.hear();
    other.hear();
    ASSERT_EQ(one.ask("state"), "ready");
    ASSERT_EQ(other.ask("state"), "ready");
  }
}

// A file is read as it lies there while its log is empty, and may be written to meanwhile.
TEST_F(MigratingProcesses, ALookIsNeverTornByThoseWhoWriteMeanwhile) {
  lay(newest);
  StoreOptions looking;
  looking.path = file_;
  looking.access = Access::look;
  for (int round = 0; round < 10; ++round) {
    const std::string name = "acme/round-" + std::to_string(round);
    ChildProcess writer({"write", file_.string(), name, "5"});
    while (!writer.hasEnded()) {
      const auto service = EnablementService::open(looking);
      ASSERT_EQ(service->status().state, ServiceStatus::State::ready)
          << describe(service->status().error.value());
      const auto stored = service->stored();
      ASSERT_TRUE(stored) << describe(stored.error());
      ASSERT_GE(stored->size(), 4U);
      ASSERT_EQ(outcome(schemaState(looking)), "ok");
    }
    ASSERT_EQ(writer.finish(), 0);
  }
}

TEST_F(MigratingProcesses, AMigrationWaitsAsLongAsItIsToldAndThenAnswersBusy) {
  lay("1");
  {
    ChildProcess holder({"hold", file_.string(), "BEGIN IMMEDIATE"});
    ASSERT_EQ(holder.hear(), "ready");
    EXPECT_EQ(enablectl({"migrate", "up", "--lock-timeout", "50"}), 5);
    EXPECT_EQ(enablectl({"migrate", "up", "--dry-run"}), 0) << "it takes no lock for writing";
    EXPECT_EQ(enablectl({"migrate", "status"}), 0);
  }
  EXPECT_EQ(enablectl({"migrate", "up", "--lock-timeout", "50"}), 0);
}

TEST_F(MigratingProcesses, EveryVerbOfUpkeepWorksWhileADaemonHasTheStoreOpen) {
  lay("1");
  ChildProcess daemon({"serve", file_.string()});
  ASSERT_EQ(daemon.hear(), "ready");
  ASSERT_EQ(daemon.ask("set acme/live global off"), "ok");
  EXPECT_EQ(enablectl({"migrate", "status"}), 0);
  EXPECT_EQ(enablectl({"migrate", "validate"}), 0);
  EXPECT_EQ(enablectl({"check", "--full"}), 0);
  EXPECT_EQ(enablectl({"backup", (folder_.path() / "copy.db").string()}), 0);
  EXPECT_EQ(enablectl({"recover", file_.string(), "--into", (folder_.path() / "new.db").string()}),
            0);
  EXPECT_EQ(enablectl({"vacuum"}), 0);
  EXPECT_EQ(daemon.ask("refresh"), "ok");
  EXPECT_EQ(daemon.ask("resolve acme/live"), "off");
  EXPECT_EQ(daemon.ask("set acme/live global on"), "ok");
}

}  // namespace
}  // namespace enablement::testing
