// enablectl tree and explain: what is on in a session's list, and why.
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
using ::testing::Not;
using ::testing::StartsWith;

const std::string azureServer = "https://plugins.example.org/azure#mcp=azure";

class ToolTree : public Tool {
 protected:
  std::string file(const std::string& name, std::string_view text) {
    writeFile(home() / name, text);
    return (home() / name).string();
  }
  // In a session without a folder.
  Ran look(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--session", "s", "--no-directory"});
    return onStore(std::move(arguments));
  }
  void off(const std::string& target) {
    EXPECT_EQ(onStore({"set", target, "off", "--scope", "global"}).exit, 0);
  }
  std::string smallList() {
    return file("list.json", R"([
        {"type": "plugin", "id": "p", "uri": "acme/tools", "name": "tools", "children": [
          {"type": "mcpServer", "id": "c", "name": "db"},
          {"type": "skill", "id": "s", "name": "write", "enabled": false}]},
        {"type": "mcpServer", "id": "m", "name": "web"},
        {"type": "widget", "id": "nameless"}])");
  }
};

// tree

TEST_F(ToolTree, ShowsWhatIsOnAndWhy) {
  off("acme/tools#mcp=db");
  const Ran ran = look({"tree", smallList()});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_THAT(ran.err, IsEmpty());
  EXPECT_EQ(ran.out,
            "+ tools     plugin     enabled   by default\n"
            "  - db      mcpServer  disabled  everywhere\n"
            "  - write   skill      disabled  by its own flag\n"
            "+ web       mcpServer  enabled   by default\n"
            "+ nameless  widget     enabled   by default\n"
            "\n"
            "3 enabled, 2 disabled, 0 pending\n");
}

TEST_F(ToolTree, ColoursAStateAndItsMark) {
  off("mcpServers#web");
  const Ran ran = look({"--color=always", "tree", smallList()});
  EXPECT_THAT(ran.out, HasSubstr("\x1b[31m-\x1b[0m web"));
  EXPECT_THAT(ran.out, HasSubstr("\x1b[31mdisabled\x1b[0m  everywhere"));
}

TEST_F(ToolTree, NamesIdsWhenItSaysMore) {
  off("acme/other");
  EXPECT_THAT(look({"tree", "-v", smallList()}).out, HasSubstr("\n  - write   skill      disabled"
                                                               "  by its own flag\n    id s\n"));
}

TEST_F(ToolTree, PrintsWhatTheGateSaysAsJson_I19) {
  off("mcpServers#web");
  const json out = json::parse(look({"tree", smallList(), "--json"}).out);
  EXPECT_EQ(out["mcpServers"], json::parse(R"({"c": true, "m": false})"));
  EXPECT_EQ(out["effective"]["m"], json::parse(R"({"state": "disabled", "reason": "global"})"));
  EXPECT_EQ(out["pending"], json::array());
  EXPECT_EQ(out["customizations"][1]["enablement"],
            json::parse(R"([{"kind": "global", "enabled": false}])"));
  EXPECT_FALSE(out.contains("problems"));
}

TEST_F(ToolTree, FindsTheOwnerOfABareServer_I5) {
  off("acme/tools#mcp=web");
  const std::string list = R"([{"type": "mcpServer", "id": "m", "name": "web"}])";
  const std::string alone = file("alone.json", list);
  const std::string both =
      file("both.json", R"({"owners": {"web": "acme/tools"}, "customizations": )" + list + "}");
  const std::string owners = file("owners.json", R"({"web": "acme/tools"})");
  const std::string others = file("others.json", R"({"web": "acme/others"})");
  EXPECT_THAT(look({"tree", alone}).out, StartsWith("+ web"));
  EXPECT_THAT(look({"tree", both}).out, StartsWith("- web"));
  EXPECT_THAT(look({"tree", alone, "--owners", owners}).out, StartsWith("- web"));
  EXPECT_THAT(look({"tree", both, "--owners", others}).out, StartsWith("+ web"));
}

TEST_F(ToolTree, ReadsTheListFromStandardInput) {
  off("mcpServers#web");
  const Ran ran = run({"--db", db().string(), "tree", "-", "--session", "s", "--no-directory"}, {},
                      smallList());
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\n- web "));
}

TEST_F(ToolTree, NamesProblemsAtTheEnd_I19) {
  off("acme/other");
  const Ran ran = look({"tree", file("list.json", R"([
      {"type": "plugin", "id": "p", "uri": "/bare/path", "name": "broken", "children": [
        {"type": "mcpServer", "id": "c", "name": ""}]}])")});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_THAT(ran.out, HasSubstr("- broken  plugin     disabled  its URI or name is invalid\n"));
  EXPECT_THAT(ran.out, HasSubstr("\nproblem at [0]: invalidUri, so broken has no key and is off\n"
                                 "problem at [0, 0]: invalidArgument, so c has no key"));
}

TEST_F(ToolTree, RefusesAListThatIsMalformedWithThePosition_I19) {
  off("acme/other");
  const Ran child = look({"tree", file("bad.json", R"([{"type": "directory", "id": "d",
                                                        "children": [{"type": "skill"}]}])")});
  EXPECT_EQ(child.exit, 2);
  EXPECT_THAT(child.out, IsEmpty());
  EXPECT_THAT(child.err, HasSubstr("[0, 0]"));
  EXPECT_THAT(child.err, HasSubstr("has no id"));
  const Ran text = look({"tree", file("text.json", "[\n oops]")});
  EXPECT_EQ(text.exit, 2);
  EXPECT_THAT(text.err, HasSubstr("text.json:2:2"));
  EXPECT_EQ(look({"tree", file("empty.json", "{}")}).exit, 2);
  EXPECT_EQ(
      look({"tree", file("owners.json", R"({"customizations": [], "owners": {"a": 1}})")}).exit, 2);
  EXPECT_EQ(look({"tree", (home() / "missing.json").string()}).exit, 2);
  EXPECT_EQ(look({"tree", "-", "--owners", "-"}).exit, 2);
  EXPECT_EQ(onStore({"tree", smallList(), "--session", "s"}).exit, 2);
  EXPECT_EQ(onStore({"tree", smallList(), "--no-directory"}).exit, 2);
}

TEST_F(ToolTree, ShowsAllAsPendingWhenTheStoreCannotBeRead_I6) {
  writeFile(db(), "this is somebody's diary, not a database");
  const std::string before = read(db());
  const Ran ran = look({"tree", smallList()});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_THAT(ran.out, StartsWith("? tools "));
  EXPECT_THAT(ran.out, HasSubstr("pending   until the store can be read\n"));
  EXPECT_THAT(ran.err, HasSubstr("not a database"));
  const json out = json::parse(look({"tree", smallList(), "--json"}).out);
  EXPECT_EQ(out["mcpServers"], json::parse(R"({"c": false, "m": false})"));
  EXPECT_EQ(out["pending"], json::parse(R"(["c", "m", "p"])"));
  EXPECT_EQ(read(db()), before);
}

TEST_F(ToolTree, CreatesNothing) {
  const std::string list = smallList();
  EXPECT_EQ(look({"tree", list}).exit, 3);
  EXPECT_EQ(look({"explain", "acme/tools"}).exit, 3);
  EXPECT_EQ(look({"explain", "--entry", "c", "--list", list}).exit, 3);
  EXPECT_EQ(std::distance(fs::directory_iterator(home()), {}), 1);
}

TEST_F(ToolTree, KeepsToEightyColumnsAndCutsNothing) {
  off("acme/other");
  const std::string wide(70, 'w');
  const std::string list =
      file("list.json", R"([{"type": "mcpServer", "id": "a", "name": ")" + wide +
                            R"("}, {"type": "skill", "id": "b", "name": "short"}])");
  const Ran ran = look({"tree", list});
  expectNarrow(ran.out);
  EXPECT_THAT(ran.out, HasSubstr("+ " + wide + "\n"));
}

TEST_F(ToolTree, ShowsControlCharactersHarmlessly) {
  off("acme/other");
  const Ran ran = look({"tree", "-v", file("list.json", R"([{"type": "\u001b[31mx",
      "id": "\u001b]0;", "name": "a\nb"}])")});
  EXPECT_THAT(ran.out, HasSubstr("+ a\\x0ab"));
  EXPECT_THAT(ran.out, Not(HasSubstr("\x1b")));
}

// explain

TEST_F(ToolTree, ExplainsATargetByExitCode) {
  off(azureServer);
  const Ran ran = look({"explain", azureServer});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_THAT(ran.err, IsEmpty());
  EXPECT_THAT(ran.out, StartsWith("disabled everywhere since "));
  EXPECT_THAT(ran.out, HasSubstr("\n> global "));
  EXPECT_THAT(ran.out, HasSubstr("enablectl"));
  expectNarrow(ran.out);
  EXPECT_EQ(look({"explain", "acme/other"}).exit, 0);
  const Ran discovered = look({"explain", "mcpServers#x", "--discovery-default", "off"});
  EXPECT_EQ(discovered.exit, 1);
  EXPECT_THAT(discovered.out, HasSubstr("\n> discoveryDefault "));
}

TEST_F(ToolTree, ExplainsAnEntryAsItsListHasIt) {
  off("acme/tools");
  const std::string list = smallList();
  const Ran masked = look({"explain", "--entry", "c", "--list", list});
  EXPECT_EQ(masked.exit, 1);
  EXPECT_THAT(masked.out, StartsWith("disabled because p is disabled (global); its own answer:"));
  expectNarrow(masked.out);
  EXPECT_EQ(look({"explain", "--entry", "m", "--list", list}).exit, 0);
  const Ran absent = look({"explain", "--entry", "absent", "--list", list});
  EXPECT_EQ(absent.exit, 2);
  EXPECT_THAT(absent.err, HasSubstr("list.json"));
}

TEST_F(ToolTree, ExplainsAsJson) {
  off(azureServer);
  const json out = json::parse(look({"explain", azureServer, "--json"}).out);
  EXPECT_EQ(out["subject"], azureServer);
  EXPECT_EQ(out["target"], azureServer);
  EXPECT_EQ(out["state"], "disabled");
  EXPECT_EQ(out["reason"], "global");
  EXPECT_EQ(out["layers"][2]["layer"], "global");
  EXPECT_EQ(out["layers"][2]["decides"], true);
  EXPECT_EQ(out["layers"][2]["by"], "enablectl");
  EXPECT_EQ(out["container"]["name"], "https://plugins.example.org/azure");
}

TEST_F(ToolTree, ExplainsInEightyColumnsAndCutsNothing) {
  const std::string folder = "file:///" + std::string(60, 'f');
  const std::string plugin = "file:///" + std::string(60, 'p');
  EXPECT_EQ(onStore({"set", plugin, "off", "--scope", "workspace", "--directory", folder}).exit, 0);
  const Ran ran = onStore({"explain", plugin + "#mcp=db", "--session",
                           "ahp://" + std::string(60, 's'), "--directory", folder});
  EXPECT_EQ(ran.exit, 1);
  expectNarrow(ran.out);
  EXPECT_THAT(ran.out, HasSubstr(plugin));
  EXPECT_THAT(ran.out, HasSubstr("\n    where  " + folder + "\n"));
}

TEST_F(ToolTree, KeepsTextFromOutsideOnItsLine) {
  off("acme/tools");
  const Ran ran =
      onStore({"explain", "acme/tools", "--session", "s\nenabled\x1b[31m", "--no-directory"});
  EXPECT_THAT(ran.out, HasSubstr("s\\x0aenabled\\x1b[31m"));
}

TEST_F(ToolTree, SaysThatAnAnswerIsPendingWhenTheStoreCannotBeRead_I6) {
  writeFile(db(), "this is somebody's diary, not a database");
  const Ran ran = look({"explain", "acme/tools"});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_THAT(ran.out, StartsWith("pending until the store can be read\n"));
  EXPECT_THAT(ran.err, HasSubstr("not a database"));
}

TEST_F(ToolTree, RefusesToExplainTwoThingsOrNone) {
  off("acme/tools");
  const std::string list = smallList();
  for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{
           {"explain"},
           {"explain", "acme/tools", "--entry", "c", "--list", list},
           {"explain", "--entry", "c"},
           {"explain", "--list", list},
           {"explain", "acme/tools", "--owners", list},
           {"explain", "--entry", "c", "--list", list, "--discovery-default", "on"},
           {"explain", "acme/tools", "--discovery-default", "on"},
           {"explain", "/bare/path"}}) {
    const Ran ran = look(wrong);
    EXPECT_EQ(ran.exit, 2) << ::testing::PrintToString(wrong);
    EXPECT_THAT(ran.out, IsEmpty());
  }
}

// The classic fault, on the lists that come with the product.

TEST_F(ToolTree, AServerThatIsOffStaysOffWhereverItsListPutsIt_I2) {
  off(azureServer);
  for (const auto& [name, id] : std::vector<std::pair<std::string, std::string>>{
           {"azure-session.json", "azure/mcp/azure"},
           {"azure-session-later.json", "mcp-top-level:example:session-1:azure"}}) {
    const json out = json::parse(look({"tree", inExamples(name), "--json"}).out);
    EXPECT_EQ(out["mcpServers"][id], false) << name;
    EXPECT_EQ(out["effective"]["azure"]["state"], "enabled") << name;
    EXPECT_EQ(out["mcpServers"]["notes/mcp/ripgrep"], false) << "its discovery default is off";
    int skills = 0;
    for (const auto& [entry, answer] : out["effective"].items())
      if (entry.starts_with("azure/skill/") && answer["state"] == "enabled") ++skills;
    EXPECT_EQ(skills, 24) << name;
    expectNarrow(look({"tree", inExamples(name)}).out);
  }
}

TEST_F(ToolTree, TheDemoShowsItInSixtyLines) {
  const Ran demo = run({"demo"});
  EXPECT_THAT(demo.out, HasSubstr("  ahp://demo/api   in its plugin     disabled  everywhere\n"
                                  "  ahp://demo/site  at the top level  disabled  everywhere\n"));
  EXPECT_THAT(demo.out, HasSubstr("24 of"));
  EXPECT_THAT(demo.out, HasSubstr("\n  > global "));
  expectNarrow(demo.out);
  EXPECT_LE(linesOf(demo.out).size(), 60U);
  const json rows = json::parse(run({"demo", "--json"}).out);
  EXPECT_EQ(rows.back()["target"], azureServer);
  EXPECT_EQ(rows.back()["state"], "disabled");
}

}  // namespace
}  // namespace enablement::testing
