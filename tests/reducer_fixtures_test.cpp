// Reducer fixtures (S2): those that come with the product, and what runs them.
#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <enablement/tool/fixtures.h>
#include <enablement/tool/json_output.h>

#include "places.h"

namespace enablement::tool {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Result<FixtureReport> runText(std::string_view text, Generation generation = Generation::second) {
  auto fixtures = parseJson(text, "test.json");
  if (!fixtures) return fail(fixtures.error());
  const std::vector<FixtureFile> files{{"test.json", *std::move(fixtures)}};
  return runFixtures(files, generation);
}

void expectAllAsExpected(const std::string& path, Generation generation) {
  const auto text = readText(path);
  ASSERT_TRUE(text) << describe(text.error());
  auto fixtures = parseJson(*text, path);
  ASSERT_TRUE(fixtures) << describe(fixtures.error());
  const std::size_t all = fixtures->size();
  const std::vector<FixtureFile> files{{path, *std::move(fixtures)}};
  const auto report = runFixtures(files, generation);
  ASSERT_TRUE(report) << describe(report.error());
  EXPECT_EQ(report->fixtures, all);
  EXPECT_GT(all, 0U);
  EXPECT_EQ(report->skipped, 0U);
  for (const FixtureMismatch& m : report->mismatches)
    ADD_FAILURE() << path << ": " << m.description << "\n  expected  " << legible(m.expected, 12)
                  << "\n  actual    " << legible(m.actual, 12);
}

// Runs every file of a folder below tests/fixtures/reducer/.
void expectFolderAsExpected(const std::string& folder, Generation generation) {
  std::size_t files = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(testing::inTests("fixtures/reducer/" + folder))) {
    expectAllAsExpected(file.path().string(), generation);
    ++files;
  }
  EXPECT_GT(files, 0U);
}

TEST(ReducerFixtures, OfTheFirstGenerationDoWhatTheyExpect_S2) {
  expectAllAsExpected(testing::inTests("vectors/reducer-gen1.json"), Generation::first);
  expectFolderAsExpected("generation-1", Generation::first);
  expectFolderAsExpected("both", Generation::first);
}

TEST(ReducerFixtures, OfTheSecondGenerationDoWhatTheyExpect_S2) {
  expectAllAsExpected(testing::inTests("vectors/reducer-gen2.json"), Generation::second);
  expectFolderAsExpected("generation-2", Generation::second);
  expectFolderAsExpected("both", Generation::second);
}

// A runner that finds everything right would be no use.

constexpr const char* toggles = R"({"description": "d", "reducer": "session",
    "initial": {"customizations": [{"type": "plugin", "id": "a/b~c"}], "title": "T"},
    "actions": [{"type": "session/customizationToggled", "id": "a/b~c",
                 "enablement": [{"kind": "session", "enabled": true}]}],
    "expected": )";

TEST(FixtureRunner, ReportsWhereTheStatesDiffer) {
  const auto report = runText(std::string(toggles) + R"({"customizations": [{"type": "plugin",
      "id": "a/b~c", "enabled": true}, 7], "subject": null, "a/b~": 1}})");
  ASSERT_TRUE(report) << describe(report.error());
  EXPECT_EQ(report->fixtures, 1U);
  ASSERT_THAT(report->mismatches, SizeIs(1));
  const FixtureMismatch& wrong = report->mismatches[0];
  EXPECT_EQ(wrong.file, "test.json");
  EXPECT_EQ(wrong.number, 1U);
  EXPECT_EQ(wrong.description, "d");
  std::vector<std::string> paths;
  for (const Difference& difference : wrong.differences) {
    EXPECT_NE(difference.expected.has_value(), difference.actual.has_value()) << difference.path;
    paths.push_back(difference.path);
  }
  EXPECT_THAT(paths, ElementsAre("/customizations/0/enabled", "/customizations/0/enablement",
                                 "/customizations/1", "/a~1b~0", "/title"));
}

TEST(FixtureRunner, ComparesAsJsonWithoutMembersThatAreNull) {
  const auto report = runText(std::string(toggles) + R"({"title": "T", "gone": null,
      "customizations": [{"id": "a/b~c", "_meta": null, "type": "plugin",
                          "enablement": [{"enabled": true, "kind": "session"}]}]}})");
  ASSERT_TRUE(report) << describe(report.error());
  EXPECT_THAT(report->mismatches, IsEmpty());
}

TEST(FixtureRunner, TellsAListWithANullFromAShorterOne) {
  const auto same = [](const char* a, const char* b) {
    const auto report = runText(R"({"reducer": "session", "initial": {"x": )" + std::string(a) +
                                R"(}, "actions": [], "expected": {"x": )" + b + "}}");
    EXPECT_TRUE(report) << describe(report.error());
    return report && report->mismatches.empty();
  };
  EXPECT_FALSE(same("[1, null]", "[1]"));
  EXPECT_FALSE(same("[1]", "[1, null]"));
  EXPECT_TRUE(same("[null, {\"a\": null}]", "[null, {}]"));
  EXPECT_TRUE(same("1", "1.0"));
  EXPECT_FALSE(same("1", "true"));
  EXPECT_FALSE(same("[]", "{}"));
  EXPECT_FALSE(same("[1, 2]", "[2, 1]"));
}

TEST(FixtureRunner, SkipsAndCountsFixturesOfOtherReducers) {
  const auto report = runText(R"([{"reducer": "chat"}, {"reducer": "root", "actions": 7},
      {"reducer": "session", "initial": {}, "actions": [], "expected": {}}])");
  ASSERT_TRUE(report) << describe(report.error());
  EXPECT_EQ(report->fixtures, 1U);
  EXPECT_EQ(report->skipped, 2U);
  EXPECT_THAT(report->mismatches, IsEmpty());
}

TEST(FixtureRunner, AppliesActionsByTheGenerationItIsGiven_S1) {
  const std::string fixture = R"({"reducer": "session",
      "initial": {"customizations": [{"type": "directory", "id": "d", "enabled": true}]},
      "actions": [{"type": "session/customizationToggled", "id": "d", "enabled": false}],
      "expected": {"customizations": [{"type": "directory", "id": "d", "enabled": false}]}})";
  const auto first = runText(fixture, Generation::first);
  const auto second = runText(fixture, Generation::second);
  ASSERT_TRUE(first && second);
  EXPECT_THAT(first->mismatches, IsEmpty());
  EXPECT_THAT(second->mismatches, SizeIs(1));
}

TEST(FixtureRunner, ARefusedActionIsNamedAndChangesNothing) {
  const auto report = runText(R"([{"reducer": "session", "initial": {"customizations": []},
      "expected": {"customizations": []},
      "actions": [{"type": "x"}, {"type": "session/customizationRemoved"}]}])");
  ASSERT_TRUE(report) << describe(report.error());
  EXPECT_THAT(report->mismatches, IsEmpty());
  EXPECT_THAT(report->refusals,
              ElementsAre(HasSubstr("fixture 1: action 2: the action session/customizationRemoved "
                                    "has no text \"id\"")));
}

TEST(FixtureRunner, RefusesWhatIsNoFixtureWithItsPlace) {
  const std::string good =
      R"({"reducer": "session", "initial": {}, "actions": [], "expected": {}})";
  const std::vector<std::pair<std::string, std::string>> bad{
      {"7", "test.json: neither a fixture nor a list"},
      {"[" + good + ", 7]", "test.json: fixture 2: it is not an object"},
      {R"([{"description": 7}])", "fixture 1: its \"description\""},
      {R"([{"description": "d"}])", "fixture 1, \"d\": it has no text \"reducer\""},
      {R"([{"reducer": "session"}])", "fixture 1: it has no \"initial\""},
      {R"([{"reducer": "session", "initial": {}, "actions": []}])", "no \"expected\""},
      {R"([{"reducer": "session", "initial": {}, "actions": {}, "expected": {}}])",
       "its \"actions\" are not a list"},
      {R"([{"reducer": "session", "initial": [], "actions": [], "expected": {}}])",
       "fixture 1: initial: the session's state is not an object"},
  };
  for (const auto& [text, said] : bad) {
    const auto report = runText(text);
    ASSERT_FALSE(report) << text;
    EXPECT_EQ(report.error().code, ErrorCode::invalidArgument);
    EXPECT_THAT(report.error().message, HasSubstr(said));
    EXPECT_FALSE(report.error().hint.empty()) << text;
  }
}

}  // namespace
}  // namespace enablement::tool
