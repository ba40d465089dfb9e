#include <enablement/store/decision_index.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace enablement {

std::size_t DecisionIndex::TextHash::operator()(std::string_view text) const {
  return XXH3_64bits(text.data(), text.size());
}

std::size_t DecisionIndex::PlacedHash::operator()(const PlacedView& placed) const {
  return XXH3_64bits_withSeed(placed.folder.data(), placed.folder.size(), placed.key.hash());
}

std::optional<bool> DecisionIndex::global(const TargetKey& key) const {
  const bool* enabled = global_.find(key);
  return enabled ? std::optional(*enabled) : std::nullopt;
}

std::optional<bool> DecisionIndex::workspace(std::string_view folder, const TargetKey& key) const {
  const bool* enabled = workspace_.find(PlacedView{folder, key});
  return enabled ? std::optional(*enabled) : std::nullopt;
}

void DecisionIndex::putGlobal(const TargetKey& key, std::optional<bool> enabled) {
  if (enabled)
    global_.put(key, *enabled);
  else
    global_.erase(key);
}

void DecisionIndex::putWorkspace(std::string_view folder, const TargetKey& key,
                                 std::optional<bool> enabled) {
  const bool had = workspace(folder, key).has_value();
  if (!enabled && !had) return;

  const Folder* known = folders_.find(folder);
  Folder entry = known ? *known : Folder{std::make_shared<const std::string>(folder)};
  if (enabled) {
    workspace_.put(Placed{entry.text, key}, *enabled);
    if (had) return;
    ++entry.decisions;
  } else {
    workspace_.erase(PlacedView{folder, key});
    if (--entry.decisions == 0) return folders_.erase(folder);
  }
  folders_.put(*entry.text, entry);
}

}  // namespace enablement
