// What is remembered of each known session. Internal.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <enablement/overlay/client_base.h>
#include <enablement/schema/resolution.h>
#include <enablement/store/decision_index.h>
#include <enablement/store/sharded_map.h>

namespace enablement {

// A known session (named by a successful load, directory, turn, write or client base). Immutable
// once it is in a table; cheap to copy and edit.
struct SessionState {
  // Null until the session is loaded: "no decisions" and "not known yet" cannot be mixed up (I16).
  std::shared_ptr<const SessionDecisions> decisions = nullptr;
  WorkingDirectory directory = WorkingDirectory::pending();
  std::shared_ptr<const ClientBase> clients = std::make_shared<const ClientBase>();
  bool turnActive = false;
  // The folder changed during the turn: the session hears of it when the turn ends (I17).
  bool announcementWaits = false;
  // Imported session decisions under customization ids; null when there is none.
  std::shared_ptr<const SessionUnclaimed> unclaimed = nullptr;

  [[nodiscard]] std::optional<bool> unclaimedValue(std::string_view customizationId) const {
    if (!unclaimed) return std::nullopt;
    const auto found = unclaimed->find(customizationId);
    return found == unclaimed->end() ? std::nullopt : std::optional(found->second);
  }
  [[nodiscard]] bool isLoaded() const { return decisions != nullptr; }
  [[nodiscard]] bool isSettled() const { return isLoaded() && directory.isKnown(); }
};

struct SessionNameHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view name) const;
};

// A value: copy, edit, publish. Session names compare byte for byte.
using SessionTable = ShardedMap<std::string, std::shared_ptr<const SessionState>, SessionNameHash>;

}  // namespace enablement
