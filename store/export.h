// What a store holds, written out. Pure functions; any thread.
#pragma once

#include <string>
#include <vector>

#include <enablement/store/import_source.h>
#include <enablement/store/records.h>

namespace enablement {

// Everything but the history, as one moment of it, in stable order.
struct StoreContent {
  std::vector<StoredDecision> decisions = {};
  std::vector<QueuedPart> queued = {};
  std::vector<UnclaimedDecision> unclaimed = {};
  std::vector<ImportMarker> imports = {};
};

// JSON that readExport() reads: imported into an empty store it makes the same content. One row a
// line, in stable order, so that two exports can be compared line by line.
[[nodiscard]] std::string exportJson(const StoreContent& content);

// The form in which agent hosts keep decisions for everywhere and for folders.
struct LegacyExport {
  std::string text;
  std::vector<std::string> left = {};  // what that form has no place for, in words
};

[[nodiscard]] LegacyExport exportLegacy(const StoreContent& content);

}  // namespace enablement
