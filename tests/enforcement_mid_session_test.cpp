// What a running runtime is told (E3).
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

// Copilot.

TEST_F(MidSession, CopilotSwitchesOffWithAMarkBeforeTheCall_E3) {
  startAll(Runtime::copilot);
  EXPECT_THAT(steps(), IsEmpty());
  off(db);
  const MidSessionPlan made = mid();
  EXPECT_THAT(show(made.steps), ElementsAre("expect db off", "mcp.disable db off"));
  EXPECT_EQ(made.steps[1].onFailure, OnFailure::failTurn);
  EXPECT_EQ(toJson(made)["steps"][1].dump(),
            R"({"step":"call","call":"mcp.disable","server":"db","enabled":false,)"
            R"("when":"atOnce","onFailure":"failTurn","why":"global"})");
}

TEST_F(MidSession, CopilotSwitchesOnWithAMarkBeforeTheCall_E3) {
  off(db);
  start(Runtime::copilot, {{"db", false}});
  on(db);
  const MidSessionPlan made = mid();
  EXPECT_THAT(show(made.steps), ElementsAre("expect db on", "mcp.enable db on"));
  EXPECT_EQ(made.steps[1].onFailure, OnFailure::log);
}

TEST_F(MidSession, CancelAuthenticationBeforeDisable) {
  startAll(Runtime::copilot);
  EXPECT_TRUE(auth("db").isAllowed);
  lifeCycle("web", RuntimeState::needsAuth);
  off(db);
  off(web);
  EXPECT_THAT(steps(),
              ElementsAre("cancelAuthentication db", "expect db off", "mcp.disable db off",
                          "cancelAuthentication web", "expect web off", "mcp.disable web off"));
}

TEST_F(MidSession, AFailedDisableFailsTheTurnAndRemovesItsMark) {
  startAll(Runtime::copilot);
  off(db);
  off(web);
  const MidSessionPlan made = mid();
  state.begin(made, made.steps[0]);
  EXPECT_TRUE(state.marks().contains("db"));
  state.begin(made, made.steps[1]);
  EXPECT_EQ(state.ended(made, made.steps[1], false), StepEnd::failTurn);
  EXPECT_THAT(state.marks(), IsEmpty());
  EXPECT_THAT(steps(), Contains("mcp.disable db off")) << "it is tried again";
}

TEST_F(MidSession, AFailedEnableIsLoggedAndRemovesItsMark_E3) {
  off(db);
  start(Runtime::copilot, {{"db", false}});
  on(db);
  const LogCapture log;
  EXPECT_EQ(carryOut(mid(), "db"), StepEnd::goOn);
  EXPECT_THAT(state.marks(), IsEmpty());
  EXPECT_THAT(
      log.lines(),
      Contains(R"(warning "ahp://copilot/1" in copilot: mcp.enable "db" on (by default) failed)"));
}

TEST_F(MidSession, AMarkLeftByAFailedCallDoesNotSwallowALaterOutsideToggle_E5) {
  startAll(Runtime::copilot);
  off(db);
  carryOut(mid(), "db");
  on(db);
  const auto seen = inventory({{"bare", true}, {"db", false}, {"web", true}});
  ASSERT_EQ(seen.toggles.size(), 1U);
  EXPECT_EQ(seen.toggles[0].server, "db");
}

TEST_F(MidSession, AMarkOfACallThatDidNothingDoesNotSwallowALaterOutsideToggle_E5) {
  startAll(Runtime::copilot);
  off(db);
  carryOut(mid());
  inventory({{"bare", true}, {"db", true}, {"web", true}});
  EXPECT_THAT(state.marks(), IsEmpty());
  on(db);
  EXPECT_EQ(inventory({{"bare", true}, {"db", false}, {"web", true}}).toggles.size(), 1U);
}

TEST_F(MidSession, AMarkOfACallThatNeverEndedDoesNotSwallowALaterOutsideToggle_E5) {
  startAll(Runtime::copilot);
  off(db);
  const MidSessionPlan made = mid();
  state.begin(made, made.steps[0]);
  state.begin(made, made.steps[1]);  // and the host gave up
  on(db);
  carryOut(mid());
  inventory({{"bare", true}, {"db", true}, {"web", true}});
  EXPECT_EQ(inventory({{"bare", true}, {"db", false}, {"web", true}}).toggles.size(), 1U);
}

TEST_F(MidSession, AServerRegisteredAtLaunchThatWasOffThenNeedsARelaunch_E3) {
  sources.plugins["acme/alpha"].servers = definitions({"db"});
  sources.plugins["acme/alpha"].registered = {"db"};
  off(db);
  start(Runtime::copilot, {{"web", true}});
  on(db);
  const MidSessionPlan made = mid();
  EXPECT_THAT(show(made.steps), ElementsAre("relaunch @send"));
  ASSERT_TRUE(made.launch);
  EXPECT_EQ(made.launch->launch, Launch::resume);
  EXPECT_TRUE(made.launch->configuration["mcpServers"].contains("db"));
  carryOut(made);
  EXPECT_THAT(steps(), IsEmpty());
}

TEST_F(MidSession, APluginThatIsSwitchedOffHasItsServersSwitchedOffAtOnce) {
  startAll(Runtime::copilot);
  off(alpha);
  EXPECT_THAT(steps(), ElementsAre("expect db off", "mcp.disable db off", "expect web off",
                                   "mcp.disable web off", "relaunch @send"));
}

TEST_F(MidSession, APluginThatIsGoneHasItsServersSwitchedOff) {
  startAll(Runtime::copilot);
  list.erase(0);
  EXPECT_THAT(steps(), ElementsAre("expect db off", "mcp.disable db off", "expect web off",
                                   "mcp.disable web off", "relaunch @send"));
}

TEST_F(MidSession, AServerThatItsPluginLostIsSwitchedOff) {
  startAll(Runtime::copilot);
  list[0]["children"].erase(0);
  EXPECT_THAT(steps(), ElementsAre("expect db off", "mcp.disable db off"));
}

TEST_F(MidSession, AServerThatItsPluginHadForAWhileIsABareTargetAfterwards_E2b) {
  list[0] = pluginEntry("acme/alpha", {"web"});
  startAll(Runtime::copilot);
  list[0] = pluginEntry("acme/alpha", {"late", "web"});
  inventory({{"bare", true}, {"late", true}, {"web", true}});
  list[0] = pluginEntry("acme/alpha", {"web"});
  off(server("late"));
  EXPECT_THAT(steps(), ElementsAre("expect late off", "mcp.disable late off"));
}

TEST_F(MidSession, ALaunchTimeOffIsADefaultAndNoConstant_E3) {
  off(db);
  start(Runtime::copilot, {{"db", false}});
  on(db);
  carryOut(mid());
  inventory({{"db", true}});
  EXPECT_THAT(steps(), IsEmpty());
  off(db);
  EXPECT_THAT(steps(), Contains("mcp.disable db off"));
}

// Claude.

TEST_F(MidSession, ClaudeSwitchesOffByToggle_E3) {
  startAll(Runtime::claude);
  off(db);
  const MidSessionPlan made = mid();
  EXPECT_THAT(show(made.steps), ElementsAre("toggleMcpServer db off"));
  EXPECT_FALSE(made.steps[0].atNextSend);
}

TEST_F(MidSession, ClaudeSwitchesOnByToggleThenReconnect_E3) {
  off(db);
  start(Runtime::claude, {{"db", false}});
  on(db);
  EXPECT_THAT(steps(), ElementsAre("toggleMcpServer db on", "reconnectMcpServer db"));
}

TEST_F(MidSession, AnythingElseThatChangedRebuildsClaudeAtTheNextSend_E3) {
  startAll(Runtime::claude);
  sources.rest = {{"tools", {"read"}}};
  EXPECT_THAT(steps(), ElementsAre("rebuild @send"));
  carryOut(mid());
  inventory({{"bare", true}, {"db", true}, {"web", true}});
  EXPECT_THAT(steps(), IsEmpty());
  sources.workspace = {{.primary = false, .servers = definitions({"second"})}};
  EXPECT_THAT(steps(), ElementsAre("rebuild @send"));
  sources.workspace.clear();
  list.push_back(pluginEntry("acme/beta", {}));
  sources.plugins["acme/beta"] = {.directory = "/plugins/beta"};
  EXPECT_THAT(steps(), ElementsAre("rebuild @send"));
}

// Codex.

class Reload : public MidSession {
 protected:
  void SetUp() override {
    MidSession::SetUp();
    sources.plugins["acme/alpha"].servers = definitions({"db", "web"});
    start(Runtime::codex, {{"db", true}, {"web", true}});
  }
};

TEST_F(Reload, CodexStartsTheThreadAgainBeforeItsFirstTurn_E3) {
  EXPECT_THAT(steps(), IsEmpty());
  off(db);
  EXPECT_THAT(steps(), ElementsAre("reload thread/start @send"));
}

TEST_F(Reload, CodexResumesTheThreadWithTheNewConfigurationAfterIt_E3) {
  sources.hadTurn = true;
  off(db);
  const MidSessionPlan made = mid();
  EXPECT_THAT(show(made.steps), ElementsAre("reload thread/resume @send"));
  EXPECT_EQ(namesIn(made.launch->configuration["mcp_servers"]), Names{"web"});
}

TEST_F(Reload, ItIsRepeatedUntilTheAppliedConfigurationIsTheWantedOne_E3) {
  off(db);
  off(web);
  carryOut(mid());
  see(ConfigurationReported{{"web"}});  // one of two is gone
  EXPECT_THAT(steps(), ElementsAre("reload thread/start @send"));
  carryOut(mid());
  see(ConfigurationReported{{}});
  EXPECT_THAT(steps(), IsEmpty());
}

TEST_F(Reload, TheSameUnresolvedDifferenceTwiceIsDidNotConverge) {
  off(db);
  carryOut(mid());
  see(ConfigurationReported{{"db", "web"}});
  const MidSessionPlan made = mid();
  EXPECT_THAT(made.steps, IsEmpty());
  EXPECT_THAT(made.didNotConverge, ElementsAre("db"));
  EXPECT_EQ(toJson(made)["error"], parsed(R"({"code": "didNotConverge", "servers": ["db"]})"));
  const LogCapture log;
  carryOut(made);
  EXPECT_THAT(log.lines(), ElementsAre(AllOf(HasSubstr("error"), HasSubstr("db"))));
  // Another wish is tried; when it is met, so is the old one again.
  on(db);
  EXPECT_THAT(mid().didNotConverge, IsEmpty());
  carryOut(mid());
  off(db);
  EXPECT_THAT(steps(), ElementsAre("reload thread/start @send"));
}

TEST_F(Reload, AReloadThatFailsFailsTheSendAndCountsAsTried) {
  off(db);
  const MidSessionPlan made = mid();
  state.handOver(made);
  state.begin(made, made.steps[0]);
  EXPECT_EQ(state.ended(made, made.steps[0], false), StepEnd::failTurn);
  EXPECT_THAT(mid().didNotConverge, ElementsAre("db"));
}

TEST_F(Reload, CodexSaysInTheMiddleOfASessionWhatItCannotEnforce_E1) {
  inventory({{"db", true}, {"mine", true}});
  off(server("mine"));
  EXPECT_THAT(mid().unenforceable, ElementsAre("mine"));
}

// All of them.

TEST_F(MidSession, OnlyNamesThatTheRuntimeListsAreTouched_E3) {
  start(Runtime::copilot, {{"web", true}});
  off(db);
  EXPECT_THAT(steps(), IsEmpty());
}

TEST_F(MidSession, AStepWhoseObservedValueIsTheWantedOneIsLeftOut_E3) {
  startAll(Runtime::copilot);
  off(db);
  inventory({{"bare", true}, {"db", false}, {"web", true}});
  EXPECT_THAT(steps(), IsEmpty());
}

TEST_F(MidSession, AnInheritedOnNeverSwitchesOnWhatTheRuntimeHadOff) {
  start(Runtime::copilot, {{"mine", false}, {"bare", false}});
  EXPECT_THAT(steps(), IsEmpty());
  EXPECT_THAT(mid().leftAlone, ElementsAre("bare", "mine"));
  // What the runtime's own configuration says is no decision either.
  list[1]["_meta"] = {{"agentHost.mcpServerDiscoveryEnabled", true}};
  EXPECT_THAT(steps(), IsEmpty());
}

TEST_F(MidSession, AnExplicitOnAndADeclaredServerAreSwitchedOn_E3) {
  sources.rootConfiguration = definitions({"root"});
  start(Runtime::copilot, {{"mine", false}, {"root", false}, {"db", false}, {"bare", false}});
  must(service->setStored(server("mine"), std::nullopt, false, "test"));
  on(server("mine"), Scope::session);
  EXPECT_THAT(steps(), ElementsAre("expect db on", "mcp.enable db on", "expect mine on",
                                   "mcp.enable mine on", "expect root on", "mcp.enable root on"));
}

TEST_F(MidSession, AClientsOnIsExplicit_E3) {
  must(service->stateClientBase(session, "editor",
                                std::vector{StatedPlugin{"acme/alpha", {{"global", true}}}}));
  start(Runtime::copilot, {{"db", false}});
  EXPECT_THAT(steps(), Contains("mcp.enable db on"));
}

TEST_F(MidSession, WhatWeSwitchedOffOurselvesIsSwitchedOnAgainWhenTheDecisionIsTakenBack) {
  start(Runtime::copilot, {{"mine", true}});
  off(server("mine"));
  carryOut(mid());
  inventory({{"mine", false}});
  must(service->clear(session, server("mine"), Scope::global, "test"));
  EXPECT_THAT(steps(), ElementsAre("expect mine on", "mcp.enable mine on"));
}

TEST_F(MidSession, SeveralAppliedContainersWithOneNameCountTogether_E3) {
  list.push_back(pluginEntry("acme/beta", {"db"}));
  sources.plugins["acme/beta"] = {.directory = "/plugins/beta"};
  startAll(Runtime::copilot);
  off(serverOf("acme/beta", "db"));
  EXPECT_THAT(steps(), ElementsAre("expect db off", "mcp.disable db off"));
}

TEST_F(MidSession, HostInjectedServersAreNeverReconciled_E2) {
  sources.injected = {"host-tools"};
  off(server("host-tools"));
  start(Runtime::copilot, {{"host-tools", true}});
  EXPECT_THAT(steps(), IsEmpty());
  EXPECT_THAT(inventory({{"host-tools", false}}).toggles, IsEmpty());
  EXPECT_TRUE(auth("host-tools").isAllowed);
}

TEST_F(MidSession, ALateNameWithAStoredOffIsOffAtFirstSight) {
  startAll(Runtime::copilot);
  off(server("late"));
  const auto seen = inventory({{"bare", true}, {"db", true}, {"late", true}, {"web", true}});
  EXPECT_THAT(seen.toggles, IsEmpty());
  EXPECT_THAT(steps(), ElementsAre("expect late off", "mcp.disable late off"));
  EXPECT_EQ(configured(Runtime::copilot)["disabledMcpServers"], Json::array({"late"}));
}

TEST_F(MidSession, ANameThatWasObservedAfterTheAnswersGivesNoPlan_E2b) {
  startAll(Runtime::copilot);
  const GatedList now = gated();
  const auto desired = desire(runtime, {*service, session, now, owners, sources}, state);
  inventory({{"late", true}});
  const auto made = midSessionPlan(*desired, observed, state);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error(), NotYet::superseded);
}

TEST_F(MidSession, WhatWasObservedOfAnEarlierRuntimeIsVoid_E9) {
  startAll(Runtime::copilot);
  state.launched(plan(Runtime::copilot, Launch::resume));
  EXPECT_THAT(observed.servers(state), IsEmpty());
  EXPECT_TRUE(mid().inventoryWanted);
}

TEST_F(MidSession, AReconcileAfterTheStartIsNotWhatKeepsAServerFromStarting_E7) {
  off(db);
  const LaunchPlan launched = plan(Runtime::copilot);
  EXPECT_EQ(launched.configuration["disabledMcpServers"], Json::array({"db"}));
  start(Runtime::copilot, {{"bare", true}, {"db", false}, {"web", true}});
  const GatedList now = gated();
  const auto desired = desire(runtime, {*service, session, now, owners, sources}, state);
  EXPECT_THAT(reconcileAfterStart(*desired, observed, state)->steps, IsEmpty());
}

TEST_F(MidSession, AHandOverInTheMiddleOfASessionIsLoggedOnce_E8) {
  startAll(Runtime::copilot);
  const LogCapture log;
  carryOut(mid());
  EXPECT_THAT(log.lines(), IsEmpty());
  off(db);
  carryOut(mid());
  EXPECT_THAT(
      log.lines(),
      ElementsAre(
          R"(info "ahp://copilot/1" in copilot: expect "db" off, mcp.disable "db" off (everywhere))"));
}

}  // namespace
}  // namespace enablement::test
