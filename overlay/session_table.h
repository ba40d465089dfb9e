// What is remembered of each known session. Internal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <enablement/overlay/client_base.h>
#include <enablement/overlay/session_place.h>
#include <enablement/schema/hashed_text.h>
#include <enablement/schema/resolution.h>
#include <enablement/store/chunked_list.h>
#include <enablement/store/session_decisions.h>
#include <enablement/store/sharded_map.h>

namespace enablement {

// A known session (named by a successful load, directory, turn, write or client base). Immutable
// once it is in a table; cheap to copy and edit. Whole cache lines of its own, because readers must
// not share one with a reference count.
struct alignas(64) KnownSession {
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

// A value: copy, edit, publish. Session names compare byte for byte.
class SessionTable {
 public:
  [[nodiscard]] std::size_t size() const { return slotOfName_.size(); }

  // Null for a session that is not known.
  [[nodiscard]] const KnownSession* find(std::string_view name) const {
    const std::size_t* slot = slotOfName_.find(name);
    return slot ? slots_.find(*slot)->session.get() : nullptr;
  }
  [[nodiscard]] const KnownSession* find(const SessionPlace& place) const {
    const Slot* slot = slots_.find(place.slot);
    if (slot && slot->name == place.name) return slot->session.get();
    const std::size_t* moved = slotOfName_.find(place.name);
    return moved ? slots_.find(*moved)->session.get() : nullptr;
  }
  // Also of a session that is not known: it may be one day.
  [[nodiscard]] SessionPlace place(std::string_view name) const;

  void put(std::string_view name, KnownSession session);
  void erase(std::string_view name);

  // Calls visit(name, session) for each session, in no order.
  template <typename Visit>
  void forEach(Visit visit) const {
    slotOfName_.forEach([&](const HashedText& name, std::size_t slot) {
      visit(name.text(), *slots_.find(slot)->session);
    });
  }

 private:
  struct Slot {
    std::optional<HashedText> name;  // none: free
    std::shared_ptr<const KnownSession> session;
  };

  ShardedMap<HashedText, std::size_t, TextHash> slotOfName_;
  ChunkedList<Slot> slots_;
  std::vector<std::size_t> free_;  // slots below size() + free_.size() that nobody has
};

}  // namespace enablement
