// The reducer where fixtures cannot look: the same object, bad actions, limits (S2).
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <enablement/schema/json_text.h>
#include <enablement/session/reducer.h>

namespace enablement {
namespace {

using ::testing::HasSubstr;

constexpr std::array<Generation, 2> generations{Generation::first, Generation::second};

Json parsed(std::string_view text) {
  auto json = parseJson(text, "test");
  if (json) return *std::move(json);
  ADD_FAILURE() << describe(json.error());
  return {};
}

PublishedState stateOf(Json json) {
  auto state = PublishedState::create(std::move(json));
  EXPECT_TRUE(state) << describe(state.error());
  return *std::move(state);
}

PublishedState aState() {
  return stateOf(parsed(R"({"title": "T", "customizations": [
      {"type": "plugin", "id": "p", "name": "p", "children": [
        {"type": "mcpServer", "id": "m", "name": "m", "state": {"kind": "ready"}, "channel": "c"},
        {"type": "skill", "id": "s", "name": "s"}]},
      {"type": "mcpServer", "id": "b", "name": "b"}],
    "activeClients": [{"clientId": "c"}], "workingDirectories": ["file:///A"]})"));
}

// Depth is counted in lists around nothing.
Json nested(std::size_t levels) {
  Json value;
  for (std::size_t i = 0; i < levels; ++i) {
    Json outer = Json::array();
    outer.push_back(std::move(value));
    value = std::move(outer);
  }
  return value;
}

// One well-formed action of every type, which changes aState() in both generations.
std::vector<Json> everyAction() {
  return {
      parsed(R"({"type": "session/customizationsChanged", "customizations": []})"),
      parsed(R"({"type": "session/customizationToggled", "id": "m", "enabled": false,
                 "enablement": [{"kind": "session", "enabled": false}]})"),
      parsed(R"({"type": "session/customizationUpdated",
                 "customization": {"type": "plugin", "id": "p"}})"),
      parsed(R"({"type": "session/customizationRemoved", "id": "s"})"),
      parsed(R"({"type": "session/mcpServerStateChanged", "id": "m", "state": {"kind": "error"}})"),
      parsed(R"({"type": "session/mcpServerStartRequested", "id": "m"})"),
      parsed(R"({"type": "session/mcpServerStopRequested", "id": "b"})"),
      parsed(R"({"type": "session/activeClientSet", "activeClient": {"clientId": "d"}})"),
      parsed(R"({"type": "session/activeClientRemoved", "clientId": "c"})"),
      parsed(R"({"type": "session/workingDirectorySet", "directory": "file:///B"})"),
      parsed(R"({"type": "session/workingDirectoryRemoved", "directory": "file:///A"})"),
      parsed(R"({"type": "session/workingDirectoryReplaced", "directory": "file:///A",
                 "replacement": "file:///B"})"),
  };
}

void expectRefused(const Json& action, const std::string& said, Generation generation) {
  const PublishedState state = aState();
  const Json before = state.json();
  const auto next = reduce(state, action, generation);
  ASSERT_FALSE(next) << said;
  EXPECT_EQ(next.error().code, ErrorCode::invalidArgument);
  EXPECT_THAT(next.error().message, HasSubstr(said));
  EXPECT_FALSE(next.error().hint.empty()) << said;
  EXPECT_LT(describe(next.error()).size(), 400U);
  EXPECT_EQ(state.json(), before);
}

void expectRefused(const Json& action, const std::string& said) {
  for (const Generation generation : generations) expectRefused(action, said, generation);
}

TEST(Reducer, LeavesTheOldStateAsItWas_S2) {
  for (const Json& action : everyAction())
    for (const Generation generation : generations) {
      const PublishedState state = aState();
      const Json before = state.json();
      const auto next = reduce(state, action, generation);
      ASSERT_TRUE(next) << describe(next.error());
      EXPECT_FALSE(next->isSame(state)) << action;
      EXPECT_NE(next->json(), before) << action;
      EXPECT_EQ(state.json(), before) << action;
    }
}

TEST(Reducer, ReturnsTheSameObjectWhenNothingChanges_S2) {
  for (const char* text : {
           R"({"type": "session/customizationToggled", "id": "x", "enabled": false,
               "enablement": []})",
           R"({"type": "session/customizationToggled", "id": "p"})",
           R"({"type": "session/customizationRemoved", "id": "x"})",
           R"({"type": "session/mcpServerStateChanged", "id": "p", "state": {"kind": "ready"}})",
           R"({"type": "session/mcpServerStartRequested", "id": "s"})",
           R"({"type": "session/mcpServerStopRequested", "id": "x"})",
           R"({"type": "session/activeClientRemoved", "clientId": "x"})",
           R"({"type": "session/workingDirectorySet", "directory": "file:///A"})",
           R"({"type": "session/workingDirectoryRemoved", "directory": "file:///X"})",
           R"({"type": "session/workingDirectoryReplaced", "directory": "file:///X",
               "replacement": "file:///Y"})",
           R"({"type": "session/workingDirectoryReplaced", "directory": "file:///A",
               "replacement": "file:///A"})",
           R"({"type": "session/titleChanged", "title": "U"})",
       })
    for (const Generation generation : generations) {
      const PublishedState state = aState();
      const auto next = reduce(state, parsed(text), generation);
      ASSERT_TRUE(next) << describe(next.error());
      EXPECT_TRUE(next->isSame(state)) << text;
    }
}

TEST(Reducer, KeepsTheOrderOfMembers_S2) {
  PublishedState state = stateOf(parsed(
      R"({"z": 1, "customizations": [{"type": "mcpServer", "state": {}, "id": "m", "a": 2}], "b": 3})"));
  for (const char* text :
       {R"({"type": "session/mcpServerStartRequested", "id": "m"})",
        R"({"type": "session/workingDirectorySet", "directory": "file:///A"})"}) {
    const auto next = reduce(state, parsed(text), Generation::second);
    ASSERT_TRUE(next) << describe(next.error());
    state = *next;
  }
  EXPECT_EQ(state.json().dump(),
            R"({"z":1,"customizations":[{"type":"mcpServer","state":{"kind":"starting"},)"
            R"("id":"m","a":2}],"b":3,"workingDirectories":["file:///A"]})");
}

TEST(Reducer, TakesAnEntryOfUnknownTypeWhateverHangsBelowAServer_S2) {
  const Json action = parsed(R"({"type": "session/customizationsChanged", "customizations": [
      {"type": "widget", "id": "w", "children": null},
      {"type": "mcpServer", "id": "m", "children": {"not": "a list"}}]})");
  for (const Generation generation : generations) {
    const auto next = reduce(aState(), action, generation);
    ASSERT_TRUE(next) << describe(next.error());
    EXPECT_EQ(next->json()["customizations"], action["customizations"]);
  }
}

// Bad actions.

TEST(BadActions, WithoutATypeAreRefused_S2) {
  for (const char* text :
       {"null", "7", "\"session/customizationRemoved\"", "[]", "{}",
        R"([{"type": "session/customizationRemoved", "id": "p"}])", R"({"id": "p"})",
        R"({"type": null})", R"({"type": 5})", R"({"type": ["session/customizationRemoved"]})"})
    expectRefused(parsed(text), "no text \"type\"");
}

TEST(BadActions, WithoutAFieldThatTheirRuleNeedsAreRefused_S2) {
  for (const Json& good : everyAction())
    for (const auto& [field, value] : good.items()) {
      if (field == "type" || field == "enabled" || field == "enablement") continue;
      Json bad = good;
      for (const Json& wrong : {Json(), Json(7), Json(true), Json::array({1})}) {
        bad[field] = wrong;
        expectRefused(bad, field);
      }
      bad.erase(field);
      expectRefused(bad, good["type"].get<std::string>());
    }
}

TEST(BadActions, OfTheWrongShapeAreRefusedWithThePlace_S2) {
  const std::vector<std::pair<const char*, const char*>> bad{
      {R"({"type": "session/customizationsChanged", "customizations": {}})", "\"customizations\""},
      {R"({"type": "session/customizationsChanged", "customizations": [null]})",
       "customizations[0] that is not an object"},
      {R"({"type": "session/customizationsChanged",
           "customizations": [{"type": "plugin", "id": "a"}, {"type": "plugin"}]})",
       "customizations[1] without a text \"id\""},
      {R"({"type": "session/customizationsChanged", "customizations": [{"id": "a"}]})",
       "customizations[0] without a text \"type\""},
      {R"({"type": "session/customizationsChanged",
           "customizations": [{"type": "plugin", "id": "a", "children": {}}]})",
       "children at customizations[0]"},
      {R"({"type": "session/customizationsChanged", "customizations": [
           {"type": "plugin", "id": "a", "children": [{"type": "skill", "id": 5}]}]})",
       "customizations[0].children[0] without a text \"id\""},
      {R"({"type": "session/customizationUpdated", "customization": []})",
       "customization that is not an object"},
      {R"({"type": "session/customizationUpdated", "customization": {"type": "plugin"}})",
       "customization without a text \"id\""},
      {R"({"type": "session/customizationUpdated",
           "customization": {"type": "plugin", "id": "a", "children": [7]}})",
       "customization.children[0] that is not an object"},
      {R"({"type": "session/mcpServerStateChanged", "id": "m", "state": "ready"})", "\"state\""},
      {R"({"type": "session/mcpServerStateChanged", "id": "m", "state": {}})", "\"kind\""},
      {R"({"type": "session/mcpServerStateChanged", "id": "m", "state": {"kind": "ready"},
           "channel": 5})",
       "\"channel\""},
      {R"({"type": "session/activeClientSet", "activeClient": {"id": "c"}})", "\"clientId\""},
      {R"({"type": "session/activeClientSet", "activeClient": "c"})", "\"activeClient\""},
  };
  for (const auto& [text, said] : bad) expectRefused(parsed(text), said);
}

TEST(BadActions, WithDecisionsThatAreNoneAreRefusedInTheirGeneration_S2) {
  for (const char* decisions :
       {"[7]", "[null]", "[{}]", R"([{"kind": "session"}])", R"([{"enabled": true}])",
        R"([{"kind": "session", "enabled": null}])", R"([{"kind": 1, "enabled": true}])",
        R"([{"kind": "session", "enabled": "no"}])"}) {
    Json action = parsed(R"({"type": "session/customizationToggled", "id": "p"})");
    action["enablement"] = parsed(decisions);
    expectRefused(action, "enablement[0]", Generation::second);
    action["enabled"] = false;
    const auto next = reduce(aState(), action, Generation::first);
    ASSERT_TRUE(next) << describe(next.error());
    EXPECT_EQ(next->json()["customizations"][0]["enabled"], false);
  }
}

TEST(BadActions, TenMegabytesLongAreRefused_S2) {
  for (Json action : everyAction()) {
    action["more"] = std::string(10'000'000, 'x');
    expectRefused(action, "longer than 8388608 bytes");
  }
  Json action = everyAction().front();
  for (int i = 0; i < 400'000; ++i)
    action["customizations"].push_back({{"type", "plugin"}, {"id", "p"}});
  expectRefused(action, "longer than 8388608 bytes");
}

TEST(BadActions, AHundredThousandLevelsDeepAreRefused_S2) {
  for (const Json& good : everyAction())
    for (const auto& [field, value] : good.items()) {
      Json deep = good;
      deep[field] = nested(100'000);
      expectRefused(deep, field == "type" ? "type" : "nested deeper than 60 levels");
    }
  expectRefused(nested(100'000), "type");
}

TEST(BadActions, WithTextThatIsNotUtf8AreRefused_S2) {
  expectRefused({{"type", "session/customizationRemoved"}, {"id", "\xff"}}, "not UTF-8");
  expectRefused({{"type", "session/customizationRemoved"}, {"id", "p"}, {"\xff", 1}}, "not UTF-8");
  expectRefused({{"type", "session/customizationRemoved"}, {"id", "p"}, {"x", Json::binary({1})}},
                "not JSON");
}

TEST(BadActions, OfUnknownTypeAreNotLookedInto_S2) {
  Json action{{"type", "session/notYetInvented"}};
  action["deep"] = nested(100'000);
  const PublishedState state = aState();
  const auto next = reduce(state, action, Generation::second);
  ASSERT_TRUE(next);
  EXPECT_TRUE(next->isSame(state));
}

// Limits.

TEST(ReducerLimits, AreExact_S2) {
  Json action{{"type", "session/workingDirectorySet"}, {"directory", "file:///B"}, {"more", ""}};
  action["more"] = std::string(maxActionBytes - action.dump().size(), 'x');
  EXPECT_TRUE(reduce(aState(), action, Generation::second));
  action["more"] = action["more"].get<std::string>() + "x";
  EXPECT_FALSE(reduce(aState(), action, Generation::second));
  action["more"] = nested(maxActionDepth - 1);
  EXPECT_TRUE(reduce(aState(), action, Generation::second));
  action["more"] = nested(maxActionDepth);
  EXPECT_FALSE(reduce(aState(), action, Generation::second));
}

TEST(ReducerLimits, CountBytesAsThePrintedText_S2) {
  Json action{{"type", "session/workingDirectorySet"}, {"directory", "file:///B"}};
  action["numbers"] = {0, -1, 18446744073709551615U, -9223372036854775807, 0.5, -1.25e-7};
  action["more"] = {true, false, nullptr, Json::object(), Json::array(), {{"ü", {1, "ü"}}}};
  action["rest"] = "";
  action["rest"] = std::string(maxActionBytes - action.dump().size(), 'x');
  EXPECT_TRUE(reduce(aState(), action, Generation::second));
  action["rest"] = action["rest"].get<std::string>() + "x";
  EXPECT_FALSE(reduce(aState(), action, Generation::second));
}

TEST(ReducerLimits, KeepEveryStateReadable_S2) {
  Json decision{{"kind", "session"}, {"enabled", false}};
  decision["more"] = nested(maxActionDepth - 3);
  const Json toggle{{"type", "session/customizationToggled"},
                    {"id", "m"},
                    {"enablement", Json::array({decision})}};
  const auto next = reduce(aState(), toggle, Generation::second);
  ASSERT_TRUE(next) << describe(next.error());
  const auto again = parseJson(next->json().dump(), "again");
  ASSERT_TRUE(again) << describe(again.error());
  EXPECT_EQ(*again, next->json());
}

// States.

TEST(PublishedState, IsAnObjectWhoseListsAreLists_S2) {
  for (const char* text :
       {"null", "[]", "5", R"({"customizations": {}})", R"({"customizations": "none"})",
        R"({"activeClients": 1})", R"({"workingDirectories": "file:///A"})"}) {
    const auto state = PublishedState::create(parsed(text));
    ASSERT_FALSE(state) << text;
    EXPECT_EQ(state.error().code, ErrorCode::invalidArgument);
    EXPECT_FALSE(state.error().hint.empty());
  }
  for (const char* text :
       {"{}", R"({"customizations": null, "activeClients": null, "workingDirectories": null})",
        R"({"customizations": [1, null, {}, {"id": 5}, {"children": [null, 7]}]})"})
    EXPECT_TRUE(PublishedState::create(parsed(text))) << text;
}

TEST(PublishedState, IsRefusedWhenItIsNestedTooDeep_S2) {
  EXPECT_TRUE(PublishedState::create({{"more", nested(maxJsonDepth - 1)}}));
  for (const std::size_t levels : {maxJsonDepth, std::size_t{100'000}}) {
    Json state;
    state["more"] = nested(levels);
    const auto refused = PublishedState::create(std::move(state));
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("64 levels"));
  }
}

TEST(PublishedState, OfOddEntriesSurvivesEveryAction_S2) {
  const Json odd = parsed(R"({"customizations": [null, 7, "m", [], {}, {"id": 5}, {"type": 5},
      {"type": "mcpServer", "children": [{"id": "m"}]},
      {"type": "plugin", "id": "q", "children": [null, [], 7, {"id": null}, {"type": "skill"}]},
      {"type": "plugin", "children": "none"}],
    "activeClients": [null, "c", {"clientId": 5}], "workingDirectories": [null, 7, {"uri": "x"}]})");
  for (const Json& action : everyAction())
    for (const Generation generation : generations)
      EXPECT_TRUE(reduce(stateOf(odd), action, generation)) << action;
}

}  // namespace
}  // namespace enablement
