#include <enablement/resolver/queue.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace enablement {
namespace {

Neighbours neighboursOf(const State& state, std::string_view session, const Target& target,
                        const std::string* folder) {
  Neighbours found;
  state.sessions.forEach([&](const std::string& name, const KnownSession& other) {
    if (name == session) return;
    if (folder && (!other.directory.uri() || *other.directory.uri() != *folder)) return;
    found.any = true;
    const auto below = other.clients->value(target.key);
    found.anyOnBelowHost |= below.value_or(target.discoveryDefault.value_or(true));
  });
  return found;
}

std::string placeOf(Scope scope, std::string_view session, const WorkingDirectory& directory) {
  if (scope == Scope::session) return std::string(session);
  if (scope == Scope::workspace && directory.uri()) return *directory.uri();
  return {};
}

// The queued parts of one target that are decided by now.
class TargetQueue {
 public:
  TargetQueue(Draft& draft, std::string_view session, std::span<const QueuedPart> parts)
      : draft_(draft), session_(session), parts_(parts) {}

  void settle() {
    const WorkingDirectory directory = draft_.session(session_).directory;
    if (directory.isKnown()) settleWorkspaceParts(directory);
    if (draft_.session(session_).isSettled()) settleSessionPart();
  }

 private:
  void settleWorkspaceParts(const WorkingDirectory& directory) {
    const QueuedPart* applying = nullptr;
    for (const QueuedPart& part : parts_) {
      if (part.scope != Scope::workspace) continue;
      const bool own = part.folder.empty() || (directory.uri() && part.folder == *directory.uri());
      if (!own)
        drop(part, "it names another folder than the session's");
      else if (!directory.uri())
        settleWithoutFolder(part);
      else {
        // Of two that apply to the folder the later one counts.
        if (applying) remove(*applying, Cause::queueDropped);
        applying = &part;
      }
    }
    if (applying) apply(*applying);
  }

  void settleWithoutFolder(const QueuedPart& part) {
    if (part.asked != Asked::off) return drop(part, "the session has no folder");
    // An off falls back to the session: it replaces a clear that waits, but no on or off. It comes
    // before the other goes, so that the target keeps its place in the queue.
    const QueuedPart* waiting = sessionPart();
    if (!waiting || waiting->asked == Asked::clear) {
      fallback_ = part;
      fallback_->scope = Scope::session;
      fallback_->folder.clear();
      draft_.change(QueueChange{QueueChange::Kind::put, *fallback_, Cause::queued});
    }
    drop(part, "the session has no folder; the off is kept for the session instead");
  }

  void settleSessionPart() {
    const QueuedPart* part = fallback_ ? &*fallback_ : sessionPart();
    if (part) apply(*part);
  }

  [[nodiscard]] const QueuedPart* sessionPart() const {
    const auto part = std::find_if(parts_.begin(), parts_.end(), [](const QueuedPart& waiting) {
      return waiting.scope == Scope::session;
    });
    return part == parts_.end() ? nullptr : &*part;
  }

  void apply(const QueuedPart& part) {
    const ScopeAsk ask{part.scope, part.asked, Cause::queueApplied};
    planIntoDraft(draft_, session_, part.target, {&ask, 1});
    remove(part, Cause::queueApplied);
  }

  // A clear that cannot apply says nothing that anybody would miss.
  void drop(const QueuedPart& part, std::string_view why) {
    std::string report;
    if (part.asked != Asked::clear)
      report = "session " + std::string(session_) + ": the waiting \"" +
               std::string(name(part.asked)) + "\" for " + part.target.key.printed() + " in " +
               (part.folder.empty() ? "its folder" : part.folder) +
               " was dropped: " + std::string(why);
    remove(part, Cause::queueDropped, std::move(report));
  }

  void remove(const QueuedPart& part, Cause cause, std::string report = {}) {
    draft_.change(QueueChange{QueueChange::Kind::remove, part, cause, std::move(report)});
  }

  Draft& draft_;
  std::string_view session_;
  std::span<const QueuedPart> parts_;
  std::optional<QueuedPart> fallback_;
};

}  // namespace

void planIntoDraft(Draft& draft, std::string_view session, const Target& target,
                   std::span<const ScopeAsk> asks) {
  const KnownSession& state = draft.session(session);
  const WorkingDirectory directory = state.directory;
  WriteView view{layersOf(draft.state(), state, target), state.isSettled()};
  if (dependsOnNeighbours(view, asks)) {
    view.everywhere = neighboursOf(draft.state(), session, target, nullptr);
    if (directory.uri())
      view.inFolder = neighboursOf(draft.state(), session, target, directory.uri());
  }
  for (const ScopeChange& change : planWrite(view, asks))
    draft.change(DecisionChange{change.scope, placeOf(change.scope, session, directory), target.key,
                                change.before, change.after, change.cause, std::string(session)});
}

void settleQueue(Draft& draft, std::string_view session, std::span<const QueuedPart> parts) {
  while (!parts.empty()) {
    const auto next = std::find_if(parts.begin(), parts.end(), [&](const QueuedPart& part) {
      return !(part.target.key == parts.front().target.key);
    });
    const auto count = static_cast<std::size_t>(next - parts.begin());
    TargetQueue(draft, session, parts.first(count)).settle();
    parts = parts.subspan(count);
  }
}

}  // namespace enablement
