// The shared decisions in memory: what is stored at global and workspace scope. Internal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <enablement/schema/hashed_text.h>
#include <enablement/schema/target.h>
#include <enablement/store/sharded_map.h>

namespace enablement {

// A value: copy, edit, publish. Always equal to the last committed state that was read.
//
// One entry per target says what is decided everywhere and whether anything is decided in folders
// at all, so that a look-up of a target nobody decided about is one probe. Folders and targets are
// kept once, whatever number of decisions name them.
class DecisionIndex {
 public:
  // What is stored about a target everywhere, and in one folder.
  struct Shared {
    std::optional<bool> global;
    std::optional<bool> workspace;
  };

  // Without a folder there is no workspace value.
  [[nodiscard]] Shared find(const TargetKey& key, const HashedText* folder) const;
  [[nodiscard]] std::optional<bool> global(const TargetKey& key) const;
  [[nodiscard]] std::optional<bool> workspace(std::string_view folder, const TargetKey& key) const;
  // The key object that decisions about this target share; `key` itself when there is none.
  [[nodiscard]] const TargetKey& shared(const TargetKey& key) const;

  // No value removes the decision.
  void putGlobal(const TargetKey& key, std::optional<bool> enabled);
  void putWorkspace(std::string_view folder, const TargetKey& key, std::optional<bool> enabled);

  // Calls visit(folder, key, enabled) for each workspace decision, visit("", key, enabled) for each
  // global one.
  template <typename Visit>
  void forEach(Visit visit) const {
    targets_.forEach([&](const TargetKey& key, const Entry& entry) {
      if (entry.global) visit(std::string(), key, *entry.global);
    });
    placed_.forEach([&](const Placed& placed, bool enabled) {
      visit(placed.folder.text(), placed.key, enabled);
    });
  }

 private:
  struct Entry {
    std::optional<bool> global = {};
    std::uint32_t folders = 0;  // in how many there is a decision
  };
  struct Placed {
    HashedText folder;
    TargetKey key;
    friend bool operator==(const Placed& a, const Placed& b) {
      return a.key == b.key && a.folder == b.folder;
    }
  };
  // The same without owning it: looking up copies nothing.
  struct PlacedView {
    const HashedText& folder;
    const TargetKey& key;
    friend bool operator==(const Placed& a, const PlacedView& b) {
      return a.key == b.key && a.folder == b.folder;
    }
  };
  struct PlacedHash {
    using is_transparent = void;
    template <typename P>
    std::size_t operator()(const P& placed) const {
      return mixed(placed.folder.hash(), placed.key.hash());
    }
    static std::size_t mixed(std::size_t folder, std::size_t key);
  };

  void putEntry(const TargetKey& key, Entry entry);

  ShardedMap<TargetKey, Entry, TargetKeyHash> targets_;
  ShardedMap<Placed, bool, PlacedHash> placed_;
  // How many decisions are in a folder, so that the last one takes its text along.
  ShardedMap<HashedText, std::size_t, TextHash> folders_;
};

}  // namespace enablement
