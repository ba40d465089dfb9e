// What a shell offers while a line is typed, and the manual pages: both made from one command line.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool_fixture.h"

namespace enablement::testing {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::StartsWith;

class Completion : public Tool {
 protected:
  // The words that are offered, and what the shell adds of its own.
  std::vector<std::string> offered(std::vector<std::string> words) {
    words.insert(words.begin(), {"complete", "--"});
    const Ran ran = onStore(std::move(words));
    EXPECT_EQ(ran.exit, 0);
    EXPECT_THAT(ran.err, IsEmpty());
    auto lines = linesOf(ran.out);
    for (std::string& line : lines) line = line.substr(0, line.find('\t'));
    return lines;
  }
  // What bash makes of a line at whose end somebody asks.
  std::string inBash(const std::string& line) {
    onStore({"completion", "bash"});
    writeFile(home() / "try.sh", run({"completion", "bash"}).out +
                                     "\nCOMP_LINE=$1 COMP_POINT=${#1}\n_enablectl \"$2\"\n"
                                     "printf '%s\\n' \"${COMPREPLY[@]}\"\n");
    const std::string command = "ENABLEMENT_DB='" + db().string() + "' bash '" +
                                (home() / "try.sh").string() + "' '" + line + "' '" +
                                enablectlProgram + "' > '" + (home() / "offered").string() +
                                "' 2> /dev/null";
    EXPECT_EQ(std::system(command.c_str()), 0);
    return read(home() / "offered");
  }
};

TEST_F(Completion, OffersVerbsOptionsAndValues) {
  EXPECT_THAT(offered({"dis"}), ElementsAre("disable", ":none"));
  EXPECT_THAT(offered({""}), IsSupersetOf({"list", "doctor", "migrate"}));
  EXPECT_THAT(offered({""}), Not(Contains("complete"))) << "not for people";
  EXPECT_THAT(offered({"migrate", "v"}), ElementsAre("validate", ":none"));
  EXPECT_THAT(offered({"list", "--sc"}), ElementsAre("--scope", ":none"));
  EXPECT_THAT(offered({"list", "--scope", ""}),
              ElementsAre("session", "workspace", "global", ":none"));
  EXPECT_THAT(offered({"list", "--scope=w"}), ElementsAre("--scope=workspace", ":none"));
  EXPECT_THAT(offered({"set", "acme/a", ""}), ElementsAre("on", "off", ":none"));
  EXPECT_THAT(offered({"completion", "f"}), ElementsAre("fish", ":none"));
  EXPECT_THAT(offered({"replay", "a.json", ""}), ElementsAre(":files"));
}

TEST_F(Completion, OffersWhatIsStored) {
  EXPECT_THAT(offered({"disable", ""}), ElementsAre(":none"));
  EXPECT_TRUE(fs::is_empty(home())) << "looking creates nothing";
  onStore({"disable", "acme/a#mcp=d b"});
  onStore({"disable", "file:///plugins/alpha", "--directory", "file:///repo"});
  onStore({"disable", "acme/a", "--session", "ahp://copilot/1"});
  EXPECT_THAT(offered({"enable", ""}),
              ElementsAre("acme/a", "acme/a#mcp=d b", "file:///plugins/alpha", ":none"));
  EXPECT_THAT(offered({"list", "--target", "f"}), ElementsAre("file:///plugins/alpha", ":none"));
  EXPECT_THAT(offered({"list", "--directory", ""}), ElementsAre("file:///repo", ":folders"));
  EXPECT_THAT(offered({"resolve", "x", "--session", "a"}), ElementsAre("ahp://copilot/1", ":none"));
  onStore({"revert", "file:///plugins/alpha", "--directory", "file:///repo"});
  EXPECT_THAT(offered({"restore", ""}), ElementsAre("4", ":none"));
}

TEST_F(Completion, IsSilentWhenTheStoreCannotBeRead) {
  writeFile(db(), "this is somebody's diary, not a database");
  EXPECT_THAT(offered({"disable", ""}), ElementsAre(":none"));
}

TEST_F(Completion, BashGetsTheRestOfAWordThatItCutsItself) {
  onStore({"disable", "file:///plugins/alpha#mcp=db"});
  EXPECT_EQ(inBash("enablectl dis"), "disable\n");
  EXPECT_EQ(inBash("enablectl disable file:///pl"), "///plugins/alpha#mcp=db\n");
  EXPECT_EQ(inBash("enablectl disable file:///plugins/alpha#mcp=d"), "db\n");
  EXPECT_EQ(inBash("enablectl list --scope "), "session\nworkspace\nglobal\n");
}

TEST_F(Completion, TheScriptsAreReadByTheirShells) {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const Ran script = run({"completion", shell});
    EXPECT_EQ(script.exit, 0);
    EXPECT_THAT(script.out, HasSubstr("complete --"));
    if (std::system(("command -v " + shell + " > /dev/null").c_str()) != 0) continue;
    writeFile(home() / shell, script.out);
    EXPECT_EQ(std::system((shell + " -n '" + (home() / shell).string() + "'").c_str()), 0) << shell;
  }
  EXPECT_EQ(run({"completion", "cmd.exe"}).exit, 2);
}

TEST_F(Completion, EveryVerbHasAManualPage) {
  EXPECT_EQ(run({"manual", "--into", (home() / "man").string()}).exit, 0);
  for (const std::string& verb : offered({""})) {
    if (verb == ":none") continue;
    const std::string page = read(home() / "man" / ("enablectl-" + verb + ".1"));
    EXPECT_THAT(page, StartsWith(".TH enablectl\\-" + verb + " 1")) << verb;
    for (const char* part : {".SH NAME", ".SH SYNOPSIS", ".SH EXAMPLES", ".SH OPTIONS"})
      EXPECT_THAT(page, HasSubstr(part)) << verb;
  }
  EXPECT_THAT(read(home() / "man" / "enablectl-migrate-up.1"), HasSubstr("\\-\\-dry\\-run"));
  EXPECT_THAT(read(home() / "man" / "enablectl.1"), HasSubstr("enablectl\\-doctor"));
}

}  // namespace
}  // namespace enablement::testing
