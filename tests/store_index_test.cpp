// What a store's rows are read into: maps that are cheap to copy, and the digest that tells whether
// the rows are whole.
#include <enablement/store/decision_index.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <enablement/store/digest.h>
#include <enablement/store/sharded_map.h>

#include "service_fixture.h"

namespace enablement {
namespace {

using test::Names;

const TargetKey alpha = TargetKey::plugin("acme/alpha").value();
const TargetKey beta = TargetKey::plugin("acme/beta").value();
const TargetKey db = TargetKey::mcpServer("db", "acme/alpha").value();
const TargetKey git = TargetKey::mcpServer("git").value();

// --- Maps ------------------------------------------------------------------------------

struct Spread {
  std::size_t operator()(int key) const {
    return static_cast<std::size_t>(key) * 0x9E3779B97F4A7C15U;
  }
};
using IntMap = ShardedMap<int, int, Spread>;

Names entries(const IntMap& map) {
  std::vector<std::pair<int, int>> sorted;
  map.forEach([&](int key, int value) { sorted.emplace_back(key, value); });
  std::sort(sorted.begin(), sorted.end());
  Names shown;
  for (const auto& [key, value] : sorted)
    shown.push_back(std::to_string(key) + "=" + std::to_string(value));
  return shown;
}

TEST(ShardedMap, HoldsTenThousandKeys_I13) {
  IntMap map;
  for (int key = 0; key < 10'000; ++key) map.put(key, 2 * key);
  for (int key = 0; key < 10'000; ++key) {
    ASSERT_NE(map.find(key), nullptr) << key;
    ASSERT_EQ(*map.find(key), 2 * key);
  }
  EXPECT_EQ(map.find(10'000), nullptr);
  for (int key = 0; key < 10'000; key += 2) map.erase(key);
  map.erase(0);
  EXPECT_EQ(map.size(), 5'000U);
  EXPECT_EQ(map.find(4), nullptr);
  EXPECT_EQ(*map.find(5), 10);
  EXPECT_EQ(entries(map).size(), 5'000U);
}

TEST(ShardedMap, AnEditOfACopyIsNotSeenInTheOriginalNorInOtherCopies_I6) {
  IntMap original;
  for (int key = 0; key < 1'000; ++key) original.put(key, 0);
  const IntMap kept = original;
  const Names before = entries(original);

  IntMap copy = original;
  IntMap assigned;
  assigned.put(7, 7);
  assigned = original;
  for (int key = 0; key < 500; ++key) {
    copy.put(key, 1);
    assigned.erase(key);
  }
  copy.put(5'000, 1);
  EXPECT_EQ(entries(original), before);
  EXPECT_EQ(entries(kept), before);
  EXPECT_EQ(copy.size(), 1'001U);
  EXPECT_EQ(assigned.size(), 500U);

  // A copy of an edited copy shares again what that one had made its own.
  IntMap second = copy;
  second.put(0, 2);
  EXPECT_EQ(*copy.find(0), 1);
  IntMap moved = std::move(second);
  IntMap third = moved;
  third.put(0, 3);
  EXPECT_EQ(*moved.find(0), 2);
}

Names entries(const DecisionIndex& index) {
  Names shown;
  index.forEach([&](const std::string& folder, const TargetKey& key, bool enabled) {
    shown.push_back(folder + " " + key.printed() + " " + test::word(enabled));
  });
  std::sort(shown.begin(), shown.end());
  return shown;
}

TEST(DecisionIndex, KeepsScopesFoldersAndTargetsApart_I10) {
  DecisionIndex index;
  index.putGlobal(alpha, false);
  index.putWorkspace("file:///one", alpha, true);
  index.putWorkspace("file:///two", alpha, false);
  index.putWorkspace("file:///one", db, false);
  EXPECT_EQ(index.global(alpha), false);
  EXPECT_EQ(index.global(db), std::nullopt);
  EXPECT_EQ(index.workspace("file:///one", alpha), true);
  EXPECT_EQ(index.workspace("file:///two", alpha), false);
  EXPECT_EQ(index.workspace("file:///three", alpha), std::nullopt);
  EXPECT_EQ(index.workspace("file:///two", db), std::nullopt);
  EXPECT_EQ(index.workspace("", alpha), std::nullopt);
  EXPECT_EQ(entries(index),
            (Names{" acme/alpha off", "file:///one acme/alpha on",
                   "file:///one acme/alpha#mcp=db off", "file:///two acme/alpha off"}));
}

TEST(DecisionIndex, NoValueRemovesTheDecisionAndItsCopyKeepsIt_I6) {
  DecisionIndex index;
  index.putGlobal(alpha, false);
  index.putWorkspace("file:///one", alpha, true);
  const DecisionIndex before = index;
  DecisionIndex after = before;
  after.putGlobal(alpha, std::nullopt);
  after.putGlobal(beta, std::nullopt);
  after.putWorkspace("file:///one", beta, std::nullopt);
  after.putWorkspace("file:///two", alpha, std::nullopt);
  after.putWorkspace("file:///one", alpha, std::nullopt);
  EXPECT_EQ(entries(after), Names{});
  after.putWorkspace("file:///one", alpha, false);
  after.putWorkspace("file:///one", alpha, true);
  EXPECT_EQ(entries(after), Names{"file:///one acme/alpha on"});
  EXPECT_EQ(entries(before), (Names{" acme/alpha off", "file:///one acme/alpha on"}));
}

// --- The digest ----------------------------------------------------------------------------------

StoredDecision row(Scope scope, const std::string& place, const TargetKey& key, bool enabled) {
  return {scope, place, key, enabled, {}, {}};
}
std::int64_t sumOf(const StoredDecision& decision) {
  Digest digest;
  digest.add(decision);
  return digest.stored();
}
std::int64_t sumOf(const QueuedPart& part) {
  Digest digest;
  digest.add(part);
  return digest.stored();
}

TEST(Digest, DependsOnEveryFieldOfARow_I13) {
  const TargetKey other = TargetKey::mcpServer("acme/alpha").value();
  const Target withDefault{alpha, false};
  std::vector<std::int64_t> sums = {
      0,
      sumOf(row(Scope::workspace, "ab", alpha, true)),
      sumOf(row(Scope::session, "ab", alpha, true)),
      sumOf(row(Scope::workspace, "a", alpha, true)),
      sumOf(row(Scope::workspace, "ab", db, true)),
      sumOf(row(Scope::workspace, "ab", other, true)),
      sumOf(row(Scope::workspace, "ab", alpha, false)),
      sumOf(row(Scope::workspace, "abacme", TargetKey::plugin("/alpha/").value_or(beta), true)),
      sumOf(QueuedPart{"s", Target{alpha}, Scope::workspace, "ab", Asked::on}),
      sumOf(QueuedPart{"sa", Target{alpha}, Scope::workspace, "b", Asked::on}),
      sumOf(QueuedPart{"s", Target{alpha}, Scope::session, "ab", Asked::on}),
      sumOf(QueuedPart{"s", Target{alpha}, Scope::workspace, "ab", Asked::clear}),
      sumOf(QueuedPart{"s", withDefault, Scope::workspace, "ab", Asked::on}),
      sumOf(QueuedPart{"s", Target{beta}, Scope::workspace, "ab", Asked::on})};
  std::sort(sums.begin(), sums.end());
  EXPECT_EQ(std::adjacent_find(sums.begin(), sums.end()), sums.end());
}

TEST(Digest, IsTheSameInAnyOrderAndARemovalUndoesAnAddition_I13) {
  Digest one;
  one.add(row(Scope::global, "", alpha, true));
  one.add(row(Scope::global, "", beta, false));
  Digest other(sumOf(row(Scope::global, "", beta, false)));
  other.add(row(Scope::session, "s", db, true));
  other.add(row(Scope::global, "", alpha, true));
  EXPECT_NE(one, other);
  other.remove(row(Scope::session, "s", db, true));
  EXPECT_EQ(one, other);
}

TEST(Digest, IsTheSameInEveryVersionOrAFileWouldLookDamagedAfterAnUpdate_I16) {
  EXPECT_EQ(sumOf(row(Scope::workspace, "file:///one", db, false)), 4210803632333022180);
  EXPECT_EQ(sumOf(QueuedPart{"s1", Target{git, true}, Scope::session, "", Asked::clear}),
            6884579351475982318);
}

}  // namespace
}  // namespace enablement
