#include <enablement/resolver/draft.h>

#include <utility>

namespace enablement {
namespace {

// Names what differs between two sets of shared decisions.
void compare(const DecisionIndex& before, const DecisionIndex& after, Audience& audience) {
  const auto valueIn = [](const DecisionIndex& index, const std::string& folder,
                          const TargetKey& key) {
    return folder.empty() ? index.global(key) : index.workspace(folder, key);
  };
  const auto compareOneWay = [&](const DecisionIndex& from, const DecisionIndex& to) {
    from.forEach([&](const std::string& folder, const TargetKey& key, bool enabled) {
      if (valueIn(to, folder, key) != enabled)
        audience.storedValueChanged(folder.empty() ? Scope::global : Scope::workspace, folder);
    });
  };
  compareOneWay(before, after);
  compareOneWay(after, before);
}

// Most sessions have none.
std::shared_ptr<const SessionUnclaimed> shared(SessionUnclaimed unclaimed) {
  if (unclaimed.empty()) return nullptr;
  return std::make_shared<const SessionUnclaimed>(std::move(unclaimed));
}

}  // namespace

const KnownSession& Draft::session(std::string_view name) const {
  static const KnownSession unknown;
  const KnownSession* known = state_.session(name);
  return known ? *known : unknown;
}

void Draft::putSession(std::string_view name, KnownSession session) {
  state_.sessions.put(name, std::move(session));
  changed_ = true;
}

void Draft::forgetSession(std::string_view name) {
  if (!state_.session(name)) return;
  state_.sessions.erase(name);
  owned_.erase(std::string(name));
  changed_ = true;
}

void Draft::touchSession(std::string_view name) {
  if (!state_.session(name)) putSession(name, {});
}

void Draft::store(Scope scope, std::string_view place, const TargetKey& key,
                  std::optional<bool> value) {
  changed_ = true;
  audience_.storedValueChanged(scope, place);
  if (scope == Scope::global) return state_.decisions.putGlobal(key, value);
  if (scope == Scope::workspace) return state_.decisions.putWorkspace(place, key, value);

  const KnownSession* known = state_.session(place);
  if (!known || !known->isLoaded()) return;
  auto& own = owned_[std::string(place)];
  if (!own || own != known->decisions) {
    own.reset(new SessionDecisions(*known->decisions));
    KnownSession edited = *known;
    edited.decisions = own;
    putSession(place, std::move(edited));
  }
  own->put(state_.decisions.shared(key), value);
}

void Draft::change(DecisionChange change) {
  store(change.scope, change.place, change.key, change.after);
  changes_.push_back(std::move(change));
}

void Draft::change(QueueChange change) {
  changes_.push_back(std::move(change));
}

void Draft::change(UnclaimedChange change) {
  storeUnclaimed(change.session, change.customizationId, change.after);
  changes_.push_back(std::move(change));
}

void Draft::storeUnclaimed(std::string_view session, const std::string& customizationId,
                           std::optional<bool> value) {
  changed_ = true;
  audience_.storedValueChanged(Scope::session, session);
  const KnownSession* known = state_.session(session);
  if (!known || !known->isLoaded()) return;
  auto unclaimed = known->unclaimed ? *known->unclaimed : SessionUnclaimed();
  if (value)
    unclaimed.insert_or_assign(customizationId, *value);
  else
    unclaimed.erase(customizationId);
  KnownSession edited = *known;
  edited.unclaimed = shared(std::move(unclaimed));
  putSession(session, std::move(edited));
}

void Draft::adopt(const HistoryEntry& entry) {
  changed_ = true;
  if (entry.subject == HistoryEntry::Subject::unclaimed)
    storeUnclaimed(entry.place, entry.customizationId, entry.after);
  if (entry.subject == HistoryEntry::Subject::decision)
    store(entry.scope, entry.place, *entry.key, entry.after);
}

void Draft::adopt(DecisionIndex decisions) {
  changed_ = true;
  if (state_.failure)
    audience_.everyone();
  else
    compare(state_.decisions, decisions, audience_);
  state_.failure = nullptr;
  state_.decisions = std::move(decisions);
}

void Draft::adopt(std::string_view session, SessionDecisions decisions,
                  SessionUnclaimed unclaimed) {
  KnownSession edited = this->session(session);
  const auto before = edited.unclaimed ? *edited.unclaimed : SessionUnclaimed();
  if (edited.decisions && (*edited.decisions != decisions || before != unclaimed))
    audience_.session(session);
  edited.decisions.reset(new SessionDecisions(std::move(decisions)));
  edited.unclaimed = shared(std::move(unclaimed));
  putSession(session, std::move(edited));
}

void Draft::failed(std::shared_ptr<const Error> failure) {
  changed_ = true;
  audience_.everyone();
  state_.failure = std::move(failure);
}

Audience Draft::takeAudience() {
  return std::exchange(audience_, {});
}

std::shared_ptr<const State> Draft::finish() {
  ++state_.generation;
  // Not make_shared: the reference count stays off the cache lines that readers touch.
  return std::shared_ptr<const State>(new State(std::move(state_)));
}

}  // namespace enablement
