// Random histories of a host: whatever happens, peers have what the store and the clients say.
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <enablement/resolver/gate.h>

#include "session_fixture.h"

namespace enablement::test {
namespace {

// Few of each, so that they meet.
class RandomHistory {
 public:
  RandomHistory(HostWorld& world, unsigned seed) : world_(world), random_(seed) {}

  // Takes a step; what it was.
  std::string step() {
    switch (below(12)) {
      case 0:
        return act(std::nullopt,
                   {{"type", "session/customizationsChanged"}, {"customizations", own()}});
      case 1:
        return act(std::nullopt,
                   {{"type", "session/customizationUpdated"}, {"customization", found()}});
      case 2:
        return act(std::nullopt, {{"type", "session/customizationRemoved"}, {"id", id()}});
      case 3:
      case 4:
        return act(client(), joining());
      case 5: {
        const std::string who = client();
        return act(who, {{"type", "session/activeClientRemoved"}, {"clientId", who}});
      }
      case 6:
        return act(client(), {{"type", "session/workingDirectoryReplaced"},
                              {"directory", folder()},
                              {"replacement", folder()}});
      case 7: {
        const bool sets = chance(2);
        const Target target{TargetKey::plugin(uri()).value()};
        if (sets)
          (void)world_.service->set(world_.s, target, scope(), chance(2), "elsewhere");
        else
          (void)world_.service->clear(world_.s, target, scope(), "elsewhere");
        return "a decision from elsewhere";
      }
      case 8: {
        const bool starts = chance(2);
        return act(client(), {{"type", starts ? "session/mcpServerStartRequested"
                                              : "session/mcpServerStopRequested"},
                              {"id", id()}});
      }
      case 9:
        world_.host->clientDisconnected(client());
        world_.clock.advance(std::chrono::seconds(20));
        world_.host->tick(world_.clock.now());
        return "a client disconnects, and time goes on";
      case 10:
        return act(client(),
                   {{"type", "session/customizationToggled"}, {"id", id()}, {"enabled", chance(2)}},
                   Generation::first);
      default:
        return act(
            client(),
            {{"type", "session/customizationToggled"}, {"id", id()}, {"enablement", decisions()}});
    }
  }

 private:
  std::size_t below(std::size_t end) { return random_() % end; }
  bool chance(std::size_t oneIn) { return below(oneIn) == 0; }
  std::string oneOf(const std::vector<std::string>& words) { return words[below(words.size())]; }
  std::string client() { return oneOf({"c1", "c2", "c3"}); }
  std::string id() { return oneOf({"p1", "p2", "p3", "h1", "h2", "m", "m1", "m2", "k", "d"}); }
  std::string uri() { return oneOf({"acme/one", "acme/two", "file:///three", "FILE:///three/"}); }
  std::string folder() { return oneOf({"file:///repo", "file:///b", "file:///c"}); }
  Scope scope() { return precedence[below(3)]; }

  ordered_json decisions() {
    ordered_json list = ordered_json::array();
    for (const char* kind : {"session", "workspace", "global"})
      if (chance(2)) list.push_back({{"kind", kind}, {"enabled", chance(2)}});
    return list;
  }
  ordered_json children() {
    ordered_json list = ordered_json::array();
    for (std::size_t n = below(4); n > 0; --n) {
      ordered_json child{{"type", oneOf({"mcpServer", "mcpServer", "skill"})},
                         {"id", oneOf({"m", "m1", "m2", "k"})},
                         {"name", oneOf({"one", "two"})}};
      if (chance(3)) child["_meta"]["agentHost.mcpServerDiscoveryEnabled"] = chance(2);
      list.push_back(child);
    }
    return list;
  }
  ordered_json entry(const std::string& type, const std::string& id) {
    ordered_json entry{{"type", type}, {"id", id}, {"name", oneOf({"one", "two"})}};
    if (type == "plugin") entry["uri"] = uri();
    if (type != "mcpServer" && !chance(3)) entry["children"] = children();
    return entry;
  }
  ordered_json own() {
    ordered_json list = ordered_json::array();
    if (chance(2)) list.push_back(entry("plugin", "h1"));
    if (chance(2)) list.push_back(entry("mcpServer", "h2"));
    if (chance(2)) list.push_back(entry("directory", "d"));
    return list;
  }
  ordered_json found() { return entry("plugin", oneOf({"p1", "p2", "p3", "h1"})); }
  ordered_json joining() {
    ordered_json plugins = ordered_json::array();
    for (std::size_t n = below(3); n > 0; --n) {
      ordered_json plugin{
          {"type", "plugin"}, {"id", oneOf({"p1", "p2", "p3", "h1"})}, {"uri", uri()}};
      if (chance(2)) plugin["nonce"] = oneOf({"1", "2"});
      if (chance(2)) plugin["enablement"] = decisions();
      if (chance(2)) plugin["childEnablement"] = {{"one", decisions()}};
      plugins.push_back(plugin);
    }
    joining_ = client();
    return {{"type", "session/activeClientSet"},
            {"activeClient", {{"clientId", joining_}, {"customizations", plugins}}}};
  }
  std::string act(std::optional<std::string> who, const ordered_json& action,
                  Generation generation = Generation::second) {
    if (action["type"] == "session/activeClientSet") who = joining_;
    world_.dispatch(who, action, generation);
    return action.dump();
  }

  HostWorld& world_;
  std::mt19937 random_;
  std::string joining_;
};

TEST(HostProperty, PeersHaveWhatTheGateSaysAfterEveryStepOfARandomHistory_S4_S7) {
  std::size_t sent = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    HostWorld world;
    ASSERT_NO_FATAL_FAILURE(world.settle());
    RandomHistory history(world, seed);
    for (int step = 0; step < 40; ++step) {
      const std::string what = "seed " + std::to_string(seed) + ", " + history.step();
      const std::size_t before = world.sent.size();
      const auto snapshot = world.host->snapshot(world.s).value();
      // Nothing was left to publish.
      ASSERT_EQ(world.sent.size(), before) << what;
      for (const auto* peer : {&world.first, &world.second})
        ASSERT_EQ(nlohmann::json(peer->state).value("customizations", nlohmann::json()),
                  nlohmann::json(snapshot.stateFor(peer->generation))
                      .value("customizations", nlohmann::json()))
            << what;
      // Gated again it stays as it is; and no client's own Global was stored.
      const auto again = gate(*world.service, world.s, world.tree(), {});
      ASSERT_TRUE(again) << what;
      ASSERT_EQ(nlohmann::json(again->customizations()), nlohmann::json(world.tree())) << what;
    }
    sent += world.sent.size();
  }
  EXPECT_GT(sent, 1000U);
}

TEST(HostProperty, NoToggleOfAClientStoresTheGlobalOfAClientsTarget_S5) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    HostWorld world;
    ASSERT_NO_FATAL_FAILURE(world.settle());
    world.join("c1", json(R"([{"type": "plugin", "id": "p", "uri": "acme/p"}])"));
    std::mt19937 random(seed);
    for (int step = 0; step < 30; ++step) {
      ordered_json list = ordered_json::array();
      for (const char* kind : {"session", "workspace", "global"})
        if (random() % 2 == 0) list.push_back({{"kind", kind}, {"enabled", random() % 2 == 0}});
      ASSERT_EQ(world.toggle("p", list).kind, Outcome::Kind::applied);
      for (const std::string& row : world.stored())
        ASSERT_THAT(row, ::testing::Not(::testing::StartsWith("global"))) << list;
    }
  }
}

}  // namespace
}  // namespace enablement::test
