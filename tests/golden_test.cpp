// schema/golden/: what every version of the schema looks like, with rows of every kind. A released
// version is never changed; what comes after must be able to take its files up.
//
// vN.rows.sql holds the rows that version N was the first to have a place for.
// ENABLEMENT_GOLDEN=write writes vN.sql of the newest version anew.
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <enablement/migrations/migrator.h>
#include <enablement/store/store.h>
#include <enablement/store/upkeep.h>

#include "database_text.h"
#include "places.h"
#include "service_fixture.h"

namespace enablement {
namespace {

using testing::asText;
using testing::tablesAsText;
using testing::textOf;

std::string goldenFile(int version, const std::string& ending = ".sql") {
  return testing::inTests("../schema/golden/v") + std::to_string(version) + ending;
}

class Golden : public ::testing::TestWithParam<int> {
 protected:
  Golden() { options.path = temp / "enablement.db"; }

  // A file as a program of that version left it.
  void lay(int version) const {
    std::filesystem::remove(options.path);
    SQLite::Database database(options.path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    database.exec("BEGIN");
    database.exec(textOf(goldenFile(version)));
    database.exec("COMMIT");
    database.exec("PRAGMA journal_mode = WAL");
  }

  // The steps up from a version, each followed by the rows that it made room for.
  static void climb(SQLite::Database& database, int from) {
    for (int version = from + 1; version <= currentSchemaVersion(); ++version) {
      // The time that the golden dumps say.
      migrate(database, version,
              [] { return Timestamp(std::chrono::milliseconds(1796079400000)); });
      database.exec(textOf(goldenFile(version, ".rows.sql")));
    }
  }

  test::TempFolder temp;
  StoreOptions options;
};

TEST_P(Golden, TheDumpIsADatabaseInItsOwnWords) {
  SQLite::Database database(":memory:", SQLite::OPEN_READWRITE);
  database.exec(textOf(goldenFile(GetParam())));
  EXPECT_EQ(asText(database), textOf(goldenFile(GetParam())));
}

TEST_P(Golden, AFreshDatabaseHasItsTables) {
  SQLite::Database golden(":memory:", SQLite::OPEN_READWRITE);
  golden.exec(textOf(goldenFile(GetParam())));
  SQLite::Database fresh(":memory:", SQLite::OPEN_READWRITE);
  migrate(fresh, GetParam(), systemNow);
  EXPECT_EQ(tablesAsText(fresh), tablesAsText(golden));
}

TEST_P(Golden, MigratedUpItIsTheNewestOne) {
  SQLite::Database database(":memory:", SQLite::OPEN_READWRITE);
  database.exec(textOf(goldenFile(GetParam())));
  climb(database, GetParam());
  const int newest = currentSchemaVersion();
  if (const char* mode = std::getenv("ENABLEMENT_GOLDEN"); mode && std::string(mode) == "write")
    std::ofstream(goldenFile(newest), std::ios::binary) << asText(database);
  EXPECT_EQ(asText(database), textOf(goldenFile(newest)));
}

TEST_P(Golden, GoneUpAndDownAgainItIsAsItWas) {
  SQLite::Database database(":memory:", SQLite::OPEN_READWRITE);
  database.exec(textOf(goldenFile(GetParam())));
  climb(database, GetParam());
  migrate(database, GetParam(), systemNow);
  EXPECT_EQ(asText(database), textOf(goldenFile(GetParam())));
}

TEST_P(Golden, ItsDecisionsOfAllScopesAnswerAfterTheServiceHasMigratedIt_I16) {
  lay(GetParam());
  const auto service = EnablementService::open(options);
  ASSERT_EQ(service->status().state, ServiceStatus::State::ready)
      << describe(service->status().error.value());
  test::must(service->setWorkingDirectory("ahp://copilot/1",
                                          WorkingDirectory::directory("file:///src/api").value()));
  test::must(service->loadSession("ahp://copilot/1"));
  const auto ask = [&](const char* printed) {
    const Target target{TargetKey::parse(printed).value(), std::nullopt};
    return test::show(service->resolve("ahp://copilot/1", target));
  };
  EXPECT_EQ(ask("acme/tools"), "on global=on");
  EXPECT_EQ(ask("file:///plugins/alpha"), "off global=off");
  EXPECT_EQ(ask("file:///plugins/alpha#mcp=db"), "off workspace=off");
  EXPECT_EQ(ask("mcpServers#search"), "off session=off");
  EXPECT_EQ(service->queued().value().size(), 2U);
  EXPECT_GE(service->history().value().size(), 8U);
}

TEST_P(Golden, IsSoundAsItLiesThereAndOnceItIsMigrated) {
  lay(GetParam());
  const auto check = [&] {
    const auto report = checkStore(options, true);
    std::string problems;
    if (!report) return describe(report.error());
    for (const Check& one : report->checks)
      for (const std::string& problem : one.problems) problems += one.name + ": " + problem + "\n";
    return problems;
  };
  EXPECT_EQ(check(), "");
  EnablementService::open(options);
  EXPECT_EQ(check(), "");
}

TEST_P(Golden, AToolThatLooksSeesItAndLeavesItAsItIs) {
  lay(GetParam());
  const auto before = temp.contents();
  {
    StoreOptions looking = options;
    looking.access = Access::look;
    const auto service = EnablementService::open(looking);
    ASSERT_EQ(service->status().state, ServiceStatus::State::ready);
    EXPECT_EQ(service->stored().value().size(), 4U);
  }
  EXPECT_EQ(temp.contents(), before);
}

INSTANTIATE_TEST_SUITE_P(Version, Golden, ::testing::Range(1, currentSchemaVersion() + 1),
                         [](const auto& tested) { return std::to_string(tested.param); });

// The newest rows are not made up: this program writes them so.
TEST(GoldenRows, AreThoseThatThisProgramWrites) {
  test::TempFolder temp;
  test::FakeClock clock;
  clock.at(1796079400000);
  const StoreOptions options{.path = temp / "enablement.db", .clock = clock.clock()};
  {
    SQLite::Database database(options.path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    database.exec(textOf(goldenFile(1)));
  }
  {
    const auto store = Store::open(options).value();
    auto transaction = store->begin(Store::Mode::write).value();
    test::must(transaction.everything());
    ChangeSet changes;
    changes.emplace_back(
        UnclaimedChange{"ahp://copilot/3", "alpha#1", std::nullopt, false, Cause::import});
    changes.emplace_back(
        UnclaimedChange{"ahp://copilot/3", "it's", std::nullopt, true, Cause::import});
    test::must(transaction.write(changes, "enablectl"));
    test::must(transaction.commit());
  }
  SQLite::Database database(options.path.string(), SQLite::OPEN_READWRITE);
  database.exec(
      "INSERT INTO import_source VALUES ('sessionDb', '/sessions/3/session.db', 'ahp://copilot/3',"
      " '99aa06d3014798d86001c324468d497f', 1796079400000,"
      " 'enablectl', 2)");
  EXPECT_EQ(asText(database), textOf(goldenFile(2)));
}

}  // namespace
}  // namespace enablement
