// What a client states about its own plugins (I8).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace enablement {

// An entry of an enablement list as a client sends it. Only entries of kind "global" say anything
// in a client's statement; kinds are kept as text because unknown ones are ignored, not refused.
struct StatedEntry {
  std::string kind;
  bool enabled = true;
};

// One published plugin: its list, and a list for each of its servers that the client speaks of. A
// list without a global entry is no opinion; a server that is not named is not the client's at all.
struct StatedPlugin {
  std::string uri;
  std::vector<StatedEntry> enablement = {};
  std::vector<std::pair<std::string, std::vector<StatedEntry>>> childEnablement = {};
};

}  // namespace enablement
