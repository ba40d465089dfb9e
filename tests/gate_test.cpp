// The gate (I19, I20) and the builder of targets from entries (I5).
#include <nlohmann/json.hpp>

#include <enablement/resolver/gate.h>

#include "service_fixture.h"

namespace enablement::test {
namespace {

using nlohmann::ordered_json;

static_assert(!std::is_default_constructible_v<GatedList>, "only the gate makes a gated list");

class GateTest : public ServiceTest {
 protected:
  GateTest() { settle(s1, one); }

  GatedList gated(const char* list, const OwnerMap& owners = {}) {
    return gate(*service, s1, ordered_json::parse(list), owners).value();
  }
  std::string refusal(const char* list) {
    const auto result = gate(*service, s1, ordered_json::parse(list), {});
    return result ? "accepted" : describe(result.error());
  }
  static std::string answer(const GatedList& list, std::string_view id) {
    const Effective* found = list.find(id);
    return found ? show(*found) : "absent";
  }
};

TEST_F(GateTest, AServerKeepsItsDecisionWhereverItStandsInTheTree_I2_I5) {
  must(service->set(s1, db, Scope::global, false, "test"));
  const auto nested = gated(R"([{"type": "plugin", "id": "p", "uri": "acme/alpha", "children": [
      {"type": "mcpServer", "id": "c", "name": "db", "uri": "file:///cache/1"}]}])");
  const auto top = gated(R"([{"type": "mcpServer", "id": "t", "name": "db", "uri": "file:///2"}])",
                         {{"db", "acme/alpha"}});
  const auto bare = gated(R"([{"type": "mcpServer", "id": "b", "name": "db"}])");
  EXPECT_EQ(answer(nested, "c"), "disabled/global");
  EXPECT_EQ(answer(top, "t"), "disabled/global");
  EXPECT_EQ(answer(bare, "b"), "enabled/default");
}

TEST_F(GateTest, NamesLikeConstructorAreOrdinaryInTheOwnerMap_I5) {
  must(service->set(s1, plugin("acme/alpha"), Scope::global, false, "test"));
  const char* list = R"([{"type": "mcpServer", "id": "a", "name": "constructor"},
                         {"type": "mcpServer", "id": "b", "name": "__proto__"}])";
  const auto without = gated(list);
  EXPECT_EQ(answer(without, "a"), "enabled/default");
  EXPECT_EQ(answer(without, "b"), "enabled/default");
  const auto with = gated(list, {{"__proto__", "acme/alpha"}});
  EXPECT_EQ(answer(with, "a"), "enabled/default");
  EXPECT_EQ(answer(with, "b"), "disabled/container");
}

TEST_F(GateTest, AServerInADirectoryHasNoOwnerWhateverTheMapSays_I5) {
  must(service->set(s1, server("db"), Scope::global, false, "test"));
  const auto list = gated(R"([{"type": "directory", "id": "d", "children": [
      {"type": "mcpServer", "id": "m", "name": "db"}]}])",
                          {{"db", "acme/alpha"}});
  EXPECT_EQ(answer(list, "m"), "disabled/global");
}

TEST_F(GateTest, FieldsAndTypesThatAreNotKnownPassThroughInOrder_I19) {
  const auto in = ordered_json::parse(R"([
      {"zeta": 1, "type": "widget", "id": "w", "alpha": {"b": [1, null, 2.5], "a": {}}},
      {"type": "plugin", "id": "p", "uri": "acme/alpha", "children": []},
      {"type": "plugin", "id": "q", "uri": "acme/beta"},
      {"type": "mcpServer", "id": "m", "name": "db", "children": "not visited", "x": "y"}])");
  const auto out = gate(*service, s1, in, {}).value();
  EXPECT_EQ(out.customizations().dump(), in.dump());
}

TEST_F(GateTest, AbsentAndEmptyChildrenStayWhatTheyAre_I19) {
  const auto list = gated(R"([{"type": "plugin", "id": "p", "uri": "acme/alpha", "children": []},
                              {"type": "plugin", "id": "q", "uri": "acme/beta"}])");
  EXPECT_TRUE(list.customizations()[0].contains("children"));
  EXPECT_FALSE(list.customizations()[1].contains("children"));
}

TEST_F(GateTest, ASettledEntryGetsTheResolvedListAndAnEmptyOneRemovesTheField_I19) {
  must(service->set(s1, alpha, Scope::workspace, false, "test"));
  const auto list = gated(R"([
      {"type": "plugin", "id": "p", "enablement": [{"kind": "global", "enabled": true}],
       "uri": "acme/alpha"},
      {"type": "plugin", "id": "q", "enablement": [{"kind": "global", "enabled": false}],
       "uri": "acme/beta"}])");
  EXPECT_EQ(list.customizations()[0]["enablement"].dump(),
            R"([{"kind":"workspace","uri":"file:///one","enabled":false}])");
  EXPECT_FALSE(list.customizations()[1].contains("enablement"));
}

TEST_F(GateTest, APendingEntryIsPublishedExactlyAsItCameAndNeverRuns_I7_I19) {
  must(service->setWorkingDirectory(s1, unknown));
  const char* text =
      R"([{"type":"mcpServer","id":"m","enablement":[{"kind":"global","enabled":true}],"name":"db"}])";
  const auto list = gated(text);
  EXPECT_EQ(list.customizations().dump(), text);
  EXPECT_EQ(list.pending(), Names{"m"});
  EXPECT_EQ(answer(list, "m"), "pending/workingDirectory");
  EXPECT_FALSE(list.mcpServers().at(0).second);
}

TEST_F(GateTest, AContainerThatIsOffMasksItsChildrenAndKeepsTheirDecisions_I20) {
  must(service->set(s1, alpha, Scope::global, false, "test"));
  must(service->set(s1, db, Scope::session, true, "test"));
  const auto list = gated(R"([{"type": "plugin", "id": "p", "uri": "acme/alpha", "children": [
      {"type": "mcpServer", "id": "c", "name": "db"}, {"type": "skill", "id": "s"}]}])");
  EXPECT_EQ(answer(list, "p"), "disabled/global");
  EXPECT_EQ(answer(list, "c"), "disabled/container");
  EXPECT_EQ(answer(list, "s"), "disabled/container");
  EXPECT_EQ(service->effective(s1, db), *list.find("c"));
}

TEST_F(GateTest, OffBeatsPending_I20) {
  must(service->setWorkingDirectory(s1, unknown));
  const auto list = gated(R"([{"type": "directory", "id": "d", "enabled": false, "children": [
      {"type": "mcpServer", "id": "m", "name": "db"}]}])");
  EXPECT_EQ(answer(list, "d"), "disabled/flag");
  EXPECT_EQ(answer(list, "m"), "disabled/container");
  EXPECT_EQ(list.pending(), Names{"m"}) << "the server's own answer is still pending";
}

TEST_F(GateTest, APendingChildHoldsItsContainerBackAndWithItTheSiblings_I19) {
  must(service->setWorkingDirectory(s1, unknown));
  const auto list = gated(R"([{"type": "directory", "id": "d", "enabled": true, "children": [
      {"type": "mcpServer", "id": "m", "name": "db"}, {"type": "skill", "id": "on"},
      {"type": "skill", "id": "off", "enabled": false}]}])");
  EXPECT_EQ(answer(list, "d"), "pending/child");
  EXPECT_EQ(answer(list, "m"), "pending/workingDirectory");
  EXPECT_EQ(answer(list, "on"), "pending/container");
  EXPECT_EQ(answer(list, "off"), "disabled/flag");
  EXPECT_EQ(list.pending(), (Names{"d", "m"}));
}

TEST_F(GateTest, AFlagThatIsNoBooleanIsOff_I19) {
  const auto list = gated(R"([{"type": "skill", "id": "text", "enabled": "false"},
                              {"type": "skill", "id": "null", "enabled": null}])");
  EXPECT_EQ(answer(list, "text"), "disabled/flag");
  EXPECT_EQ(answer(list, "null"), "enabled/default");
}

TEST_F(GateTest, AnInvalidEntryDisablesItselfAloneAndIsNamed_I19) {
  const auto list = gated(R"([
      {"type": "plugin", "id": "bad", "uri": "x:/%zz", "children": [
        {"type": "mcpServer", "id": "k", "name": "db"},
        {"type": "mcpServer", "id": "l", "name": ""}]},
      {"type": "mcpServer", "id": "orphan", "name": "db"},
      {"type": "mcpServer", "id": "fine", "name": "web"}])",
                          {{"db", "no uri"}});
  EXPECT_EQ(answer(list, "bad"), "disabled/invalid");
  EXPECT_EQ(answer(list, "k"), "disabled/container");
  EXPECT_EQ(answer(list, "l"), "disabled/invalid");
  EXPECT_EQ(answer(list, "orphan"), "disabled/invalid");
  EXPECT_EQ(answer(list, "fine"), "enabled/default");
  EXPECT_EQ(list.toJson()["problems"].dump(),
            R"([{"position":[0],"code":"invalidUri"},{"position":[0,1],"code":"invalidArgument"},)"
            R"({"position":[1],"code":"invalidUri"}])");
}

TEST_F(GateTest, EntriesWithOneIdGetTheStrictestAnswer_I19) {
  must(service->set(s1, db, Scope::session, false, "test"));
  const auto list = gated(R"([{"type": "mcpServer", "id": "same", "name": "web"},
                              {"type": "mcpServer", "id": "same", "name": "db"}])",
                          {{"db", "acme/alpha"}});
  EXPECT_EQ(answer(list, "same"), "disabled/session");
  ASSERT_EQ(list.mcpServers().size(), 1U);
  EXPECT_FALSE(list.mcpServers()[0].second);
}

TEST_F(GateTest, AMalformedListIsRefusedWithThePosition_I19) {
  EXPECT_NE(refusal("{}").find("not a list"), std::string::npos);
  EXPECT_NE(refusal(R"([{"type": "plugin", "id": "p"}, 3])").find("[1] is not an object"),
            std::string::npos);
  EXPECT_NE(refusal(R"([{"type": "plugin"}])").find("[0] has no id"), std::string::npos);
  EXPECT_NE(refusal(R"([{"id": "p", "type": 3}])").find("[0] has no type"), std::string::npos);
  EXPECT_NE(refusal(R"([{"type": "plugin", "id": "p", "children": {}}])")
                .find("[0] has children that are not a list"),
            std::string::npos);
  EXPECT_NE(refusal(R"([{"type": "directory", "id": "p", "children": [{"id": "c"}]}])")
                .find("[0, 0] has no type"),
            std::string::npos);
}

TEST_F(GateTest, GatingIsAPureRead_I19) {
  const auto before = service->generation();
  (void)gate(*service, "never named", ordered_json::parse(R"([{"type": "plugin", "id": "p",
      "uri": "acme/alpha"}])"),
             {});
  EXPECT_EQ(service->generation(), before);
  EXPECT_TRUE(heard().empty());
  EXPECT_EQ(known(), Names{s1});
}

TEST_F(GateTest, AListKnowsWhetherItIsCurrent_I19) {
  const auto list = gated("[]");
  EXPECT_TRUE(list.isCurrent(*service));
  must(service->set(s1, alpha, Scope::global, false, "test"));
  EXPECT_FALSE(list.isCurrent(*service));
}

TEST_F(GateTest, ADiscoveryDefaultIsReadFromTheEntryAndOnlyIfItIsABoolean_I5) {
  const auto list = gated(R"([
      {"type": "mcpServer", "id": "off", "name": "a",
       "_meta": {"agentHost.mcpServerDiscoveryEnabled": false}},
      {"type": "mcpServer", "id": "text", "name": "b",
       "_meta": {"agentHost.mcpServerDiscoveryEnabled": "false"}},
      {"type": "mcpServer", "id": "odd", "name": "c", "_meta": []}])");
  EXPECT_EQ(answer(list, "off"), "disabled/global");
  EXPECT_EQ(answer(list, "text"), "enabled/default");
  EXPECT_EQ(answer(list, "odd"), "enabled/default");
}

}  // namespace
}  // namespace enablement::test
