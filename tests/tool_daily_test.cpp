// The verbs that people reach for every day: what is listed, decided, taken back and tidied away.
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
using ::testing::SizeIs;
using ::testing::StartsWith;

class Daily : public Tool {};

// Deciding.

TEST_F(Daily, ThePlaceIsTheNarrowestThatIsNamed_I10) {
  say({"disable", "acme/a"});
  say({"enable", "acme/a", "--directory", "file:///r"});
  say({"disable", "acme/a", "--session", "s", "--directory", "file:///r"});
  EXPECT_EQ(say({"get", "acme/a"}), "off\n");
  EXPECT_EQ(say({"get", "acme/a", "--directory", "file:///r"}), "on\n");
  EXPECT_EQ(say({"get", "acme/a", "--session", "s"}), "off\n");
  EXPECT_EQ(say({"get", "acme/a", "--scope", "global"}), "off\n");
}

TEST_F(Daily, GetExitsWithOneWhereNothingIsStoredAndSaysWhereSomethingIs) {
  say({"disable", "acme/a"});
  const Ran here = onStore({"get", "acme/a", "--directory", "file:///r"});
  EXPECT_EQ(here.exit, 1);
  EXPECT_THAT(here.out, IsEmpty());
  EXPECT_THAT(here.err, HasSubstr("list --target acme/a"));
  EXPECT_EQ(onStore({"get", "acme/b"}).exit, 1);
}

TEST_F(Daily, AWriteSaysWhatDecidesNow_I9) {
  EXPECT_THAT(say({"disable", "acme/a#mcp=db"}),
              HasSubstr("disabled wherever no folder or session decides otherwise"));
  EXPECT_THAT(say({"enable", "acme/a#mcp=db", "--directory", "file:///r"}),
              HasSubstr("it is enabled there unless a session decides otherwise"));
  EXPECT_THAT(say({"disable", "acme/a#mcp=db"}),
              HasSubstr("; 1 narrower\ndecision does: enablectl list --target acme/a#mcp=db"));
  EXPECT_THAT(say({"disable", "acme/a"}), StartsWith("acme/a is now off everywhere"));
  EXPECT_THAT(say({"enable", "acme/a#mcp=db"}), HasSubstr("it is disabled by its plugin acme/a"));
  EXPECT_THAT(say({"revert", "acme/a#mcp=db", "--directory", "file:///r"}),
              HasSubstr("it is disabled there by its plugin acme/a"));
  EXPECT_THAT(say({"revert", "acme/a"}), HasSubstr("it is enabled by default, unless a client"));
  EXPECT_EQ(asJson({"disable", "acme/a"})["decides"],
            json({{"state", "disabled"}, {"reason", "global"}, {"otherwise", 0}}));
}

TEST_F(Daily, RevertTakesBackOneScopeOrAll_I10) {
  say({"disable", "acme/a"});
  say({"disable", "acme/a", "--directory", "file:///r"});
  say({"disable", "acme/a", "--session", "s"});
  say({"disable", "acme/b"});
  say({"revert", "acme/a", "--directory", "file:///r"});
  EXPECT_THAT(asJson({"list", "--target", "acme/a"}), SizeIs(1));
  EXPECT_THAT(say({"revert", "acme/a", "--all", "-n"}), StartsWith("would take back 1 decision"));
  EXPECT_THAT(asJson({"list", "--target", "acme/a"}), SizeIs(1));
  say({"revert", "acme/a", "--all"});
  EXPECT_THAT(asJson({"list"}), SizeIs(1));
  EXPECT_THAT(asJson({"list", "--queued"}), IsEmpty());
  EXPECT_EQ(onStore({"revert", "acme/a", "--all", "--directory", "/r"}).exit, 2);
}

TEST_F(Daily, PurgeTakesAPluginsServersOnlyWhenAsked) {
  say({"disable", "acme/a"});
  say({"disable", "acme/a#mcp=db"});
  say({"disable", "acme/a#mcp=web", "--directory", "file:///r"});
  say({"disable", "mcpServers#db"});
  EXPECT_THAT(onStore({"purge", "acme/a", "-n"}).err, HasSubstr("2 decisions about its servers"));
  EXPECT_THAT(say({"purge", "acme/a", "--children"}),
              AllOf(StartsWith("removed 3 decisions about acme/a and its servers:"),
                    HasSubstr("acme/a#mcp=web off in the folder file:///r")));
  const json left = asJson({"list"});
  ASSERT_THAT(left, SizeIs(1));
  EXPECT_EQ(left[0]["target"], "mcpServers#db");
  EXPECT_EQ(onStore({"purge", "mcpServers#db", "--children"}).exit, 2);
}

// Listing.

TEST_F(Daily, ListShowsWhatIsAskedFor) {
  say({"disable", "acme/a"});
  say({"disable", "acme/a", "--directory", "file:///r"});
  say({"disable", "acme/b", "--directory", "file:///q"});
  say({"disable", "acme/a", "--session", "s", "--no-directory"});
  say({"disable", "acme/c", "--session", "t"});
  EXPECT_THAT(asJson({"list"}), SizeIs(4));
  EXPECT_THAT(asJson({"list", "--scope", "workspace"}), SizeIs(2));
  EXPECT_THAT(asJson({"list", "--target", "acme/a"}), SizeIs(3));
  EXPECT_THAT(asJson({"list", "--directory", "file:///r/"}), SizeIs(1));
  EXPECT_THAT(asJson({"list", "--session", "s"}), SizeIs(1));
  EXPECT_THAT(asJson({"list", "--session", "s", "--directory", "file:///r"}), SizeIs(2));
  EXPECT_THAT(asJson({"list", "--session", "s", "--scope", "global"}), IsEmpty());
  EXPECT_THAT(asJson({"list", "--unclaimed"}), IsEmpty());
  const json queued = asJson({"list", "--queued"});
  ASSERT_THAT(queued, SizeIs(1));
  EXPECT_EQ(queued[0]["session"], "t");
  EXPECT_EQ(queued[0]["asked"], "off");
  EXPECT_THAT(say({"list", "--queued"}), HasSubstr("acme/c"));
  EXPECT_EQ(onStore({"list", "--queued", "--unclaimed"}).exit, 2);
  EXPECT_EQ(onStore({"list", "--scope", "planet"}).exit, 2);
}

// Sessions.

TEST_F(Daily, SessionsAreListedAndForgotten_I15) {
  say({"disable", "acme/a"});
  say({"disable", "acme/a", "--session", "s", "--no-directory"});
  say({"disable", "acme/b", "--session", "s", "--no-directory"});
  say({"disable", "acme/a", "--session", "t"});
  const json sessions = asJson({"sessions"});
  ASSERT_THAT(sessions, SizeIs(2));
  EXPECT_EQ(sessions[0]["session"], "s");
  EXPECT_EQ(sessions[0]["decisions"], 2);
  EXPECT_EQ(sessions[1]["queued"], 1);
  EXPECT_THAT(asJson({"sessions", "--stale", "1"}), IsEmpty());
  EXPECT_THAT(asJson({"sessions", "--stale", "0"}), SizeIs(2));
  EXPECT_THAT(say({"sessions", "--delete", "s", "-n"}), StartsWith("would delete s: 2 decisions"));
  EXPECT_THAT(asJson({"sessions", "--delete", "s"})["deleted"], SizeIs(1));
  EXPECT_THAT(asJson({"sessions"}), SizeIs(1));
  say({"sessions", "--stale", "0", "--delete"});
  EXPECT_THAT(asJson({"sessions"}), IsEmpty());
  EXPECT_THAT(asJson({"list"}), SizeIs(1)) << "the decision for everywhere stays";
  EXPECT_EQ(onStore({"sessions", "--delete"}).exit, 2);
}

TEST_F(Daily, AsksBeforeItDeletesASession) {
  if (!hasTerminals()) GTEST_SKIP() << "no pseudo-terminal can be opened here";
  say({"disable", "acme/a", "--session", "s", "--no-directory"});
  const std::vector<std::string> erase{"--db", db().string(), "sessions", "--delete", "s"};
  EXPECT_EQ(onTerminal(erase, "n\n").exit, 1);
  EXPECT_THAT(asJson({"sessions"}), SizeIs(1));
  EXPECT_EQ(onTerminal(erase, "y\n").exit, 0);
  EXPECT_THAT(asJson({"sessions"}), IsEmpty());
}

}  // namespace
}  // namespace enablement::testing
