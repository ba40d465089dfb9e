#include <enablement/overlay/session_table.h>

#include <limits>
#include <utility>

namespace enablement {

SessionPlace SessionTable::place(std::string_view name) const {
  if (const auto* known = slotOfName_.findEntry(name)) return {known->first, known->second};
  return {HashedText(name), std::numeric_limits<std::size_t>::max()};
}

void SessionTable::put(std::string_view name, KnownSession session) {
  // Not make_shared: the reference count stays off the cache lines that readers touch.
  auto shared = std::shared_ptr<const KnownSession>(new KnownSession(std::move(session)));
  if (const std::size_t* known = slotOfName_.find(name)) {
    slots_.editable(*known).session = std::move(shared);
    return;
  }
  std::size_t slot = size();
  if (!free_.empty()) {
    slot = free_.back();
    free_.pop_back();
  }
  const HashedText text(name);
  slotOfName_.put(text, slot);
  slots_.editable(slot) = {text, std::move(shared)};
}

void SessionTable::erase(std::string_view name) {
  const std::size_t* known = slotOfName_.find(name);
  if (!known) return;
  const std::size_t slot = *known;
  slots_.editable(slot) = {};
  slotOfName_.erase(name);
  free_.push_back(slot);
}

}  // namespace enablement
