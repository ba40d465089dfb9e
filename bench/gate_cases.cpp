#include <string>

#include <nlohmann/json.hpp>

#include <enablement/bench/cases.h>
#include <enablement/bench/must.h>
#include <enablement/resolver/gate.h>

namespace enablement::bench {
namespace {

using nlohmann::ordered_json;

constexpr int serversEach = 10;
constexpr int skillsEach = 24;

ordered_json listOf(const DataSet& data, std::uint32_t plugins) {
  auto list = ordered_json::array();
  for (std::uint32_t p = 0; p < plugins; ++p) {
    const std::string id = "plugin-" + std::to_string(p);
    auto children = ordered_json::array();
    for (int i = 0; i < serversEach; ++i) {
      const std::string name = "server-" + std::to_string(i);
      children.push_back({{"type", "mcpServer"}, {"id", id + "/" + name}, {"name", name}});
    }
    for (int i = 0; i < skillsEach; ++i) {
      const std::string name = "skill-" + std::to_string(i);
      children.push_back({{"type", "skill"}, {"id", id + "/" + name}, {"name", name}});
    }
    // Ten names a plugin, the last of which is the plugin's own.
    list.push_back({{"type", "plugin"},
                    {"id", id},
                    {"uri", data.names()[p * 10 + 9].plugin},
                    {"children", std::move(children)}});
  }
  return list;
}

}  // namespace

void gateCases(Report& report, const Settings& settings) {
  Section& section = report.section("The gate, each plugin with 10 servers and 24 skills");
  const DataSet data(sizeB);
  const auto service = inMemory(data);
  double perPluginOfFew = 0;
  for (const std::uint32_t plugins : {10U, 100U, 1000U}) {
    const ordered_json list = listOf(data, plugins);
    const std::string& session = data.sessions().front();
    const std::string size = std::to_string(plugins) + " plugins";
    const auto figures =
        measure({contender("gate, its copy included", 1,
                           [&](std::size_t) { return must(gate(*service, session, list, {})); }),
                 contender("peer: one copy of the list", 1,
                           [&](std::size_t) { return ordered_json(list); })},
                settings.scaled(60, 5));
    section.lines.push_back({"gate, its copy included", size, figures[0]});
    section.lines.push_back({"peer: one copy of the list", size, figures[1]});
    section.comparisons.push_back({"gate / one copy", size, figures[0].median / figures[1].median,
                                   "×", plugins == 1000 ? std::optional(atMost(3)) : std::nullopt});
    if (perPluginOfFew == 0)
      perPluginOfFew = figures[0].median / plugins;
    else
      section.comparisons.push_back({"a plugin's time / its time among 10", size,
                                     figures[0].median / plugins / perPluginOfFew, "×"});
  }
}

}  // namespace enablement::bench
