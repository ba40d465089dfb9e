// Answers and changes in words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <enablement/resolver/explain.h>
#include <enablement/resolver/service.h>
#include <enablement/tool/console.h>

namespace enablement::tool {

[[nodiscard]] inline std::string_view onOff(bool enabled) {
  return enabled ? "on" : "off";
}

// "everywhere", "in the folder file:///repo", "in the session ahp://copilot/1".
[[nodiscard]] std::string whereIn(Scope scope, std::string_view place);

// Who a global value comes from, for because().
inline constexpr std::string_view byGlobalDecision = "by the decision for everywhere";

// What decided an effective answer, or what it waits for: "by the folder file:///repo/one".
[[nodiscard]] std::string because(Effective effective, std::string_view session,
                                  const TargetKey& key, const WorkingDirectory& directory,
                                  std::string_view global = byGlobalDecision);

// The same where there is little room, of any entry of a list: "by this folder".
[[nodiscard]] std::string_view inBrief(Effective effective);

// An explanation, its lines wrapped, the answer in colour.
void printExplanation(const Console& console, const Explanation& explanation,
                      std::size_t indent = 0);

// Enabled green, disabled red, pending yellow.
[[nodiscard]] Paint paintOf(EffectiveState state);

// What a row of history says happened: "file:///plugins/alpha is now off everywhere (was on)".
[[nodiscard]] std::string sentence(const HistoryEntry& entry);

// "1 decision", "2 decisions".
[[nodiscard]] std::string counted(std::size_t count, std::string_view thing);

}  // namespace enablement::tool
