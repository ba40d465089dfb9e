// What the stored decisions say, taken by themselves: pure functions over a list of them.
//
// Neither a session's folder nor a client's base is stored. So a session's decision is held against
// every folder that its session may work in, and nothing here knows what a client states.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <enablement/schema/clock.h>
#include <enablement/schema/target.h>
#include <enablement/store/records.h>

namespace enablement {

// What a target is in a place, for sessions without a decision of their own (I6, I9).
struct Standing {
  // None: nothing is stored there; on, unless a client or a discovery default says otherwise.
  std::optional<StoredDecision> decidedBy = {};
  bool byContainer = false;  // that decision is about the owning plugin, which is off
  // Decisions about the target in narrower places that say otherwise.
  std::vector<StoredDecision> otherwise = {};

  [[nodiscard]] bool enabled() const { return !decidedBy || decidedBy->enabled; }
};

// In a folder; without one, everywhere.
[[nodiscard]] Standing standingOf(std::span<const StoredDecision> stored, const TargetKey& key,
                                  const std::optional<std::string>& folder);

// A decision, and the wider stored one that it repeats or opposes.
struct Comparison {
  StoredDecision decision;
  StoredDecision wider;
};

// Whether a folder is gone for good as far as one can see.
using FolderIsGone = std::function<bool(const std::string& uri)>;

struct Delta {
  // Without it the same is inherited from stored decisions, in every folder a session may be in.
  std::vector<Comparison> redundant = {};
  std::vector<Comparison> overriding = {};
  std::vector<StoredDecision> missingFolders = {};
};

[[nodiscard]] Delta deltaOf(std::span<const StoredDecision> stored, const FolderIsGone& isGone);

// What may go. Nothing asked, nothing found.
struct PruneRequest {
  bool redundant = false;
  FolderIsGone folderIsGone = {};        // if set: decisions of folders that are gone
  std::optional<Timestamp> before = {};  // if set: decisions that are older
};

struct Pruning {
  enum class Reason : unsigned char { redundant, missingFolder, old };

  StoredDecision decision;
  Reason reason;
  // It was found, but stays: an off that no wider stored off stands behind. Without it somebody
  // would be switched on.
  bool kept = false;
};

[[nodiscard]] std::string_view name(Pruning::Reason reason);

// An off is only pruned if everybody stays off by a decision that is stored; a global off never.
// In the order of `stored`.
[[nodiscard]] std::vector<Pruning> planPrune(std::span<const StoredDecision> stored,
                                             const PruneRequest& request);

}  // namespace enablement
