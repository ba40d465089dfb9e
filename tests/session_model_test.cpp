// Random actions against the naive reducer of reducer_model.h (S2).
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <enablement/session/reducer.h>

#include "reducer_model.h"

namespace enablement::test {
namespace {

// Few of each, so that they meet.
class RandomActions {
 public:
  RandomActions(unsigned seed, Generation generation) : random_(seed), generation_(generation) {}

  ordered_json state() {
    ordered_json state{{"title", "T"}};
    if (coin()) state["activeClients"] = coin() ? ordered_json::array({client()}) : ordered_json();
    if (!chance(4)) state["customizations"] = chance(5) ? ordered_json() : tree();
    state["chats"] = ordered_json::array();
    if (coin()) state["workingDirectories"] = ordered_json::array({"file:///A", "file:///B"});
    return state;
  }

  ordered_json action() {
    switch (below(14)) {
      case 0:
        return make("customizationsChanged", {{"customizations", tree()}});
      case 1:
        return make("customizationUpdated", {{"customization", topLevel()}});
      case 2:
        return make("customizationRemoved", {{"id", id()}});
      case 3:
        return serverState();
      case 4:
        return make("mcpServerStartRequested", {{"id", id()}});
      case 5:
        return make("mcpServerStopRequested", {{"id", id()}});
      case 6:
        return make("activeClientSet", {{"activeClient", client()}});
      case 7:
        return make("activeClientRemoved", {{"clientId", oneOf({"c1", "c2", "c3"})}});
      case 8:
        return make("workingDirectorySet", {{"directory", directory()}});
      case 9:
        return make("workingDirectoryRemoved", {{"directory", directory()}});
      case 10:
        return make("workingDirectoryReplaced",
                    {{"directory", directory()}, {"replacement", directory()}});
      case 11:
        return chance(4) ? make("notYetInvented", {{"id", id()}}) : toggle();
      default:
        return toggle();
    }
  }

 private:
  std::size_t below(std::size_t end) { return random_() % end; }
  bool chance(std::size_t oneIn) { return below(oneIn) == 0; }
  bool coin() { return chance(2); }
  std::string oneOf(const std::vector<std::string>& words) { return words[below(words.size())]; }
  std::string id() { return oneOf({"a", "b", "c", "d", "e", "f", "g"}); }
  std::string directory() { return "file:///" + oneOf({"A", "B", "C", "D"}); }
  ordered_json decisions() {
    ordered_json list = ordered_json::array();
    for (std::size_t n = below(4); n > 0; --n)
      list.push_back({{"kind", oneOf({"session", "workspace", "global"})}, {"enabled", coin()}});
    return list;
  }

  static ordered_json make(const std::string& type, const ordered_json& fields) {
    ordered_json action{{"type", "session/" + type}};
    action.update(fields);
    return action;
  }
  ordered_json toggle() {
    const bool other = chance(6);
    ordered_json action = make("customizationToggled", {{"id", id()}});
    if (other || generation_ == Generation::first) action["enabled"] = coin();
    if (other != (generation_ == Generation::second)) action["enablement"] = decisions();
    return action;
  }
  ordered_json serverState() {
    ordered_json action = make("mcpServerStateChanged",
                               {{"id", id()}, {"state", {{"kind", oneOf({"ready", "error"})}}}});
    if (coin()) action["channel"] = "mcp://" + id();
    return action;
  }
  ordered_json client() {
    ordered_json client{{"clientId", oneOf({"c1", "c2", "c3"})}};
    if (coin()) client["displayName"] = id();
    return client;
  }
  ordered_json entry(const std::string& type) {
    ordered_json entry{{"type", type}, {"id", id()}, {"name", id()}};
    if (coin()) entry["enabled"] = coin();
    if (chance(3)) entry["enablement"] = decisions();
    if (chance(4)) entry["_meta"] = {{"x.y", nullptr}};
    if (type == "mcpServer") entry["state"] = {{"kind", "stopped"}};
    if (type == "mcpServer" && coin()) entry["channel"] = "mcp://0";
    return entry;
  }
  ordered_json topLevel() {
    ordered_json top =
        entry(oneOf({"plugin", "plugin", "directory", "mcpServer", "mcpServer", "widget"}));
    if (chance(8)) top["children"] = nullptr;
    if (!coin()) return top;
    top["children"] = ordered_json::array();
    for (std::size_t n = below(5); n > 0; --n)
      top["children"].push_back(entry(oneOf({"mcpServer", "mcpServer", "skill", "agent"})));
    return top;
  }
  ordered_json tree() {
    ordered_json list = ordered_json::array();
    for (std::size_t n = below(6); n > 0; --n) list.push_back(topLevel());
    return list;
  }

  std::mt19937 random_;
  Generation generation_;
};

class ReducerAgainstModel : public ::testing::TestWithParam<Generation> {};

TEST_P(ReducerAgainstModel, GivesEqualStatesForTenThousandActions_S2) {
  std::size_t changes = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    RandomActions random(seed, GetParam());
    auto state = PublishedState::create(random.state());
    ASSERT_TRUE(state) << describe(state.error());
    for (int step = 0; step < 10; ++step) {
      const ordered_json before = state->json();
      const ordered_json action = random.action();
      const auto expected = ReducerModel::apply(before, action, GetParam());
      const auto next = reduce(*state, action, GetParam());
      const std::string what =
          "seed " + std::to_string(seed) + "\n" + before.dump() + "\n" + action.dump();
      ASSERT_TRUE(next) << describe(next.error()) << what;
      // In the same order, too; and what changes nothing gives back the very same object.
      ASSERT_EQ(next->json(), expected.value_or(before)) << what;
      ASSERT_EQ(next->isSame(*state), !expected.has_value()) << what;
      ASSERT_EQ(state->json(), before) << what;
      changes += expected.has_value() ? 1 : 0;
      state = *next;
    }
  }
  // Both outcomes are well met.
  EXPECT_GT(changes, 3000U);
  EXPECT_LT(changes, 9000U);
}

INSTANTIATE_TEST_SUITE_P(BothGenerations, ReducerAgainstModel,
                         ::testing::Values(Generation::first, Generation::second),
                         [](const auto& generation) {
                           return generation.param == Generation::first ? "First" : "Second";
                         });

}  // namespace
}  // namespace enablement::test
