// Sessions and publishing (S3, S4, S7).
#include <string>
#include <type_traits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <enablement/session/version.h>

#include "session_fixture.h"

namespace enablement::test {
namespace {

using Kind = Outcome::Kind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// No list leaves without the gate (I19): there is no other way to a message that bears one.
static_assert(!std::is_default_constructible_v<SessionMessage>);
static_assert(!std::is_constructible_v<SessionMessage, std::string, ordered_json>);
static_assert(!std::is_constructible_v<SessionSnapshot, ordered_json, ordered_json>);
static_assert(!std::is_default_constructible_v<GatedList>);

TEST(SessionMessage, IsNotMadeFromAnActionThatBearsCustomizations_I19) {
  for (const char* action :
       {R"({"type": "session/customizationsChanged", "customizations": []})",
        R"({"type": "session/customizationUpdated", "customization": {"type": "x", "id": "i"}})",
        R"({"type": "session/activeClientSet", "activeClient": {"clientId": "c"}})",
        R"({"type": "session/notYetInvented"})"})
    EXPECT_FALSE(SessionMessage::other("s", json(action))) << action;
  // Nor does one slip out under another action.
  const auto message = SessionMessage::other(
      "s", json(R"({"type": "session/mcpServerStopRequested", "id": "m", "customizations": [1]})"));
  EXPECT_FALSE(message->actionFor(Generation::second)->contains("customizations"));
}

TEST(ProtocolVersion, TellsTheGeneration_S1) {
  for (const char* first : {"0.5.2", "0.6.0", "0.7.99"})
    EXPECT_EQ(generationOf(first).value(), Generation::first) << first;
  for (const char* second : {"0.8.0", "0.8.0-beta.1", "0.10.0", "1.0.0"})
    EXPECT_EQ(generationOf(second).value(), Generation::second) << second;
  for (const char* none :
       {"", "0.5.1", "0.8", "0.8.0.1", "v0.8.0", "0.8.x", "-1.0.0", "99999999999.0.0"})
    EXPECT_FALSE(generationOf(none)) << none;
}

TEST_F(HostTest, PublishingWaitsUntilTheDecisionsAreLoaded_S7) {
  ASSERT_TRUE(host->openSession(s, std::vector<std::string>{}));
  tell({{"type", "session/customizationsChanged"}, {"customizations", own}});
  EXPECT_THAT(took(), IsEmpty());
  ASSERT_TRUE(service->loadSession(s));
  EXPECT_THAT(took(), ElementsAre("customizationsChanged"));
}

TEST_F(HostTest, TheFirstEmptyListIsAPublishAndTheSameListAgainIsNone_S7) {
  ASSERT_TRUE(host->openSession(s, std::vector<std::string>{}));
  ASSERT_TRUE(service->loadSession(s));
  EXPECT_TRUE(tree().is_null());
  tell(json(R"({"type": "session/customizationsChanged", "customizations": []})"));
  EXPECT_EQ(tree(), ordered_json::array());
  EXPECT_THAT(took(), ElementsAre("customizationsChanged"));
  tell(json(R"({"type": "session/customizationsChanged", "customizations": []})"));
  EXPECT_THAT(took(), IsEmpty());
}

TEST_F(HostTest, AnEventRepublishesSessionsThatHavePublishedAndNoOthers_S7) {
  settle(own);
  ASSERT_TRUE(host->openSession("ahp://silent", std::vector<std::string>{"file:///repo"}));
  ASSERT_TRUE(service->loadSession("ahp://silent"));
  ASSERT_TRUE(service->setStored(pluginAt("acme/alpha"), std::nullopt, false, "x"));
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_EQ(sent[0].session(), s);
  EXPECT_EQ(sent[0].actionFor(Generation::second)->at("type"), "session/customizationUpdated");
  EXPECT_EQ(shown("alpha"), "global=off");
  // A change that does not show sends nothing.
  took();
  ASSERT_TRUE(service->setStored(pluginAt("acme/other"), std::nullopt, false, "x"));
  EXPECT_THAT(took(), IsEmpty());
}

TEST_F(HostTest, ADeletedSessionThatIsCreatedAgainShowsNothingOfItsPredecessor_I15) {
  settle(own);
  joinParsed();
  toggle("alpha", decisions(R"([{"kind": "session", "enabled": false}])"));
  toggle("dir", decisions(R"([{"kind": "session", "enabled": false}])"));
  bool again = false;
  onMessage = [&](const SessionMessage&) {
    if (std::exchange(again, true)) return;
    // In the middle of its messages.
    EXPECT_TRUE(host->deleteSession(s));
    EXPECT_TRUE(host->openSession(s, std::vector<std::string>{"file:///repo"}));
    second.state = first.state = ordered_json::object();
    sent.clear();
  };
  leave("c1");
  EXPECT_THAT(took(), IsEmpty());
  EXPECT_FALSE(host->snapshot(s)->stateFor(Generation::second).contains("customizations"));
  ASSERT_TRUE(service->loadSession(s));
  EXPECT_THAT(took(), IsEmpty());
  tell({{"type", "session/customizationsChanged"}, {"customizations", own}});
  EXPECT_EQ(shown("alpha"), "");
  EXPECT_EQ(entry("dir")["enabled"], true);
  EXPECT_THAT(stored(), IsEmpty());
}

TEST_F(HostTest, BadActionsAreRefusedOrIgnoredAndNothingChanges_S2_S3) {
  settle(own);
  const ordered_json before = second.state;
  for (
      const char* action :
      {"7", "[]", "{}", R"({"type": 7})", R"({"type": "session/unknown"})",
       R"({"type": "session/customizationsChanged", "customizations": []})",
       R"({"type": "session/customizationUpdated", "customization": {}})",
       R"({"type": "session/customizationRemoved", "id": "alpha"})",
       R"({"type": "session/mcpServerStateChanged", "id": "bare", "state": {"kind": "ready"}})",
       R"({"type": "session/customizationToggled"})",
       R"({"type": "session/customizationToggled", "id": "alpha", "enablement": [7]})",
       R"({"type": "session/activeClientSet", "activeClient": {}})",
       R"({"type": "session/activeClientSet", "activeClient": {"clientId": "c1", "customizations": 1}})",
       R"({"type": "session/activeClientSet", "activeClient": {"clientId": ""}})",
       R"({"type": "session/workingDirectorySet", "directory": "relative"})",
       R"({"type": "session/workingDirectoryReplaced", "directory": "file:///repo",
            "replacement": "c:"})"}) {
    const Outcome outcome = dispatch("c1", json(action));
    EXPECT_EQ(outcome.kind, Kind::refused) << action;
    EXPECT_FALSE(outcome.reason->message.empty());
  }
  EXPECT_EQ(tell(json(R"({"type": "session/titleChanged"})")).kind, Kind::ignored);
  EXPECT_EQ(
      dispatch("c1", json(R"({"type": "session/mcpServerStopRequested", "id": "none"})")).kind,
      Kind::ignored);
  EXPECT_EQ(host->dispatch("ahp://nowhere", "c1", Generation::second, json("{}")).kind,
            Kind::refused);
  EXPECT_THAT(took(), IsEmpty());
  EXPECT_EQ(second.state, before);
  EXPECT_THAT(stored(), IsEmpty());
}

TEST_F(HostTest, TheFirstWorkingDirectoryIsTheFolderOfTheSession_S2) {
  settle(own);
  ASSERT_TRUE(service->setStored(pluginAt("acme/alpha"), *WorkingDirectory::directory("file:///b"),
                                 false, "x"));
  const auto dispatchText = [&](const char* text) { return dispatch("c1", json(text)).kind; };
  EXPECT_EQ(dispatchText(R"({"type": "session/workingDirectorySet", "directory": "file:///b"})"),
            Kind::applied);
  EXPECT_EQ(shown("alpha"), "");
  EXPECT_EQ(
      dispatchText(R"({"type": "session/workingDirectoryRemoved", "directory": "file:///repo"})"),
      Kind::applied);
  EXPECT_EQ(shown("alpha"), "workspace=off");
  EXPECT_EQ(
      dispatchText(R"({"type": "session/workingDirectoryRemoved", "directory": "file:///x"})"),
      Kind::ignored);
  EXPECT_EQ(
      dispatchText(R"({"type": "session/workingDirectoryRemoved", "directory": "file:///b"})"),
      Kind::applied);
  EXPECT_EQ(shown("alpha"), "");  // none: an empty list
  EXPECT_EQ(host->routeFor(s, "alpha", Scope::workspace)->obstacle, Route::Obstacle::noWorkspace);
}

TEST_F(HostTest, WhatAServerDoesGoesOnCountingWhenTheTreeIsBuiltAnew_S7) {
  settle(own);
  tell(json(R"({"type": "session/mcpServerStateChanged", "id": "bare", "state": {"kind": "ready"},
                "channel": "mcp://1"})"));
  EXPECT_THAT(took(), ElementsAre("mcpServerStateChanged"));
  ASSERT_TRUE(service->setStored(pluginAt("acme/alpha"), std::nullopt, false, "x"));
  EXPECT_EQ(entry("bare")["state"]["kind"], "ready");
  EXPECT_EQ(entry("bare")["channel"], "mcp://1");
  dispatch("c1", json(R"({"type": "session/mcpServerStopRequested", "id": "bare"})"));
  EXPECT_EQ(entry("bare")["state"]["kind"], "stopped");
  EXPECT_FALSE(entry("bare").contains("channel"));
}

TEST_F(HostTest, AServerThatIsNotOnIsNotStarted_I7) {
  settle(own);
  toggle("alpha", decisions(R"([{"kind": "session", "enabled": false}])"));
  sent.clear();
  const ordered_json start =
      json(R"({"type": "session/mcpServerStartRequested", "id": "alpha/db"})");
  EXPECT_EQ(dispatch("c1", start).kind, Kind::refused);
  EXPECT_THAT(took(), IsEmpty());
  toggle("alpha", ordered_json::array());
  EXPECT_EQ(dispatch("c1", start).kind, Kind::applied);
  EXPECT_EQ(entry("alpha/db")["state"]["kind"], "starting");
}

TEST_F(HostTest, APendingEntryShowsFalseInTheFirstGeneration_S10) {
  ASSERT_TRUE(host->openSession(s));
  ASSERT_TRUE(service->loadSession(s));
  tell({{"type", "session/customizationsChanged"}, {"customizations", own}});
  for (const char* id : {"alpha", "alpha/db", "bare", "dir", "dir/mcp"})
    EXPECT_EQ(find(first.state, id)["enabled"], false) << id;
  took();
  // The folder is known, nobody has decided anything: only the first generation sees a change.
  dispatch("c1", json(R"({"type": "session/workingDirectorySet", "directory": "file:///repo"})"));
  EXPECT_THAT(took(), ElementsAre("workingDirectorySet", "first generation only"));
  for (const char* id : {"alpha", "alpha/db", "bare", "dir", "dir/mcp"})
    EXPECT_EQ(find(first.state, id)["enabled"], true) << id;
}

TEST_F(HostTest, ASnapshotIsTheStateThatAllMessagesLeadTo_S1_S7) {
  settle(own);
  joinParsed();
  toggle("alpha", decisions(R"([{"kind": "session", "enabled": false}])"));
  toggleFirst("dir", false);
  const auto snapshot = host->snapshot(s);
  second.state["workingDirectories"] = first.state["workingDirectories"] =
      ordered_json::array({"file:///repo"});
  EXPECT_EQ(nlohmann::json(snapshot->stateFor(Generation::second)), nlohmann::json(second.state));
  EXPECT_EQ(nlohmann::json(snapshot->stateFor(Generation::first)), nlohmann::json(first.state));
}

TEST_F(HostTest, ImportedDecisionsAreClaimedWhenTheirEntryIsFirstSeenBeforeItIsResolved_S7) {
  ImportSource source;
  source.marker = {ImportKind::sessionDb, "/old/session.db", s, "hash"};
  source.unclaimed = {{s, "alpha", false, {}, {}}, {s, "beta/found", false, {}, {}}};
  ASSERT_TRUE(service->importFrom({&source, 1}, {}, "import"));
  settle(own);
  EXPECT_EQ(shown("alpha"), "session=off");  // in the first list already
  EXPECT_THAT(stored(), ElementsAre("session acme/alpha off"));
  joinParsed();
  EXPECT_EQ(shown("beta/found"), "session=off");
  EXPECT_THAT(service->unclaimed().value(), IsEmpty());
}

TEST_F(HostTest, WhileATurnRunsAToggleNeverDecidesForAFolderThatPeersDoNotSeeYet_I17) {
  settle(own);
  toggle("alpha", decisions(R"([{"kind": "workspace", "enabled": false}])"));
  ASSERT_TRUE(service->setStored(pluginAt("acme/alpha"), *WorkingDirectory::directory("file:///b"),
                                 false, "x"));
  ASSERT_TRUE(service->setTurnActive(s, true));
  dispatch("c1", json(R"({"type": "session/workingDirectoryReplaced", "directory": "file:///repo",
                          "replacement": "file:///b"})"));
  ASSERT_EQ(entry("alpha")["enablement"][0]["uri"], "file:///repo");
  const Outcome outcome = toggle("alpha", ordered_json::array());
  EXPECT_EQ(outcome.kind, Kind::refused);
  EXPECT_EQ(outcome.reason->code, ErrorCode::foreignWorkspace);
  EXPECT_EQ(stored().size(), 2U);
  ASSERT_TRUE(service->setTurnActive(s, false));
  EXPECT_EQ(entry("alpha")["enablement"][0]["uri"], "file:///b");
}

TEST_F(HostTest, ASinkThatThrowsDoesNotStopTheOthersMessages) {
  settle(own);
  onMessage = [](const SessionMessage&) { throw std::runtime_error("broken pipe"); };
  EXPECT_EQ(toggle("alpha", decisions(R"([{"kind": "session", "enabled": false}])")).kind,
            Kind::applied);
  onMessage = nullptr;
  EXPECT_EQ(toggle("bare", decisions(R"([{"kind": "session", "enabled": false}])")).kind,
            Kind::applied);
  EXPECT_EQ(shown("bare"), "session=off");
}

TEST_F(HostTest, AListenerThatTogglesInsideAWriteIsAnsweredAtOnce_S4) {
  settle(own);
  bool once = false;
  const auto listener = service->subscribe([&](const Event&) {
    if (std::exchange(once, true)) return;
    EXPECT_EQ(toggle("bare", decisions(R"([{"kind": "session", "enabled": false}])")).kind,
              Kind::applied);
  });
  toggle("alpha", decisions(R"([{"kind": "session", "enabled": false}])"));
  EXPECT_EQ(shown("alpha"), "session=off");
  EXPECT_EQ(shown("bare"), "session=off");
  EXPECT_EQ(stored().size(), 2U);
}

}  // namespace
}  // namespace enablement::test
