// What stored decisions say by themselves, and which of them may be pruned.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <enablement/resolver/service.h>
#include <enablement/resolver/standing.h>
#include <enablement/resolver/testing.h>

namespace enablement {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

const TargetKey alpha = *TargetKey::parse("file:///plugins/alpha");
const TargetKey server = *TargetKey::parse("file:///plugins/alpha#mcp=db");

StoredDecision decision(Scope scope, std::string place, bool enabled, TargetKey key = alpha) {
  return {scope, std::move(place), std::move(key), enabled, Timestamp(std::chrono::hours(1)), "t"};
}

std::vector<std::string> pruned(const std::vector<StoredDecision>& stored,
                                const PruneRequest& request) {
  std::vector<std::string> places;
  for (const Pruning& one : planPrune(stored, request))
    if (!one.kept)
      places.push_back(std::string(name(one.decision.scope)) + " " + one.decision.place);
  return places;
}

const PruneRequest everythingOld{.redundant = true, .before = Timestamp(std::chrono::hours(2))};

TEST(Standing, TheFolderDecidesBeforeTheRest_I6) {
  const std::vector stored{decision(Scope::global, "", false),
                           decision(Scope::workspace, "f", true)};
  EXPECT_TRUE(standingOf(stored, alpha, "f").enabled());
  EXPECT_FALSE(standingOf(stored, alpha, "g").enabled());
  EXPECT_FALSE(standingOf(stored, alpha, std::nullopt).enabled());
  EXPECT_THAT(standingOf(stored, alpha, std::nullopt).otherwise, SizeIs(1));
  EXPECT_FALSE(standingOf({}, alpha, std::nullopt).decidedBy);
}

TEST(Standing, APluginThatIsOffMasksItsServers_I9) {
  const std::vector stored{decision(Scope::global, "", false),
                           decision(Scope::global, "", true, server),
                           decision(Scope::workspace, "f", true)};
  EXPECT_TRUE(standingOf(stored, server, std::nullopt).byContainer);
  EXPECT_FALSE(standingOf(stored, server, std::nullopt).enabled());
  EXPECT_TRUE(standingOf(stored, server, "f").enabled());
}

TEST(Delta, ASessionsDecisionIsRedundantOnlyIfItIsSoInEveryFolder_I11) {
  std::vector stored{decision(Scope::global, "", false), decision(Scope::session, "s", false)};
  EXPECT_THAT(deltaOf(stored, {}).redundant, SizeIs(1));
  stored.push_back(decision(Scope::workspace, "f", true));
  const Delta delta = deltaOf(stored, {});
  EXPECT_THAT(delta.redundant, IsEmpty()) << "it may work in that folder";
  EXPECT_THAT(delta.overriding, SizeIs(2));
}

TEST(Delta, ADecisionWithoutAWiderStoredOneStandsByItself_I11) {
  const std::vector stored{decision(Scope::global, "", true),
                           decision(Scope::workspace, "f", true, server)};
  const Delta delta = deltaOf(stored, [](const std::string&) { return true; });
  EXPECT_THAT(delta.redundant, IsEmpty());
  EXPECT_THAT(delta.overriding, IsEmpty());
  EXPECT_THAT(delta.missingFolders, SizeIs(1));
}

TEST(Prune, AnOffForEverywhereNeverGoes) {
  EXPECT_THAT(pruned({decision(Scope::global, "", false)}, everythingOld), IsEmpty());
}

TEST(Prune, AnOnThatGoesIsNotInheritedFrom) {
  const std::vector stored{decision(Scope::global, "", true),
                           decision(Scope::workspace, "f", false),
                           decision(Scope::workspace, "g", true)};
  EXPECT_EQ(pruned(stored, everythingOld), (std::vector<std::string>{"global ", "workspace g"}))
      << "the off stays: nobody else says off";
}

TEST(Prune, AnOffOfASessionGoesOnlyWhenNoFolderSaysOn) {
  std::vector stored{decision(Scope::global, "", false), decision(Scope::session, "s", false)};
  EXPECT_EQ(pruned(stored, {.redundant = true}), std::vector<std::string>{"session s"});
  stored.push_back(decision(Scope::workspace, "f", true));
  EXPECT_THAT(pruned(stored, {.redundant = true}), IsEmpty());
}

TEST(Prune, WhatIsPrunedIsInTheHistoryAndCanBeRestored_I13) {
  const auto service = testing::openInMemory();
  const auto folder = *WorkingDirectory::directory("file:///repo");
  ASSERT_TRUE(service->setStored(Target{alpha}, std::nullopt, false, "t"));
  ASSERT_TRUE(service->setStored(Target{alpha}, folder, false, "t"));
  const auto found = service->prune({.redundant = true}, "tidy");
  ASSERT_TRUE(found);
  ASSERT_THAT(*found, SizeIs(1));
  EXPECT_THAT(*service->stored(), SizeIs(1));
  const auto last = *service->history({.last = 1});
  EXPECT_EQ(last.front().cause, Cause::pruned);
  ASSERT_TRUE(service->restore(last.front().sequence, "t"));
  EXPECT_THAT(*service->stored(), SizeIs(2));
  EXPECT_EQ(service->history({.last = 1})->front().cause, Cause::restored);
  EXPECT_EQ(service->restore(1, "t").error().code, ErrorCode::invalidArgument)
      << "it took nothing away";
  EXPECT_EQ(service->restore(99, "t").error().code, ErrorCode::invalidArgument);
}

}  // namespace
}  // namespace enablement
