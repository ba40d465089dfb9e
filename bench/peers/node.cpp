#include <enablement/bench/peers/node.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include <enablement/bench/must.h>

namespace enablement::bench {
namespace {

void writeData(const std::filesystem::path& file, const DataSet& data) {
  nlohmann::json all;
  for (std::uint32_t i = 0; i < data.size().sessions; ++i)
    all["sessions"].push_back({data.sessions()[i], data.folderOf(i)});
  for (const Name& name : data.names()) all["keys"].push_back(name.printed);
  for (const Decision& decision : data.decisions())
    all["decisions"].push_back({static_cast<int>(decision.scope), data.placeOf(decision),
                                data.names()[decision.target].printed, decision.enabled});
  for (const Lookup& lookup : data.lookups())
    all["lookups"].push_back({lookup.session, lookup.target});
  std::ofstream(file) << all;
}

}  // namespace

std::optional<NodeFigures> runNode(const std::filesystem::path& folder, const DataSet& data,
                                   std::size_t rounds) {
  // NOLINTNEXTLINE(bugprone-command-processor): a fixed text
  if (std::system("node --version >/dev/null 2>&1") != 0) return std::nullopt;
  const auto file = folder / "node.json";
  writeData(file, data);
  const std::string command = "node '" ENABLEMENT_BENCH_SOURCE "/peers/maps.mjs' '" +
                              file.string() + "' " + std::to_string(rounds);
  // NOLINTNEXTLINE(bugprone-command-processor): paths of ours
  std::FILE* output = ::popen(command.c_str(), "r");
  must(output, "cannot run node");
  std::string printed(200, '\0');
  printed.resize(std::fread(printed.data(), 1, printed.size(), output));
  must(::pclose(output) == 0, "node failed: " + printed);

  NodeFigures figures{};
  std::istringstream(printed) >> figures.median >> figures.p99 >> figures.sum >> figures.version;
  return figures;
}

}  // namespace enablement::bench
