// The shared decisions in memory: what is stored at global and workspace scope. Internal.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <absl/container/flat_hash_map.h>

#include <enablement/schema/target.h>
#include <enablement/store/sharded_map.h>

namespace enablement {

// The decisions of one session, kept in memory while it is loaded.
using SessionDecisions = absl::flat_hash_map<TargetKey, bool, TargetKeyHash>;

// Of one session, by customization id.
using SessionUnclaimed = std::map<std::string, bool, std::less<>>;

// A value: copy, edit, publish. Always equal to the last committed state that was read.
class DecisionIndex {
 public:
  [[nodiscard]] std::optional<bool> global(const TargetKey& key) const;
  [[nodiscard]] std::optional<bool> workspace(std::string_view folder, const TargetKey& key) const;

  // No value removes the decision.
  void putGlobal(const TargetKey& key, std::optional<bool> enabled);
  void putWorkspace(std::string_view folder, const TargetKey& key, std::optional<bool> enabled);

  // Calls visit(folder, key, enabled) for each workspace decision, visit("", key, enabled) for each
  // global one.
  template <typename Visit>
  void forEach(Visit visit) const {
    global_.forEach(
        [&](const TargetKey& key, bool enabled) { visit(std::string(), key, enabled); });
    workspace_.forEach(
        [&](const Placed& placed, bool enabled) { visit(*placed.folder, placed.key, enabled); });
  }

 private:
  struct Placed {
    std::shared_ptr<const std::string> folder;  // shared by all decisions in the folder
    TargetKey key;
  };
  struct PlacedView {
    std::string_view folder;
    const TargetKey& key;
  };
  struct PlacedHash {
    using is_transparent = void;
    std::size_t operator()(const PlacedView& placed) const;
    std::size_t operator()(const Placed& placed) const {
      return operator()(PlacedView{*placed.folder, placed.key});
    }
  };
  struct PlacedEqual {
    using is_transparent = void;
    static PlacedView view(const Placed& placed) { return {*placed.folder, placed.key}; }
    static const PlacedView& view(const PlacedView& placed) { return placed; }
    template <typename A, typename B>
    bool operator()(const A& a, const B& b) const {
      return view(a).folder == view(b).folder && view(a).key == view(b).key;
    }
  };
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const;
  };

  // How many decisions share a folder's text, so that the last one takes it along.
  struct Folder {
    std::shared_ptr<const std::string> text;
    std::size_t decisions = 0;
  };

  ShardedMap<TargetKey, bool, TargetKeyHash> global_;
  ShardedMap<Placed, bool, PlacedHash, PlacedEqual> workspace_;
  ShardedMap<std::string, Folder, TextHash> folders_;
};

}  // namespace enablement
