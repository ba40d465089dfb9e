// What plans are computed from.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <enablement/resolver/entry_target.h>
#include <enablement/resolver/gate.h>

namespace enablement {

class EnablementService;

// Definitions of servers, as JSON: {name: definition}. What a definition holds is between host and
// runtime; one that is malformed is dropped with a report (E2): no object, its `command` or `url`
// no text, its `args` no list of texts, its `env` or `headers` no object, nested too deep.
using Definitions = nlohmann::ordered_json;

// What the host knows of a plugin that it has on disk.
struct PluginFiles {
  std::string directory;  // where it was materialised; empty: not known
  Definitions servers = nlohmann::ordered_json::object();
  // Names in `servers` that the runtime does not find by itself in the directory.
  std::set<std::string> registered = {};
};

// The servers that a working directory defines.
struct WorkspaceServers {
  bool primary = false;  // the session's primary directory, where the runtime looks by itself
  Definitions servers = nlohmann::ordered_json::object();
};

// Everything beside the list that a runtime may get servers from. None of it is an answer to what
// is on: every name in it is resolved when it is used (E2b).
struct Sources {
  Definitions rootConfiguration = nlohmann::ordered_json::object();
  // Servers that come with the runtime. Null for a definition: the runtime starts it by itself.
  Definitions builtIns = nlohmann::ordered_json::object();
  // The names in the user's own configuration of the runtime. None: they could not be read.
  std::optional<std::vector<std::string>> userServers = {};
  std::vector<WorkspaceServers> workspace = {};
  std::map<std::string, PluginFiles> plugins = {};  // by source URI, as in the list
  // Servers that the host itself injects: never gated, published or reconciled (E2).
  std::set<std::string> injected = {};
  bool ephemeral = false;  // a session without servers
  // Whether a turn has been started since the thread was created; Codex's way to reload needs it.
  bool hadTurn = false;
  // Whatever else the runtime is given, e.g. tools: only compared, to see that it changed.
  nlohmann::ordered_json rest = {};
};

// The inputs of one session. Only the gate makes a list that fits. References must outlive the
// call; the owner map is the one that the list was gated with.
struct SessionInputs {
  const EnablementService& service;
  std::string session;
  const GatedList& list;
  const OwnerMap& owners;
  const Sources& sources;
};

}  // namespace enablement
