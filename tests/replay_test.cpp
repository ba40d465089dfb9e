// Scenario files (contract, section 9): those that come with the product, and the player itself.
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <enablement/tool/json_input.h>
#include <enablement/tool/json_output.h>
#include <enablement/tool/player.h>
#include <enablement/tool/temp_dir.h>

#include "places.h"

namespace enablement::tool {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Result<Report> playText(std::string_view text) {
  auto scenarios = parseJson(text, "test.json");
  if (!scenarios) return fail(scenarios.error());
  const std::vector<ScenarioFile> files{{"test.json", *std::move(scenarios)}};
  return play(files);
}

// One scenario with two targets, `p` and `m`, of which a step is left to the test.
std::string scenarioOf(const std::string& steps) {
  return R"([{"name": "one", "targets": {
      "p": {"type": "plugin", "name": "Alpha", "source": "file:///plugins/alpha"},
      "m": {"type": "mcpServer", "name": "db", "owningPlugin": "file:///plugins/alpha"},
      "noName": {"type": "mcpServer", "name": ""},
      "noUri": {"type": "plugin", "source": "/bare/path"},
      "odd": {"type": "agent", "source": "x"}
    }, "steps": [)" +
         steps + "]}]";
}

std::string messageOf(const Result<Report>& report) {
  return report ? "played" : describe(report.error());
}

// Sets an environment variable while it lives.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Environment() {
    if (before_)
      setenv(name_, before_->c_str(), 1);
    else
      unsetenv(name_);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

class ScenarioFiles : public ::testing::TestWithParam<std::string> {};

TEST_P(ScenarioFiles, DoWhatTheyExpect) {
  const std::string path = testing::inTests("vectors/") + GetParam();
  const auto text = readText(path);
  ASSERT_TRUE(text) << describe(text.error());
  auto scenarios = parseJson(*text, path);
  ASSERT_TRUE(scenarios) << describe(scenarios.error());
  const std::size_t all = scenarios->size();
  const std::vector<ScenarioFile> files{{GetParam(), *std::move(scenarios)}};

  const auto report = play(files);

  ASSERT_TRUE(report) << describe(report.error());
  EXPECT_EQ(report->scenarios, all);
  EXPECT_GT(all, 0U);
  EXPECT_THAT(report->warnings, IsEmpty());
  for (const Mismatch& m : report->mismatches)
    ADD_FAILURE() << m.scenario << ", step " << m.step << ": " << m.what << "\n  expected  "
                  << legible(m.expected, 12) << "\n  actual    " << legible(m.actual, 12);
}

INSTANTIATE_TEST_SUITE_P(All, ScenarioFiles,
                         ::testing::Values("scenarios.json", "random.json", "tree.json"),
                         [](const auto& file) {
                           return file.param.substr(0, file.param.find('.'));
                         });

// A player that finds everything right would be no use.

TEST(Player, ReportsAWrongResult) {
  const auto report = playText(scenarioOf(R"(
      {"do": "load", "session": "s", "expect": {"events": [["s"]]}},
      {"do": "effective", "session": "s", "target": "p",
       "expect": {"result": {"state": "enabled", "reason": "default"}}})"));
  ASSERT_TRUE(report) << messageOf(report);
  ASSERT_THAT(report->mismatches, SizeIs(1));
  const Mismatch& wrong = report->mismatches[0];
  EXPECT_EQ(wrong.file, "test.json");
  EXPECT_EQ(wrong.scenario, "one");
  EXPECT_EQ(wrong.step, 2U);
  EXPECT_EQ(wrong.what, "result");
  EXPECT_EQ(wrong.expected["state"], "enabled");
  EXPECT_EQ(wrong.actual["state"], "pending");
}

TEST(Player, ReportsAnEventThatIsNotExpected) {
  const auto report = playText(scenarioOf(R"({"do": "load", "session": "s"})"));
  ASSERT_TRUE(report) << messageOf(report);
  ASSERT_THAT(report->mismatches, SizeIs(1));
  EXPECT_EQ(report->mismatches[0].what, "events");
  EXPECT_EQ(report->mismatches[0].actual, Json::parse(R"([["s"]])"));
}

TEST(Player, ReportsAnEventThatIsMissing) {
  const auto report =
      playText(scenarioOf(R"({"do": "close", "session": "s", "expect": {"events": [["s"]]}})"));
  ASSERT_TRUE(report) << messageOf(report);
  ASSERT_THAT(report->mismatches, SizeIs(1));
  EXPECT_EQ(report->mismatches[0].what, "events");
}

TEST(Player, ReportsAnErrorThatIsNotExpected) {
  const auto report = playText(scenarioOf(R"(
      {"do": "directory", "session": "s", "workingDirectory": {"kind": "none"}},
      {"do": "set", "session": "s", "target": "p", "scope": "workspace", "enabled": true})"));
  ASSERT_TRUE(report) << messageOf(report);
  ASSERT_THAT(report->mismatches, SizeIs(1));
  EXPECT_EQ(report->mismatches[0].what, "error");
  EXPECT_EQ(report->mismatches[0].actual["code"], "noWorkspace");
}

TEST(Player, ReportsAnErrorThatIsMissing) {
  const auto report = playText(scenarioOf(R"(
      {"do": "set", "target": "p", "scope": "global", "enabled": true,
       "expect": {"error": "invalidUri"}})"));
  ASSERT_TRUE(report) << messageOf(report);
  ASSERT_THAT(report->mismatches, SizeIs(1));
  EXPECT_EQ(report->mismatches[0].expected, "invalidUri");
  EXPECT_TRUE(report->mismatches[0].actual.is_null());
}

TEST(Player, ReportsAWrongStoredValue) {
  const auto report = playText(scenarioOf(R"(
      {"do": "set", "target": "m", "scope": "global", "enabled": false},
      {"do": "stored", "expect": {"stored": {"global": {}, "workspace": {}, "session": {}}}})"));
  ASSERT_TRUE(report) << messageOf(report);
  ASSERT_THAT(report->mismatches, SizeIs(1));
  EXPECT_EQ(report->mismatches[0].what, "stored");
  EXPECT_EQ(report->mismatches[0].actual["global"]["file:///plugins/alpha#mcp=db"], false);
}

TEST(Player, SaysWhichExpectationItDoesNotKnow) {
  const auto report = playText(scenarioOf(R"({"do": "stored", "expect": {"stord": {}}})"));
  ASSERT_TRUE(report) << messageOf(report);
  EXPECT_THAT(report->warnings, ElementsAre(HasSubstr("\"stord\"")));
}

TEST(Player, StartsEachScenarioOnAnEmptyStoreAndKeepsItOverARestart) {
  const std::string one = R"({"name": "n", "targets": {"p": {"type": "plugin", "source": "acme"}},
      "steps": [
        {"do": "stored", "expect": {"stored": {"global": {}, "workspace": {}, "session": {}}}},
        {"do": "set", "target": "p", "scope": "global", "enabled": false},
        {"do": "restart"},
        {"do": "stored",
         "expect": {"stored": {"session": {}, "global": {"acme": false}, "workspace": {}}}}]})";
  const auto report = playText("[" + one + "," + one + "]");
  ASSERT_TRUE(report) << messageOf(report);
  EXPECT_EQ(report->scenarios, 2U);
  EXPECT_THAT(report->mismatches, IsEmpty());
}

// What is invalid on purpose is the step's outcome.

TEST(Player, ComparesARefusalThatIsExpected) {
  const auto report = playText(scenarioOf(R"(
      {"do": "set", "target": "noName", "scope": "global", "enabled": true,
       "expect": {"error": "invalidArgument"}},
      {"do": "set", "target": "noUri", "scope": "global", "enabled": true,
       "expect": {"error": "invalidUri"}},
      {"do": "set", "target": "p", "scope": "planet", "enabled": true,
       "expect": {"error": "invalidArgument"}},
      {"do": "set", "target": "p", "scope": "workspace", "directory": "/x", "enabled": true,
       "expect": {"error": "invalidUri"}},
      {"do": "directory", "session": "s", "workingDirectory": {"kind": "directory", "uri": "c:/x"},
       "expect": {"error": "invalidUri"}},
      {"do": "set", "target": "noName", "scope": "global", "enabled": true,
       "expect": {"error": "busy"}})"));
  ASSERT_TRUE(report) << messageOf(report);
  ASSERT_THAT(report->mismatches, SizeIs(1));
  EXPECT_EQ(report->mismatches[0].step, 6U);
  EXPECT_EQ(report->mismatches[0].actual["code"], "invalidArgument");
}

struct BadInput {
  const char* name;
  std::string text;
  std::vector<std::string> said;
};

// Names the test; without it the test would be named after bytes in memory.
void PrintTo(const BadInput& bad, std::ostream* stream) {
  *stream << bad.name;
}

class BadInputs : public ::testing::TestWithParam<BadInput> {};

TEST_P(BadInputs, AreRefusedWithTheirPlace) {
  const auto report = playText(GetParam().text);
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().code,
              ::testing::AnyOf(ErrorCode::invalidArgument, ErrorCode::invalidUri));
  for (const std::string& words : GetParam().said)
    EXPECT_THAT(describe(report.error()), HasSubstr(words));
  EXPECT_LT(describe(report.error()).size(), 400U);
}

const std::string place = "test.json: scenario \"one\", step ";

INSTANTIATE_TEST_SUITE_P(
    Player, BadInputs,
    ::testing::Values(
        BadInput{"NotJson", "[{\"name\": \n oops}]", {"test.json:2:2", "invalid literal"}},
        BadInput{"Empty", "", {"test.json:1:1"}},
        BadInput{"TwoDocuments", "[] []", {"test.json:1:4"}},
        BadInput{"NotUtf8", "[\"\xff\"]", {"test.json:1:3", "UTF-8"}},
        BadInput{"NoList", "{}", {"test.json: not a list of scenarios"}},
        BadInput{"NoScenario",
                 "[{\"name\": \"a\", \"steps\": []}, 7]",
                 {"test.json: scenario \"number 2\"", "not an object"}},
        BadInput{"NoName", "[{\"steps\": []}]", {"\"name\"", "missing"}},
        BadInput{"NoSteps", "[{\"name\": \"one\"}]", {"scenario \"one\"", "\"steps\""}},
        BadInput{"TargetsAList",
                 "[{\"name\": \"one\", \"targets\": [], \"steps\": []}]",
                 {"\"targets\"", "an object"}},
        BadInput{"NoStep", scenarioOf("null"), {place + "1", "not an object"}},
        BadInput{"UnknownStep",
                 scenarioOf(R"({"do": "restart"}, {"do": "explode"})"),
                 {place + "2", "unknown step \"explode\""}},
        BadInput{"NothingToDo", scenarioOf("{}"), {place + "1", "\"do\""}},
        BadInput{"NoSession", scenarioOf(R"({"do": "load"})"), {place + "1", "\"session\""}},
        BadInput{"SessionANumber",
                 scenarioOf(R"({"do": "load", "session": 1})"),
                 {place + "1", "\"session\"", "a string"}},
        BadInput{"ExpectAList",
                 scenarioOf(R"({"do": "restart", "expect": []})"),
                 {place + "1", "\"expect\"", "an object"}},
        BadInput{"NoSuchTarget",
                 scenarioOf(R"({"do": "resolve", "session": "s", "target": "q"})"),
                 {place + "1", "\"q\""}},
        BadInput{"OddTarget",
                 scenarioOf(R"({"do": "purge", "target": "odd"})"),
                 {place + "1", "unknown type \"agent\""}},
        BadInput{"UnknownScope",
                 scenarioOf(R"({"do": "clear", "target": "p", "scope": "planet"})"),
                 {place + "1", "unknown scope \"planet\""}},
        BadInput{"ScopeOfAnEntry",
                 scenarioOf(R"({"do": "replace", "session": "s", "target": "p",
                                "enablement": [{"kind": "planet", "enabled": true}]})"),
                 {place + "1", "unknown scope \"planet\""}},
        BadInput{"EnabledAWord",
                 scenarioOf(R"({"do": "set", "target": "p", "scope": "global", "enabled": "no"})"),
                 {place + "1", "\"enabled\"", "true or false"}},
        BadInput{"SessionScopeWithoutSession",
                 scenarioOf(R"({"do": "clear", "target": "p", "scope": "session"})"),
                 {place + "1", "needs a session"}},
        BadInput{"BadUri",
                 scenarioOf(R"({"do": "purge", "target": "noUri"})"),
                 {place + "1", "/bare/path"}},
        BadInput{"BadFolder",
                 scenarioOf(R"({"do": "directory", "session": "s",
                                "workingDirectory": {"kind": "directory", "uri": "/x"}})"),
                 {place + "1", "/x"}},
        BadInput{"UnknownKindOfFolder",
                 scenarioOf(R"({"do": "directory", "session": "s",
                                "workingDirectory": {"kind": "cloud"}})"),
                 {place + "1", "\"cloud\""}},
        BadInput{"EmptyName",
                 scenarioOf(R"({"do": "purge", "target": "noName"})"),
                 {place + "1", "name is empty"}},
        BadInput{"HugeName",
                 R"([{"name": "one", "targets": {"m": {"type": "mcpServer", "name": ")" +
                     std::string(16 << 20, 'x') +
                     R"("}}, "steps": [{"do": "purge", "target": "m"}]}])",
                 {place + "1", "16777216 bytes"}},
        BadInput{"HugeNameOfAScenario",
                 "[{\"name\": \"" + std::string(16 << 20, 'x') + "\"}]",
                 {"\"steps\""}},
        BadInput{"TooDeep", std::string(100'000, '['), {"test.json:1:65", "64 levels"}},
        BadInput{"TooDeepInObjects",
                 [] {
                   std::string text;
                   for (int i = 0; i < 100'000; ++i) text += "{\"a\":";
                   return text;
                 }(),
                 {"test.json:1:321", "64 levels"}},
        BadInput{"KeyTwice",
                 "[{\"a\\\"b\": 1,\n \"c\": 2, \"a\\\"b\": 3}]",
                 {"test.json:2:10", "twice"}},
        BadInput{
            "IntegerOutOfRange", "[1, 18446744073709551616]", {"test.json:1:5", "out of range"}},
        BadInput{"NegativeOutOfRange", "[-9223372036854775809]", {"test.json:1:2", "out of range"}},
        BadInput{"FloatOutOfRange", "[\n 1e400]", {"test.json:2:2", "out of range"}},
        BadInput{"NumberOutOfRangeAtTheEnd", "18446744073709551616", {"test.json:1:1"}}),
    [](const auto& bad) { return std::string(bad.param.name); });

// JSON from outside.

TEST(JsonInput, KeepsTheOrderAndTheValues) {
  const std::string text =
      R"({"z":1,"a":[null,true,-2,18446744073709551615,1.5,"ü\n"],"":{"z":{}}})";
  const auto value = parseJson(text, "x");
  ASSERT_TRUE(value) << describe(value.error());
  EXPECT_EQ(*value, Json::parse(text));
  EXPECT_EQ(value->dump(), text);
}

TEST(JsonInput, AcceptsAsManyLevelsAsItSays) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(parseJson(nested(maxJsonDepth), "x"));
  EXPECT_FALSE(parseJson(nested(maxJsonDepth + 1), "x"));
}

TEST(JsonInput, AcceptsAKeyAgainInAnotherObject) {
  EXPECT_TRUE(parseJson(R"([{"a": {"a": 1}}, {"a": 2}])", "x"));
}

// Looking keys up one after the other would take minutes here.
TEST(JsonInput, ReadsAnObjectOfManyKeys) {
  std::string text = "{\"k\": 0";
  for (int i = 0; i < 200'000; ++i) text += ",\"key" + std::to_string(i) + "\":0";
  const auto value = parseJson(text + "}", "x");
  ASSERT_TRUE(value) << describe(value.error());
  EXPECT_THAT(*value, SizeIs(200'001));
}

TEST(JsonInput, CountsColumnsInCharacters) {
  const auto value = parseJson("[\"üü\", ?]", "x");
  ASSERT_FALSE(value);
  EXPECT_THAT(value.error().message, HasSubstr("x:1:8:"));
}

TEST(JsonInput, SaysWhichFileCannotBeRead) {
  for (const char* file : {"/no/such/file.json", "/"}) {
    const auto text = readText(file);
    ASSERT_FALSE(text) << file;
    EXPECT_EQ(text.error().code, ErrorCode::invalidArgument);
    EXPECT_THAT(text.error().message, HasSubstr(file));
  }
}

// Nothing is left behind.

TEST(Player, RemovesItsStoresAlsoAfterAFailure) {
  const auto folder = TempDir::create();
  ASSERT_TRUE(folder) << describe(folder.error());
  const Environment temporary("TMPDIR", folder->path().string());
  const std::string good = R"({"do": "set", "target": "p", "scope": "global", "enabled": false})";
  EXPECT_TRUE(playText(scenarioOf(good)));
  EXPECT_TRUE(std::filesystem::is_empty(folder->path()));
  EXPECT_FALSE(playText(scenarioOf(good + R"(, {"do": "explode"})")));
  EXPECT_TRUE(std::filesystem::is_empty(folder->path()));
}

TEST(Player, StopsWhenItIsAskedTo) {
  const std::vector<ScenarioFile> files{
      {"test.json",
       *parseJson(R"([{"name": "a", "steps": []}, {"name": "b", "steps": []}])", "x")}};
  std::size_t last = 0;
  const auto report = play(files, [&](std::size_t played, std::size_t all) {
    EXPECT_EQ(all, 2U);
    last = played;
    return played < 1;
  });
  EXPECT_FALSE(report);
  EXPECT_EQ(last, 1U);
}

}  // namespace
}  // namespace enablement::tool
