// What a runtime is given when it is started (E1, E2, E2b), row by row.
#include <algorithm>
#include <array>
#include <type_traits>

#include "enforcement_fixture.h"

namespace enablement::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::array allRuntimes{Runtime::copilot, Runtime::claude, Runtime::codex};
constexpr std::array allLaunches{Launch::create, Launch::resume, Launch::createAfterFailedResume};

class LaunchPlans : public Enforcement {};

// Nothing but the gate makes the list, and nothing but observe() makes an observation.
static_assert(!std::is_constructible_v<GatedList, Json>);
static_assert(!std::is_convertible_v<Json, GatedList>);
static_assert(!std::is_default_constructible_v<Desired>);

TEST_F(LaunchPlans, TheLaunchListIsPresentOnResumeAndOnTheCreateAfterAFailedResume_E1) {
  off(db);
  sources.rootConfiguration = definitions({"root"});
  for (const Runtime kind : allRuntimes) {
    const Json created = configured(kind, Launch::create);
    for (const Launch launch : allLaunches) {
      const LaunchPlan made = plan(kind, launch);
      EXPECT_EQ(made.configuration.dump(), created.dump()) << name(kind) << name(launch);
      EXPECT_EQ(made.launch, launch);
    }
  }
  EXPECT_EQ(configured(Runtime::copilot, Launch::resume)["disabledMcpServers"],
            Json::array({"db"}));
}

TEST_F(LaunchPlans, NoPlanBeforeTheSessionsDecisionsAreLoaded_E1) {
  auto empty = enablement::testing::openInMemory();
  list = Json::array();
  for (const Runtime kind : allRuntimes) {
    const GatedList now = gate(*empty, session, list, owners).value();
    const auto result =
        launchPlan(kind, Launch::create, {*empty, session, now, owners, sources}, state);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error(), NotYet::session);
  }
}

TEST_F(LaunchPlans, AStoreThatCannotBeReadGivesNoPlan) {
  service->close();
  EXPECT_EQ(tryLaunch(Runtime::copilot).error(), NotYet::store);
}

TEST_F(LaunchPlans, AListThatSomethingOvertookGivesNoPlan) {
  const GatedList before = gated();
  off(db);
  const auto result = launchPlan(Runtime::copilot, Launch::create,
                                 {*service, session, before, owners, sources}, state);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error(), NotYet::superseded);
}

TEST_F(LaunchPlans, WhileTheFolderIsUnknownEverythingIsHeldBackAsPending_E1) {
  must(service->setWorkingDirectory(session, WorkingDirectory::pending()));
  sources.rootConfiguration = definitions({"root"});
  for (const Runtime kind : allRuntimes) {
    const LaunchPlan made = plan(kind);
    EXPECT_THAT(made.started, IsEmpty()) << name(kind);
    EXPECT_THAT(show(made.pending), Contains("server db (workingDirectory)"));
  }
  EXPECT_EQ(configured(Runtime::copilot).dump(),
            R"({"mcpServers":{"root":{"command":"root"}},"disabledMcpServers":["bare","root"],)"
            R"("pluginDirectories":[]})");
}

// Copilot.

TEST_F(LaunchPlans, CopilotGetsTheWholeRootConfigurationAndDeniesWhatIsOffInIt_E1) {
  sources.rootConfiguration = definitions({"one", "two"});
  off(server("two"));
  const Json made = configured(Runtime::copilot);
  EXPECT_THAT(namesIn(made["mcpServers"]), ElementsAre("one", "two"));
  EXPECT_EQ(made["disabledMcpServers"], Json::array({"two"}));
}

TEST_F(LaunchPlans, CopilotGetsExplicitServersOfPluginsThatAreOn_E1) {
  sources.plugins["acme/alpha"].servers = definitions({"db", "web"});
  sources.plugins["acme/alpha"].registered = {"db", "web"};
  EXPECT_THAT(namesIn(configured(Runtime::copilot)["mcpServers"]), ElementsAre("db", "web"));
  off(alpha);
  EXPECT_THAT(namesIn(configured(Runtime::copilot)["mcpServers"]), IsEmpty());
}

TEST_F(LaunchPlans, AnOffChildIsSubtractedFromExplicitServers) {
  sources.plugins["acme/alpha"].servers = definitions({"db", "web"});
  sources.plugins["acme/alpha"].registered = {"db", "web"};
  off(db);
  for (const Runtime kind : {Runtime::copilot, Runtime::claude})
    EXPECT_THAT(namesIn(configured(kind)["mcpServers"]), ElementsAre("web")) << name(kind);
  EXPECT_THAT(namesIn(configured(Runtime::codex)["mcp_servers"]), ElementsAre("web"));
  EXPECT_EQ(configured(Runtime::copilot)["disabledMcpServers"], Json::array({"db"}));
}

TEST_F(LaunchPlans, CopilotDeniesOffChildrenOfPluginsThatAreOnOnly_E1) {
  off(db);
  EXPECT_EQ(configured(Runtime::copilot)["disabledMcpServers"], Json::array({"db"}));
  off(alpha);
  const Json made = configured(Runtime::copilot);
  EXPECT_FALSE(made.contains("disabledMcpServers")) << made;
  EXPECT_EQ(made["pluginDirectories"], Json::array());
}

TEST_F(LaunchPlans, CopilotDeniesOffNamesOfRootBuiltInsAndTheUsersOwnList_E1) {
  sources.rootConfiguration = definitions({"root"});
  sources.builtIns = {{"github", nullptr}};
  sources.userServers = {"mine"};
  for (const char* name : {"root", "github", "mine"}) off(server(name));
  EXPECT_EQ(configured(Runtime::copilot)["disabledMcpServers"],
            Json::array({"github", "mine", "root"}));
}

TEST_F(LaunchPlans, CopilotsDenyListIsLeftOutWhenEmpty_E1) {
  EXPECT_FALSE(configured(Runtime::copilot).contains("disabledMcpServers"));
}

TEST_F(LaunchPlans, CopilotGetsTheDirectoriesOfPluginsThatAreOn_E1) {
  list.push_back(pluginEntry("acme/beta", {}, false));
  sources.plugins["acme/beta"] = {.directory = "/plugins/beta"};
  EXPECT_EQ(configured(Runtime::copilot)["pluginDirectories"],
            Json::array({"/plugins/alpha", "/plugins/beta"}));
  off(alpha);
  EXPECT_EQ(configured(Runtime::copilot)["pluginDirectories"], Json::array({"/plugins/beta"}));
}

TEST_F(LaunchPlans, EphemeralSessionsDenyEveryKnownName) {
  sources.ephemeral = true;
  sources.rootConfiguration = definitions({"root"});
  sources.builtIns = {{"github", nullptr}};
  sources.userServers = {"mine"};
  const Json made = configured(Runtime::copilot);
  EXPECT_EQ(made["mcpServers"], Json::object());
  EXPECT_EQ(made["disabledMcpServers"],
            Json::array({"bare", "db", "github", "mine", "root", "web"}));
  EXPECT_EQ(configured(Runtime::claude)["mcpServers"], Json::object());
  EXPECT_FALSE(configured(Runtime::codex).contains("mcp_servers"));
  EXPECT_THAT(plan(Runtime::codex).unenforceable, ElementsAre("github", "mine"));
}

// Pending children.

// What a session waits for keeps all of its plugins and servers pending at once.
TEST_F(LaunchPlans, APendingChildTakesItsPluginsDirectoryOutOfThePlan) {
  must(service->setWorkingDirectory(session, WorkingDirectory::pending()));
  for (const Runtime kind : {Runtime::copilot, Runtime::claude}) {
    const LaunchPlan made = plan(kind);
    EXPECT_EQ(made.configuration[kind == Runtime::copilot ? "pluginDirectories" : "plugins"],
              Json::array());
    EXPECT_THAT(show(made.pending), Contains("plugin acme/alpha (workingDirectory)"));
  }
}

TEST_F(LaunchPlans, APendingServerOfADirectoryIsDenied) {
  // A flagged container is on by its own flag; its child waits for the folder.
  must(service->setWorkingDirectory(session, WorkingDirectory::pending()));
  list = Json::array({{{"type", "directory"},
                       {"id", "d"},
                       {"enabled", true},
                       {"children", Json::array({serverEntry("inside")})}}});
  EXPECT_EQ(configured(Runtime::copilot)["disabledMcpServers"], Json::array({"inside"}));
}

TEST_F(LaunchPlans, APluginWhoseChildrenAreNotKnownIsHeldBack) {
  list[0].erase("children");
  const LaunchPlan made = plan(Runtime::copilot);
  EXPECT_EQ(made.configuration["pluginDirectories"], Json::array());
  EXPECT_THAT(show(made.leftOut), Contains("plugin acme/alpha (notParsed)"));
  list[0]["children"] = Json::array();
  EXPECT_EQ(configured(Runtime::copilot)["pluginDirectories"], Json::array({"/plugins/alpha"}));
  list[0]["load"] = {{"kind", "loading"}};
  EXPECT_EQ(configured(Runtime::copilot)["pluginDirectories"], Json::array());
}

TEST_F(LaunchPlans, ADirectoryThatAPluginSharesWithOneThatIsOffIsNotHandedOver) {
  list.push_back(pluginEntry("acme/beta", {"other"}));
  sources.plugins["acme/beta"] = {.directory = "/plugins/alpha"};
  off(plugin("acme/beta"));
  const LaunchPlan made = plan(Runtime::copilot);
  EXPECT_EQ(made.configuration["pluginDirectories"], Json::array());
  EXPECT_THAT(show(made.leftOut), Contains("plugin acme/alpha (sameDirectory)"));
}

// Claude.

TEST_F(LaunchPlans, ClaudeGetsTheDirectoriesOfClientPluginsThatAreOn_E1) {
  list.push_back(pluginEntry("acme/beta", {}, false));
  sources.plugins["acme/beta"] = {.directory = "/plugins/beta"};
  const LaunchPlan made = plan(Runtime::claude);
  EXPECT_EQ(made.configuration["plugins"], Json::array({"/plugins/alpha"}));
  EXPECT_THAT(show(made.leftOut), Contains("plugin acme/beta (hostPlugin)"));
  off(alpha);
  EXPECT_EQ(configured(Runtime::claude)["plugins"], Json::array());
}

TEST_F(LaunchPlans, ClaudeGetsExplicitServersThatAreOn_E1) {
  sources.plugins["acme/alpha"].servers = definitions({"db", "web"});
  sources.plugins["acme/alpha"].registered = {"db"};
  sources.rootConfiguration = definitions({"root"});
  sources.workspace = {{.primary = true, .servers = definitions({"first"})},
                       {.primary = false, .servers = definitions({"second", "third"})}};
  sources.builtIns = {{"browser", definition("browser")}};
  EXPECT_THAT(namesIn(configured(Runtime::claude)["mcpServers"]),
              ElementsAre("browser", "db", "root", "second", "third"));
  off(server("second"));
  off(server("browser"));
  EXPECT_THAT(namesIn(configured(Runtime::claude)["mcpServers"]),
              ElementsAre("db", "root", "third"));
}

TEST_F(LaunchPlans, ClaudeDeniesWhatIsOffAndFoundByTheRuntimeItself_E1) {
  sources.workspace = {{.primary = true, .servers = definitions({"first"})}};
  sources.builtIns = {{"browser", definition("browser")}};
  sources.userServers = {"mine"};
  for (const char* name : {"first", "browser", "mine"}) off(server(name));
  off(db);
  EXPECT_EQ(configured(Runtime::claude)["deniedMcpServers"],
            Json::array({"browser", "db", "first", "mine"}));
}

TEST_F(LaunchPlans, ClaudeIsNotToldOfOffServersOfOtherRoots_E1) {
  sources.workspace = {{.primary = false, .servers = definitions({"second"})}};
  list.push_back(serverEntry("second"));
  off(server("second"));
  const LaunchPlan made = plan(Runtime::claude);
  EXPECT_EQ(made.configuration["deniedMcpServers"], Json::array());
  EXPECT_EQ(made.configuration["mcpServers"], Json::object());
  EXPECT_THAT(show(made.leftOut), ElementsAre("server second (global)"));
}

// Codex.

TEST_F(LaunchPlans, CodexGetsOnlyServersThatAreOn_E1) {
  sources.builtIns = {{"browser", definition("browser")}};
  sources.rootConfiguration = definitions({"root"});
  sources.workspace = {{.primary = true, .servers = definitions({"first"})}};
  sources.plugins["acme/alpha"].servers = definitions({"db", "web"});
  EXPECT_THAT(namesIn(configured(Runtime::codex)["mcp_servers"]),
              ElementsAre("browser", "db", "first", "root", "web"));
  for (const char* name : {"browser", "root", "first"}) off(server(name));
  off(db);
  EXPECT_THAT(namesIn(configured(Runtime::codex)["mcp_servers"]), ElementsAre("web"));
}

TEST_F(LaunchPlans, AClientPluginWinsANameClashInCodex_E1) {
  sources.rootConfiguration = {{"db", definition("root")}};
  sources.plugins["acme/alpha"].servers = {{"db", definition("plugin")}};
  EXPECT_EQ(configured(Runtime::codex)["mcp_servers"]["db"], definition("plugin"));
  off(alpha);
  EXPECT_EQ(configured(Runtime::codex)["mcp_servers"]["db"], definition("root"));
}

TEST_F(LaunchPlans, CodexsFieldIsLeftOutWhenEmpty_E1) {
  EXPECT_EQ(configured(Runtime::codex), Json::object());
}

TEST_F(LaunchPlans, CodexSaysWhatItCannotEnforce) {
  sources.userServers = {"mine", "other"};
  off(server("mine"));
  const LaunchPlan made = plan(Runtime::codex);
  EXPECT_THAT(made.unenforceable, ElementsAre("mine"));
  EXPECT_EQ(toJson(made)["unenforceable"], Json::array({"mine"}));
  EXPECT_THAT(plan(Runtime::copilot).unenforceable, IsEmpty());
}

// Names and sources.

TEST_F(LaunchPlans, HostInjectedServersAreNeverGatedOrHandedOver_E2) {
  sources.injected = {"host-tools"};
  sources.rootConfiguration = definitions({"host-tools", "root"});
  sources.userServers = {"host-tools"};
  off(server("host-tools"));
  for (const Runtime kind : allRuntimes) {
    const LaunchPlan made = plan(kind);
    EXPECT_THAT(made.configuration.dump(), Not(HasSubstr("host-tools"))) << name(kind);
    EXPECT_THAT(made.unenforceable, IsEmpty());
    ASSERT_EQ(made.dropped.size(), 1U);
    EXPECT_EQ(made.dropped[0].name, "host-tools");
  }
}

TEST_F(LaunchPlans, APluginWithAnOffServerOfAnInjectedNameIsNotLoaded) {
  sources.injected = {"db"};
  off(db);
  EXPECT_EQ(configured(Runtime::copilot)["pluginDirectories"], Json::array());
  EXPECT_THAT(show(plan(Runtime::copilot).leftOut), Contains("plugin acme/alpha (injectedName)"));
}

TEST_F(LaunchPlans, AMalformedUserEntryIsDroppedWithAReportAndFailsNothing_E2) {
  sources.rootConfiguration = parsed(
      R"({"good": {"command": "x"}, "text": "x", "number": {"command": 5},
          "args": {"command": "x", "args": "y"}, "": {"command": "x"}, "env": {"env": []}})");
  sources.userServers = {"", "mine"};
  for (const Runtime kind : allRuntimes) {
    const LaunchPlan made = plan(kind);
    EXPECT_EQ(made.dropped.size(), 6U) << toJson(made)["dropped"];
    EXPECT_EQ(made.dropped[1].problem, "has args that are not a list of texts");
  }
  EXPECT_THAT(namesIn(configured(Runtime::copilot)["mcpServers"]), ElementsAre("good"));
}

TEST_F(LaunchPlans, ADefinitionNestedTooDeepIsDropped_E2) {
  Json deep = Json::object();
  for (int i = 0; i < 1000; ++i) {
    Json outer = Json::object();
    outer["x"] = std::move(deep);
    deep = std::move(outer);
  }
  sources.rootConfiguration["deep"] = std::move(deep);
  EXPECT_EQ(plan(Runtime::codex).dropped.size(), 1U);
}

TEST_F(LaunchPlans, TheSameNameFromTwoSourcesOnce) {
  sources.rootConfiguration = definitions({"db", "twice"});
  sources.builtIns = {{"twice", definition("other")}};
  sources.userServers = {"twice", "db", "twice"};
  off(server("twice"));
  off(server("db"));
  off(db);
  EXPECT_EQ(configured(Runtime::copilot)["disabledMcpServers"], Json::array({"db", "twice"}));
  EXPECT_EQ(configured(Runtime::claude)["deniedMcpServers"], Json::array({"db", "twice"}));
  EXPECT_THAT(plan(Runtime::codex).unenforceable, ElementsAre("db", "twice"));
}

TEST_F(LaunchPlans, ThePlanIsGivenThoughTheUsersOwnListIsUnavailable_E2) {
  sources.userServers.reset();
  for (const Runtime kind : allRuntimes) {
    const LaunchPlan made = plan(kind);
    EXPECT_TRUE(made.unknownUserConfig);
    EXPECT_EQ(toJson(made)["unknownUserConfig"], true);
  }
  sources.userServers.emplace();
  EXPECT_FALSE(plan(Runtime::copilot).unknownUserConfig);
}

TEST_F(LaunchPlans, ABareNameIsResolvedByItsKeyWithItsOwner_E2b) {
  sources.userServers = {"db", "constructor", "__proto__"};
  owners["db"] = "acme/alpha";
  off(db);
  off(server("__proto__"));
  EXPECT_EQ(configured(Runtime::copilot)["disabledMcpServers"], Json::array({"__proto__", "db"}));
}

TEST_F(LaunchPlans, SeveralContainersWithOneNameAreCombinedWithAnd_E3) {
  list.push_back(pluginEntry("acme/beta", {"db"}));
  sources.plugins["acme/beta"] = {.directory = "/plugins/beta"};
  off(serverOf("acme/beta", "db"));
  EXPECT_EQ(configured(Runtime::copilot)["disabledMcpServers"], Json::array({"db"}));
  // Only those that are applied count.
  off(plugin("acme/beta"));
  EXPECT_FALSE(configured(Runtime::copilot).contains("disabledMcpServers"));
}

TEST_F(LaunchPlans, SeveralEntriesOfOnePluginAreOnePlugin) {
  list.push_back(pluginEntry("acme/alpha", {"late"}));
  list[2]["id"] = "again";
  for (std::size_t i = 0; i < list[2]["children"].size(); ++i)
    list[2]["children"][i]["id"] = "again " + std::to_string(i);
  off(serverOf("acme/alpha", "late"));
  const Json made = configured(Runtime::copilot);
  EXPECT_EQ(made["pluginDirectories"], Json::array({"/plugins/alpha"}));
  EXPECT_EQ(made["disabledMcpServers"], Json::array({"late"}));
}

TEST_F(LaunchPlans, AServerWithoutAValidNameTakesItsPluginsDirectoryOutOfThePlan) {
  list[0]["children"].push_back({{"type", "mcpServer"}, {"id", "nameless"}});
  EXPECT_EQ(configured(Runtime::copilot)["pluginDirectories"], Json::array());
}

TEST_F(LaunchPlans, TheSameInputsGiveTheSamePlanByteForByte) {
  sources.rootConfiguration = definitions({"a", "b", "c"});
  sources.builtIns = {{"x", nullptr}, {"y", definition("y")}};
  sources.userServers = {"u", "v", "w"};
  sources.workspace = {{.primary = true, .servers = definitions({"p", "q"})}};
  sources.plugins["acme/alpha"].servers = definitions({"db", "web"});
  for (const char* name : {"a", "u", "x", "p"}) off(server(name));
  const auto everything = [&] {
    std::string all;
    for (const Runtime kind : allRuntimes) all += toJson(plan(kind)).dump();
    return all;
  };
  const std::string first = everything();
  EXPECT_EQ(everything(), first);
  // The order in which names are written down is nobody's wish.
  sources.rootConfiguration = definitions({"c", "a", "b"});
  sources.builtIns = {{"y", definition("y")}, {"x", nullptr}};
  sources.userServers = {"w", "u", "v"};
  sources.workspace = {{.primary = true, .servers = definitions({"q", "p"})}};
  sources.plugins["acme/alpha"].servers = definitions({"web", "db"});
  std::reverse(list[0]["children"].begin(), list[0]["children"].end());
  EXPECT_EQ(everything(), first);
}

TEST_F(LaunchPlans, EveryNameIsAccountedForOnce_E8) {
  sources.userServers = {"mine"};
  off(server("mine"));
  off(db);
  const LaunchPlan made = plan(Runtime::copilot);
  EXPECT_THAT(show(made.started), ElementsAre("server bare (default)", "server web (default)",
                                              "plugin acme/alpha (default)"));
  EXPECT_THAT(show(made.denied), ElementsAre("server db (global)", "server mine (global)"));
  EXPECT_THAT(made.leftOut, IsEmpty());
  EXPECT_THAT(made.pending, IsEmpty());
}

TEST_F(LaunchPlans, AServerThatIsOnWithoutADefinitionIsNotCalledStarted_E8) {
  EXPECT_THAT(show(plan(Runtime::codex).leftOut), Contains("server db (noDefinition)"));
  sources.plugins.clear();
  EXPECT_THAT(show(plan(Runtime::copilot).leftOut),
              ElementsAre("server db (noDirectory)", "server web (noDirectory)",
                          "plugin acme/alpha (noDirectory)"));
}

TEST_F(LaunchPlans, AHandOverIsLoggedOnceAtInfoWithReasons_E8) {
  const LogCapture log;
  off(db);
  sources.userServers.reset();
  state.launched(plan(Runtime::copilot));
  ASSERT_EQ(log.lines().size(), 1U);
  EXPECT_EQ(
      log.lines()[0],
      R"(info "ahp://copilot/1" is handed to copilot (create): started: "bare" (by default), )"
      R"("web" (by default), "acme/alpha" (by default); denied: "db" (everywhere); )"
      R"(left out: nothing; held back as pending: nothing; )"
      R"(the user's own servers are not known)");
}

// Bugs that were.

TEST_F(LaunchPlans, APluginWithAServerThatTheListDoesNotShowIsHeldBack_E2b) {
  sources.plugins["acme/alpha"].servers = definitions({"db", "late", "web"});
  for (const Runtime kind : {Runtime::copilot, Runtime::claude})
    EXPECT_THAT(show(plan(kind).leftOut), Contains("plugin acme/alpha (notParsed)")) << name(kind);
  // One that the runtime does not find by itself starts nothing.
  sources.plugins["acme/alpha"].registered = {"late"};
  EXPECT_THAT(configured(Runtime::copilot)["pluginDirectories"], Contains("/plugins/alpha"));
}

TEST_F(LaunchPlans, APluginThatCouldNotBeReadIsHeldBack_E2b) {
  list[0]["load"] = {{"kind", "error"}, {"message", "no such folder"}};
  EXPECT_THAT(show(plan(Runtime::copilot).leftOut), Contains("plugin acme/alpha (notParsed)"));
  list[0]["load"] = {{"kind", "degraded"}, {"message", "one skill is malformed"}};
  EXPECT_THAT(configured(Runtime::copilot)["pluginDirectories"], Contains("/plugins/alpha"));
}

TEST_F(LaunchPlans, WhatWasImportedUnderAnIdDoesNotDecideAboutAServerOfThatName_I2) {
  ImportSource source;
  source.marker.kind = ImportKind::sessionDb;
  source.marker.path = "session.db";
  source.marker.place = session;
  source.unclaimed.push_back({session, "mine", true});
  must(service->importFrom({&source, 1}, {}, "test"));
  ASSERT_EQ(service->unclaimed().value().size(), 1U);
  off(server("mine"));
  sources.userServers = Names{"mine"};
  EXPECT_THAT(configured(Runtime::copilot)["disabledMcpServers"], Contains("mine"));
}

}  // namespace
}  // namespace enablement::test
