#include <enablement/store/decision_index.h>

namespace enablement {

// The key's hash turned by the folder's: neither alone chooses the shard or the slot.
std::size_t DecisionIndex::PlacedHash::mixed(std::size_t folder, std::size_t key) {
  constexpr std::size_t oddMultiplier = 0x9E3779B97F4A7C15U;
  return (folder ^ (key >> 32U)) * oddMultiplier + key;
}

DecisionIndex::Shared DecisionIndex::find(const TargetKey& key, const HashedText* folder) const {
  const Entry* entry = targets_.find(key);
  if (!entry) return {};
  Shared found{entry->global, {}};
  if (folder && entry->folders > 0)
    if (const bool* enabled = placed_.find(PlacedView{*folder, key})) found.workspace = *enabled;
  return found;
}

std::optional<bool> DecisionIndex::global(const TargetKey& key) const {
  return find(key, nullptr).global;
}

std::optional<bool> DecisionIndex::workspace(std::string_view folder, const TargetKey& key) const {
  const auto* known = folders_.findEntry(folder);
  return known ? find(key, &known->first).workspace : std::nullopt;
}

const TargetKey& DecisionIndex::shared(const TargetKey& key) const {
  const auto* known = targets_.findEntry(key);
  return known ? known->first : key;
}

void DecisionIndex::putEntry(const TargetKey& key, Entry entry) {
  if (entry.global || entry.folders > 0)
    targets_.put(key, entry);
  else
    targets_.erase(key);
}

void DecisionIndex::putGlobal(const TargetKey& key, std::optional<bool> enabled) {
  const Entry* known = targets_.find(key);
  if (!known && !enabled) return;
  Entry entry = known ? *known : Entry();
  entry.global = enabled;
  putEntry(key, entry);
}

void DecisionIndex::putWorkspace(std::string_view folder, const TargetKey& key,
                                 std::optional<bool> enabled) {
  const bool had = workspace(folder, key).has_value();
  if (!enabled && !had) return;

  const auto* known = folders_.findEntry(folder);
  const HashedText text = known ? known->first : HashedText(folder);
  std::size_t decisions = known ? known->second : 0;
  const Entry* about = targets_.find(key);
  Entry entry = about ? *about : Entry();
  if (enabled && !had) {
    ++decisions;
    ++entry.folders;
    putEntry(key, entry);
    folders_.put(text, decisions);
  }
  const TargetKey own = shared(key);
  if (enabled) {
    placed_.put(Placed{text, own}, *enabled);
    return;
  }
  placed_.erase(PlacedView{text, own});
  --entry.folders;
  putEntry(own, entry);
  if (--decisions == 0)
    folders_.erase(text);
  else
    folders_.put(text, decisions);
}

}  // namespace enablement
