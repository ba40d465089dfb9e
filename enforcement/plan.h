// What a runtime is to be given and told: plain data that the host carries out. The vocabulary that
// the runtimes share.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include <nlohmann/json.hpp>

#include <enablement/schema/resolution.h>

namespace enablement {

enum class Runtime : unsigned char { copilot, claude, codex };

[[nodiscard]] std::string_view name(Runtime runtime);
// The runtime of that name. None for any other text.
[[nodiscard]] std::optional<Runtime> runtimeOf(std::string_view name);

// On what occasion a runtime is given its configuration. The plan is the same for all of them (E1).
enum class Launch : unsigned char { create, resume, createAfterFailedResume };

[[nodiscard]] std::string_view name(Launch launch);

// Why there is no plan. Nothing is kept; ask again when the reason is gone.
enum class NotYet : unsigned char {
  session,     // the session's decisions are not loaded
  store,       // the store cannot be read
  superseded,  // something was decided, or a name was seen, since the list was gated
};

[[nodiscard]] std::string_view name(NotYet reason);
// What it means and what to do next, for a person.
[[nodiscard]] std::string describe(NotYet reason);

template <typename T>
using Planned = tl::expected<T, NotYet>;

// Why something is started, denied, left out or held back. The first ones are the reasons of
// effective answers, in the same words.
enum class Why : unsigned char {
  session,
  workspace,
  global,
  byDefault,
  container,
  store,
  workingDirectory,
  flag,
  child,
  invalid,
  ephemeral,      // the session is ephemeral: it has no servers
  outsideToggle,  // switched off in the runtime itself, and not yet answered
  notParsed,      // a plugin whose children are not known: one of them may be off
  noDirectory,    // a plugin that is on, but no directory of it is known
  hostPlugin,     // a plugin of the host's; this runtime takes plugins of clients only
  sameDirectory,  // its directory is also that of a plugin that must not be loaded
  injectedName,   // has a server that is off and bears the name of one that the host injects
  noDefinition,   // a server that is on, but nothing says how it is started
  removed,        // the runtime still has it, but it is not in the list any more
};

[[nodiscard]] std::string_view name(Why why);
[[nodiscard]] Why whyOf(EffectiveReason reason);
// The same in a few words, for a person: "by the decision for everywhere".
[[nodiscard]] std::string_view inWords(Why why);

// A server by its name, or a plugin by its canonical URI.
struct Item {
  enum class Kind : unsigned char { server, plugin };

  Kind kind;
  std::string name;
  Why why;
  friend bool operator==(const Item&, const Item&) = default;
};

// An entry from outside that could not be used. It never fails the plan (E2).
struct Dropped {
  std::string source;   // where it stood: "root configuration"
  std::string name;     // of the entry; as it came
  std::string problem;  // for a person
  friend bool operator==(const Dropped&, const Dropped&) = default;
};

// What a runtime is given when it is started (E1), and the record of it for the log (E8). Lists are
// sorted by kind, then name, byte order; every name appears once in each.
struct LaunchPlan {
  Runtime runtime = Runtime::copilot;
  Launch launch = Launch::create;
  std::string session = {};
  // In the runtime's own words: `mcpServers`, `disabledMcpServers`, `pluginDirectories` …
  nlohmann::ordered_json configuration = {};

  std::vector<Item> started = {};  // servers that will run, and plugins that are handed over
  std::vector<Item> denied = {};   // on the deny list
  std::vector<Item> leftOut = {};  // off, or not to be had, and needing no denial
  std::vector<Item> pending = {};  // held back as pending; servers among them may also be denied
  // Servers that are off and start all the same: nothing that the runtime knows prevents it.
  std::vector<std::string> unenforceable = {};
  // The names in the user's own configuration are not known: what is off there is not denied.
  bool unknownUserConfig = false;
  std::vector<Dropped> dropped = {};

  // For the session's enforcement state; not part of the JSON form.
  std::map<std::string, std::set<std::string>> plugins = {};  // on, with the names of their servers
  std::set<std::string> unregistered = {};                    // to be registered, had they been on
  nlohmann::ordered_json rest = {};                           // Sources::rest
};

// {runtime, session, launch, configuration, started, denied, leftOut, pending, unenforceable,
// unknownUserConfig, dropped}. The same plan gives the same bytes.
[[nodiscard]] nlohmann::ordered_json toJson(const LaunchPlan& plan);

enum class StepKind : unsigned char {
  cancelAuthentication,  // of that server, which is waiting
  expect,                // mark what is about to be observed as our own doing
  call,                  // call the runtime
  relaunch,              // end the runtime's session and resume it with the plan's launch
  rebuild,               // make the runtime's session anew with the plan's launch
  reload,                // call the runtime with the plan's launch
};

[[nodiscard]] std::string_view name(StepKind kind);

// What follows when a step fails. Whatever it is, its mark goes (EnforcementState::ended).
enum class OnFailure : unsigned char {
  failTurn,  // the turn, or the send, must not go on: something that is off would run
  log,
};

[[nodiscard]] std::string_view name(OnFailure onFailure);

struct Step {
  StepKind kind;
  std::string server = {};           // empty where it is about the whole session
  std::optional<bool> enabled = {};  // what the server is to be, or is expected to be
  std::string call = {};             // the runtime's own name of the call: "mcp.disable"
  bool atNextSend = false;           // else at once, also in a turn
  OnFailure onFailure = OnFailure::log;
  std::optional<Why> why = {};  // of a call that switches a server
  friend bool operator==(const Step&, const Step&) = default;
};

// What to do with a runtime that is running, in order (E3).
struct MidSessionPlan {
  Runtime runtime = Runtime::copilot;
  std::string session = {};
  std::vector<Step> steps = {};
  // What relaunch, rebuild and reload hand over. A plan of its own: at the send, plan again.
  std::optional<LaunchPlan> launch = {};
  // Servers that were switched off in the runtime itself and are on merely by default: left alone.
  std::vector<std::string> leftAlone = {};
  std::vector<std::string> unenforceable = {};  // as in LaunchPlan
  // The same difference was there before the last reload: no further reload is planned. Names the
  // servers in question.
  std::vector<std::string> didNotConverge = {};
  // What is known of the runtime is out of date, or nothing is: ask it, observe, and plan again.
  bool inventoryWanted = false;
};

// {runtime, session, steps, launch?, leftAlone, unenforceable, error?, inventoryWanted}; error is
// {code: didNotConverge, servers}. The same plan gives the same bytes.
[[nodiscard]] nlohmann::ordered_json toJson(const MidSessionPlan& plan);

}  // namespace enablement
