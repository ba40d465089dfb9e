// Toggles become decisions (S1, S4, S5).
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "session_fixture.h"

namespace enablement::test {
namespace {

using Kind = Outcome::Kind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

const char* const sessionOff = R"([{"kind": "session", "enabled": false}])";

TEST_F(HostTest, AToggleStoresTheScopeThatDiffersAndIsEchoedOnce_S4) {
  settle(own);
  EXPECT_EQ(toggle("alpha", decisions(sessionOff)).kind, Kind::applied);
  EXPECT_THAT(stored(), ElementsAre("session acme/alpha off"));
  EXPECT_THAT(took(), ElementsAre("customizationToggled"));
  EXPECT_EQ(shown("alpha"), "session=off");
  EXPECT_EQ(toggle("alpha", ordered_json::array()).kind, Kind::applied);
  EXPECT_THAT(stored(), IsEmpty());
  EXPECT_EQ(shown("alpha"), "");
}

TEST_F(HostTest, AStaleInheritedGlobalThatIsEchoedStoresNoGlobal_S4) {
  settle(own);
  ASSERT_TRUE(service->setStored(pluginAt("acme/alpha"), std::nullopt, false, "somebody"));
  EXPECT_EQ(shown("alpha"), "global=off");
  sent.clear();
  // The client decides for the session and echoes what it inherits.
  EXPECT_EQ(toggle("alpha", decisions(R"([{"kind": "session", "enabled": true},
                                          {"kind": "global", "enabled": false}])"))
                .kind,
            Kind::applied);
  EXPECT_THAT(stored(), UnorderedElementsAre("global acme/alpha off", "session acme/alpha on"));
  // Now a client's base is what is inherited. It is stale when it is echoed: the client changed it
  // meanwhile.
  joinParsed();
  ordered_json changed = beta;
  changed[0]["enablement"][0]["enabled"] = false;
  const ordered_json echo = decisions(R"([{"kind": "session", "enabled": false},
                                          {"kind": "global", "enabled": true}])");
  EXPECT_EQ(toggle("beta", echo).clientOwned, std::nullopt);
  join("c1", changed);
  EXPECT_EQ(toggle("beta", echo).clientOwned, "c1");
  EXPECT_THAT(stored(), UnorderedElementsAre("global acme/alpha off", "session acme/alpha on",
                                             "session file:///clients/beta off"));
}

TEST_F(HostTest, OnlyTheScopesThatAreMissingOrDifferAreWritten_S4) {
  settle(own);
  toggle("alpha", decisions(R"([{"kind": "session", "enabled": true},
                                {"kind": "workspace", "enabled": false},
                                {"kind": "global", "enabled": false}])"));
  EXPECT_THAT(stored(), UnorderedElementsAre("session acme/alpha on", "workspace acme/alpha off",
                                             "global acme/alpha off"));
  EXPECT_EQ(shown("alpha"), "session=on workspace=off global=off");
  toggle("alpha", decisions(R"([{"kind": "global", "enabled": false},
                                {"kind": "workspace", "uri": "file:///repo/", "enabled": false}])"));
  EXPECT_THAT(stored(), UnorderedElementsAre("workspace acme/alpha off", "global acme/alpha off"));
}

TEST_F(HostTest, ADecisionThatThisProcessDidNotSeeYetSurvivesAToggleOfAnotherScope_S4) {
  settle(own);
  // Somebody decides for the folder; the client has not seen that when it decides globally.
  ASSERT_TRUE(service->setStored(pluginAt("acme/alpha"),
                                 *WorkingDirectory::directory("file:///repo"), false, "x"));
  toggle("bare", decisions(R"([{"kind": "global", "enabled": false}])"));
  EXPECT_THAT(stored(),
              UnorderedElementsAre("workspace acme/alpha off", "global mcpServers#bare off"));
}

TEST_F(HostTest, AFirstGenerationToggleDecidesForTheSessionAndKeepsOtherScopes_S1) {
  settle(own);
  toggle("alpha", decisions(R"([{"kind": "global", "enabled": false}])"));
  sent.clear();
  EXPECT_EQ(toggleFirst("alpha", true).kind, Kind::applied);
  EXPECT_THAT(stored(), UnorderedElementsAre("global acme/alpha off", "session acme/alpha on"));
  EXPECT_EQ(shown("alpha"), "session=on global=off");
  EXPECT_EQ(find(first.state, "alpha")["enabled"], true);
  EXPECT_FALSE(find(first.state, "alpha").contains("enablement"));
}

TEST_F(HostTest, WhereBothFieldsArePresentTheListCounts_S1) {
  settle(own);
  dispatch("old", json(R"({"type": "session/customizationToggled", "id": "alpha", "enabled": true,
                           "enablement": [{"kind": "global", "enabled": false}]})"),
           Generation::first);
  EXPECT_THAT(stored(), ElementsAre("global acme/alpha off"));
}

TEST_F(HostTest, TheOtherGenerationsPayloadIsIgnored_S2) {
  settle(own);
  EXPECT_EQ(dispatch("c1", json(R"({"type": "session/customizationToggled", "id": "alpha",
                                    "enabled": false})"))
                .kind,
            Kind::ignored);
  EXPECT_EQ(dispatch("old", json(R"({"type": "session/customizationToggled", "id": "alpha",
                                     "enablement": []})"),
                     Generation::first)
                .kind,
            Kind::ignored);
  EXPECT_THAT(stored(), IsEmpty());
  EXPECT_THAT(took(), IsEmpty());
}

TEST_F(HostTest, DirectoriesAndLeavesChangeTheirFlagAndNothingIsStored_S4) {
  settle(own);
  EXPECT_EQ(toggle("dir", decisions(sessionOff)).kind, Kind::applied);
  EXPECT_EQ(toggleFirst("alpha/skill", false).kind, Kind::applied);
  EXPECT_THAT(stored(), IsEmpty());
  EXPECT_EQ(entry("dir")["enabled"], false);
  EXPECT_EQ(entry("alpha/skill")["enabled"], false);
  EXPECT_THAT(took(), ElementsAre("customizationToggled", "customizationToggled"));
  EXPECT_EQ(host->entriesOfType(s, "agent")->front().answer.reason, EffectiveReason::container);
  // The host finds them again, as they are on disk: what somebody said goes on counting.
  tell({{"type", "session/customizationsChanged"}, {"customizations", own}});
  EXPECT_EQ(entry("dir")["enabled"], false);
  EXPECT_EQ(entry("alpha/skill")["enabled"], false);
}

TEST_F(HostTest, AnUnknownIdIsIgnoredForItMayHaveJustVanished_S4) {
  settle(own);
  const Outcome outcome = toggle("gone", decisions(sessionOff));
  EXPECT_EQ(outcome.kind, Kind::ignored);
  EXPECT_THAT(outcome.reason->message, HasSubstr("gone"));
  EXPECT_THAT(took(), IsEmpty());
}

TEST_F(HostTest, WhatIsRefusedIsRefusedAsAWholeWithTheReasonAndNothingChanges_S4_I14) {
  settle(own);
  const ordered_json before = second.state;
  const std::vector<std::pair<const char*, ErrorCode>> cases{
      {R"([{"kind": "session", "enabled": false}, {"kind": "session", "enabled": true}])",
       ErrorCode::invalidArgument},
      {R"([{"kind": "session", "enabled": false}, {"kind": "team", "enabled": true}])",
       ErrorCode::invalidArgument},
      {R"([{"kind": "session", "enabled": false},
           {"kind": "workspace", "uri": "file:///other", "enabled": false}])",
       ErrorCode::foreignWorkspace},
      {R"([{"kind": "session", "enabled": false},
           {"kind": "workspace", "uri": "relative", "enabled": false}])",
       ErrorCode::invalidUri},
      {R"([{"kind": "session", "enabled": false}, {"kind": "workspace", "uri": 7, "enabled": true}])",
       ErrorCode::invalidArgument},
      {R"([{"kind": "session"}])", ErrorCode::invalidArgument}};
  for (const auto& [enablement, code] : cases) {
    const Outcome outcome = toggle("alpha", json(enablement));
    EXPECT_EQ(outcome.kind, Kind::refused) << enablement;
    EXPECT_EQ(outcome.reason->code, code) << enablement;
    EXPECT_FALSE(outcome.reason->message.empty());
  }
  EXPECT_THAT(stored(), IsEmpty());
  EXPECT_THAT(took(), IsEmpty());
  EXPECT_EQ(second.state, before);
}

TEST_F(HostTest, AWorkspaceDecisionWithoutAFolderIsRefused_S4_I14) {
  settle(own, {});
  const Outcome outcome = toggle("alpha", decisions(R"([{"kind": "session", "enabled": false},
                                    {"kind": "workspace", "enabled": false}])"));
  EXPECT_EQ(outcome.kind, Kind::refused);
  EXPECT_EQ(outcome.reason->code, ErrorCode::noWorkspace);
  EXPECT_THAT(stored(), IsEmpty());
}

TEST_F(HostTest, WhatCannotBeWrittenIsRefusedAndNothingChanges_S4_I14) {
  settle(own);
  service->close();
  const ordered_json before = second.state;
  EXPECT_EQ(toggle("alpha", decisions(sessionOff)).kind, Kind::refused);
  EXPECT_EQ(second.state, before);
}

TEST_F(HostTest, WhileTheFolderIsNotKnownADecisionWaitsAndTheListOfOthersIsNotCleared_S4_I12) {
  ASSERT_TRUE(host->openSession(s));
  ASSERT_TRUE(service->loadSession(s));
  tell({{"type", "session/customizationsChanged"}, {"customizations", own}});
  ASSERT_TRUE(service->setStored(pluginAt("acme/alpha"), std::nullopt, true, "x"));
  EXPECT_EQ(toggle("alpha", decisions(R"([{"kind": "session", "enabled": false},
                         {"kind": "workspace", "uri": "file:///repo", "enabled": false}])"))
                .kind,
            Kind::applied);
  EXPECT_THAT(stored(), ElementsAre("global acme/alpha on"));
  EXPECT_EQ(service->queued()->size(), 2U);
  EXPECT_EQ(dispatch("c1", json(R"({"type": "session/workingDirectorySet",
                                    "directory": "file:///repo"})"))
                .kind,
            Kind::applied);
  EXPECT_THAT(stored(), UnorderedElementsAre("global acme/alpha on", "workspace acme/alpha off",
                                             "session acme/alpha off"));
  EXPECT_EQ(shown("alpha"), "session=off workspace=off global=on");
}

// Whose Global it is.

TEST_F(HostTest, TheGlobalOfAClientsTargetIsNotStoredAndTheOtherScopesAre_S5) {
  settle(own);
  joinParsed();
  for (const std::string id : {"beta", "beta/web", "beta/mail"}) {
    const std::string was = shown(id);
    const Outcome outcome = toggle(id, decisions(R"([{"kind": "session", "enabled": false},
                                                     {"kind": "global", "enabled": false}])"));
    EXPECT_EQ(outcome.kind, Kind::applied) << id;
    EXPECT_EQ(outcome.clientOwned, "c1") << id;
    EXPECT_EQ(shown(id), was.empty() ? "session=off" : "session=off " + was);
    EXPECT_EQ(took().front(), "customizationToggled");
  }
  for (const std::string& row : stored()) EXPECT_THAT(row, HasSubstr("session ")) << row;
  EXPECT_EQ(stored().size(), 3U);
  // What the host found inside the plugin is the host's.
  EXPECT_EQ(
      toggle("beta/found", decisions(R"([{"kind": "global", "enabled": false}])")).clientOwned,
      std::nullopt);
  EXPECT_EQ(shown("beta/found"), "global=off");
}

TEST_F(HostTest, AStoredGlobalThatContradictsTheWishGoesAndOneThatAgreesStays_S5) {
  settle(own);
  joinParsed();
  const Target target = pluginAt("file:///clients/beta");
  ASSERT_TRUE(service->set(s, target, Scope::global, false, "enablectl"));
  EXPECT_EQ(shown("beta"), "global=off");
  const ordered_json on = decisions(R"([{"kind": "global", "enabled": true}])");
  EXPECT_EQ(toggle("beta", on).clientOwned, "c1");
  EXPECT_THAT(stored(), IsEmpty());
  EXPECT_EQ(shown("beta"), "global=on");
  // An off in a list that came before it was known here: it agrees.
  ASSERT_TRUE(service->set(s, target, Scope::global, false, "enablectl"));
  EXPECT_EQ(toggle("beta", decisions(R"([{"kind": "global", "enabled": false}])")).clientOwned,
            std::nullopt);
  EXPECT_THAT(stored(), ElementsAre("global file:///clients/beta off"));
  // No decision at all is wished: the host's goes, too.
  EXPECT_EQ(toggle("beta", ordered_json::array()).clientOwned, "c1");
  EXPECT_THAT(stored(), IsEmpty());
  EXPECT_EQ(shown("beta"), "global=on");
}

TEST_F(HostTest, AStoredGlobalThatAgreesStaysAlsoWherePeersDoNotSeeItYet_S5) {
  settle(own);
  joinParsed();
  const Target target = pluginAt("file:///clients/beta");
  // Its event waits for the next call, for it comes on another thread.
  std::thread elsewhere(
      [&] { EXPECT_TRUE(service->set(s, target, Scope::global, false, "enablectl")); });
  elsewhere.join();
  ASSERT_EQ(shown("beta"), "global=on");
  EXPECT_EQ(toggle("beta", decisions(R"([{"kind": "global", "enabled": false}])")).clientOwned,
            "c1");
  EXPECT_THAT(stored(), ElementsAre("global file:///clients/beta off"));
  EXPECT_EQ(shown("beta"), "global=off");
}

}  // namespace
}  // namespace enablement::test
