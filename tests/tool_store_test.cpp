// enablectl on a store: decisions, answers, and stores that cannot be read.
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tool_fixture.h"

namespace enablement::testing {
namespace {

using nlohmann::json;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

// Decisions.

TEST_F(Tool, SetsListsClearsAndPurges) {
  const Ran set = onStore({"set", "file:///plugins/alpha", "off", "--scope", "global"});
  EXPECT_EQ(set.exit, 0) << set.err;
  EXPECT_THAT(set.out, HasSubstr("\nfile:///plugins/alpha is now off everywhere\n"
                                 "it is disabled wherever no folder or session decides otherwise\n"
                                 "undo: "));
  EXPECT_THAT(set.err, IsEmpty());

  const Ran again = onStore({"set", "file:///plugins/alpha/", "off", "--scope", "global"});
  EXPECT_THAT(again.out,
              StartsWith("nothing changed: file:///plugins/alpha is off everywhere already\n"));

  EXPECT_THAT(onStore({"set", "mcpServers#list", "on", "--scope", "workspace", "--directory",
                       "file:///Repo"})
                  .out,
              StartsWith("mcpServers#list is now on in the folder file:///Repo\n"
                         "it is enabled there unless a session decides otherwise\n"));

  const json rows = json::parse(onStore({"list", "--json"}).out);
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[0]["scope"], "global");
  EXPECT_EQ(rows[0]["where"], "");
  EXPECT_EQ(rows[0]["target"], "file:///plugins/alpha");
  EXPECT_EQ(rows[0]["enabled"], false);
  EXPECT_EQ(rows[0]["by"], "enablectl");
  EXPECT_THAT(rows[0]["since"].get<std::string>(), EndsWith("Z"));
  EXPECT_EQ(rows[1]["where"], "file:///Repo");

  const Ran cleared = onStore({"clear", "file:///plugins/alpha", "--scope", "global"});
  EXPECT_EQ(cleared.exit, 0);
  EXPECT_THAT(cleared.out, StartsWith("file:///plugins/alpha is no longer off everywhere"));

  const Ran purged = onStore({"purge", "mcpServers#list"});
  EXPECT_EQ(purged.exit, 0);
  EXPECT_EQ(purged.out,
            "removed 1 decision about mcpServers#list:\n  on in the folder file:///Repo\n"
            "it is enabled by default, unless a client says otherwise\n");
  EXPECT_EQ(json::parse(onStore({"list", "--json"}).out), json::array());
}

TEST_F(Tool, TakesOptionsBeforeAndAfterTheVerb) {
  EXPECT_EQ(onStore({"set", "list", "off", "--scope", "global"}).exit, 0);
  const Ran before = run({"--json", "--db", db().string(), "list"});
  const Ran after = run({"list", "--db", db().string(), "--json"});
  EXPECT_EQ(before.exit, 0);
  EXPECT_EQ(before.out, after.out);
  EXPECT_THAT(json::parse(after.out), SizeIs(1));
}

TEST_F(Tool, KeepsASessionsPartUntilItsHostSettlesIt) {
  const Ran queued = onStore({"set", "acme/tools", "off", "--scope", "session", "--session", "s"});
  EXPECT_EQ(queued.exit, 0) << queued.err;
  EXPECT_THAT(queued.out, HasSubstr("is queued until the host settles the session"));
  EXPECT_EQ(json::parse(onStore({"list", "--json"}).out), json::array());
  // Looking shows it as if it were applied, and applies nothing.
  EXPECT_EQ(onStore({"resolve", "acme/tools", "--session", "s", "--no-directory"}).exit, 1);
  EXPECT_THAT(onStore({"list"}).err, HasSubstr("1 part"));
}

TEST_F(Tool, WritesInASettledSession) {
  const std::vector<std::string> place{"--scope", "session", "--session", "s", "--directory", "/r"};
  std::vector<std::string> off{"set", "acme/tools", "off"};
  off.insert(off.end(), place.begin(), place.end());
  EXPECT_THAT(onStore(off).out, HasSubstr("\nacme/tools is now off in the session s\n"
                                          "it is disabled in this session by the session s\n"));
  std::vector<std::string> on{"set", "acme/tools", "on"};
  on.insert(on.end(), place.begin(), place.end());
  EXPECT_THAT(onStore(on).out,
              StartsWith("acme/tools is no longer off in the session s: it inherits on\n"
                         "it is enabled in this session by default\n"));
  EXPECT_EQ(onStore(on).out,
            "nothing changed: acme/tools is on in the session s already, by default\n"
            "it is enabled in this session by default\n");
}

TEST_F(Tool, RefusesAFolderDecisionInASessionWithoutOneAlsoInADryRun) {
  std::vector<std::string> set{"set",       "acme/tools", "on", "--scope",
                               "workspace", "--session",  "s",  "--no-directory"};
  for (const char* option : {"-v", "-n"}) {
    set.emplace_back(option);
    const Ran ran = onStore(set);
    EXPECT_EQ(ran.exit, 7);
    EXPECT_THAT(ran.out, IsEmpty());
    EXPECT_THAT(ran.err, StartsWith("enablectl: "));
  }
}

TEST_F(Tool, ReportsAWriteAsJson) {
  const json set =
      json::parse(onStore({"set", "acme/tools", "off", "--scope", "global", "--json"}).out);
  EXPECT_EQ(set["target"], "acme/tools");
  EXPECT_EQ(set["changed"], true);
  EXPECT_EQ(set["dryRun"], false);
  EXPECT_EQ(set["stored"], false);
  ASSERT_THAT(set["changes"], SizeIs(1));
  EXPECT_EQ(set["changes"][0]["after"], false);
  const json purged = json::parse(onStore({"purge", "acme/tools", "--json"}).out);
  EXPECT_EQ(purged["decisions"], 1);
}

TEST_F(Tool, AsksBeforeItPurgesAtATerminal) {
  if (!hasTerminals()) GTEST_SKIP() << "no pseudo-terminal can be opened here";
  const std::vector<std::string> purge{"--db", db().string(), "purge", "acme/tools"};
  EXPECT_EQ(onStore({"set", "acme/tools", "off", "--scope", "global"}).exit, 0);
  const Ran declined = onTerminal(purge, "n\n");
  EXPECT_EQ(declined.exit, 1);
  EXPECT_THAT(declined.out, HasSubstr("Remove 1 decision about acme/tools? [y/N]"));
  EXPECT_THAT(json::parse(onStore({"list", "--json"}).out), SizeIs(1));
  EXPECT_EQ(onTerminal(purge, "y\n").exit, 0);
  EXPECT_THAT(json::parse(onStore({"list", "--json"}).out), IsEmpty());

  EXPECT_EQ(onStore({"set", "acme/tools", "off", "--scope", "global"}).exit, 0);
  const Ran unasked = onTerminal({"--db", db().string(), "purge", "-y", "acme/tools"});
  EXPECT_EQ(unasked.exit, 0);
  EXPECT_THAT(unasked.out, Not(HasSubstr("[y/N]")));
}

TEST_F(Tool, SaysNothingWhenQuiet) {
  const Ran set = onStore({"-q", "set", "acme/tools", "off", "--scope", "global"});
  EXPECT_EQ(set.exit, 0);
  EXPECT_THAT(set.out + set.err, IsEmpty());
}

// Folders as people write them.

TEST_F(Tool, TurnsAPathIntoTheUriOfItsRealPath) {
  const fs::path real = home() / "my repo%1";
  fs::create_directory(real);
  fs::create_directory_symlink(real, home() / "link");
  for (const fs::path& path : {real, home() / "link", home() / "." / "link" / ".." / "my repo%1"}) {
    EXPECT_EQ(onStore({"set", path == real ? "acme/a" : "acme/b", "off", "--scope", "workspace",
                       "--directory", path.string()})
                  .exit,
              0);
  }
  const json rows = json::parse(onStore({"list", "--json"}).out);
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[0]["where"], rows[1]["where"]);
  EXPECT_THAT(rows[0]["where"].get<std::string>(), EndsWith("/home/my%20repo%251"));
}

TEST_F(Tool, MakesAMissingPathAbsolute) {
  EXPECT_THAT(onStore({"set", "acme/a", "off", "--scope", "workspace", "--directory",
                       "//no/such/../folder/"})
                  .out,
              HasSubstr("\nacme/a is now off in the folder file:///no/folder\n"
                        "it is disabled there unless a session decides otherwise\n"));
}

// Answers.

TEST_F(Tool, ResolvesByExitCode) {
  EXPECT_EQ(onStore({"set", "acme/tools", "off", "--scope", "global"}).exit, 0);
  EXPECT_EQ(onStore({"set", "acme/tools", "on", "--scope", "workspace", "--directory",
                     "file:///repo/one"})
                .exit,
            0);
  const Ran on =
      onStore({"resolve", "acme/tools", "--session", "s", "--directory", "file:///repo/one"});
  EXPECT_EQ(on.exit, 0);
  EXPECT_EQ(on.out, "enabled  by the folder file:///repo/one\n");
  const Ran off = onStore({"resolve", "acme/tools", "--session", "s", "--no-directory"});
  EXPECT_EQ(off.exit, 1);
  EXPECT_EQ(off.out, "disabled  by the decision for everywhere\n");
  const Ran server = onStore({"resolve", "acme/tools#mcp=db", "--session", "s", "--no-directory"});
  EXPECT_EQ(server.exit, 1);
  EXPECT_EQ(server.out, "disabled  by its plugin acme/tools\n");
  const Ran nothing = onStore({"resolve", "acme/other", "--session", "s", "--no-directory"});
  EXPECT_EQ(nothing.exit, 0);
  EXPECT_EQ(nothing.out, "enabled  by default\n");
  const Ran discovered = onStore({"resolve", "mcpServers#x", "--session", "s", "--no-directory",
                                  "--discovery-default", "off"});
  EXPECT_EQ(discovered.exit, 1);
  EXPECT_EQ(discovered.out, "disabled  by its discovery default\n");
}

TEST_F(Tool, ResolvesAsJson) {
  EXPECT_EQ(onStore({"set", "acme/tools", "off", "--scope", "global"}).exit, 0);
  const Ran ran = onStore({"resolve", "acme/tools", "--session", "s", "--no-directory", "--json"});
  EXPECT_EQ(json::parse(ran.out),
            json::parse(R"({"target": "acme/tools", "session": "s", "state": "disabled",
                            "reason": "global", "workingDirectory": {"kind": "none"},
                            "enablement": [{"kind": "global", "enabled": false}]})"));
}

// Stores that are not there, or cannot be read.

TEST_F(Tool, CreatesNothingToLookAt) {
  const Ran list = onStore({"list"});
  EXPECT_EQ(list.exit, 4);
  EXPECT_THAT(list.out, IsEmpty());
  EXPECT_THAT(list.err, HasSubstr(db().filename().string()));
  const Ran resolve = onStore({"resolve", "acme/tools", "--session", "s", "--no-directory"});
  EXPECT_EQ(resolve.exit, 3);
  EXPECT_THAT(resolve.out, StartsWith("pending  "));
  EXPECT_THAT(resolve.err, StartsWith("enablectl: "));
  EXPECT_TRUE(fs::is_empty(home()));
}

TEST_F(Tool, CreatesNothingInADryRun) {
  const Ran set = onStore({"set", "-n", "acme/tools", "off", "--scope", "global"});
  EXPECT_EQ(set.exit, 0);
  EXPECT_THAT(set.out, HasSubstr("would set acme/tools to off everywhere"));
  EXPECT_EQ(onStore({"-n", "clear", "acme/tools", "--scope", "global"}).exit, 0);
  EXPECT_EQ(onStore({"purge", "--dry-run", "acme/tools"}).exit, 0);
  EXPECT_TRUE(fs::is_empty(home()));
}

TEST_F(Tool, ChangesNothingInADryRun) {
  EXPECT_EQ(onStore({"set", "acme/tools", "off", "--scope", "global"}).exit, 0);
  const std::string before = read(db());
  const Ran set = onStore({"set", "-n", "acme/tools", "on", "--scope", "global", "--json"});
  EXPECT_EQ(json::parse(set.out)["changed"], true);
  EXPECT_EQ(json::parse(set.out)["stored"], false);
  EXPECT_THAT(onStore({"set", "-n", "acme/tools", "off", "--scope", "global"}).out,
              StartsWith("would change nothing"));
  EXPECT_THAT(onStore({"purge", "-n", "acme/tools"}).out, StartsWith("would remove 1 decision"));
  EXPECT_EQ(read(db()), before);
}

TEST_F(Tool, AnswersPendingOnADamagedStoreAndLeavesItAlone) {
  writeFile(db(), "this is somebody's diary, not a database");
  const std::string before = read(db());
  const Ran resolve = onStore({"resolve", "acme/tools", "--session", "s", "--no-directory"});
  EXPECT_EQ(resolve.exit, 3);
  EXPECT_THAT(resolve.out, StartsWith("pending  "));
  EXPECT_THAT(resolve.out, Not(HasSubstr("enabled")));
  EXPECT_THAT(resolve.err, HasSubstr("not a database"));
  const json answer = json::parse(
      onStore({"resolve", "acme/tools", "--session", "s", "--no-directory", "--json"}).out);
  EXPECT_EQ(answer["state"], "pending");
  EXPECT_EQ(answer["reason"], "store");
  EXPECT_EQ(answer["enablement"], nullptr);
  EXPECT_EQ(onStore({"list"}).exit, 4);
  EXPECT_EQ(onStore({"set", "acme/tools", "off", "--scope", "global"}).exit, 4);
  EXPECT_EQ(onStore({"purge", "acme/tools"}).exit, 4);
  EXPECT_EQ(read(db()), before);
  EXPECT_EQ(std::distance(fs::directory_iterator(home()), {}), 1);
}

TEST_F(Tool, FindsTheStoreInTheEnvironment) {
  const std::vector<std::string> set{"set", "acme/tools", "off", "--scope", "global"};
  EXPECT_EQ(run(set, {"ENABLEMENT_DB=" + db().string()}).exit, 0);
  EXPECT_TRUE(fs::exists(db()));
  EXPECT_EQ(run(set, {"XDG_STATE_HOME=" + (home() / "state").string()}).exit, 0);
  EXPECT_TRUE(fs::exists(home() / "state" / "enablement" / "enablement.db"));
  EXPECT_EQ(run(set).exit, 0);
  const fs::path folder = home() / ".local" / "state" / "enablement";
  EXPECT_TRUE(fs::exists(folder / "enablement.db"));
  EXPECT_EQ(fs::status(folder).permissions(), fs::perms::owner_all);
}

}  // namespace
}  // namespace enablement::testing
