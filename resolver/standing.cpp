#include <enablement/resolver/standing.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace enablement {
namespace {

const StoredDecision* decisionAt(std::span<const StoredDecision> stored, const TargetKey& key,
                                 Scope scope, std::string_view place) {
  const auto found = std::find_if(stored.begin(), stored.end(), [&](const StoredDecision& one) {
    return one.scope == scope && one.place == place && one.key == key;
  });
  return found == stored.end() ? nullptr : &*found;
}

const StoredDecision* decidingAt(std::span<const StoredDecision> stored, const TargetKey& key,
                                 const std::optional<std::string>& folder) {
  if (folder)
    if (const auto* own = decisionAt(stored, key, Scope::workspace, *folder)) return own;
  return decisionAt(stored, key, Scope::global, {});
}

// The shared decisions about one target.
struct Shared {
  const StoredDecision* global = nullptr;
  const StoredDecision* on = nullptr;   // in some folder
  const StoredDecision* off = nullptr;  // in some folder
};

class SharedDecisions {
 public:
  void add(const StoredDecision& decision) {
    if (decision.scope == Scope::session) return;
    Shared& about = about_[decision.key];
    if (decision.scope == Scope::global)
      about.global = &decision;
    else
      (decision.enabled ? about.on : about.off) = &decision;
  }

  // The wider decision that says the same whatever folder counts, if there is one.
  [[nodiscard]] const StoredDecision* repeatedBy(const StoredDecision& decision) const {
    const Shared about = find(decision);
    if (!about.global || about.global->enabled != decision.enabled) return nullptr;
    // A session may work in any folder.
    const bool unsure = decision.scope == Scope::session && opposing(about, decision);
    return unsure ? nullptr : about.global;
  }
  [[nodiscard]] const StoredDecision* opposedBy(const StoredDecision& decision) const {
    const Shared about = find(decision);
    if (about.global && about.global->enabled != decision.enabled) return about.global;
    return decision.scope == Scope::session ? opposing(about, decision) : nullptr;
  }

 private:
  static const StoredDecision* opposing(const Shared& about, const StoredDecision& decision) {
    return decision.enabled ? about.off : about.on;
  }
  [[nodiscard]] Shared find(const StoredDecision& decision) const {
    if (decision.scope == Scope::global) return {};
    const auto found = about_.find(decision.key);
    return found == about_.end() ? Shared() : found->second;
  }

  std::unordered_map<TargetKey, Shared, TargetKeyHash> about_;
};

std::optional<Pruning::Reason> reasonFor(const StoredDecision& decision,
                                         const PruneRequest& request) {
  if (request.folderIsGone && decision.scope == Scope::workspace &&
      request.folderIsGone(decision.place))
    return Pruning::Reason::missingFolder;
  if (request.before && decision.since < *request.before) return Pruning::Reason::old;
  return std::nullopt;
}

}  // namespace

Standing standingOf(std::span<const StoredDecision> stored, const TargetKey& key,
                    const std::optional<std::string>& folder) {
  Standing standing;
  const StoredDecision* decides = decidingAt(stored, key, folder);
  if (const auto container = key.container())
    if (const auto* plugin = decidingAt(stored, *container, folder); plugin && !plugin->enabled) {
      decides = plugin;
      standing.byContainer = true;
    }
  if (decides) standing.decidedBy = *decides;
  // Behind a plugin that is off nothing narrower counts by itself.
  if (standing.byContainer) return standing;
  for (const StoredDecision& one : stored) {
    const bool narrower = folder ? one.scope == Scope::session : one.scope != Scope::global;
    if (narrower && one.key == key && one.enabled != standing.enabled())
      standing.otherwise.push_back(one);
  }
  return standing;
}

Delta deltaOf(std::span<const StoredDecision> stored, const FolderIsGone& isGone) {
  SharedDecisions shared;
  for (const StoredDecision& decision : stored) shared.add(decision);
  Delta delta;
  for (const StoredDecision& decision : stored) {
    if (const auto* wider = shared.repeatedBy(decision))
      delta.redundant.push_back({decision, *wider});
    else if (const auto* opposed = shared.opposedBy(decision))
      delta.overriding.push_back({decision, *opposed});
    if (decision.scope == Scope::workspace && isGone && isGone(decision.place))
      delta.missingFolders.push_back(decision);
  }
  return delta;
}

std::string_view name(Pruning::Reason reason) {
  switch (reason) {
    case Pruning::Reason::redundant:
      return "redundant";
    case Pruning::Reason::missingFolder:
      return "missingFolder";
    case Pruning::Reason::old:
      return "old";
  }
  return "redundant";
}

std::vector<Pruning> planPrune(std::span<const StoredDecision> stored,
                               const PruneRequest& request) {
  // First what goes whatever it says; what is left is what others can inherit from.
  std::vector<std::optional<Pruning::Reason>> reasons;
  SharedDecisions left;
  for (const StoredDecision& decision : stored) {
    reasons.push_back(reasonFor(decision, request));
    const bool goes = reasons.back() && decision.enabled;
    if (!goes) left.add(decision);
  }
  std::vector<Pruning> found;
  for (std::size_t i = 0; i < stored.size(); ++i) {
    const StoredDecision& decision = stored[i];
    const bool repeats = left.repeatedBy(decision) != nullptr;
    if (!reasons[i] && request.redundant && repeats) reasons[i] = Pruning::Reason::redundant;
    if (reasons[i]) found.push_back({decision, *reasons[i], !decision.enabled && !repeats});
  }
  return found;
}

}  // namespace enablement
