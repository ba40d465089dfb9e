// The answers, as pure functions of a state. Internal.
#pragma once

#include <optional>
#include <string_view>

#include <enablement/resolver/state.h>
#include <enablement/schema/resolution.h>
#include <enablement/schema/target.h>

namespace enablement {

// Every layer that may speak for a target in a session, with its value or its absence.
struct Layers {
  std::optional<bool> session;
  std::optional<bool> workspace;
  std::optional<bool> global;  // stored by the host
  std::optional<bool> clientBase;
  std::optional<bool> discoveryDefault;

  // What a session sees at global scope: the host's word, else the client's, else the runtime's.
  [[nodiscard]] std::optional<bool> globalLayer() const;
};

[[nodiscard]] Layers layersOf(const State& state, const KnownSession& session,
                              const Target& target);

// A session is null when it is not known.
[[nodiscard]] Resolution resolve(const State& state, const KnownSession* session,
                                 const Target& target);
// The same for an entry of a list: a decision that was imported under its id counts for the session
// unless one is stored under the key.
[[nodiscard]] Resolution resolveEntry(const State& state, const KnownSession* session,
                                      const Target& target, std::string_view customizationId);
// The same without list and folder: it shares and allocates nothing.
[[nodiscard]] Effective ownState(const State& state, const KnownSession* session,
                                 const Target& target);
[[nodiscard]] Effective effective(const State& state, const KnownSession* session,
                                  const Target& target);

}  // namespace enablement
