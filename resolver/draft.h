// The next state while a call is planned: memory, rows and audience change together. Internal.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <enablement/resolver/audience.h>
#include <enablement/resolver/state.h>
#include <enablement/store/change_set.h>

namespace enablement {

// Dropped when the call fails: then nothing has happened.
class Draft {
 public:
  explicit Draft(const State& base) : state_(base) {}

  [[nodiscard]] const State& state() const { return state_; }
  // What is known of a session; of one that is not known, what that would be.
  [[nodiscard]] const KnownSession& session(std::string_view name) const;

  void putSession(std::string_view name, KnownSession session);
  void forgetSession(std::string_view name);
  // A call that names a session makes it known.
  void touchSession(std::string_view name);

  // A decision or queued part that this call changes: in memory, on disk, for the audience.
  void change(DecisionChange change);
  void change(QueueChange change);
  void change(UnclaimedChange change);
  // A decision that another process changed: in memory and for the audience.
  void adopt(const HistoryEntry& entry);
  // Everything was read again. The audience is found by comparison.
  void adopt(DecisionIndex decisions);
  void adopt(std::string_view session, SessionDecisions decisions, SessionUnclaimed unclaimed);
  void failed(std::shared_ptr<const Error> failure);

  [[nodiscard]] bool isChanged() const { return changed_; }
  [[nodiscard]] const ChangeSet& changes() const { return changes_; }
  [[nodiscard]] Audience& audience() { return audience_; }

  // Whom to name, so far; begins the audience anew.
  Audience takeAudience();
  // The finished state, to be published.
  std::shared_ptr<const State> finish();

 private:
  void store(Scope scope, std::string_view place, const TargetKey& key, std::optional<bool> value);
  void storeUnclaimed(std::string_view session, const std::string& customizationId,
                      std::optional<bool> value);

  State state_;
  bool changed_ = false;
  ChangeSet changes_;
  Audience audience_;
  // Session decisions that this draft has already made its own copy of.
  std::map<std::string, std::shared_ptr<SessionDecisions>, std::less<>> owned_;
};

}  // namespace enablement
