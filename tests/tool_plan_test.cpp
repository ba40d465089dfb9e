// enablectl plan: what a runtime would start for a session.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tool_fixture.h"

namespace enablement::testing {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ToolPlan : public Tool {
 protected:
  std::string file(std::string_view text) {
    writeFile(home() / "list.json", text);
    return (home() / "list.json").string();
  }
  Ran plan(const std::string& runtime, const std::string& list,
           const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"plan", "--runtime",      runtime, "--session",
                                       "s",    "--no-directory", list};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return onStore(std::move(arguments));
  }
  void off(const std::string& target) {
    EXPECT_EQ(onStore({"set", target, "off", "--scope", "global"}).exit, 0);
  }
  std::string everything() {
    return file(R"({
      "customizations": [
        {"type": "plugin", "id": "p", "uri": "acme/tools", "name": "tools", "clientId": "c",
         "children": [{"type": "mcpServer", "id": "d", "name": "db"},
                      {"type": "mcpServer", "id": "w", "name": "web"}]},
        {"type": "plugin", "id": "q", "uri": "acme/other", "name": "other"}],
      "plugins": {"acme/tools": {"directory": "/plugins/tools",
                                 "servers": {"db": {"command": "db"}, "web": {"command": "w"}}}},
      "rootConfiguration": {"root": {"command": "r"}, "bad": 1},
      "userServers": ["mine"]})");
  }
};

TEST_F(ToolPlan, ShowsWhatIsStartedDeniedAndLeftOutAndWhy) {
  off("acme/tools#mcp=db");
  off("mcpServers#mine");
  const Ran ran = plan("copilot", everything());
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_THAT(ran.err, IsEmpty());
  expectNarrow(ran.out);
  EXPECT_EQ(ran.out,
            "   name        type    why\n"
            "started\n"
            "+  root        server  by default\n"
            "+  web         server  by default\n"
            "+  acme/tools  plugin  by default\n"
            "denied\n"
            "-  db          server  everywhere\n"
            "-  mine        server  everywhere\n"
            "left out\n"
            "-  bad         server  no definition of it is known\n"
            "-  acme/other  plugin  its children are not known\n"
            "dropped from the root configuration: \"bad\" is not an object\n");
}

TEST_F(ToolPlan, SaysWhatCannotBeEnforcedAndWhy_E1) {
  off("mcpServers#mine");
  const Ran ran = plan("codex", everything());
  EXPECT_EQ(ran.exit, 0) << ran.err;
  expectNarrow(ran.out);
  EXPECT_THAT(ran.out, HasSubstr("off, but cannot be enforced\n!  mine"));
  EXPECT_THAT(ran.out, HasSubstr("codex starts it by itself, and has no deny list"));
}

TEST_F(ToolPlan, PrintsThePlanAsJson) {
  off("acme/tools#mcp=db");
  const json out = json::parse(plan("claude", everything(), {"--json"}).out);
  EXPECT_EQ(out["runtime"], "claude");
  EXPECT_EQ(out["configuration"], json::parse(R"({"plugins": ["/plugins/tools"],
      "mcpServers": {"root": {"command": "r"}}, "deniedMcpServers": ["db"]})"));
  EXPECT_EQ(out["denied"], json::parse(R"([{"server": "db", "why": "global"}])"));
  EXPECT_EQ(out["unknownUserConfig"], false);
}

TEST_F(ToolPlan, TakesAListAlone) {
  off("mcpServers#fetch");
  for (const char* runtime : {"copilot", "claude", "codex"}) {
    const Ran ran = plan(runtime, inExamples("azure-session.json"));
    EXPECT_EQ(ran.exit, 0) << ran.err;
    expectNarrow(ran.out);
    EXPECT_THAT(ran.out, HasSubstr("-  fetch"));
    EXPECT_THAT(ran.out, HasSubstr("+  notes-search"));
    EXPECT_THAT(ran.err, HasSubstr("\"userServers\""));
  }
}

TEST_F(ToolPlan, RefusesAFileThatCannotBeUsed) {
  off("mcpServers#any");
  EXPECT_EQ(plan("copilot", file("{}")).exit, 2);
  const Ran ran = plan("copilot", file(R"({"customizations": [], "userServers": "mine"})"));
  EXPECT_EQ(ran.exit, 2);
  EXPECT_THAT(ran.err, HasSubstr("\"userServers\" is not a list"));
  EXPECT_EQ(plan("gemini", everything()).exit, 2);
}

TEST_F(ToolPlan, GivesNoPlanWhenTheStoreCannotBeRead) {
  writeFile(db(), "not a database, and long enough to be looked at as one, which it is not");
  const Ran ran = plan("copilot", everything());
  EXPECT_EQ(ran.exit, 3) << ran.err;
  EXPECT_THAT(ran.out, IsEmpty());
}

}  // namespace
}  // namespace enablement::testing
