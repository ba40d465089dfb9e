#include <enablement/bench/data.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <tuple>
#include <utility>

#include <enablement/bench/must.h>
#include <enablement/resolver/testing.h>
#include <enablement/store/import_source.h>

namespace enablement::bench {
namespace {

constexpr std::uint32_t serversPerPlugin = 9;
constexpr auto publishers = std::to_array<std::string_view>(
    {"acme", "contoso", "fabrikam-labs", "northwind-tooling", "adventure-works-engineering"});
constexpr auto subjects = std::to_array<std::string_view>(
    {"azure", "search", "postgres-admin", "browser-automation", "incident-response-helper"});
constexpr auto servers = std::to_array<std::string_view>({"db", "issues", "fetch", "pull-requests",
                                                          "filesystem", "metrics-dashboard", "mail",
                                                          "deploy", "knowledge-base-search"});

// The numbers of std::mt19937 are laid down by the standard, those of its distributions are not.
class Random {
 public:
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(numbers_() % bound);
  }
  template <typename Value>
  void shuffle(std::vector<Value>& values) {
    for (std::size_t i = values.size(); i > 1; --i)
      std::swap(values[i - 1], values[below(static_cast<std::uint32_t>(i))]);
  }

 private:
  std::mt19937 numbers_{1};
};

void addPlugin(std::vector<Name>& names, std::uint32_t number, Random& random) {
  const std::string subject(subjects[random.below(subjects.size())]);
  const std::string repository = subject + "-plugins-" + std::to_string(number % 97);
  Name plugin;
  plugin.plugin = "file:///home/user/.agent-plugins/github.com/" +
                  std::string(publishers[random.below(publishers.size())]) + "/" + repository +
                  "/plugins/" + subject + "-" + std::to_string(number);
  plugin.printed = plugin.plugin;
  for (std::uint32_t i = 0; i < serversPerPlugin; ++i) {
    const std::string server(servers[i]);
    names.push_back({plugin.plugin, server, plugin.plugin + "#mcp=" + server});
  }
  names.push_back(std::move(plugin));
}

std::uint32_t placesOf(Scope scope, const Size& size) {
  switch (scope) {
    case Scope::session:
      return size.sessions;
    case Scope::workspace:
      return size.folders;
    default:
      return 1;
  }
}

// A session in which the decision counts.
std::uint32_t sessionOf(const Decision& decision, const Size& size, Random& random) {
  switch (decision.scope) {
    case Scope::session:
      return decision.place;
    case Scope::workspace:
      return decision.place + size.folders * random.below(size.sessions / size.folders);
    default:
      return random.below(size.sessions);
  }
}

}  // namespace

DataSet::DataSet(const Size& size) : size_(size) {
  Random random;
  for (std::uint32_t i = 0; i < size.folders; ++i)
    folders_.push_back("file:///home/user/src/team-" + std::to_string(i % 7) + "/project-" +
                       std::to_string(i));
  for (std::uint32_t i = 0; i < size.sessions; ++i)
    sessions_.push_back("ahp://copilot/session-" + std::to_string(100'000 + i * 7));
  for (std::uint32_t i = 0; i < 2 * size.plugins; ++i) addPlugin(names_, i, random);
  const auto decided = static_cast<std::uint32_t>(names_.size() / 2);

  std::set<std::tuple<Scope, std::uint32_t, std::uint32_t>> taken;
  while (decisions_.size() < size.decisions) {
    const auto quarter = 4 * decisions_.size() / size.decisions;
    const Scope scope = quarter == 0   ? Scope::global
                        : quarter == 3 ? Scope::session
                                       : Scope::workspace;
    const Decision decision{scope, random.below(placesOf(scope, size)), random.below(decided),
                            random.below(2) == 1};
    if (taken.emplace(scope, decision.place, decision.target).second)
      decisions_.push_back(decision);
  }
  random.shuffle(decisions_);

  for (std::uint32_t i = 0; i < size.lookups; ++i) {
    if (random.below(2) == 0) {
      lookups_.push_back({random.below(size.sessions), decided + random.below(decided)});
    } else {
      const Decision& decision = decisions_[random.below(size.decisions)];
      lookups_.push_back({sessionOf(decision, size, random), decision.target});
    }
  }
}

std::string_view DataSet::placeOf(const Decision& decision) const {
  switch (decision.scope) {
    case Scope::session:
      return sessions_[decision.place];
    case Scope::workspace:
      return folders_[decision.place];
    default:
      return {};
  }
}

TargetText textOf(const Name& name) {
  if (name.server.empty()) return {.uri = name.plugin};
  return {.type = TargetType::mcpServer, .name = name.server, .owningPlugin = name.plugin};
}

Target targetOf(const Name& name) {
  return must(makeTarget(textOf(name)));
}

std::vector<Target> targetsOf(const DataSet& data) {
  std::vector<Target> targets;
  targets.reserve(data.names().size());
  for (const Name& name : data.names()) targets.push_back(targetOf(name));
  return targets;
}

void decide(EnablementService& service, const DataSet& data) {
  ImportSource source{.marker = {.kind = ImportKind::json,
                                 .path = "/bench/" + std::string(data.size().name),
                                 .place = {},
                                 .contentHash = "1"}};
  for (const Decision& decision : data.decisions())
    source.decisions.push_back({decision.scope,
                                std::string(data.placeOf(decision)),
                                targetOf(data.names()[decision.target]).key,
                                decision.enabled,
                                {}});
  const auto report = must(service.importFrom({&source, 1}, {}, "bench"));
  must(report.sources.at(0).count(ImportedItem::Fate::taken) == data.decisions().size(),
       "not every decision was taken");
}

void settle(EnablementService& service, const DataSet& data) {
  std::vector<WorkingDirectory> folders;
  for (const std::string& folder : data.folders())
    folders.push_back(must(WorkingDirectory::directory(folder)));
  for (std::uint32_t i = 0; i < data.size().sessions; ++i) {
    must(service.setWorkingDirectory(data.sessions()[i], folders[data.folderIndexOf(i)]));
    must(service.loadSession(data.sessions()[i]));
  }
}

std::unique_ptr<EnablementService> inMemory(const DataSet& data) {
  auto service = testing::openInMemory();
  decide(*service, data);
  settle(*service, data);
  return service;
}

}  // namespace enablement::bench
