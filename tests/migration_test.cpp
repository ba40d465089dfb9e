// The schema's steps: taken whole or not at all, written down, compared with the scripts.
#include <sqlite3.h>

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <enablement/migrations/migrator.h>
#include <enablement/store/upkeep.h>

#include "database_text.h"
#include "service_fixture.h"

namespace enablement {
namespace {

using test::must;
using test::Names;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const int newest = currentSchemaVersion();
const Target alpha{TargetKey::plugin("acme/alpha").value(), std::nullopt};

class MigrationTest : public ::testing::Test {
 protected:
  MigrationTest() {
    options.path = temp / "enablement.db";
    options.clock = clock.clock();
    options.busyTimeout = std::chrono::milliseconds(30);
  }

  // A store with a decision, at a schema version.
  void lay(int version) {
    {
      const auto service = EnablementService::open(options);
      must(service->setStored(alpha, std::nullopt, false, "tester"));
    }
    must(go(version));
  }
  Result<MigrationRun> go(int version) {
    const auto rehearsed = rehearseMigration(options, version);
    return rehearsed ? runMigration(options, *rehearsed) : rehearsed;
  }
  void sql(const std::string& statements) const {
    SQLite::Database(options.path.string(), SQLite::OPEN_READWRITE).exec(statements);
  }
  Names findings() {
    Names all;
    const auto state = schemaState(options).value();
    for (const MigrationFinding& finding : state.findings)
      all.push_back(std::string(name(finding.kind)) + " " + std::to_string(finding.version));
    return all;
  }
  template <typename Value>
  static std::string codeOf(const Result<Value>& result) {
    return result ? "done" : std::string(name(result.error().code));
  }
  Names stored() { return test::show(EnablementService::open(options)->stored()); }

  test::TempFolder temp;
  StoreOptions options;
  test::FakeClock clock;
};

TEST_F(MigrationTest, ARehearsalTellsTheStepsAndTouchesNothing) {
  EXPECT_TRUE(rehearseMigration(options, newest).value().creates);
  EXPECT_THAT(temp.contents(), IsEmpty()) << "no file is created";
  lay(1);
  const auto before = temp.contents();
  const auto up = rehearseMigration(options, newest).value();
  EXPECT_EQ(up.steps.size(), static_cast<std::size_t>(newest) - 1);
  const auto down = rehearseMigration(options, 0).value();
  EXPECT_THAT(down.losses(), ElementsAre(Loss{"decision", 1}));
  EXPECT_EQ(temp.contents(), before);
}

TEST_F(MigrationTest, ARehearsalTakesNoWriteLock) {
  lay(1);
  const test::OtherWriter other(options.path);
  EXPECT_EQ(codeOf(rehearseMigration(options, newest)), "done");
  EXPECT_EQ(codeOf(schemaState(options)), "done");
  EXPECT_EQ(codeOf(go(newest)), "busy");
}

TEST_F(MigrationTest, AMissingFileIsCreatedAtTheVersionAskedFor) {
  EXPECT_TRUE(go(1).value().creates);
  EXPECT_EQ(schemaState(options).value().version, 1);
  EXPECT_EQ(go(newest).value().from, 1);
}

TEST_F(MigrationTest, EachStepIsWrittenDownWithItsTime) {
  clock.at(1000);
  lay(1);
  clock.at(2000);
  must(go(newest));
  const auto state = schemaState(options).value();
  ASSERT_EQ(state.applied.size(), static_cast<std::size_t>(newest));
  EXPECT_EQ(state.applied[0].at.time_since_epoch().count(), 1000);
  EXPECT_EQ(state.applied[1].at.time_since_epoch().count(), 2000);
  EXPECT_EQ(state.applied[1].name, "imports");
  EXPECT_GT(state.applied[1].took.count(), 0);
  EXPECT_THAT(state.findings, IsEmpty());
}

TEST_F(MigrationTest, AStepDownDoesOnlyWhatWasAgreedTo) {
  lay(newest);
  const auto agreed = rehearseMigration(options, 0).value();
  {
    const auto service = EnablementService::open(options);
    must(
        service->setStored({TargetKey::plugin("acme/beta").value(), {}}, std::nullopt, false, "t"));
  }
  EXPECT_EQ(codeOf(runMigration(options, agreed)), "busy") << "it would lose more by now";
  EXPECT_EQ(stored().size(), 2U);
  EXPECT_EQ(schemaState(options).value().version, newest);
}

TEST_F(MigrationTest, StepsThatSomebodyElseTookMeanwhileAreNotTakenTwice) {
  lay(1);
  const auto mine = rehearseMigration(options, newest).value();
  must(go(newest));
  EXPECT_THAT(runMigration(options, mine).value().steps, IsEmpty());
}

TEST_F(MigrationTest, AVersionThatDoesNotExistIsRefused) {
  lay(newest);
  EXPECT_EQ(codeOf(go(newest + 1)), "invalidArgument");
  EXPECT_EQ(codeOf(go(-1)), "invalidArgument");
}

TEST_F(MigrationTest, ANewerFileIsRefusedWithBothVersionsAndLeftAlone) {
  lay(newest);
  sql("UPDATE meta SET version = 9047, last_compatible_version = 9046; PRAGMA user_version = 9047");
  const auto before = temp.contents();
  for (const int version : {0, 1, newest}) {
    const auto refused = go(version);
    ASSERT_EQ(codeOf(refused), "newerSchema");
    EXPECT_THAT(refused.error().message,
                AllOf(HasSubstr("9047"), HasSubstr("version " + std::to_string(newest))));
  }
  EXPECT_EQ(codeOf(repairMigrations(options)), "newerSchema");
  EXPECT_EQ(codeOf(vacuumStore(options)), "newerSchema");
  EXPECT_EQ(temp.contents(), before) << "user_version included";
}

TEST_F(MigrationTest, ANewerFileThatAdmitsThisProgramIsUsedButNotMigrated) {
  lay(newest);
  sql("UPDATE meta SET version = 9047; PRAGMA user_version = 9047");
  EXPECT_EQ(codeOf(go(newest)), "newerSchema");
  EXPECT_EQ(stored().size(), 1U);
}

TEST_F(MigrationTest, ADatabaseOfAnotherProgramIsNeverTouched) {
  {
    SQLite::Database other(options.path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    other.exec("CREATE TABLE meta (version INTEGER); INSERT INTO meta VALUES (1)");
  }
  const auto before = temp.contents();
  EXPECT_EQ(codeOf(go(newest)), "corrupt");
  EXPECT_EQ(codeOf(go(0)), "corrupt");
  EXPECT_EQ(codeOf(repairMigrations(options)), "corrupt");
  EXPECT_EQ(codeOf(vacuumStore(options)), "corrupt");
  EXPECT_EQ(codeOf(checkStore(options, true)), "corrupt");
  EXPECT_EQ(codeOf(backUpStore(options, temp / "copy.db")), "corrupt");
  EXPECT_EQ(codeOf(recoverStore(options, temp / "copy.db")), "corrupt");
  EXPECT_EQ(temp.contents(), before);
}

// Validation.

TEST_F(MigrationTest, ValidationTellsWhatIsPendingMissingChangedAndOutOfOrder) {
  lay(1);
  EXPECT_THAT(findings(), ElementsAre("pending 2"));
  must(go(2));
  EXPECT_THAT(findings(), IsEmpty());
  sql("UPDATE migration SET sha256 = 'another' WHERE version = 1");
  EXPECT_THAT(findings(), ElementsAre("changed 1"));
  sql("DELETE FROM migration WHERE version = 1");
  EXPECT_THAT(findings(), ElementsAre("missing 1"));
  must(repairMigrations(options));
  sql("UPDATE migration SET applied_at = 5 WHERE version = 2");
  EXPECT_THAT(findings(), ElementsAre("out of order 2"));
  must(repairMigrations(options));
  must(go(1));
  sql("INSERT INTO migration VALUES (2, 'imports', 'x', 9999, 1)");
  EXPECT_THAT(findings(), ElementsAre("out of order 2"));
  sql("DELETE FROM migration WHERE version = 2; INSERT INTO migration VALUES (7, 'new', 'x', 9999, "
      "1)");
  EXPECT_THAT(findings(), ElementsAre("pending 2", "missing 7"));
}

TEST_F(MigrationTest, EveryFindingHasARemedyThatHelps) {
  lay(2);
  sql("DELETE FROM migration WHERE version = 1; UPDATE migration SET sha256 = 'x'");
  const auto state = schemaState(options).value();
  for (const MigrationFinding& finding : state.findings)
    EXPECT_THAT(finding.remedy, HasSubstr("enablectl migrate repair"));
  const auto decisions = stored();
  must(repairMigrations(options));
  EXPECT_THAT(findings(), IsEmpty());
  EXPECT_EQ(stored(), decisions);
}

TEST_F(MigrationTest, RepairKeepsTheTimesThatAreKnown) {
  clock.at(1000);
  lay(2);
  clock.at(9000);
  sql("UPDATE migration SET sha256 = 'x' WHERE version = 1");
  must(repairMigrations(options));
  const auto applied = schemaState(options).value().applied;
  EXPECT_EQ(applied[0].at.time_since_epoch().count(), 1000);
  EXPECT_EQ(applied[0].sha256, migrations()[0].sha256);
}

TEST_F(MigrationTest, ADaemonDoesNotClimbOnTopOfOtherScripts) {
  lay(1);
  sql("UPDATE migration SET sha256 = 'x'");
  const auto before = temp.contents();
  {
    const auto service = EnablementService::open(options);
    EXPECT_EQ(service->status().state, ServiceStatus::State::degraded);
    EXPECT_THAT(service->status().error.value().hint, HasSubstr("migrate validate"));
  }
  EXPECT_EQ(temp.contents(), before);
}

// Failures.

TEST_F(MigrationTest, AStepThatFailsLeavesTheFileAsItWas) {
  const Migration bad[] = {
      migrations()[0],
      {2, "bad", "sum", "CREATE TABLE half (x INTEGER) STRICT; SELECT * FROM nowhere", "", ""}};
  lay(1);
  SQLite::Database database(options.path.string(), SQLite::OPEN_READWRITE);
  const std::string before = testing::asText(database);
  std::string message;
  try {
    SQLite::Transaction whole(database);
    migrate(database, 2, options.clock, bad);
    whole.commit();
  } catch (const SQLite::Exception& failed) {
    message = failed.what();
  }
  EXPECT_THAT(message, AllOf(HasSubstr("step 2 bad up"), HasSubstr("nowhere")));
  EXPECT_EQ(testing::asText(database), before);
}

// Every connection opened from now on may not grow its file.
class NoGrowth {
 public:
  NoGrowth() { sqlite3_auto_extension(reinterpret_cast<void (*)()>(limit)); }
  ~NoGrowth() { sqlite3_cancel_auto_extension(reinterpret_cast<void (*)()>(limit)); }
  NoGrowth(const NoGrowth&) = delete;
  NoGrowth& operator=(const NoGrowth&) = delete;

 private:
  static int limit(sqlite3* database, char** /*message*/, const sqlite3_api_routines* /*api*/) {
    return sqlite3_exec(database, "PRAGMA max_page_count = 1", nullptr, nullptr, nullptr);
  }
};

TEST_F(MigrationTest, AFailedClimbForWantOfPagesLosesNothingAndWorksOnceThereIsRoom) {
  lay(1);
  must(vacuumStore(options));  // no free pages are left to use
  const std::string before = testing::asText(options.path);
  const auto rehearsed = rehearseMigration(options, newest).value();
  {
    const NoGrowth limited;
    EXPECT_EQ(codeOf(runMigration(options, rehearsed)), "full");
    EXPECT_EQ(EnablementService::open(options)->status().state, ServiceStatus::State::degraded);
  }
  EXPECT_EQ(testing::asText(options.path), before);
  must(runMigration(options, rehearsed));
  EXPECT_EQ(stored().size(), 1U);
}

TEST_F(MigrationTest, GoingDownWhileAServiceRunsMakesItsAnswersPendingNotOn) {
  lay(newest);
  const auto service = EnablementService::open(options);
  must(service->setWorkingDirectory("ahp://s", WorkingDirectory::none()));
  must(service->loadSession("ahp://s"));
  EXPECT_EQ(test::show(service->resolve("ahp://s", alpha)), "off global=off");
  must(go(1));
  EXPECT_EQ(codeOf(service->refresh()), "corrupt");
  EXPECT_EQ(test::show(service->resolve("ahp://s", alpha)), "pending(store)");
  must(go(newest));
  must(service->refresh());
  EXPECT_EQ(test::show(service->resolve("ahp://s", alpha)), "off global=off");
}

// The build makes checksums over text with LF line ends and without a byte order mark: see
// cmake/EmbedMigrations.cmake, and tests/embed_migrations_test.cmake.
TEST_F(MigrationTest, ReleasedScriptsAreNeverChanged) {
  EXPECT_EQ(migrations()[0].sha256,
            "6c254d2c5a8dc42109708dbb97ebc55431ff9fb0e13618c02d3eff80ed44e563");
}

}  // namespace
}  // namespace enablement
