// enablectl as a person or a script meets it: help, usage, looks and scenarios.
#include <csignal>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tool_fixture.h"

namespace enablement::testing {
namespace {

using nlohmann::json;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

const std::vector<std::string> verbs{"demo",  "resolve",  "get",     "list",   "explain", "tree",
                                     "plan",  "enable",   "disable", "set",    "clear",   "revert",
                                     "purge", "sessions", "replay",  "reduce", "session"};

// Help and usage.

TEST_F(Tool, ExplainsItself) {
  const Ran help = run({"--help"});
  EXPECT_EQ(help.exit, 0);
  EXPECT_THAT(help.err, IsEmpty());
  expectNarrow(help.out);
  for (const std::string& verb : verbs) EXPECT_THAT(help.out, HasSubstr("\n  " + verb + " "));
}

TEST_F(Tool, ShowsAnExampleOfEveryVerb) {
  for (const std::string& verb : verbs) {
    const Ran help = run({verb, "--help"});
    EXPECT_EQ(help.exit, 0) << verb;
    EXPECT_THAT(help.out, HasSubstr("Usage: enablectl " + verb));
    EXPECT_THAT(help.out, HasSubstr("Example"));
    EXPECT_THAT(help.out, HasSubstr("  enablectl " + verb));
    EXPECT_THAT(help.out, HasSubstr("--json"));
    expectNarrow(help.out);
  }
}

TEST_F(Tool, TellsItsVersion) {
  const Ran version = run({"--version"});
  EXPECT_EQ(version.exit, 0);
  EXPECT_THAT(version.out, StartsWith("enablectl "));
}

TEST_F(Tool, SuggestsTheNearestVerb) {
  const Ran typo = run({"resovle", "acme/tools"});
  EXPECT_EQ(typo.exit, 2);
  EXPECT_THAT(typo.out, IsEmpty());
  EXPECT_THAT(typo.err, StartsWith("enablectl: unknown verb \"resovle\"\n"));
  EXPECT_THAT(typo.err, HasSubstr("did you mean resolve?"));
}

TEST_F(Tool, RefusesWrongUsageAndTouchesNothing) {
  const std::vector<std::vector<std::string>> wrong{
      {},
      {"--bogus"},
      {"list", "--bogus"},
      {"--color=sometimes", "list"},
      {"--db", "", "list"},
      {"--busy-timeout=soon", "list"},
      {"set"},
      {"set", "acme/tools"},
      {"set", "acme/tools", "maybe", "--scope", "global"},
      {"set", "acme/tools", "on", "--scope", "planet"},
      {"set", "acme/tools", "on", "--scope", "session"},
      {"set", "acme/tools", "on", "--scope", "workspace"},
      {"set", "acme/tools", "on", "--scope", "workspace", "--no-directory"},
      {"set", "acme/tools", "on", "--scope", "global", "--directory", "/x"},
      {"set", "/bare/path", "on", "--scope", "global"},
      {"set", "mcpServers#", "on", "--scope", "global"},
      {"set", "acme/tools", "on", "--scope", "workspace", "--directory", "ab:%zz"},
      {"clear", "acme/tools", "on", "--scope", "global"},
      {"resolve", "acme/tools"},
      {"resolve", "acme/tools", "--session", "s"},
      {"resolve", "acme/tools", "--session", "s", "--directory", "/x", "--no-directory"},
      {"resolve", "acme/tools", "--session", "s", "--no-directory", "--discovery-default", "on"},
      {"purge"},
      {"replay"},
      {"reduce"},
      {"reduce", "--generation", "3", "/dev/null"},
  };
  for (const auto& arguments : wrong) {
    const Ran ran = onStore(arguments);
    const std::string what = ::testing::PrintToString(arguments);
    EXPECT_EQ(ran.exit, 2) << what;
    EXPECT_THAT(ran.out, IsEmpty()) << what;
    EXPECT_THAT(ran.err, StartsWith("enablectl: ")) << what;
  }
  EXPECT_TRUE(fs::is_empty(home()));
}

// How it looks.

TEST_F(Tool, ShowsTheDemoInEightyColumns) {
  const Ran demo = run({"demo"});
  EXPECT_EQ(demo.exit, 0) << demo.err;
  expectNarrow(demo.out);
  for (const char* word : {"enabled ", "disabled ", "pending ", "by what the editor states",
                           "by the folder ", "by the session "})
    EXPECT_THAT(demo.out, HasSubstr(word));
  EXPECT_TRUE(fs::is_empty(home()));
}

TEST_F(Tool, ColoursATerminalUnlessNoColorIsSet) {
  if (!hasTerminals()) GTEST_SKIP() << "no pseudo-terminal can be opened here";
  const std::string green = "\x1b[32menabled\x1b[0m";
  EXPECT_THAT(onTerminal({"demo"}).out, HasSubstr(green));
  EXPECT_THAT(onTerminal({"demo"}, {}, {"NO_COLOR=1"}).out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(onTerminal({"demo"}, {}, {"TERM=dumb"}).out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(onTerminal({"demo", "--color=never"}).out, Not(HasSubstr("\x1b")));
}

TEST_F(Tool, ColoursOnlyWhenAskedWithoutATerminal) {
  EXPECT_THAT(run({"demo"}).out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(run({"demo", "--color=auto"}, {"NO_COLOR=1"}).out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(run({"demo", "--color=never"}).out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(run({"--color=always", "demo"}).out, HasSubstr("\x1b[32menabled\x1b[0m"));
}

TEST_F(Tool, ListsInEightyColumnsAndCutsNothing) {
  const std::string wide = "file:///plugins/" + std::string(30, 'w');
  EXPECT_EQ(onStore({"set", wide, "off", "--scope", "global"}).exit, 0);
  EXPECT_EQ(onStore({"set", wide, "on", "--scope", "workspace", "--directory", "/r"}).exit, 0);
  const Ran list = onStore({"list"});
  EXPECT_EQ(list.exit, 0);
  expectNarrow(list.out);
  EXPECT_THAT(list.out, HasSubstr(wide));
}

TEST_F(Tool, ShowsControlCharactersHarmlessly) {
  const Ran ran = onStore({"set", "acme/tools", "off", "--scope", "session", "--session",
                           "s\x1b[31m", "--no-directory"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("s\\x1b[31m"));
  EXPECT_THAT(onStore({"list"}).out, Not(HasSubstr("\x1b")));
}

// Scenarios.

constexpr const char* wrongScenario = R"([{"name": "wrong", "targets": {}, "steps": [
    {"do": "load", "session": "ahp://copilot/session-1"}]}])";

TEST_F(Tool, ReplaysScenarios) {
  const std::string file = inTests("vectors/scenarios.json");
  const Ran ran = run({"replay", file});
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, EndsWith(" scenarios, 0 mismatches\n"));
}

TEST_F(Tool, ReportsMismatchesAndFails) {
  writeFile(home() / "wrong.json", wrongScenario);
  const Ran ran = run({"replay", (home() / "wrong.json").string()});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_THAT(ran.out, HasSubstr("wrong, step 1: events\n  expected  []\n"
                                 "  actual    [[\"ahp://copilot/session-1\"]]\n"));
  EXPECT_THAT(ran.out, EndsWith("1 scenario, 1 mismatch\n"));

  const Ran asJson = run({"replay", "--json", "-"}, {}, home() / "wrong.json");
  EXPECT_EQ(asJson.exit, 1);
  EXPECT_EQ(json::parse(asJson.out), json::parse(R"({"scenarios": 1, "mismatches": [
      {"file": "standard input", "scenario": "wrong", "step": 1, "what": "events",
       "expected": [], "actual": [["ahp://copilot/session-1"]]}]})"));
}

TEST_F(Tool, RemovesItsTemporaryStoresWhenItIsInterrupted) {
  const pid_t child =
      start({"replay", inTests("vectors/random.json")}, {}, "/dev/null", "/dev/null", "/dev/null");
  ASSERT_GT(child, 0);
  while (fs::is_empty(temporary())) ASSERT_EQ(waitpid(child, nullptr, WNOHANG), 0);
  kill(child, SIGTERM);
  EXPECT_EQ(wait(child), 128 + SIGTERM);
  EXPECT_TRUE(fs::is_empty(temporary()));
}

TEST_F(Tool, RefusesAFileThatIsNoScenario) {
  writeFile(home() / "good.json", "[]");
  writeFile(home() / "bad.json", "[{\"name\": 1}]");
  for (const char* bad : {"bad.json", "missing.json"}) {
    const Ran ran = run({"replay", (home() / "good.json").string(), (home() / bad).string()});
    EXPECT_EQ(ran.exit, 2) << bad;
    EXPECT_THAT(ran.out, IsEmpty());
    EXPECT_THAT(ran.err, HasSubstr(bad));
  }
}

// Reducer fixtures.

constexpr const char* wrongFixture = R"({"description": "wrong", "reducer": "session",
    "initial": {"customizations": [{"type": "directory", "id": "d", "enabled": true}]},
    "actions": [{"type": "session/customizationToggled", "id": "d", "enabled": false}],
    "expected": {"customizations": [{"type": "directory", "id": "d", "enabled": false}]}})";

TEST_F(Tool, RunsReducerFixturesOfEitherGeneration_S2) {
  for (const char* generation : {"1", "2"}) {
    const std::string file = inTests("vectors/reducer-gen" + std::string(generation) + ".json");
    const Ran ran = run({"reduce", "--generation", generation, file});
    EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
    EXPECT_EQ(ran.out, "80 fixtures, 0 mismatches\n");
    EXPECT_THAT(ran.err, IsEmpty());
  }
}

TEST_F(Tool, ReportsFixturesThatDoNotMatchAndFails) {
  writeFile(home() / "wrong.json", wrongFixture);
  const std::string file = (home() / "wrong.json").string();
  EXPECT_EQ(run({"reduce", "--generation=1", file}).exit, 0);
  const Ran ran = run({"reduce", "-"}, {}, file);
  EXPECT_EQ(ran.exit, 1);
  EXPECT_EQ(ran.out,
            "standard input: fixture 1, wrong\n"
            "  /customizations/0/enabled\n"
            "    expected  false\n"
            "    actual    true\n"
            "1 fixture, 1 mismatch\n");

  const Ran asJson = run({"reduce", "--json", "-"}, {}, file);
  EXPECT_EQ(asJson.exit, 1);
  const json fixture = json::parse(wrongFixture);
  EXPECT_EQ(json::parse(asJson.out), json({{"fixtures", 1},
                                           {"skipped", 0},
                                           {"mismatches",
                                            {{{"file", "standard input"},
                                              {"number", 1},
                                              {"fixture", "wrong"},
                                              {"expected", fixture["expected"]},
                                              {"actual", fixture["initial"]}}}},
                                           {"refusals", json::array()}}));
}

TEST_F(Tool, SaysHowManyFixturesOfOtherReducersItSkipped) {
  writeFile(home() / "others.json", R"([{"reducer": "chat"}, {"reducer": "root"}])");
  const Ran ran = run({"reduce", (home() / "others.json").string()});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(ran.out, "0 fixtures, 0 mismatches, 2 of other reducers skipped\n");
}

TEST_F(Tool, RefusesAFileThatIsNoFixture) {
  writeFile(home() / "good.json", "[]");
  writeFile(home() / "bad.json", R"([{"description": "d"}])");
  writeFile(home() / "deep.json", std::string(100'000, '['));
  writeFile(home() / "text.json", "{\n  oops");
  for (const char* bad : {"bad.json", "deep.json", "text.json", "missing.json"}) {
    const Ran ran = run({"reduce", (home() / "good.json").string(), (home() / bad).string()});
    EXPECT_EQ(ran.exit, 2) << bad;
    EXPECT_THAT(ran.out, IsEmpty());
    EXPECT_THAT(ran.err, HasSubstr(bad));
  }
}

}  // namespace
}  // namespace enablement::testing
