// All names of a session with their answers and where they come from: what launch plans are built
// from. Internal.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <enablement/enforcement/definitions.h>
#include <enablement/enforcement/desired.h>

namespace enablement {

using NameSet = std::set<std::string, std::less<>>;

struct PluginServer {
  std::string name;
  Answer answer;
  bool explicitOn;
};

struct PluginWish {
  std::string uri;  // canonical
  bool ofClient = false;
  Answer answer;             // of its entry, the strictest where there are several
  bool isParsed = true;      // its children are known
  bool isOn = false;         // enabled, and its children are known
  bool isLoaded = false;     // its directory is handed over
  Why why = Why::byDefault;  // why it is loaded, or not
  std::string directory = {};
  std::vector<PluginServer> servers = {};
  DefinitionsByName definitions = {};
  const PluginFiles* files = nullptr;

  [[nodiscard]] bool registers(const std::string& server) const {
    return files && files->registered.contains(server);
  }
};

struct Survey {
  Runtime runtime = Runtime::copilot;
  bool ephemeral = false;
  std::map<std::string, Wish, std::less<>> wishes;
  std::vector<PluginWish> plugins;  // in the order of the list

  DefinitionsByName root;
  DefinitionsByName builtIns;
  DefinitionsByName primary;     // of the primary directory
  DefinitionsByName otherRoots;  // of the other directories; the first of a name counts

  NameSet rootNames;
  NameSet builtInNames;
  NameSet primaryNames;
  NameSet otherNames;
  NameSet userNames;
  NameSet listedNames;  // of servers in the list that no plugin holds
  NameSet freshNames;   // the same, of those that are shown at this moment
  NameSet seenNames;    // the runtime has shown them, and none of these accounts for them

  bool unknownUserConfig = false;
  std::vector<Dropped> dropped;

  // Whether somebody but a plugin may bring a server of that name.
  [[nodiscard]] bool isBare(const std::string& name) const;
  // Whether a server of the plugin counts under its name while the plugin is applied.
  [[nodiscard]] bool applies(const PluginWish& plugin, const std::string& server) const;
  [[nodiscard]] const Wish& wish(const std::string& name) const {
    return wishes.find(name)->second;
  }
};

// `fresh`: names that the runtime shows at this moment. What a plugin that the runtime has accounts
// for is the plugin's; every other one is a bare target in it (E2b).
[[nodiscard]] Planned<Survey> survey(Runtime runtime, const SessionInputs& inputs,
                                     const EnforcementState& state, const NameSet& fresh = {});

}  // namespace enablement
