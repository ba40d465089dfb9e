// Clients, what they publish and how they go (S3, S5, S6).
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "session_fixture.h"

namespace enablement::test {
namespace {

using Kind = Outcome::Kind;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_F(HostTest, APluginOfAClientAppearsLoadingAndAgainWithWhatTheHostFoundInIt_S6) {
  settle();
  EXPECT_EQ(join("c1", beta).kind, Kind::applied);
  EXPECT_THAT(took(), ElementsAre("activeClientSet", "customizationUpdated", "parse beta"));
  EXPECT_EQ(entry("beta")["clientId"], "c1");
  EXPECT_EQ(entry("beta")["load"]["kind"], "loading");
  EXPECT_FALSE(entry("beta").contains("children"));
  EXPECT_FALSE(entry("beta").contains("childEnablement"));
  EXPECT_FALSE(entry("beta").contains("nonce"));
  EXPECT_EQ(shown("beta"), "global=on");

  tell({{"type", "session/customizationUpdated"}, {"customization", betaFound}});
  EXPECT_THAT(took(), ElementsAre("customizationUpdated"));
  EXPECT_EQ(entry("beta")["load"]["kind"], "loaded");
  EXPECT_EQ(entry("beta")["uri"], "file:///clients/beta");  // never where it was put (S9)
  EXPECT_EQ(entry("beta")["clientId"], "c1");
  EXPECT_EQ(shown("beta/web"), "global=on");
  EXPECT_EQ(shown("beta/mail"), "");
}

TEST_F(HostTest, AnUnchangedNonceSparesTheParsingAndAnotherOneAsksForIt_S6) {
  settle();
  joinParsed();
  ordered_json again = beta;
  again[0]["name"] = "Beta, renamed";
  join("c1", again);
  EXPECT_THAT(took(), ElementsAre("activeClientSet", "customizationUpdated"));
  EXPECT_EQ(entry("beta")["name"], "Beta, renamed");
  EXPECT_EQ(entry("beta")["children"].size(), 3U);
  again[0]["nonce"] = "2";
  join("c1", again);
  EXPECT_THAT(took(), ElementsAre("activeClientSet", "customizationUpdated", "parse beta"));
  EXPECT_FALSE(entry("beta").contains("children"));
  // What was found in the old one comes too late.
  tell({{"type", "session/customizationUpdated"}, {"customization", betaFound}});
  EXPECT_FALSE(entry("beta").contains("children"));
  EXPECT_THAT(took(), IsEmpty());
}

TEST_F(HostTest, AnEntryOfAnotherTypeOrMalformedIsRefusedAndTheRestIsTaken_S6) {
  settle();
  ordered_json list = json(R"([
    {"type": "mcpServer", "id": "m", "name": "m"}, 7, {"type": "plugin", "uri": "a/b"},
    {"type": "plugin", "id": "x"}, {"type": "plugin", "id": "x", "uri": "c:/bad uri%"},
    {"type": "plugin", "id": "x", "uri": "a/b", "enablement": {}},
    {"type": "plugin", "id": "x", "uri": "a/b", "childEnablement": {"": []}},
    {"type": "plugin", "id": "x", "uri": "a/b", "children": 1}])");
  const std::size_t bad = list.size();
  list.push_back(beta[0]);
  const Outcome outcome = join("c1", list);
  EXPECT_EQ(outcome.kind, Kind::applied);
  ASSERT_EQ(outcome.refusedEntries.size(), bad);
  for (std::size_t i = 0; i < bad; ++i) {
    EXPECT_EQ(outcome.refusedEntries[i].index, i);
    EXPECT_FALSE(outcome.refusedEntries[i].reason.message.empty());
  }
  EXPECT_THAT(outcome.refusedEntries[0].reason.message, HasSubstr("plugins only"));
  ASSERT_EQ(tree().size(), 1U);
  EXPECT_EQ(second.state["activeClients"][0]["customizations"].size(), 1U);
}

TEST_F(HostTest, AClientsOwnListIsGatedBeforeItLeaves_S7_I19) {
  settle();
  ASSERT_TRUE(service->setStored(pluginAt("file:///clients/beta"), std::nullopt, false, "x"));
  join("c1", beta);
  const ordered_json mine = second.state["activeClients"][0]["customizations"][0];
  EXPECT_EQ(mine["enablement"], json(R"([{"kind": "global", "enabled": false}])"));
  const ordered_json old = first.state["activeClients"][0]["customizations"][0];
  EXPECT_EQ(old["enabled"], false);
  EXPECT_FALSE(old.contains("enablement"));
  EXPECT_FALSE(old.contains("childEnablement"));
}

TEST_F(HostTest, OneUriOfTwoClientsAppearsOnceFromTheFirstUntilItLeaves_S6) {
  settle();
  joinParsed();
  ordered_json other = beta;
  other[0]["id"] = "beta of c2";
  other[0]["uri"] = "FILE:///clients/beta/";
  other[0]["enablement"][0]["enabled"] = false;
  join("c2", other);
  EXPECT_EQ(tree().size(), 1U);
  EXPECT_EQ(entry("beta")["clientId"], "c1");
  EXPECT_EQ(shown("beta"), "global=on");  // opposite globals: the first active one decides
  EXPECT_EQ(host->routeFor(s, "beta", Scope::global)->client, "c1");
  sent.clear();

  // The first one has no opinion any more: the second one decides, the plugin stays the first's.
  ordered_json silent = beta;
  silent[0].erase("enablement");
  join("c1", silent);
  EXPECT_EQ(shown("beta"), "global=off");
  EXPECT_EQ(entry("beta")["clientId"], "c1");
  EXPECT_EQ(host->routeFor(s, "beta", Scope::global)->client, "c2");
  join("c1", beta);
  EXPECT_EQ(shown("beta"), "global=on");
  sent.clear();

  leave("c1");
  EXPECT_THAT(took(), ElementsAre("activeClientRemoved", "left c1", "customizationsChanged",
                                  "parse beta of c2"));
  ASSERT_EQ(tree().size(), 1U);
  EXPECT_EQ(entry("beta of c2")["clientId"], "c2");
  EXPECT_EQ(shown("beta of c2"), "global=off");
  leave("c2");
  EXPECT_EQ(tree(), ordered_json::array());
  EXPECT_EQ(second.state["activeClients"], ordered_json::array());
  EXPECT_THAT(stored(), IsEmpty());
  EXPECT_EQ(
      std::get<Resolved>(service->resolve(s, pluginAt("file:///clients/beta"))).enablement().size(),
      0U);
}

TEST_F(HostTest, TheLastPluginGoesWithItsClientWhereTheHostHasToldNothing_S6) {
  ASSERT_TRUE(host->openSession(s, std::vector<std::string>{}));
  ASSERT_TRUE(service->loadSession(s));
  join("c1", beta);
  EXPECT_EQ(tree().size(), 1U);
  leave("c1");
  EXPECT_EQ(tree(), ordered_json::array());
}

TEST_F(HostTest, WhatIsFoundInAPluginAfterItsClientHasLeftIsNoEntryOfTheHosts_S6) {
  settle();
  join("c1", beta);
  leave("c1");
  took();
  ordered_json found = betaFound;
  found["nonce"] = "1";
  tell({{"type", "session/customizationUpdated"}, {"customization", found}});
  EXPECT_EQ(tree(), ordered_json::array());
  tell({{"type", "session/customizationsChanged"}, {"customizations", {found}}});
  EXPECT_EQ(tree(), ordered_json::array());
  EXPECT_THAT(took(), IsEmpty());
}

TEST_F(HostTest, AClientThatComesBackWhileItIsTakenAwayStays_S6) {
  settle();
  ordered_json off = beta;
  off[0]["enablement"] = json(R"([{"kind": "global", "enabled": false}])");
  join("c1", off);
  ordered_json other = off;
  other[0]["name"] = "Beta, again";
  bool once = false;
  const auto listener = service->subscribe([&](const Event&) {
    if (!std::exchange(once, true)) join("c1", other);
  });
  leave("c1");
  ASSERT_TRUE(once) << "nobody was told that the client's off is gone";
  EXPECT_EQ(entry("beta")["name"], "Beta, again");
  EXPECT_EQ(shown("beta"), "global=off");
  leave("c1");
  EXPECT_EQ(tree(), ordered_json::array());
  EXPECT_EQ(service->ownState(s, pluginAt("file:///clients/beta")).state, EffectiveState::enabled);
}

TEST_F(HostTest, AnIdThatIsTakenLeavesAPluginOutAsLongAsTheOtherIsThere_S6) {
  settle(own);
  ordered_json taken = beta;
  taken[0]["id"] = "bare";
  join("c1", taken);
  EXPECT_EQ(tree().size(), own.size());
  tell(json(R"({"type": "session/customizationRemoved", "id": "bare"})"));
  EXPECT_EQ(entry("bare")["type"], "plugin");
}

TEST_F(HostTest, ADisconnectedClientStaysForTheGracePeriod_S6) {
  settle();
  joinParsed();
  EXPECT_EQ(host->nextDeadline(), std::nullopt);
  host->clientDisconnected("c1");
  EXPECT_EQ(host->nextDeadline(), clock.now() + seconds(30));
  clock.advance(seconds(29));
  host->tick(clock.now());
  EXPECT_THAT(took(), IsEmpty());
  clock.advance(seconds(1));
  host->tick(clock.now());
  EXPECT_THAT(took(), ElementsAre("activeClientRemoved", "left c1", "customizationsChanged"));
  EXPECT_EQ(host->nextDeadline(), std::nullopt);
  EXPECT_EQ(tree(), ordered_json::array());
}

TEST_F(HostTest, AReconnectCancelsTheGracePeriodAndOneThatLeavesTheSessionOutEndsIt_S6) {
  settle();
  joinParsed();
  host->clientDisconnected("c1");
  host->clientReconnected("c1", std::vector<std::string>{s});
  EXPECT_EQ(host->nextDeadline(), std::nullopt);
  host->clientDisconnected("c1");
  join("c1", beta);  // it is there: it has just said so
  EXPECT_EQ(host->nextDeadline(), std::nullopt);
  EXPECT_THAT(took(), IsEmpty());
  host->clientDisconnected("c1");
  host->clientReconnected("c1", std::vector<std::string>{"ahp://another"});
  EXPECT_THAT(took(), ElementsAre("activeClientRemoved", "left c1", "customizationsChanged"));
}

TEST_F(HostTest, UnsubscribingTakesAClientAwayAtOnce_S6) {
  settle();
  joinParsed();
  host->clientUnsubscribed(s, "c1");
  EXPECT_THAT(took(), ElementsAre("activeClientRemoved", "left c1", "customizationsChanged"));
}

TEST_F(HostTest, AClientSpeaksForItselfAlone_S6) {
  settle();
  joinParsed();
  const ordered_json before = second.state;
  EXPECT_EQ(
      dispatch("c2", json(R"({"type": "session/activeClientRemoved", "clientId": "c1"})")).kind,
      Kind::refused);
  EXPECT_EQ(dispatch("c2", json(R"({"type": "session/activeClientSet",
                                    "activeClient": {"clientId": "c1"}})"))
                .kind,
            Kind::refused);
  EXPECT_EQ(second.state, before);
  // The host may.
  EXPECT_EQ(tell(json(R"({"type": "session/activeClientRemoved", "clientId": "c1"})")).kind,
            Kind::applied);
}

// The classic fault, and whoever makes it worse.

TEST_F(HostTest, AClientThatRepublishesInsideTheSinkNeverUndoesADecisionAndTheLoopEnds_S7) {
  settle();
  joinParsed();
  int republished = 0;
  onMessage = [&](const SessionMessage&) {
    ++republished;
    join("c1", beta);
  };
  for (const bool on : {false, true, false}) {
    sent.clear();
    const Outcome outcome =
        toggle("beta", ordered_json::array({{{"kind", "session"}, {"enabled", on}},
                                            {{"kind", "global"}, {"enabled", true}}}));
    EXPECT_EQ(outcome.kind, Kind::applied);
    EXPECT_LE(took().size(), 2U);  // the echo, and where the store knows better one publish
    EXPECT_EQ(stored().size(), on ? 0U : 1U);
    EXPECT_EQ(host->nextDeadline(), std::nullopt);
  }
  EXPECT_GT(republished, 0);
  EXPECT_THAT(stored(), ElementsAre("session file:///clients/beta off"));
}

TEST_F(HostTest, AClientThatRepublishesWhatItIsShownEndsAfterOnePublishPerChange_S7) {
  settle();
  joinParsed();
  onMessage = [&](const SessionMessage& message) {
    // It takes what it sees for its own opinion.
    if (message.list() == nullptr) return;
    ordered_json echo = beta;
    const ordered_json shown = entry("beta");
    echo[0].erase("enablement");
    if (shown.contains("enablement")) echo[0]["enablement"] = shown["enablement"];
    join("c1", echo);
  };
  ASSERT_TRUE(service->set(s, pluginAt("file:///clients/beta"), Scope::session, false, "person"));
  EXPECT_LE(sent.size(), 3U);
  EXPECT_THAT(stored(), ElementsAre("session file:///clients/beta off"));
  EXPECT_EQ(host->nextDeadline(), std::nullopt);
}

TEST_F(HostTest, PeersThatAnswerEveryMessageCannotHoldTheCallerForEver_S7) {
  settle();
  int nonce = 0;
  onMessage = [&](const SessionMessage&) {
    ordered_json next = beta;
    next[0]["nonce"] = std::to_string(++nonce);
    join("c1", next);
  };
  join("c1", beta);
  EXPECT_LE(sent.size(), SessionHost::maxMessagesPerCall + 1);
  EXPECT_EQ(host->nextDeadline(), clock.now());  // the rest waits for the next call
  onMessage = nullptr;
  for (int calls = 0; calls < 5 && host->nextDeadline(); ++calls) host->tick(clock.now());
  EXPECT_EQ(host->nextDeadline(), std::nullopt);
}

TEST_F(HostTest, AWriteNeverLosesToAClientsOlderValue_I8) {
  settle();
  joinParsed();
  // The command line stores above the base; the client says the opposite again and again.
  ASSERT_TRUE(service->set(s, pluginAt("file:///clients/beta"), Scope::global, false, "enablectl"));
  for (const char* nonce : {"1", "2", "1"}) {
    ordered_json again = beta;
    again[0]["nonce"] = nonce;
    join("c1", again);
    EXPECT_EQ(shown("beta"), "global=off");
  }
  EXPECT_THAT(stored(), ElementsAre("global file:///clients/beta off"));
}

}  // namespace
}  // namespace enablement::test
