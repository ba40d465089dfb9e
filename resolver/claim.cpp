#include <enablement/resolver/claim.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <enablement/resolver/gate.h>
#include <enablement/resolver/service.h>

namespace enablement {
namespace {

using nlohmann::ordered_json;

// The keys of a list's entries by their ids, the first of each id.
class Claims {
 public:
  explicit Claims(const OwnerMap& owners) : owners_(owners) {}

  std::vector<ClaimedEntry> of(const ordered_json& list) {
    for (const ordered_json& entry : list)
      if (kindOf(entry) != EntryKind::flagged) add(entry, targetOfTopLevel(entry, owners_));
    for (const ordered_json& entry : list) addChildren(entry);
    return std::move(claims_);
  }

 private:
  void addChildren(const ordered_json& entry) {
    const auto children = entry.find("children");
    if (kindOf(entry) == EntryKind::mcpServer || children == entry.end()) return;
    std::optional<TargetKey> plugin;
    if (kindOf(entry) == EntryKind::plugin) {
      const auto container = targetOfTopLevel(entry, owners_);
      if (!container) return;  // its servers have no key
      plugin = container->key;
    }
    for (const ordered_json& child : *children)
      if (kindOf(child) != EntryKind::flagged) add(child, targetOfChild(child, plugin));
  }

  void add(const ordered_json& entry, const Result<Target>& target) {
    const auto& id = entry.at("id").get_ref<const std::string&>();
    if (target && ids_.insert(id).second) claims_.push_back({id, target->key});
  }

  const OwnerMap& owners_;
  std::set<std::string> ids_;
  std::vector<ClaimedEntry> claims_;
};

}  // namespace

Result<std::size_t> claim(EnablementService& service, std::string_view session,
                          const ordered_json& customizations, const OwnerMap& owners,
                          std::string_view actor) {
  if (auto ok = checkList(customizations); !ok) return fail(ok.error());
  return service.claim(session, Claims(owners).of(customizations), actor);
}

}  // namespace enablement
