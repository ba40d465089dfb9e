// Runtimes of three kinds, as far as their servers go: they start what they are told, discover
// servers by themselves, and know nothing of decisions. Written without a look at the plans.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <enablement/enforcement/observation.h>
#include <enablement/enforcement/plan.h>
#include <enablement/schema/json_text.h>

namespace enablement::test {

// What is on the machine, whoever knows of it.
struct Machine {
  std::map<std::string, std::set<std::string>> directories;  // of plugins: servers that are in them
  std::set<std::string> user;                                // in the user's own configuration
  std::set<std::string> builtIn;
  std::set<std::string> primary;  // defined in the primary directory
};

class SimulatedRuntime {
 public:
  SimulatedRuntime(Runtime kind, const Machine& machine) : kind_(kind), machine_(machine) {}

  // Starts, or starts again. Servers in directories are discovered now or, if `isSlow`, later.
  void start(const Json& configuration, bool isSlow);
  // Looks again at what is on the machine: starts what was not there before.
  void discover();

  // Somebody switches a server in the runtime itself; it remembers that beyond its end.
  void toggleFromOutside(const std::string& server, bool enabled);
  // The host's calls.
  void call(const Step& step);

  [[nodiscard]] std::vector<ServerReport> inventory() const;
  [[nodiscard]] std::set<std::string> running() const;
  [[nodiscard]] bool knows(const std::string& server) const { return servers_.contains(server); }
  // Everything that it has started by itself since it was launched: no call asked for it.
  [[nodiscard]] const std::set<std::string>& startedByLaunch() const { return started_; }
  [[nodiscard]] std::vector<std::string> given() const;

 private:
  void add(const std::string& server);
  void addDirectories();

  Runtime kind_;
  const Machine& machine_;
  Json configuration_;
  std::map<std::string, bool> servers_;  // whether it is switched on; what is on runs
  std::set<std::string> denied_;
  std::set<std::string> remembered_;  // switched off by somebody in the runtime
  std::set<std::string> started_;
};

}  // namespace enablement::test
