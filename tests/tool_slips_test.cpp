// What people get wrong on the command line, and what they are told.
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

}  // namespace
}  // namespace enablement::testing
