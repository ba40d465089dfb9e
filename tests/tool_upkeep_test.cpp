// enablectl migrate, check, backup, recover, vacuum, as a person and a script see them.
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <enablement/migrations/migrator.h>

#include <enablement/tool/console.h>

#include "database_text.h"
#include "tool_fixture.h"

namespace enablement::testing {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

const std::string newest = std::to_string(currentSchemaVersion());

class Upkeep : public Tool {
 protected:
  void lay(int version) const {
    fs::remove(db());
    SQLite::Database database(db().string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    database.exec("BEGIN");
    database.exec(textOf(inTests("../schema/golden/v" + std::to_string(version) + ".sql")));
    database.exec("COMMIT");
    database.exec("PRAGMA journal_mode = WAL");
  }
  void sql(const std::string& statements) const {
    SQLite::Database(db().string(), SQLite::OPEN_READWRITE).exec(statements);
  }
  std::vector<std::string> beside() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(home()))
      names.push_back(entry.path().filename());
    return names;
  }
};

// migrate

TEST_F(Upkeep, StatusAndDryRunsSayWhatTheRealRunSaysAndCreateNothing) {
  const Ran missing = onStore({"migrate", "up", "-n"});
  EXPECT_EQ(missing.exit, 0);
  EXPECT_EQ(missing.out, "would create " + db().string() +
                             "\nwould apply 1 initial\nwould apply 2 imports\n"
                             "schema version 0 -> 2\n");
  EXPECT_EQ(onStore({"migrate", "status"}).exit, 4) << "there is nothing to show";
  EXPECT_EQ(onStore({"migrate", "down", "-n"}).exit, 4);
  EXPECT_THAT(beside(), IsEmpty());

  lay(1);
  const auto bytes = textOf(db());
  const Ran status = onStore({"migrate", "status"});
  EXPECT_EQ(status.exit, 0);
  EXPECT_EQ(status.out,
            tool::wrapped(db().string() + " has schema version 1, this program writes version 2") +
                "\napplied 1 initial in 0.0 ms, 2026-11-30T22:55:49.369Z\n"
                "would apply 2 imports\n");
  EXPECT_EQ(onStore({"migrate", "status", "--exit-code"}).exit, 1);
  EXPECT_EQ(onStore({"migrate", "up", "--dry-run"}).out,
            "would apply 2 imports\nschema version 1 -> 2\n");
  EXPECT_EQ(textOf(db()), bytes);
  EXPECT_THAT(beside(), ::testing::ElementsAre("enablement.db"));

  const Ran up = onStore({"migrate", "up"});
  EXPECT_EQ(up.exit, 0);
  EXPECT_THAT(up.out, MatchesRegex("applied 2 imports in [0-9.]+ ms\nschema version 1 -> 2\n"));
  EXPECT_EQ(onStore({"migrate", "status", "--exit-code"}).exit, 0);
  EXPECT_EQ(onStore({"migrate", "up"}).out, "nothing to do: the schema has version 2\n");
}

TEST_F(Upkeep, StepsAreCountedAndVersionsNamed) {
  EXPECT_EQ(onStore({"migrate", "up", "1"}).exit, 0);
  EXPECT_THAT(onStore({"migrate", "status"}).out, HasSubstr("has schema version 1"));
  EXPECT_EQ(onStore({"migrate", "goto", newest}).exit, 0);
  EXPECT_EQ(onStore({"migrate", "down", "1"}).exit, 0);
  EXPECT_EQ(onStore({"migrate", "goto", "1"}).out, "nothing to do: the schema has version 1\n");
  for (const char* bad : {"77", "-1", "x"})
    EXPECT_EQ(onStore({"migrate", "goto", bad}).exit, 2) << bad;
  EXPECT_EQ(onStore({"migrate", "up", "0"}).exit, 2);
}

TEST_F(Upkeep, AStepDownThatLosesDecisionsSaysHowManyAndAsks) {
  lay(2);
  EXPECT_EQ(onStore({"migrate", "down", "-n"}).out,
            "would undo 2 imports, giving up 2 unclaimed session decisions\n"
            "schema version 2 -> 1\n");
  const Ran refused = onStore({"migrate", "goto", "0"});
  EXPECT_EQ(refused.exit, 1);
  EXPECT_THAT(refused.err,
              HasSubstr("unclaimed session decisions, 4 decisions and 2 queued parts"));
  EXPECT_THAT(onStore({"migrate", "status"}).out, HasSubstr("has schema version 2"));

  if (hasTerminals()) {
    const Ran no = onTerminal({"--db", db().string(), "migrate", "down"}, "n\n");
    EXPECT_EQ(no.exit, 1);
    EXPECT_THAT(no.out, HasSubstr("[y/N]"));
    const Ran yes = onTerminal({"--db", db().string(), "migrate", "down"}, "y\n");
    EXPECT_EQ(yes.exit, 0);
    EXPECT_THAT(yes.out, HasSubstr("giving up 2 unclaimed session decisions"));
    lay(2);
  }
  EXPECT_EQ(onStore({"migrate", "down", "-y"}).exit, 0);
  EXPECT_EQ(onStore({"list", "-q", "--json"}).exit, 0);
}

TEST_F(Upkeep, ChangedScriptsAreListedWithTheirRemedyAndRepairedAfterAsking) {
  lay(1);
  sql("UPDATE migration SET sha256 = 'other'");
  const Ran validated = onStore({"migrate", "validate"});
  EXPECT_EQ(validated.exit, 6);
  EXPECT_THAT(validated.out,
              AllOf(HasSubstr("changed: step 1 initial"), HasSubstr("enablectl migrate repair"),
                    HasSubstr("pending: step 2 imports"), HasSubstr("enablectl migrate up")));
  expectNarrow(validated.out);
  EXPECT_EQ(onStore({"migrate", "status", "--exit-code"}).exit, 6);
  for (const std::vector<std::string>& verb :
       std::vector<std::vector<std::string>>{{"up"}, {"up", "-n"}, {"down", "-y"}, {"goto", "0"}}) {
    std::vector<std::string> words{"migrate"};
    words.insert(words.end(), verb.begin(), verb.end());
    EXPECT_EQ(onStore(words).exit, 6) << verb.front();
  }
  EXPECT_EQ(onStore({"migrate", "repair"}).exit, 1) << "nobody was there to be asked";
  EXPECT_EQ(onStore({"migrate", "repair", "-n"}).out, "would accept step 1 initial (changed)\n");
  EXPECT_EQ(onStore({"migrate", "repair", "-y"}).exit, 0);
  EXPECT_EQ(onStore({"migrate", "repair"}).out, "nothing to repair\n");
  EXPECT_EQ(onStore({"migrate", "validate"}).exit, 0) << "a step that waits is not wrong";
  EXPECT_EQ(onStore({"migrate", "up"}).exit, 0);
  EXPECT_EQ(onStore({"migrate", "validate"}).out,
            "every step is the one that this program's scripts describe\n");
}

TEST_F(Upkeep, ANewerFileIsRefusedWithBothVersionsByEveryVerb) {
  lay(2);
  sql("UPDATE meta SET version = 12, last_compatible_version = 11; PRAGMA user_version = 12");
  const auto bytes = textOf(db());
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"migrate", "status"},
           {"migrate", "up"},
           {"migrate", "down", "-y"},
           {"migrate", "goto", "1"},
           {"migrate", "validate"},
           {"migrate", "repair", "-y"},
           {"check"},
           {"vacuum"},
           {"backup", (home() / "b.db").string()},
           {"recover", db().string(), "--into", (home() / "n.db").string()},
           {"list"},
           {"set", "acme/x", "off", "--scope", "global"}}) {
    const Ran ran = onStore(words);
    EXPECT_EQ(ran.exit, 4) << words[0];
    EXPECT_THAT(ran.err, AllOf(HasSubstr("version 12"), HasSubstr("version 2"))) << words[0];
  }
  EXPECT_EQ(textOf(db()), bytes);
  EXPECT_THAT(beside(), ::testing::ElementsAre("enablement.db"));
}

TEST_F(Upkeep, EveryVerbHasItsDocumentedJson) {
  lay(1);
  const auto ask = [&](std::vector<std::string> words) {
    words.emplace_back("--json");
    const Ran ran = onStore(words);
    EXPECT_THAT(ran.err, IsEmpty());
    return json::parse(ran.out);
  };
  const json status = ask({"migrate", "status"});
  EXPECT_EQ(status["version"], 1);
  EXPECT_EQ(status["newest"], 2);
  EXPECT_EQ(status["applied"][0]["name"], "initial");
  EXPECT_EQ(status["findings"][0]["kind"], "pending");
  const json dry = ask({"migrate", "up", "-n"});
  EXPECT_EQ(dry["dryRun"], true);
  EXPECT_EQ(dry["steps"][0], (json{{"version", 2},
                                   {"name", "imports"},
                                   {"direction", "up"},
                                   {"durationUs", nullptr},
                                   {"losses", json::array()}}));
  const json up = ask({"migrate", "up"});
  EXPECT_EQ(up["from"], 1);
  EXPECT_EQ(up["to"], 2);
  EXPECT_GT(up["steps"][0]["durationUs"], 0);
  EXPECT_EQ(ask({"migrate", "validate"})["sound"], true);
  EXPECT_EQ(ask({"migrate", "repair"})["repaired"], json::array());
  const json checked = ask({"check", "--full"});
  EXPECT_EQ(checked["sound"], true);
  EXPECT_EQ(checked["checks"].size(), 5U);
  const json copy = ask({"backup", (home() / "copy.db").string()});
  EXPECT_EQ(copy["sound"], true);
  EXPECT_EQ(copy["bytes"], fs::file_size(home() / "copy.db"));
  const json recovered = ask({"recover", db().string(), "--into", (home() / "new.db").string()});
  EXPECT_EQ(recovered["complete"], true);
  EXPECT_EQ(recovered["tables"][0], (json{{"table", "decision"},
                                          {"read", 4},
                                          {"rebuilt", 0},
                                          {"lost", 0},
                                          {"complete", true},
                                          {"problems", json::array()}}));
  EXPECT_TRUE(ask({"vacuum", "-n"})["reclaimableBytes"].is_number());
  EXPECT_LE(ask({"vacuum"})["bytesAfter"], checked["checks"].size() * 100'000);
}

// check, backup, recover

TEST_F(Upkeep, ADamagedStoreIsFoundSavedAndUsedAgain) {
  lay(2);
  sql("UPDATE decision SET enabled = 1 WHERE name = 'db'");  // the history says off
  const Ran checked = onStore({"check"});
  EXPECT_EQ(checked.exit, 4);
  EXPECT_THAT(checked.out, HasSubstr("decisions    damaged\n"));
  EXPECT_THAT(checked.err, HasSubstr("enablectl recover"));
  expectNarrow(checked.err);

  const std::string fresh = (home() / "fresh.db").string();
  const auto bytes = textOf(db());
  const Ran recovered = onStore({"recover", db().string(), "--into", fresh});
  EXPECT_EQ(recovered.exit, 0) << recovered.err;
  EXPECT_THAT(
      recovered.out,
      StartsWith("TABLE               READ  REBUILT  LOST\n"
                 "decision            4     0        0\n"
                 "queued_part         2     0        0\n"
                 "unclaimed_decision  2     0        0\n"
                 "history             10    0        0\n"
                 "import_source       1     0        0\n"
                 "decision: file:///plugins/alpha#mcp=db: the row and its history disagree; taken\n"
                 "  as off\n"));
  EXPECT_EQ(textOf(db()), bytes);
  EXPECT_EQ(run({"--db", fresh, "check", "--full"}).exit, 0);
  EXPECT_EQ(run({"--db", fresh, "resolve", "file:///plugins/alpha#mcp=db", "--session",
                 "ahp://copilot/1", "--directory", "file:///src/api"})
                .exit,
            1);
  EXPECT_EQ(onStore({"recover", db().string(), "--into", fresh}).exit, 2) << "it exists";
}

TEST_F(Upkeep, WhatIsLostMakesARecoveryPartial) {
  lay(2);
  sql("PRAGMA ignore_check_constraints = ON;"
      "INSERT INTO decision VALUES ('galaxy', '', 'plugin', 'acme/x', '', 1, 1)");
  const Ran recovered =
      onStore({"recover", db().string(), "--into", (home() / "fresh.db").string()});
  EXPECT_EQ(recovered.exit, 8);
  EXPECT_THAT(recovered.out, HasSubstr("decision            4     0        1\n"));
}

TEST_F(Upkeep, ABackupNeverOverwrites) {
  lay(2);
  const std::string copy = (home() / "copy.db").string();
  const Ran made = onStore({"backup", copy});
  EXPECT_EQ(made.exit, 0);
  EXPECT_THAT(made.out, HasSubstr("KiB)"));
  const Ran again = onStore({"backup", copy});
  EXPECT_EQ(again.exit, 2);
  EXPECT_THAT(again.err, HasSubstr("exists already"));
}

// Terminals, closed outputs, full disks, read-only files.

TEST_F(Upkeep, ColoursComeOnATerminalAndNoColorTakesThemAway) {
  if (!hasTerminals()) GTEST_SKIP() << "no terminal can be opened";
  lay(2);
  EXPECT_THAT(onTerminal({"--db", db().string(), "check"}).out, HasSubstr("\x1b[32msound"));
  EXPECT_THAT(onTerminal({"--db", db().string(), "check"}, "", {"NO_COLOR=1"}).out,
              AllOf(HasSubstr("sound"), Not(HasSubstr("\x1b["))));
  EXPECT_THAT(onStore({"check"}).out, Not(HasSubstr("\x1b[")));
}

TEST_F(Upkeep, OutputThatCannotBeWrittenIsAnError) {
  lay(1);
  for (const char* verb : {"status", "validate", "up"}) {
    const int exit = wait(start({"--db", db().string(), "migrate", verb}, {}, "/dev/null",
                                "/dev/full", (home() / "err").string()));
    EXPECT_EQ(exit, 4) << verb;
    EXPECT_THAT(textOf(home() / "err"), HasSubstr("cannot write to standard output")) << verb;
  }
}

TEST_F(Upkeep, AReadOnlyStoreCanBeLookedAtAndNotChanged) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
  lay(1);
  fs::permissions(db(), fs::perms::owner_read);
  fs::permissions(home(), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(onStore({"migrate", "status"}).exit, 0);
  EXPECT_EQ(onStore({"migrate", "up", "-n"}).exit, 0);
  EXPECT_EQ(onStore({"check", "--full"}).exit, 0);
  EXPECT_EQ(onStore({"migrate", "up"}).exit, 7);
  EXPECT_EQ(onStore({"vacuum"}).exit, 7);
  fs::permissions(home(), fs::perms::owner_all);
}

TEST_F(Upkeep, EveryVerbFitsInEightyColumns) {
  lay(1);
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"migrate", "--help"},
                                             {"migrate", "status", "--help"},
                                             {"migrate", "up", "--help"},
                                             {"migrate", "down", "--help"},
                                             {"migrate", "goto", "--help"},
                                             {"migrate", "validate", "--help"},
                                             {"migrate", "repair", "--help"},
                                             {"check", "--help"},
                                             {"backup", "--help"},
                                             {"recover", "--help"},
                                             {"vacuum", "--help"},
                                             {"migrate", "validate"},
                                             {"migrate", "up"},
                                             {"check", "--full"}}) {
    const Ran ran = onStore(words);
    EXPECT_EQ(ran.exit, 0) << words[0];
    expectNarrow(ran.out);
    if (words.back() == "--help") {
      EXPECT_THAT(ran.out, HasSubstr("Examples:"));
    }
  }
}

}  // namespace
}  // namespace enablement::testing
