// enablectl as a person or a script meets it: the built program, its output and its exit codes.
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <enablement/tool/temp_dir.h>

namespace enablement {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

std::string read(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void writeFile(const fs::path& file, std::string_view text) {
  std::ofstream(file, std::ios::binary) << text;
}

struct Ran {
  int exit = -1;  // 128 and more: ended by a signal
  std::string out;
  std::string err;
};

class Tool : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(folder_) << describe(folder_.error());
    fs::create_directory(home());
  }

  // A folder that is empty but for what the test makes.
  [[nodiscard]] fs::path home() const { return folder_->path() / "home"; }
  [[nodiscard]] fs::path db() const { return home() / "enablement.db"; }

  // Runs enablectl without a terminal.
  Ran run(std::vector<std::string> arguments, std::vector<std::string> environment = {},
          const fs::path& input = "/dev/null") {
    const fs::path out = folder_->path() / "out";
    const fs::path err = folder_->path() / "err";
    arguments.insert(arguments.begin(), ENABLECTL);
    environment.push_back("HOME=" + home().string());
    environment.push_back("TMPDIR=" + folder_->path().string());
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&files, 0, input.c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, out.c_str(), flags, 0600);
    posix_spawn_file_actions_addopen(&files, 2, err.c_str(), flags, 0600);
    pid_t child = 0;
    const int failed = posix_spawn(&child, ENABLECTL, &files, nullptr, pointers(arguments).data(),
                                   pointers(environment).data());
    posix_spawn_file_actions_destroy(&files);
    EXPECT_EQ(failed, 0);
    int status = 0;
    if (failed == 0) waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read(out), read(err)};
  }

  // The same on the store of the test.
  Ran onStore(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"--db", db().string()});
    return run(std::move(arguments));
  }

 private:
  static std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (std::string& text : texts) all.push_back(text.data());
    all.push_back(nullptr);
    return all;
  }

  Result<tool::TempDir> folder_ = tool::TempDir::create();
};

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

void expectNarrow(const std::string& text) {
  for (const std::string& line : linesOf(text)) EXPECT_LE(line.size(), 80U) << line;
}

const std::vector<std::string> verbs{"demo", "resolve", "list", "set", "clear", "purge", "replay"};

// Help and usage.

TEST_F(Tool, ExplainsItself) {
  const Ran help = run({"--help"});
  EXPECT_EQ(help.exit, 0);
  EXPECT_THAT(help.err, IsEmpty());
  expectNarrow(help.out);
  for (const std::string& verb : verbs) EXPECT_THAT(help.out, HasSubstr("\n  " + verb + " "));
}

TEST_F(Tool, ShowsAnExampleOfEveryVerb) {
  for (const std::string& verb : verbs) {
    const Ran help = run({verb, "--help"});
    EXPECT_EQ(help.exit, 0) << verb;
    EXPECT_THAT(help.out, HasSubstr("Usage: enablectl " + verb));
    EXPECT_THAT(help.out, HasSubstr("Example"));
    EXPECT_THAT(help.out, HasSubstr("  enablectl " + verb));
    EXPECT_THAT(help.out, HasSubstr("--json"));
    expectNarrow(help.out);
  }
}

TEST_F(Tool, TellsItsVersion) {
  const Ran version = run({"--version"});
  EXPECT_EQ(version.exit, 0);
  EXPECT_THAT(version.out, StartsWith("enablectl "));
}

TEST_F(Tool, SuggestsTheNearestVerb) {
  const Ran typo = run({"resovle", "acme/tools"});
  EXPECT_EQ(typo.exit, 2);
  EXPECT_THAT(typo.out, IsEmpty());
  EXPECT_THAT(typo.err, StartsWith("enablectl: unknown verb \"resovle\"\n"));
  EXPECT_THAT(typo.err, HasSubstr("did you mean resolve?"));
}

TEST_F(Tool, RefusesWrongUsageAndTouchesNothing) {
  const std::vector<std::vector<std::string>> wrong{
      {},
      {"--bogus"},
      {"list", "--bogus"},
      {"--color=sometimes", "list"},
      {"--db", "", "list"},
      {"--busy-timeout=soon", "list"},
      {"set"},
      {"set", "acme/tools"},
      {"set", "acme/tools", "on"},
      {"set", "acme/tools", "maybe", "--scope", "global"},
      {"set", "acme/tools", "on", "--scope", "planet"},
      {"set", "acme/tools", "on", "--scope", "session"},
      {"set", "acme/tools", "on", "--scope", "workspace"},
      {"set", "acme/tools", "on", "--scope", "workspace", "--no-directory"},
      {"set", "acme/tools", "on", "--scope", "global", "--directory", "/x"},
      {"set", "/bare/path", "on", "--scope", "global"},
      {"set", "mcpServers#", "on", "--scope", "global"},
      {"set", "acme/tools", "on", "--scope", "workspace", "--directory", "ab:%zz"},
      {"clear", "acme/tools", "on", "--scope", "global"},
      {"resolve", "acme/tools"},
      {"resolve", "acme/tools", "--session", "s"},
      {"resolve", "acme/tools", "--session", "s", "--directory", "/x", "--no-directory"},
      {"resolve", "acme/tools", "--session", "s", "--no-directory", "--discovery-default", "on"},
      {"purge"},
      {"replay"},
  };
  for (const auto& arguments : wrong) {
    const Ran ran = onStore(arguments);
    const std::string what = ::testing::PrintToString(arguments);
    EXPECT_EQ(ran.exit, 2) << what;
    EXPECT_THAT(ran.out, IsEmpty()) << what;
    EXPECT_THAT(ran.err, StartsWith("enablectl: ")) << what;
  }
  EXPECT_TRUE(fs::is_empty(home()));
}

// Decisions.

TEST_F(Tool, SetsListsClearsAndPurges) {
  const Ran set = onStore({"set", "file:///plugins/alpha", "off", "--scope", "global"});
  EXPECT_EQ(set.exit, 0) << set.err;
  EXPECT_EQ(set.out, "file:///plugins/alpha is now off everywhere\n");
  EXPECT_THAT(set.err, IsEmpty());

  const Ran again = onStore({"set", "file:///plugins/alpha/", "off", "--scope", "global"});
  EXPECT_EQ(again.out, "nothing changed: file:///plugins/alpha is off everywhere already\n");

  EXPECT_EQ(onStore({"set", "mcpServers#list", "on", "--scope", "workspace", "--directory",
                     "file:///Repo"})
                .out,
            "mcpServers#list is now on in the folder file:///Repo\n");

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
            "removed 1 decision about mcpServers#list:\n  on in the folder file:///Repo\n");
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
  EXPECT_EQ(onStore(off).out, "acme/tools is now off in the session s\n");
  std::vector<std::string> on{"set", "acme/tools", "on"};
  on.insert(on.end(), place.begin(), place.end());
  EXPECT_EQ(onStore(on).out, "acme/tools is no longer off in the session s: it inherits on\n");
  EXPECT_EQ(onStore(on).out,
            "nothing changed: acme/tools is on in the session s already, by default\n");
}

TEST_F(Tool, RefusesAFolderDecisionInASessionWithoutOne) {
  const Ran ran = onStore(
      {"set", "acme/tools", "on", "--scope", "workspace", "--session", "s", "--no-directory"});
  EXPECT_EQ(ran.exit, 7);
  EXPECT_THAT(ran.out, IsEmpty());
  EXPECT_THAT(ran.err, StartsWith("enablectl: "));
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
  EXPECT_EQ(onStore({"set", "acme/a", "off", "--scope", "workspace", "--directory",
                     "//no/such/../folder/"})
                .out,
            "acme/a is now off in the folder file:///no/folder\n");
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

// How it looks.

TEST_F(Tool, ShowsTheDemoInEightyColumns) {
  const Ran demo = run({"demo"});
  EXPECT_EQ(demo.exit, 0) << demo.err;
  expectNarrow(demo.out);
  for (const char* word : {"enabled ", "disabled ", "pending ", "by what the editor states",
                           "by the folder ", "by the session "})
    EXPECT_THAT(demo.out, HasSubstr(word));
  EXPECT_TRUE(fs::is_empty(home()));
}

TEST_F(Tool, ColoursOnlyWhenAskedWithoutATerminal) {
  EXPECT_THAT(run({"demo"}).out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(run({"demo", "--color=auto"}, {"NO_COLOR=1"}).out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(run({"demo", "--color=never"}).out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(run({"--color=always", "demo"}).out, HasSubstr("\x1b[32menabled\x1b[0m"));
}

TEST_F(Tool, ListsInEightyColumnsAndCutsNothing) {
  const std::string wide = "file:///plugins/" + std::string(30, 'w');
  EXPECT_EQ(onStore({"set", wide, "off", "--scope", "global"}).exit, 0);
  EXPECT_EQ(onStore({"set", wide, "on", "--scope", "workspace", "--directory", "/r"}).exit, 0);
  const Ran list = onStore({"list"});
  EXPECT_EQ(list.exit, 0);
  expectNarrow(list.out);
  EXPECT_THAT(list.out, HasSubstr(wide));
}

TEST_F(Tool, ShowsControlCharactersHarmlessly) {
  const Ran ran = onStore({"set", "acme/tools", "off", "--scope", "session", "--session",
                           "s\x1b[31m", "--no-directory"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("s\\x1b[31m"));
  EXPECT_THAT(onStore({"list"}).out, Not(HasSubstr("\x1b")));
}

// Scenarios.

constexpr const char* wrongScenario = R"([{"name": "wrong", "targets": {}, "steps": [
    {"do": "load", "session": "ahp://copilot/session-1"}]}])";

TEST_F(Tool, ReplaysScenarios) {
  const std::string file = ENABLEMENT_TEST_DIR "/vectors/scenarios.json";
  const Ran ran = run({"replay", file});
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, EndsWith(" scenarios, 0 mismatches\n"));
}

TEST_F(Tool, ReportsMismatchesAndFails) {
  writeFile(home() / "wrong.json", wrongScenario);
  const Ran ran = run({"replay", (home() / "wrong.json").string()});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_THAT(ran.out, HasSubstr("wrong, step 1: events\n  expected  []\n"
                                 "  actual    [[\"ahp://copilot/session-1\"]]\n"));
  EXPECT_THAT(ran.out, EndsWith("1 scenario, 1 mismatch\n"));

  const Ran asJson = run({"replay", "--json", "-"}, {}, home() / "wrong.json");
  EXPECT_EQ(asJson.exit, 1);
  EXPECT_EQ(json::parse(asJson.out), json::parse(R"({"scenarios": 1, "mismatches": [
      {"file": "standard input", "scenario": "wrong", "step": 1, "what": "events",
       "expected": [], "actual": [["ahp://copilot/session-1"]]}]})"));
}

TEST_F(Tool, RefusesAFileThatIsNoScenario) {
  writeFile(home() / "good.json", "[]");
  writeFile(home() / "bad.json", "[{\"name\": 1}]");
  for (const char* bad : {"bad.json", "missing.json"}) {
    const Ran ran = run({"replay", (home() / "good.json").string(), (home() / bad).string()});
    EXPECT_EQ(ran.exit, 2) << bad;
    EXPECT_THAT(ran.out, IsEmpty());
    EXPECT_THAT(ran.err, HasSubstr(bad));
  }
}

}  // namespace
}  // namespace enablement
