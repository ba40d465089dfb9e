// How a write is taken back.
#pragma once

#include <optional>
#include <span>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include <enablement/store/records.h>
#include <enablement/tool/common.h>
#include <enablement/tool/request.h>

namespace enablement::tool {

// The command that restores what was stored before these changes of one write. None when nothing
// changed, or where no command does, as for parts that wait for their session. `request` says how a
// session was named: a decision of its own that had none before needs its folder.
[[nodiscard]] std::optional<std::string> undoOf(const Common& common,
                                                std::span<const HistoryEntry> changes,
                                                const Request* request = nullptr);

// "undo: enablectl restore 12 -y", on a line of its own.
void sayUndo(const Console& console, const std::optional<std::string>& undo);

// As a member of a result: text or null.
[[nodiscard]] nlohmann::ordered_json undoJson(const std::optional<std::string>& undo);

}  // namespace enablement::tool
