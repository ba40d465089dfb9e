// Routes, invocation, names, pickers (S5, S8, S9).
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <enablement/session/mcp_names.h>

#include "session_fixture.h"

namespace enablement::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "host", "client c1", "container alpha/global", "noWorkspace".
std::string show(const Result<Route>& route) {
  if (!route) return "error";
  if (route->kind == Route::Kind::host) return "host";
  if (route->kind == Route::Kind::client) return "client " + route->client;
  std::string text(name(route->obstacle));
  if (!route->container.empty()) text += " " + route->container;
  if (route->containerScope) text += "/" + std::string(name(*route->containerScope));
  return text;
}

// In which state the containers are.
enum class Containers { on, off, pending };

class Routes : public HostTest {
 protected:
  void place(bool withFolder, Containers containers) {
    if (containers == Containers::pending) {
      ASSERT_TRUE(host->openSession(s));
      ASSERT_TRUE(service->loadSession(s));
      tell({{"type", "session/customizationsChanged"}, {"customizations", own}});
    } else if (withFolder) {
      settle(own);
    } else {
      settle(own, {});
    }
    joinParsed();
    tell(json(R"({"type": "session/customizationUpdated", "customization":
                  {"type": "mcpServer", "id": "owned", "name": "db"}})"));
    ASSERT_TRUE(host->setOwners(s, {{"db", "acme/alpha"}}));
    if (containers != Containers::off) return;
    for (const char* plugin : {"acme/alpha", "file:///clients/beta"})
      ASSERT_TRUE(service->setStored(pluginAt(plugin), std::nullopt, false, "x"));
    toggle("dir", json(R"([{"kind": "session", "enabled": false}])"));
  }
  std::vector<std::string> routes(const std::string& id) {
    return {show(host->routeFor(s, id, Scope::session)),
            show(host->routeFor(s, id, Scope::workspace)),
            show(host->routeFor(s, id, Scope::global))};
  }
};

struct RouteCase {
  const char* id;
  // Session, workspace with and without folder, global: with the container on, and off.
  const char* global;
  const char* off;
};

const std::vector<RouteCase> routeCases{
    {"beta", "client c1", ""},                            // client plugin
    {"beta/web", "client c1", "container beta/global"},   // bundled child with an opinion
    {"beta/mail", "client c1", "container beta/global"},  // bundled child without
    {"beta/found", "host", "container beta/global"},      // discovered child
    {"alpha/db", "host", "container alpha/global"},       // of a host plugin
    {"owned", "host", "container alpha/global"},          // bare server, owned
    {"bare", "host", ""},                                 // bare server, unowned
    {"dir/mcp", "host", "container dir"},                 // directory child
    {"alpha", "host", ""},                                // host plugin
};

TEST_F(Routes, WithAFolderAndTheContainerOn_S5) {
  place(true, Containers::on);
  for (const RouteCase& one : routeCases)
    EXPECT_THAT(routes(one.id), ElementsAre("host", "host", one.global)) << one.id;
}

TEST_F(Routes, WithoutAFolderAndTheContainerOn_S5) {
  place(false, Containers::on);
  for (const RouteCase& one : routeCases)
    EXPECT_THAT(routes(one.id), ElementsAre("host", "noWorkspace", one.global)) << one.id;
}

TEST_F(Routes, WithAFolderAndTheContainerOff_S5) {
  place(true, Containers::off);
  for (const RouteCase& one : routeCases) {
    const std::string off = one.off;
    EXPECT_THAT(routes(one.id), off.empty() ? ElementsAre("host", "host", one.global)
                                            : ElementsAre(off.c_str(), off.c_str(), off.c_str()))
        << one.id;
  }
}

TEST_F(Routes, WithoutAFolderAndTheContainerOff_S5) {
  place(false, Containers::off);
  for (const RouteCase& one : routeCases) {
    const std::string off = one.off;
    EXPECT_THAT(routes(one.id), off.empty() ? ElementsAre("host", "noWorkspace", one.global)
                                            : ElementsAre(off.c_str(), "noWorkspace", off.c_str()))
        << one.id;
  }
}

TEST_F(Routes, WithTheContainerPendingADecisionWaits_S5) {
  place(false, Containers::pending);
  for (const RouteCase& one : routeCases)
    EXPECT_THAT(routes(one.id), ElementsAre("host", "host", one.global)) << one.id;
}

TEST_F(Routes, TellWhichScopeOfTheContainerDecides_S5) {
  place(true, Containers::on);
  ASSERT_TRUE(service->set(s, pluginAt("acme/alpha"), Scope::workspace, false, "x"));
  EXPECT_EQ(show(host->routeFor(s, "alpha/db", Scope::session)), "container alpha/workspace");
  ASSERT_TRUE(service->set(s, pluginAt("acme/alpha"), Scope::session, false, "x"));
  EXPECT_EQ(show(host->routeFor(s, "alpha/db", Scope::session)), "container alpha/session");
  // A plugin that is not in the list masks what it owns, too.
  ASSERT_TRUE(host->setOwners(s, {{"bare", "acme/elsewhere"}}));
  ASSERT_TRUE(service->setStored(pluginAt("acme/elsewhere"), std::nullopt, false, "x"));
  EXPECT_EQ(show(host->routeFor(s, "bare", Scope::session)), "container acme/elsewhere/global");
}

TEST_F(Routes, OfFlagsInvalidAndUnknownEntries_S5) {
  settle(json(R"([{"type": "plugin", "id": "bad", "uri": "c:", "children": [
                    {"type": "mcpServer", "id": "bad/m", "name": "m"}]},
                  {"type": "directory", "id": "dir", "children": [{"type": "skill", "id": "skill"}]}])"));
  EXPECT_THAT(routes("bad"), ElementsAre("invalid", "invalid", "invalid"));
  EXPECT_THAT(routes("bad/m"), ElementsAre("invalid", "invalid", "invalid"));
  EXPECT_THAT(routes("dir"), ElementsAre("host", "flag", "flag"));
  EXPECT_THAT(routes("skill"), ElementsAre("host", "flag", "flag"));
  EXPECT_THAT(routes("none"), ElementsAre("error", "error", "error"));
  toggle("dir", json(R"([{"kind": "session", "enabled": false}])"));
  EXPECT_THAT(routes("skill"), ElementsAre("container dir", "flag", "flag"));
  EXPECT_FALSE(host->routeFor("ahp://nowhere", "dir", Scope::session));
}

TEST_F(HostTest, InvocationNeedsTheEntryOnAndNotTakenAway_S8) {
  ordered_json children = ordered_json::array();
  for (const char* type : {"agent", "skill", "prompt"})
    for (const char* model : {"", "false", "true", "\"odd\""})
      for (const char* user : {"", "true"}) {
        ordered_json child{
            {"type", type}, {"id", std::string(type) + "/" + model + "/" + user}, {"name", type}};
        if (*model != '\0') child["disableModelInvocation"] = json(model);
        if (*user != '\0') child["disableUserInvocation"] = json(user);
        children.push_back(child);
      }
  settle({{{"type", "directory"}, {"id", "dir"}, {"enabled", true}, {"children", children}}});
  for (const auto& child : children) {
    const std::string id = child["id"];
    const bool matters = child["type"] != "prompt";
    const ordered_json model = child.value("disableModelInvocation", ordered_json());
    const Invocable expected{!matters || model.is_null() || model == false,
                             !matters || !child.contains("disableUserInvocation")};
    EXPECT_EQ(host->invocable(s, id), expected) << id;
  }
  toggle("dir", json(R"([{"kind": "session", "enabled": false}])"));
  for (const auto& child : children)
    EXPECT_EQ(host->invocable(s, child["id"]), Invocable{}) << child["id"];
  EXPECT_EQ(host->invocable(s, "none"), Invocable{});
}

TEST_F(HostTest, APickerHasAllAgentsOverAllContainersWithWhatTheyAre_S8) {
  ordered_json list = own;
  list[0]["children"].push_back(json(R"({"type": "agent", "id": "alpha/agent", "name": "A"})"));
  settle(list);
  toggle("alpha", json(R"([{"kind": "session", "enabled": false}])"));
  const auto agents = host->entriesOfType(s, "agent").value();
  ASSERT_EQ(agents.size(), 2U);
  EXPECT_EQ(agents[0].id, "alpha/agent");
  EXPECT_EQ(agents[0].container, "alpha");
  EXPECT_EQ(agents[0].answer, (Effective{EffectiveState::disabled, EffectiveReason::container}));
  EXPECT_EQ(agents[0].invocable, Invocable{});
  EXPECT_EQ(agents[1].id, "dir/agent");
  EXPECT_EQ(agents[1].invocable, (Invocable{true, false}));
  EXPECT_THAT(host->entriesOfType(s, "prompt").value(), IsEmpty());
}

TEST_F(HostTest, NothingIsInvocableAndNothingRunsBeforeTheSessionIsLoaded_I7) {
  ASSERT_TRUE(host->openSession(s, std::vector<std::string>{}));
  tell({{"type", "session/customizationsChanged"}, {"customizations", own}});
  EXPECT_EQ(host->invocable(s, "alpha/skill"), Invocable{});
  const auto servers = host->desiredServers(s).value();
  for (const DesiredServer& server : servers) EXPECT_FALSE(server.runs) << server.id;
}

TEST_F(HostTest, DeclaredServersAreThoseThatAreOffTooAndAreDerivedAnew_S9) {
  settle(own);
  joinParsed();
  toggle("alpha", json(R"([{"kind": "session", "enabled": false}])"));
  EXPECT_THAT(host->declaredServers(s, {"root", "db"}).value(),
              ElementsAre("db", "found", "mail", "root", "web"));
  leave("c1");
  EXPECT_THAT(host->declaredServers(s, {}).value(), ElementsAre("db"));
}

TEST_F(HostTest, DesiredServersKnowTheirPluginByItsSourceUri_S9) {
  settle(own);
  joinParsed();
  ASSERT_TRUE(service->set(s, Target{TargetKey::mcpServer("web", "file:///clients/beta").value()},
                           Scope::session, false, "x"));
  std::vector<std::string> shown;
  const auto servers = host->desiredServers(s).value();
  for (const DesiredServer& server : servers)
    shown.push_back(server.name + " " + server.owner.value_or("-") +
                    (server.runs ? " on" : " off"));
  EXPECT_THAT(shown, ElementsAre("db acme/alpha on", "bare - on", "mcp - on",
                                 "web file:///clients/beta off", "mail file:///clients/beta on",
                                 "found file:///clients/beta on"));
}

TEST(McpNames, ABareServersIdNamesTheOwningSession_S9) {
  EXPECT_EQ(bareServerId("copilot", "ahp://copilot/1", "a:b"),
            "mcp-top-level:copilot:ahp://copilot/1:a:b");
}

TEST(McpNames, OwnersAreByTheNameOfTheServerAndTheFirstPluginHasIt_S9) {
  const OwnerMap owners = ownersByName(json(R"([
    {"type": "plugin", "id": "1", "uri": "acme/one", "children": [
      {"type": "mcpServer", "id": "a", "name": "__proto__"}, {"type": "skill", "id": "b", "name": "s"}]},
    {"type": "plugin", "id": "2", "uri": "acme/two", "children": [
      {"type": "mcpServer", "id": "c", "name": "__proto__"}]},
    {"type": "directory", "id": "3", "children": [{"type": "mcpServer", "id": "d", "name": "d"}]}])"));
  EXPECT_EQ(owners, (OwnerMap{{"__proto__", "acme/one"}}));
}

}  // namespace
}  // namespace enablement::test
