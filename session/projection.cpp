#include <enablement/session/projection.h>

#include <algorithm>
#include <string>

#include <enablement/session/entry_place.h>
#include <enablement/session/toggle.h>

namespace enablement {
namespace {

class Projection {
 public:
  explicit Projection(const GatedList& list) : list_(list) {}

  Json run() const {
    Json projected = list_.customizations();
    for (std::size_t i = 0; i < projected.size(); ++i) {
      Json& top = projected[i];
      const bool hasNoKey = isProblem({i});
      const bool isPlugin = kindOf(top) == EntryKind::plugin;
      const bool isContainer = childrenOf(top) != nullptr;
      project(top, hasNoKey, textOr(top, "type") == "directory");
      if (!isContainer) continue;
      Json& children = top["children"];
      for (std::size_t j = 0; j < children.size(); ++j)
        // A server below a plugin without a key has none, either.
        project(children[j], isProblem({i, j}) || (hasNoKey && isPlugin), false);
    }
    return projected;
  }

 private:
  void project(Json& entry, bool hasNoKey, bool isDirectory) const {
    const bool isFlagged = kindOf(entry) == EntryKind::flagged;
    const bool isPending =
        std::binary_search(list_.pending().begin(), list_.pending().end(), textOr(entry, "id"));
    if (isFlagged) {
      const bool flag = answerOfFlag(entry).state == EffectiveState::enabled;
      // A leaf's flag is optional, a directory's is not.
      if (isDirectory || isPending) entry["enabled"] = flag && !isPending;
      return;
    }
    const auto decisions = entry.find("enablement");
    const bool derived = derivedFrom(decisions == entry.end() ? nullptr : &*decisions);
    entry.erase("enablement");
    entry.erase("childEnablement");
    entry["enabled"] = derived && !isPending && !hasNoKey;
  }

  [[nodiscard]] bool isProblem(const EntryPosition& position) const {
    return std::any_of(list_.problems().begin(), list_.problems().end(),
                       [&](const EntryProblem& problem) { return problem.position == position; });
  }

  const GatedList& list_;
};

}  // namespace

Json inFirstGeneration(const GatedList& list) {
  return Projection(list).run();
}

}  // namespace enablement
