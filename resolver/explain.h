// The answer to "why is this on?": every layer, which of them decides, and what masks the answer.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <enablement/resolver/entry_target.h>
#include <enablement/schema/clock.h>
#include <enablement/schema/resolution.h>
#include <enablement/schema/target.h>
#include <enablement/store/records.h>

namespace enablement {

class EnablementService;

// One layer that may speak for a target in a session, whether it does or not.
struct ExplainedLayer {
  enum class Kind : unsigned char {
    session,  // stored by the host, in order of precedence
    workspace,
    global,
    clientBase,        // what a client states, in memory
    discoveryDefault,  // what a runtime's own configuration says, in memory
    builtIn,           // on, when nobody says anything
  };

  Kind kind;
  std::optional<bool> value = {};  // none: it says nothing
  std::string where = {};          // the session, the folder, or the client that speaks
  // The last change of a stored layer, its removal too, as far as the history goes back.
  std::optional<Timestamp> changed = {};
  std::string by = {};
  std::optional<Cause> cause = {};
  bool decides = false;
  bool redundant = false;  // repeats what the layers below it say
  bool unclaimed = false;  // imported under the entry's id, not stored under the key yet
};

[[nodiscard]] std::string_view name(ExplainedLayer::Kind kind);

// What stands above a target and can mask its answer: its owning plugin, or the entry it is in.
struct ExplainedContainer {
  std::string name;  // the plugin as printed, or the entry's id
  Effective answer;  // its own
};

struct Explanation {
  std::string session;
  std::string subject;                // the target as printed, or the entry's id
  std::optional<TargetKey> key = {};  // none for an entry with a flag, or one that is invalid
  WorkingDirectory directory = WorkingDirectory::pending();
  Effective answer = {};  // the effective one (I9): what a person or a runtime is shown
  Effective own = {};     // before the container was asked
  std::vector<ExplainedLayer> layers = {};  // most specific first; empty without a key
  std::vector<QueuedPart> queued = {};      // parts that wait in this session for this target
  std::optional<ExplainedContainer> container = {};
  std::optional<Error> historyError = {};  // why nothing is known of changes and the queue
};

// Comes from the same look-ups as the fast answer, on one state. Reads the history from the file;
// if that fails the answer stands and `historyError` says why. Any thread.
[[nodiscard]] Explanation explain(const EnablementService& service, std::string_view session,
                                  const Target& target);

// The same for an entry of a list, by its id, as the gate answers it. `invalidArgument` for a list
// that is malformed, or an id that is not in it.
[[nodiscard]] Result<Explanation> explain(const EnablementService& service,
                                          std::string_view session,
                                          const nlohmann::ordered_json& customizations,
                                          const OwnerMap& owners, std::string_view id);

// {session, subject, target?, workingDirectory, state, reason, own, layers, queued, container?}
[[nodiscard]] nlohmann::ordered_json toJson(const Explanation& explanation);

// For people: the answer in words on the first line, then what masks it, the layers as a table with
// the deciding one marked, and what is queued. Lines end with LF.
[[nodiscard]] std::string toText(const Explanation& explanation);

// "2026-11-30 14:02 UTC"
[[nodiscard]] std::string shortTime(Timestamp time);

}  // namespace enablement
