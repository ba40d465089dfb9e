#include "simulated_runtime.h"

namespace enablement::test {
namespace {

std::set<std::string> textsIn(const Json& configuration, const char* field) {
  const auto found = configuration.find(field);
  if (found == configuration.end()) return {};
  return found->get<std::set<std::string>>();
}

}  // namespace

void SimulatedRuntime::start(const Json& configuration, bool isSlow) {
  configuration_ = configuration;
  servers_.clear();
  started_.clear();
  denied_ =
      textsIn(configuration, kind_ == Runtime::copilot ? "disabledMcpServers" : "deniedMcpServers");
  for (const std::string& server : given()) add(server);
  for (const std::string& server : machine_.user) add(server);
  for (const std::string& server : machine_.builtIn) add(server);
  if (kind_ == Runtime::claude)
    for (const std::string& server : machine_.primary) add(server);
  if (!isSlow) addDirectories();
}

void SimulatedRuntime::discover() {
  for (const std::string& server : machine_.user) add(server);
  addDirectories();
}

void SimulatedRuntime::addDirectories() {
  if (kind_ == Runtime::codex) return;
  for (const std::string& directory :
       textsIn(configuration_, kind_ == Runtime::copilot ? "pluginDirectories" : "plugins"))
    for (const std::string& server : machine_.directories.at(directory)) add(server);
}

void SimulatedRuntime::add(const std::string& server) {
  const bool isOn = !denied_.contains(server) && !remembered_.contains(server);
  if (!servers_.emplace(server, isOn).second || !isOn) return;
  started_.insert(server);
}

void SimulatedRuntime::toggleFromOutside(const std::string& server, bool enabled) {
  servers_.at(server) = enabled;
  if (enabled) {
    remembered_.erase(server);
    denied_.erase(server);
  } else {
    remembered_.insert(server);
  }
}

void SimulatedRuntime::call(const Step& step) {
  const bool isCopilots = step.call == "mcp.enable" || step.call == "mcp.disable";
  const bool isClaudes = step.call == "toggleMcpServer";
  if (isCopilots != (kind_ == Runtime::copilot) && isClaudes != (kind_ == Runtime::claude)) return;
  const auto server = servers_.find(step.server);
  if (server == servers_.end() || (!isCopilots && !isClaudes)) return;
  const bool enabled = isCopilots ? step.call == "mcp.enable" : step.enabled == true;
  server->second = enabled;
  if (!enabled) return;
  denied_.erase(step.server);
  remembered_.erase(step.server);
  started_.erase(step.server);  // asked for
}

std::vector<ServerReport> SimulatedRuntime::inventory() const {
  std::vector<ServerReport> reports;
  for (const auto& [server, isOn] : servers_)
    reports.push_back({server, isOn ? RuntimeState::connected : RuntimeState::stopped, isOn});
  return reports;
}

std::set<std::string> SimulatedRuntime::running() const {
  std::set<std::string> names;
  for (const auto& [server, isOn] : servers_)
    if (isOn) names.insert(server);
  return names;
}

std::vector<std::string> SimulatedRuntime::given() const {
  std::vector<std::string> names;
  const auto found = configuration_.find(kind_ == Runtime::codex ? "mcp_servers" : "mcpServers");
  if (found == configuration_.end()) return names;
  for (const auto& [server, definition] : found->items()) names.push_back(server);
  return names;
}

}  // namespace enablement::test
