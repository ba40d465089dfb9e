// What people get wrong on the command line, and what they are told.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tool_fixture.h"

namespace enablement::testing {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class Slips : public Tool {
 protected:
  // What is said about a command line that is refused and touches nothing.
  std::string refused(std::vector<std::string> arguments) {
    const Ran ran = onStore(arguments);
    EXPECT_EQ(ran.exit, 2) << ::testing::PrintToString(arguments) << ran.out << ran.err;
    EXPECT_THAT(ran.out, IsEmpty());
    expectNarrow(ran.err);
    return ran.err;
  }
  // What is said beside the result, on one line.
  std::string noted(std::vector<std::string> arguments) {
    std::string text = onStore(std::move(arguments)).err;
    expectNarrow(text);
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
  }
  // What a verb that must succeed prints.
  std::string say(std::vector<std::string> arguments) {
    const Ran ran = onStore(arguments);
    EXPECT_EQ(ran.exit, 0) << ::testing::PrintToString(arguments) << ran.out << ran.err;
    return ran.out;
  }
};

// A variable that is not set.

TEST_F(Slips, AnEmptyFolderIsNotEverywhere) {
  EXPECT_THAT(refused({"disable", "acme/a", "--directory", ""}),
              AllOf(StartsWith("enablectl: --directory is empty\n"), HasSubstr("not set")));
  refused({"disable", "acme/a", "--directory="});
  EXPECT_TRUE(fs::is_empty(home()));
}

TEST_F(Slips, NoVerbTakesAnEmptyValueForNone) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"disable", ""},
           {"disable", "acme/a", "--session", ""},
           {"enable", "acme/a", "--scope", ""},
           {"set", "acme/a", "", "--scope", "global"},
           {"clear", "acme/a", "--scope="},
           {"revert", "acme/a", "--session="},
           {"get", "acme/a", "--directory", ""},
           {"get", ""},
           {"purge", ""},
           {"explain", "", "--session", "s", "--no-directory"},
           {"resolve", "acme/a", "--session", "s", "--no-directory", "--discovery-default", ""},
           {"list", "--target", ""},
           {"list", "--session", ""},
           {"history", "--target", ""},
           {"history", "--since", ""},
           {"watch", "--session", ""},
           {"sessions", "--delete", ""},
           {"sessions", "--delete", "", "--stale", "0"},
           {"prune", "--older-than", ""},
           {"restore", ""},
           {"import", "--disabled-servers", ""},
           {"export", ""},
           {"backup", ""},
           {"recover", "a", "--into", ""},
           {"tree", "", "--session", "s", "--no-directory"},
           {"replay", ""},
           {"list", "--db", ""},
           {"list", "--db="}})
    EXPECT_THAT(refused(arguments), HasSubstr(" is empty\n"))
        << ::testing::PrintToString(arguments);
  EXPECT_TRUE(fs::is_empty(home()));
}

// Nearly right.

TEST_F(Slips, AMisspeltOptionIsRecognised) {
  EXPECT_THAT(refused({"disable", "acme/a", "--directroy", "."}),
              AllOf(StartsWith("enablectl: unknown option \"--directroy\"\n"),
                    HasSubstr("did you mean --directory? See: enablectl disable --help")));
  EXPECT_THAT(refused({"explain", "--sesion", "s", "acme/a"}), HasSubstr("mean --session?"));
  EXPECT_THAT(refused({"list", "--first-bogus", "--second"}),
              AllOf(HasSubstr("\"--first-bogus\""), Not(HasSubstr("mean"))));
}

TEST_F(Slips, OnlyWhatIsReallyNearIsSuggested) {
  EXPECT_THAT(refused({"undo"}), HasSubstr("did you mean restore?"));
  EXPECT_THAT(refused({"enbale", "acme/a"}), HasSubstr("did you mean enable?"));
  EXPECT_THAT(refused({"frobnicate"}), Not(HasSubstr("did you mean")));
}

TEST_F(Slips, HelpIsAVerb) {
  EXPECT_EQ(run({"help"}).out, run({"--help"}).out);
  EXPECT_EQ(run({"help", "disable"}).out, run({"disable", "--help"}).out);
  EXPECT_EQ(run({"help", "migrate", "up"}).out, run({"migrate", "up", "--help"}).out);
  EXPECT_THAT(refused({"help", "lst"}), StartsWith("enablectl: unknown verb"));
  EXPECT_THAT(run({"help", "lst"}).err, HasSubstr("did you mean list?"));
}

TEST_F(Slips, ValuesAreRefusedInPlainWords) {
  EXPECT_THAT(refused({"disable", "acme/a", "--directory"}),
              StartsWith("enablectl: --directory needs a value\n"));
  EXPECT_THAT(refused({"completion", "bsh"}),
              StartsWith("enablectl: SHELL is bash, zsh or fish, not \"bsh\"\n"));
  EXPECT_THAT(refused({"history", "-n", "many"}), StartsWith("enablectl: --last is a number from"));
  EXPECT_THAT(refused({"disable", "acme/a", "off"}),
              AllOf(HasSubstr("it means off already"), HasSubstr("enablectl set TARGET off")));
  EXPECT_THAT(refused({"get", "acme/a", "acme/b"}), HasSubstr("\"acme/b\" is one word too many"));
}

// A target that is none of those stored.

TEST_F(Slips, ABareWordIsNoServer) {
  say({"disable", "file:///plugins/azure#mcp=azure"});
  say({"disable", "mcpServers#azure"});
  const std::vector<std::string> place{"--session", "ahp://copilot/1", "--no-directory"};
  for (const char* verb : {"explain", "resolve"}) {
    std::vector<std::string> words{verb, "azure"};
    words.insert(words.end(), place.begin(), place.end());
    const Ran ran = onStore(words);
    EXPECT_EQ(ran.exit, 0);
    expectNarrow(ran.err);
    EXPECT_THAT(ran.err,
                AllOf(StartsWith("nothing is decided about the plugin azure; did you mean"),
                      HasSubstr("mcpServers#azure"), HasSubstr("azure#mcp=azure")));
    words.emplace_back("--json");
    EXPECT_FALSE(json::parse(onStore(words).out, nullptr, false).is_discarded());
    words[1] = "mcpServers#azure";
    EXPECT_THAT(onStore(words).err, IsEmpty());
  }
}

TEST_F(Slips, AWriteAboutAnUnknownTargetSaysWhatIsSimilarAndStays) {
  say({"disable", "mcpServers#azure"});
  EXPECT_THAT(noted({"disable", "mcpServers#mcp=azure"}),
              HasSubstr("did you mean mcpServers#azure?"));
  EXPECT_THAT(noted({"enable", "azrue"}), HasSubstr("did you mean mcpServers#azure,"));
  EXPECT_EQ(say({"get", "mcpServers#mcp=azure"}), "off\n") << "the decision stays";
  EXPECT_THAT(onStore({"disable", "mcpServers#azure"}).err, IsEmpty());
  EXPECT_THAT(onStore({"disable", "acme/other"}).err, IsEmpty());
  EXPECT_THAT(noted({"disable", "single"}), HasSubstr("written mcpServers#single"));
}

TEST_F(Slips, ABadTargetIsToldTheThreeForms) {
  for (const char* bad : {"/bare/path", "mcpServers#", "a b"})
    EXPECT_THAT(refused({"disable", bad}),
                AllOf(HasSubstr("PLUGIN#mcp=SERVER"), HasSubstr("'mcpServers#search'")));
  for (const char* verb : {"disable", "set", "clear", "explain", "resolve", "get", "purge"})
    EXPECT_THAT(run({verb, "--help"}).out, HasSubstr("'mcpServers#SERVER'")) << verb;
  EXPECT_THAT(run({"--help"}).out, HasSubstr("'mcpServers#SERVER'"));
}

// Back again.

class Undo : public Slips {
 protected:
  // Everything that is stored, without when and by whom.
  std::string stored() { return onStore({"export"}).out; }
  // Runs the command that a write gave to take it back.
  void undo(const std::string& said) {
    const std::size_t at = said.find("undo: enablectl ");
    ASSERT_NE(at, std::string::npos) << said;
    fs::create_directory(temporary() / "bin");
    std::error_code there;
    fs::create_symlink(enablectlProgram, temporary() / "bin" / "enablectl", there);
    const std::string command = "PATH='" + (temporary() / "bin").string() + "' && { " +
                                said.substr(at + 6, said.find('\n', at) - at - 6) +
                                "; } > /dev/null 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
  }
};

TEST_F(Undo, EveryWriteSaysHowItIsTakenBackAndThatRestoresWhatWas) {
  say({"disable", "acme/a"});
  say({"disable", "acme/b", "--directory", "/"});
  say({"disable", "acme/b", "--session", "ahp://c/1", "--no-directory"});
  for (const std::vector<std::string>& write : std::vector<std::vector<std::string>>{
           {"disable", "mcpServers#it's a #1"},
           {"enable", "acme/a"},
           {"revert", "acme/a"},
           {"disable", "acme/a#mcp=db", "--directory", "/"},
           {"disable", "acme/c", "--session", "ahp://c/1", "--no-directory"},
           {"revert", "acme/b", "--session", "ahp://c/1", "--no-directory"},
           {"set", "acme/b", "on", "--directory", "/"},
           {"revert", "acme/b", "--all"},
           {"restore", "last", "-y"}}) {
    if (write.front() == "restore") onStore({"revert", "acme/a"});
    const std::string before = stored();
    const std::string said = say(write);
    EXPECT_NE(stored(), before) << ::testing::PrintToString(write);
    undo(said);
    EXPECT_EQ(stored(), before) << said;
  }
}

TEST_F(Undo, IsAMemberOfJsonAndSilentWhereNothingChanged) {
  const json first = json::parse(say({"disable", "acme/a", "--json"}));
  EXPECT_THAT(first["undo"].get<std::string>(), HasSubstr("revert acme/a"));
  EXPECT_TRUE(json::parse(say({"disable", "acme/a", "--json"}))["undo"].is_null());
  EXPECT_THAT(say({"disable", "acme/a"}), Not(HasSubstr("undo:")));
  EXPECT_THAT(say({"enable", "acme/a", "-q"}), IsEmpty());
}

TEST_F(Undo, ARowThatAddedADecisionIsTakenBackWithRevert) {
  say({"disable", "mcpServers#db"});
  EXPECT_THAT(refused({"restore", "1", "-y"}), HasSubstr("enablectl revert 'mcpServers#db'"));
  EXPECT_THAT(refused({"restore", "last", "-y"}), HasSubstr("took a decision away"));
  say({"revert", "mcpServers#db"});
  const std::string back = say({"restore", "last", "-y"});
  EXPECT_THAT(back, AllOf(HasSubstr("bringing back: mcpServers#db off"), Not(HasSubstr("would"))));
  EXPECT_EQ(say({"get", "mcpServers#db"}), "off\n");
  EXPECT_THAT(refused({"restore", "newest"}), HasSubstr("or last, not \"newest\""));
}

// Places.

TEST_F(Slips, SetAndClearTakeTheNarrowestPlaceToo) {
  say({"set", "acme/a", "off", "--directory", "/"});
  EXPECT_EQ(say({"get", "acme/a", "--scope", "folder", "--directory", "/"}), "off\n");
  say({"clear", "acme/a", "--directory", "/"});
  EXPECT_EQ(onStore({"get", "acme/a", "--directory", "/"}).exit, 1);
}

TEST_F(Slips, AFolderThatIsNotThereAndASessionThatIsNoUriAreNoted) {
  EXPECT_THAT(onStore({"disable", "acme/a", "--directory", "/no/such"}).err,
              HasSubstr("the folder /no/such is not there"));
  EXPECT_EQ(say({"get", "acme/a", "--directory", "/no/such"}), "off\n");
  EXPECT_THAT(onStore({"disable", "acme/a", "--directory", "/"}).err, IsEmpty());
  EXPECT_THAT(onStore({"disable", "acme/a", "--session", "7", "--no-directory"}).err,
              HasSubstr("the session 7 is no URI"));
  say({"disable", "acme/a", "--session", "ahp://copilot/session-7", "--no-directory"});
  EXPECT_THAT(noted({"explain", "acme/a", "--session", "ahp://copilot/sesion-7", "--no-directory"}),
              HasSubstr("did you mean ahp://copilot/session-7?"));
}

TEST_F(Slips, AFolderAboveDoesNotCountAndExplainSaysSo) {
  say({"disable", "acme/a", "--directory", "file:///repo"});
  const std::vector<std::string> words{"explain", "acme/a", "--session", "ahp://c/1",
                                       "--directory"};
  auto below = words;
  below.emplace_back("file:///repo/sub");
  EXPECT_THAT(say(below), HasSubstr("folders do not inherit"));
  auto beside = words;
  beside.emplace_back("file:///repository");
  EXPECT_THAT(say(beside), Not(HasSubstr("folders do not inherit")));
}

TEST_F(Slips, AWriteThatCreatesTheStoreSaysSo) {
  EXPECT_THAT(say({"disable", "acme/a"}), StartsWith("created the store "));
  EXPECT_THAT(say({"disable", "acme/b"}), Not(HasSubstr("created")));
}

}  // namespace
}  // namespace enablement::testing
