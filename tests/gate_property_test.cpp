// What holds of the gate for any list and any decisions (I19, I20).
#include <ctime>

#include <rapidcheck.h>
#include <nlohmann/json.hpp>

#include <rapidcheck/gtest.h>

#include <enablement/resolver/gate.h>
#include <enablement/resolver/testing.h>

#include "service_fixture.h"

namespace enablement::test {
namespace {

using nlohmann::ordered_json;

// Few of each, so that they meet.
const Names ids{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p"};
const Names plugins{"acme/alpha", "acme/beta", "https://plugins.example.org/gamma"};
const Names uris{"acme/alpha", "acme/beta", "HTTPS://plugins.example.org:/gamma/", "x:/%zz", ""};
const Names servers{"db", "web", "constructor", "__proto__"};
const Names names{"db", "web", "constructor", "__proto__", "", "a\nb"};
const Names topTypes{"plugin", "plugin", "mcpServer", "mcpServer", "directory", "widget"};
const Names childTypes{"mcpServer", "mcpServer", "skill", "agent", "gadget"};
const std::string session = "s1";

bool coin() {
  return *rc::gen::arbitrary<bool>();
}
std::string oneOf(const Names& words) {
  return *rc::gen::elementOf(words);
}

ordered_json anEntry(const Names& types) {
  ordered_json entry{{"type", oneOf(types)}, {"id", oneOf(ids)}};
  if (coin()) entry["name"] = oneOf(names);
  if (coin()) entry["uri"] = oneOf(uris);
  if (coin()) entry["enabled"] = *rc::gen::element<ordered_json>(true, false, nullptr, "false", 0);
  if (coin())
    entry["enablement"] = ordered_json::array({{{"kind", "global"}, {"enabled", coin()}}});
  if (coin()) entry["_meta"] = {{"agentHost.mcpServerDiscoveryEnabled", coin()}};
  return entry;
}

rc::Gen<ordered_json> aList() {
  const auto child = rc::gen::exec([] { return anEntry(childTypes); });
  const auto container = rc::gen::exec([child] {
    ordered_json entry = anEntry(topTypes);
    if (coin())
      entry["children"] = *rc::gen::resize(5, rc::gen::container<std::vector<ordered_json>>(child));
    return entry;
  });
  return rc::gen::map(rc::gen::resize(8, rc::gen::container<std::vector<ordered_json>>(container)),
                      [](const std::vector<ordered_json>& list) { return ordered_json(list); });
}

OwnerMap someOwners() {
  OwnerMap owners;
  for (const std::string& name : servers)
    if (coin()) owners[name] = oneOf(uris);
  return owners;
}

Target anyTarget() {
  if (coin()) return plugin(oneOf(plugins));
  return coin() ? server(oneOf(servers)) : serverOf(oneOf(plugins), oneOf(servers));
}

// A session with any decisions, in any of the states that a session can be in.
std::unique_ptr<EnablementService> anyService() {
  auto service = enablement::testing::openInMemory();
  must(service->loadSession(session));
  must(service->setWorkingDirectory(session, folder("file:///one")));
  must(service->stateClientBase(session, "editor", std::vector{states(oneOf(plugins), coin())}));
  const int count = *rc::gen::inRange(0, 8);
  for (int i = 0; i < count; ++i) {
    const Scope scope = *rc::gen::element(Scope::session, Scope::workspace, Scope::global);
    must(service->set(session, anyTarget(), scope, coin(), "test"));
  }
  switch (*rc::gen::inRange(0, 6)) {
    case 0:
      must(service->setWorkingDirectory(session, WorkingDirectory::pending()));
      break;
    case 1:
      must(service->setWorkingDirectory(session, WorkingDirectory::none()));
      break;
    case 2:
      must(service->closeSession(session));
      break;
    case 3:
      service->close();
      break;
    default:
      break;
  }
  return service;
}

struct Visited {
  const ordered_json* entry;
  const ordered_json* container;  // null at the top level
};

std::vector<Visited> entriesOf(const ordered_json& list) {
  std::vector<Visited> entries;
  for (const ordered_json& entry : list) {
    entries.push_back({&entry, nullptr});
    if (kindOf(entry) == EntryKind::mcpServer || !entry.contains("children")) continue;
    for (const ordered_json& child : entry.at("children")) entries.push_back({&child, &entry});
  }
  return entries;
}

std::map<std::string, int> countsOf(const std::vector<Visited>& entries) {
  std::map<std::string, int> counts;
  for (const Visited& at : entries) ++counts[at.entry->at("id")];
  return counts;
}

// The target of a server at the top level or in a plugin; none where it has no key.
std::optional<Target> targetOf(const Visited& at, const OwnerMap& owners) {
  if (!at.container) {
    const auto target = targetOfTopLevel(*at.entry, owners);
    return target ? std::optional(*target) : std::nullopt;
  }
  const auto container = targetOfTopLevel(*at.container, owners);
  if (!container) return std::nullopt;
  const auto target = targetOfChild(*at.entry, container->key);
  return target ? std::optional(*target) : std::nullopt;
}

RC_GTEST_PROP(GateProperty, NothingThatIsPendingOrMaskedMayRun_I19_I20, ()) {
  const auto list = *aList();
  const auto owners = someOwners();
  const auto service = anyService();
  const GatedList out = gate(*service, session, list, owners).value();
  const auto entries = entriesOf(list);
  auto counts = countsOf(entries);
  std::map<std::string, bool> runs(out.mcpServers().begin(), out.mcpServers().end());
  for (const std::string& id : out.pending())
    if (runs.contains(id)) RC_ASSERT(!runs[id]);
  for (const auto& [id, may] : runs)
    RC_ASSERT(may == (out.find(id)->state == EffectiveState::enabled));
  for (const Visited& at : entries) {
    const std::string id = at.entry->at("id");
    RC_ASSERT(out.find(id) != nullptr);
    if (kindOf(*at.entry) != EntryKind::mcpServer) continue;
    RC_ASSERT(runs.contains(id));
    // Where its container bears the id of another entry, that entry's answer may be the stricter.
    if (runs[id] && at.container && counts[at.container->at("id")] == 1)
      RC_ASSERT(out.find(at.container->at("id").get<std::string>())->state ==
                EffectiveState::enabled);
  }
}

RC_GTEST_PROP(GateProperty, AServersAnswerIsTheServicesOwn_I5_I19, ()) {
  const auto list = *aList();
  const auto owners = someOwners();
  const auto service = anyService();
  const GatedList out = gate(*service, session, list, owners).value();
  const auto entries = entriesOf(list);
  auto counts = countsOf(entries);
  for (const Visited& at : entries) {
    const std::string id = at.entry->at("id");
    const bool inPlace = !at.container || kindOf(*at.container) == EntryKind::plugin;
    if (kindOf(*at.entry) != EntryKind::mcpServer || !inPlace || counts[id] > 1) continue;
    const auto target = targetOf(at, owners);
    if (!target)
      RC_ASSERT(out.find(id)->state == EffectiveState::disabled);
    else
      RC_ASSERT(show(*out.find(id)) == show(service->effective(session, *target)));
  }
}

RC_GTEST_PROP(GateProperty, GatingAGatedListChangesNothing_I19, ()) {
  const auto list = *aList();
  const auto owners = someOwners();
  const auto service = anyService();
  const GatedList once = gate(*service, session, list, owners).value();
  const GatedList again = gate(*service, session, list, owners).value();
  const GatedList twice = gate(*service, session, once.customizations(), owners).value();
  RC_ASSERT(again.toJson().dump() == once.toJson().dump());
  RC_ASSERT(twice.toJson().dump() == once.toJson().dump());
  RC_ASSERT(once.isCurrent(*service));
}

// Each plugin brings 10 servers and 24 skills.
ordered_json bigList(int count) {
  ordered_json list = ordered_json::array();
  for (int i = 0; i < count; ++i) {
    const std::string id = "plugin-" + std::to_string(i);
    ordered_json children = ordered_json::array();
    for (int j = 0; j < 34; ++j) {
      const std::string name = std::to_string(j);
      children.push_back(
          {{"type", j < 10 ? "mcpServer" : "skill"}, {"id", id + "/" + name}, {"name", name}});
    }
    list.push_back({{"type", "plugin"},
                    {"id", id},
                    {"uri", "https://plugins.example.org/" + id},
                    {"children", std::move(children)}});
  }
  return list;
}

// The least processor time that a gating took, in clock ticks.
std::clock_t gatingTime(const EnablementService& service, const ordered_json& list) {
  std::clock_t least = 0;
  for (int i = 0; i < 5; ++i) {
    ordered_json copy = list;
    const std::clock_t start = std::clock();
    const auto out = gate(service, session, std::move(copy), {});
    const std::clock_t took = std::clock() - start;
    EXPECT_EQ(out.value().mcpServers().size(), list.size() * 10);
    least = i == 0 ? took : std::min(least, took);
  }
  return least;
}

TEST(GateCost, GrowsWithTheListAndNoFaster_I19) {
  const auto service = enablement::testing::openInMemory();
  must(service->loadSession(session));
  must(service->setWorkingDirectory(session, WorkingDirectory::none()));
  must(service->set(session, plugin("https://plugins.example.org/plugin-7"), Scope::global, false,
                    "test"));
  const std::clock_t small = gatingTime(*service, bigList(250));
  const std::clock_t large = gatingTime(*service, bigList(1'000));
  // Four times the entries; twice that is allowed for caches and the like, sixteen times is not.
  EXPECT_LE(large, 8 * small);
}

}  // namespace
}  // namespace enablement::test
