// enablectl history, watch, restore, delta and prune.
#include <csignal>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <enablement/resolver/service.h>
#include <enablement/resolver/testing.h>

#include "json_schema.h"
#include "tool_fixture.h"

namespace enablement::testing {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

class History : public Tool {
 protected:
  // A program that goes on, and what it has printed so far.
  pid_t begin(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"--db", db().string()});
    return start(std::move(arguments), {}, "/dev/null", out(), err());
  }
  static void waitFor(const std::function<bool()>& happened) {
    for (int i = 0; i < 1000 && !happened(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_TRUE(happened());
  }
  [[nodiscard]] fs::path out() const { return temporary() / "followed"; }
  [[nodiscard]] fs::path err() const { return temporary() / "said"; }
  static void end(pid_t child) {
    kill(child, SIGTERM);
    EXPECT_EQ(wait(child), 128 + SIGTERM);
  }
};

TEST_F(History, ShowsWhatWasDecidedAndByWhom_I13) {
  say({"disable", "acme/a"});
  say({"enable", "acme/b", "--directory", "file:///r"});
  say({"enable", "acme/a", "--session", "s", "--no-directory"});
  const json rows = asJson({"history"});
  ASSERT_THAT(rows, SizeIs(3));
  EXPECT_EQ(rows[0]["sequence"], 1);
  EXPECT_EQ(rows[0]["target"], "acme/a");
  EXPECT_EQ(rows[0]["by"], "enablectl");
  EXPECT_EQ(rows[0]["cause"], "set");
  EXPECT_EQ(rows[0]["after"], false);
  EXPECT_THAT(rows[0]["at"].get<std::string>(), EndsWith("Z"));
  EXPECT_THAT(asJson({"history", "--target", "acme/a"}), SizeIs(2));
  EXPECT_THAT(asJson({"history", "--session", "s"}), SizeIs(1));
  EXPECT_EQ(asJson({"history", "-n", "1"})[0]["sequence"], 3);
  EXPECT_THAT(asJson({"history", "--since", "1h"}), SizeIs(3));
  EXPECT_THAT(asJson({"history", "--since", rows[0]["at"]}), SizeIs(3));
  EXPECT_THAT(asJson({"history", "--since", "2999-01-01"}), IsEmpty());
  EXPECT_THAT(say({"history"}),
              HasSubstr("acme/b is now on in the folder file:///r (set by enablectl)\n"));
  for (const char* bad : {"soon", "12", "2026-13-01", "2026-11-30T25:00Z", "-1d", "99999999999d"})
    EXPECT_EQ(onStore({"history", "--since", bad}).exit, 2) << bad;
}

TEST_F(History, FollowsWhatOthersWrite_I18) {
  say({"disable", "acme/a"});
  const pid_t child = begin({"history", "-f", "-n", "1"});
  waitFor([&] { return !linesOf(read(out())).empty(); });
  say({"disable", "acme/b"});
  waitFor([&] { return read(out()).find("acme/b") != std::string::npos; });
  end(child);
  EXPECT_THAT(read(out()), StartsWith("1  "));
}

TEST_F(History, WatchPrintsALineOfJsonPerChangeAlsoOfOtherProcesses_I18) {
  say({"disable", "acme/before"});
  const pid_t child = begin({"watch"});
  waitFor([&] { return !read(err()).empty(); });
  say({"disable", "acme/a"});
  say({"revert", "acme/a"});
  waitFor([&] { return linesOf(read(out())).size() >= 2; });
  end(child);
  const auto lines = linesOf(read(out()));
  ASSERT_THAT(lines, SizeIs(2));
  const json schemas = json::parse(read(inTests("../docs/cli/schemas.json")));
  for (const std::string& line : lines)
    EXPECT_THAT(SchemaCheck(schemas).faults(schemas["verbs"]["watch"], json::parse(line)),
                IsEmpty());
  EXPECT_EQ(json::parse(lines[0])["target"], "acme/a");
  EXPECT_EQ(json::parse(lines[0])["after"], false);
  EXPECT_EQ(json::parse(lines[1])["cause"], "clear");
}

TEST_F(History, RestoreBringsBackWhatARowTookAway_I13) {
  say({"disable", "acme/a"});
  say({"enable", "acme/a"});
  say({"revert", "acme/a"});
  const Ran unasked = onStore({"restore", "3"});
  EXPECT_EQ(unasked.exit, 1) << "without a terminal nobody can be asked";
  EXPECT_THAT(unasked.out, HasSubstr("would bring back: acme/a on everywhere"));
  EXPECT_THAT(asJson({"list"}), IsEmpty());
  say({"restore", "3", "-n"});
  EXPECT_THAT(asJson({"list"}), IsEmpty());
  EXPECT_EQ(asJson({"restore", "3", "-y"})["restored"], true);
  EXPECT_EQ(say({"get", "acme/a"}), "on\n");
  EXPECT_THAT(say({"restore", "3", "-y"}), HasSubstr("nothing to bring back"));
  EXPECT_THAT(say({"restore", "2", "-y"}), HasSubstr("brought back: acme/a off everywhere"));
  EXPECT_EQ(say({"get", "acme/a"}), "off\n");
  EXPECT_EQ(asJson({"history", "-n", "1"})[0]["cause"], "restored");
  EXPECT_EQ(onStore({"restore", "1", "-y"}).exit, 2) << "it took nothing away";
  EXPECT_EQ(onStore({"restore", "99", "-y"}).exit, 2);
}

TEST_F(History, AsksBeforeItRestores) {
  if (!hasTerminals()) GTEST_SKIP() << "no pseudo-terminal can be opened here";
  say({"disable", "acme/a"});
  say({"revert", "acme/a"});
  const std::vector<std::string> restore{"--db", db().string(), "restore", "2"};
  EXPECT_EQ(onTerminal(restore, "n\n").exit, 1);
  EXPECT_THAT(asJson({"list"}), IsEmpty());
  EXPECT_EQ(onTerminal(restore, "y\n").exit, 0);
  EXPECT_THAT(asJson({"list"}), SizeIs(1));
}

// delta and prune

TEST_F(History, DeltaTellsWhatRepeatsAndWhatOpposesWiderDecisions_I11) {
  say({"disable", "acme/a"});
  say({"disable", "acme/a", "--directory", "file:///same"});
  say({"enable", "acme/a", "--directory", home().string()});
  say({"disable", "acme/b"});
  say({"disable", "acme/b", "--session", "s", "--no-directory"});
  const json delta = asJson({"delta"});
  ASSERT_THAT(delta["redundant"], SizeIs(2));
  EXPECT_EQ(delta["redundant"][0]["where"], "s") << "in no folder is acme/b on";
  EXPECT_EQ(delta["redundant"][1]["where"], "file:///same");
  EXPECT_EQ(delta["redundant"][0]["wider"]["scope"], "global");
  ASSERT_THAT(delta["overriding"], SizeIs(1));
  EXPECT_EQ(delta["overriding"][0]["enabled"], true);
  ASSERT_THAT(delta["missingFolders"], SizeIs(1)) << "home is there";
  EXPECT_THAT(say({"delta"}),
              HasSubstr("acme/a off in the folder file:///same: as off everywhere"));
}

TEST_F(History, PruneIsADryRunUnlessItIsToApply) {
  say({"disable", "acme/a"});
  say({"disable", "acme/a", "--directory", "file:///gone"});
  EXPECT_THAT(say({"prune", "--redundant"}), StartsWith("would prune 1 decision\n"));
  EXPECT_EQ(asJson({"prune", "--redundant"})["applied"], false);
  EXPECT_THAT(asJson({"prune", "--redundant", "--apply", "-n"})["pruned"], SizeIs(1));
  EXPECT_THAT(asJson({"list"}), SizeIs(2));
  EXPECT_EQ(asJson({"prune", "--redundant", "--apply"})["pruned"][0]["reason"], "redundant");
  EXPECT_THAT(asJson({"list"}), SizeIs(1));
  EXPECT_EQ(asJson({"history", "-n", "1"})[0]["cause"], "pruned");
  EXPECT_EQ(onStore({"prune"}).exit, 2);
  EXPECT_EQ(onStore({"prune", "--older-than", "soon"}).exit, 2);
}

TEST_F(History, AnOffIsOnlyPrunedWhenEverybodyStaysOff_I10) {
  say({"disable", "acme/gone", "--directory", "file:///gone"});
  say({"enable", "acme/on", "--directory", "file:///gone"});
  const json pruned = asJson({"prune", "--missing-folders", "--older-than", "0d", "--apply"});
  ASSERT_THAT(pruned["pruned"], SizeIs(1));
  EXPECT_EQ(pruned["pruned"][0]["target"], "acme/on");
  ASSERT_THAT(pruned["kept"], SizeIs(1));
  say({"disable", "acme/gone"});
  const json again = asJson({"prune", "--older-than", "0s", "--apply"});
  ASSERT_THAT(again["pruned"], SizeIs(1)) << "a wider off stands behind it now";
  EXPECT_EQ(again["pruned"][0]["scope"], "workspace");
  ASSERT_THAT(again["kept"], SizeIs(1)) << "an off for everywhere never goes";
  EXPECT_EQ(again["kept"][0]["scope"], "global");
}

}  // namespace
}  // namespace enablement::testing
