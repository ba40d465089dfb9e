// What the words of a runtime are taken for (E4, E5), and what it may ask (E6).
#include <array>

#include "enforcement_fixture.h"

namespace enablement::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// States (E4).

struct StateRow {
  const char* word;
  Published::Kind published;
  bool challengeCleared;
  std::optional<bool> observed;
};

class States : public MidSession, public ::testing::WithParamInterface<StateRow> {};

TEST_P(States, IsPublishedAndSaysAboutEnablementWhatTheTableSays_E4) {
  start(Runtime::copilot, {});
  const auto& row = GetParam();
  const Observation seen = lifeCycle("db", runtimeStateOf(row.word));
  ASSERT_EQ(seen.published.size(), 1U);
  EXPECT_EQ(seen.published[0].kind, row.published);
  EXPECT_EQ(seen.published[0].challengeCleared, row.challengeCleared);
  EXPECT_EQ(observed.servers(state).at("db").enabled, row.observed);
  EXPECT_THAT(seen.toggles, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Table, States,
    ::testing::Values(StateRow{"pending", Published::Kind::starting, false, {}},
                      StateRow{"connected", Published::Kind::ready, false, {}},
                      StateRow{"failed", Published::Kind::error, false, {}},
                      StateRow{"needs-auth", Published::Kind::starting, false, {}},
                      StateRow{"stopped", Published::Kind::stopped, false, {}},
                      StateRow{"whatever", Published::Kind::stopped, false, {}},
                      StateRow{"disabled", Published::Kind::stopped, true, false},
                      StateRow{"not_configured", Published::Kind::stopped, true, {}}));

TEST_F(MidSession, NeedsAuthIsPublishedAsAuthRequiredOnceAChallengeIsKnown_E4) {
  startAll(Runtime::copilot);
  EXPECT_EQ(lifeCycle("db", RuntimeState::needsAuth).published[0].kind, Published::Kind::starting);
  auth("db");
  EXPECT_EQ(lifeCycle("db", RuntimeState::needsAuth).published[0].kind,
            Published::Kind::authRequired);
  lifeCycle("db", RuntimeState::notConfigured);
  EXPECT_EQ(lifeCycle("db", RuntimeState::needsAuth).published[0].kind, Published::Kind::starting);
}

TEST_F(MidSession, AnExplicitFlagInTheInventoryIsObservedOnOrOff_E4) {
  start(Runtime::copilot, {{"db", true}, {"web", false}});
  EXPECT_EQ(observed.servers(state).at("db").enabled, true);
  EXPECT_EQ(observed.servers(state).at("web").enabled, false);
}

TEST_F(MidSession, NotConfiguredSaysNothing) {
  startAll(Runtime::copilot);
  const auto seen = lifeCycle("db", RuntimeState::notConfigured);
  EXPECT_THAT(seen.toggles, IsEmpty());
  EXPECT_EQ(observed.servers(state).at("db").enabled, true);
  EXPECT_THAT(steps(), IsEmpty());
}

TEST_F(MidSession, StoppedOrFailedNeverBecomesAStoredOff) {
  startAll(Runtime::copilot);
  for (const RuntimeState became : {RuntimeState::stopped, RuntimeState::failed}) {
    EXPECT_THAT(lifeCycle("db", became).toggles, IsEmpty());
    EXPECT_THAT(see(Inventory{state.inventoryRequested(), {{"db", became, {}}}}).toggles,
                IsEmpty());
  }
  EXPECT_EQ(ask("db", StartStop::stop).isAllowed, true);
  EXPECT_THAT(steps(), IsEmpty());
}

// Outside toggles (E5).

TEST_F(MidSession, OurOwnDisableDoesNotComeBackAsAnOutsideToggle) {
  startAll(Runtime::copilot);
  off(db);
  carryOut(mid());
  on(db);  // before the runtime has said anything
  EXPECT_THAT(inventory({{"bare", true}, {"db", false}, {"web", true}}).toggles, IsEmpty());
  EXPECT_THAT(steps(), ElementsAre("expect db on", "mcp.enable db on"));
}

TEST_F(MidSession, AnInventoryThatOurOwnCallOvertookIsNotUsed) {
  startAll(Runtime::copilot);
  off(db);
  carryOut(mid());
  const auto asked = state.inventoryRequested();
  on(db);
  carryOut(mid());
  const auto seen = see(Inventory{asked, reports({{"db", false}})});
  EXPECT_FALSE(seen.wasUsed);
  EXPECT_TRUE(seen.inventoryWanted);
  EXPECT_THAT(seen.toggles, IsEmpty());
}

TEST_F(MidSession, TheFirstInventoryIsNoChange) {
  runtime = Runtime::copilot;
  state.launched(plan(runtime));
  EXPECT_THAT(inventory({{"db", false}, {"web", true}, {"mine", false}}).toggles, IsEmpty());
}

TEST_F(MidSession, ACachedLoadedSnapshotDoesNotRevertAToggle) {
  off(db);
  start(Runtime::copilot, {{"db", false}});
  on(db);
  carryOut(mid());
  const auto seen = see(ServersLoaded{reports({{"db", false}})});
  EXPECT_THAT(seen.toggles, IsEmpty());
  EXPECT_TRUE(seen.inventoryWanted);
  EXPECT_THAT(inventory({{"db", true}}).toggles, IsEmpty());
  EXPECT_THAT(steps(), IsEmpty());
  EXPECT_EQ(show(service->resolve(session, db)), "on");
}

TEST_F(MidSession, AnInventoryThatALifeCycleEventOvertookIsNotUsed_E5) {
  startAll(Runtime::copilot);
  const auto asked = state.inventoryRequested();
  lifeCycle("web", RuntimeState::failed);
  const auto seen = see(Inventory{asked, reports({{"db", false}})});
  EXPECT_FALSE(seen.wasUsed);
  EXPECT_THAT(seen.toggles, IsEmpty());
}

TEST_F(MidSession, AnInventoryThatANewerRequestOvertookIsNotUsed_E5) {
  startAll(Runtime::copilot);
  const auto asked = state.inventoryRequested();
  const auto askedAgain = state.inventoryRequested();
  EXPECT_FALSE(see(Inventory{asked, reports({{"db", false}})}).wasUsed);
  EXPECT_TRUE(see(Inventory{askedAgain, reports({{"db", true}})}).wasUsed);
}

TEST_F(MidSession, AnOutsideToggleKeepsSessionAndWorkspaceDecisions) {
  off(db);
  on(db, Scope::workspace);
  on(db, Scope::global);
  off(db);
  startAll(Runtime::copilot);
  // On by the workspace; somebody switches it off in the runtime.
  const auto seen = inventory({{"bare", true}, {"db", false}, {"web", true}});
  ASSERT_EQ(seen.toggles.size(), 1U);
  const OutsideToggle& toggle = seen.toggles[0];
  EXPECT_FALSE(toggle.enabled);
  EXPECT_EQ(toggle.target.key, db.key);
  EXPECT_EQ(toggleAction(toggle), parsed(R"({"type": "session/customizationToggled",
      "id": "acme/alpha/db", "enablement": [
        {"kind": "workspace", "uri": "file:///repo", "enabled": true},
        {"kind": "global", "enabled": false}]})"))
      << toggleAction(toggle);
}

TEST_F(MidSession, AnOverrideHoldsUntilTheAnswer_E5) {
  startAll(Runtime::copilot);
  const auto seen = inventory({{"bare", true}, {"db", false}, {"web", true}});
  ASSERT_EQ(seen.toggles.size(), 1U);
  EXPECT_THAT(steps(), IsEmpty());
  EXPECT_FALSE(auth("db").isAllowed);
  EXPECT_EQ(configured(Runtime::copilot)["disabledMcpServers"], Json::array({"db"}));
}

TEST_F(MidSession, AnOverrideEnds) {
  for (const ToggleAnswer answer : {ToggleAnswer::stored, ToggleAnswer::refused,
                                    ToggleAnswer::routed, ToggleAnswer::outvoted}) {
    state = EnforcementState();
    observed = Observed();
    startAll(Runtime::copilot);
    const auto seen = inventory({{"bare", true}, {"db", false}, {"web", true}});
    ASSERT_EQ(seen.toggles.size(), 1U);
    if (answer == ToggleAnswer::stored) set(seen.toggles[0].target, Scope::global, false);
    if (answer == ToggleAnswer::outvoted) {
      must(service->setStored(db, WorkingDirectory::directory("file:///repo").value(), true, "t"));
      set(seen.toggles[0].target, Scope::global, false);
    }
    state.toggleAnswered("db", answer);
    EXPECT_THAT(state.overrides(), IsEmpty());
    if (answer == ToggleAnswer::stored)
      EXPECT_THAT(steps(), IsEmpty());
    else
      EXPECT_THAT(steps(), ElementsAre("expect db on", "mcp.enable db on")) << name(answer);
    must(service->clearEverywhere(db.key, "test"));
  }
}

TEST_F(MidSession, AnOverrideNeverLiftsPending_I7) {
  startAll(Runtime::copilot);
  off(db);
  carryOut(mid());
  inventory({{"bare", true}, {"db", false}, {"web", true}});
  must(service->setWorkingDirectory(session, WorkingDirectory::pending()));
  EXPECT_EQ(inventory({{"bare", false}, {"db", true}, {"web", false}}).toggles.size(), 1U);
  EXPECT_THAT(steps(), Contains("mcp.disable db off"));
  EXPECT_FALSE(auth("db").isAllowed);
}

TEST_F(MidSession, AnOutsideToggleOfABareNameHasItsKey_E2b) {
  startAll(Runtime::copilot);
  owners["mine"] = "acme/alpha";
  inventory({{"mine", true}});
  const auto seen = inventory({{"mine", false}});
  ASSERT_EQ(seen.toggles.size(), 1U);
  EXPECT_EQ(seen.toggles[0].target.key.printed(), "acme/alpha#mcp=mine");
  EXPECT_EQ(toggleAction(seen.toggles[0]), nullptr);
}

TEST_F(MidSession, EachSessionHasAStateOfItsOwn_E9) {
  startAll(Runtime::copilot);
  off(db);
  const EnforcementState other = state;
  const MidSessionPlan made = mid();
  state.begin(made, made.steps[0]);
  EXPECT_THAT(other.marks(), IsEmpty());
}

// Requests (E6).

TEST_F(MidSession, AnAuthenticationIsAnsweredFromTheCurrentResolution_E6) {
  startAll(Runtime::copilot);
  EXPECT_TRUE(auth("db").isAllowed);
  off(db);
  const RequestAnswer answer = auth("db");
  EXPECT_FALSE(answer.isAllowed);
  EXPECT_EQ(answer.why, Why::global);
}

TEST_F(MidSession, AnAuthenticationIsSuppressedWhilePending_E6) {
  startAll(Runtime::copilot);
  must(service->setWorkingDirectory(session, WorkingDirectory::pending()));
  EXPECT_FALSE(auth("db").isAllowed);
  service->close();
  const GatedList now = gated();
  const auto answer = authRequest(runtime, "db", {*service, session, now, owners, sources}, state);
  EXPECT_FALSE(answer.isAllowed);
  EXPECT_EQ(answer.notYet, NotYet::store);
}

TEST_F(MidSession, AnAuthenticationOfANameFirstSeenNowIsAnsweredByItsKey_E6) {
  startAll(Runtime::copilot);
  off(server("late"));
  EXPECT_FALSE(auth("late").isAllowed);
  EXPECT_THAT(state.seen(), Contains("late"));
  EXPECT_TRUE(auth("later").isAllowed);
}

TEST_F(MidSession, StartAndStopNeverChangeEnablement_E6) {
  startAll(Runtime::copilot);
  EXPECT_EQ(ask("db", StartStop::stop).published, Published::Kind::stopped);
  EXPECT_EQ(show(service->resolve(session, db)), "on");
  EXPECT_TRUE(ask("db", StartStop::start).isAllowed);
  off(db);
  EXPECT_FALSE(ask("db", StartStop::start).isAllowed);
  EXPECT_EQ(show(service->resolve(session, db)), "off global=off");
  EXPECT_THAT(state.marks(), IsEmpty());
}

}  // namespace
}  // namespace enablement::test
