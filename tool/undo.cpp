#include <enablement/tool/undo.h>

#include <nlohmann/json.hpp>

#include <enablement/tool/target_text.h>

namespace enablement::tool {
namespace {

// One line, and still one that is read before it is run.
constexpr std::size_t mostCommands = 8;

std::string command(const Common& common, const std::string& rest) {
  return "enablectl " + (common.db.empty() ? "" : "--db " + shellWord(common.db) + " ") + rest;
}

// How the write named the session, in which its decision can be taken away again at once.
std::optional<std::string> sessionOf(const HistoryEntry& change, const Request* request) {
  if (request == nullptr || request->session != change.place || !request->directory)
    return std::nullopt;
  const std::string* folder = request->directory->uri();
  return " --session " + shellWord(change.place) +
         (folder == nullptr ? " --no-directory" : " --directory " + shellWord(*folder));
}

std::optional<std::string> undoOf(const Common& common, const HistoryEntry& change,
                                  const Request* request) {
  if (change.subject != HistoryEntry::Subject::decision) return std::nullopt;
  if (change.before) return command(common, "restore " + std::to_string(change.sequence) + " -y");
  const std::string revert = "revert " + shellWord(change.key->printed());
  if (change.scope == Scope::global) return command(common, revert);
  if (change.scope == Scope::workspace)
    return command(common, revert + " --directory " + shellWord(change.place));
  const auto session = sessionOf(change, request);
  if (!session) return std::nullopt;
  return command(common, revert + *session);
}

}  // namespace

std::optional<std::string> undoOf(const Common& common, std::span<const HistoryEntry> changes,
                                  const Request* request) {
  if (changes.empty() || changes.size() > mostCommands) return std::nullopt;
  std::string all;
  for (const HistoryEntry& change : changes) {
    const auto one = undoOf(common, change, request);
    if (!one) return std::nullopt;
    all += (all.empty() ? "" : " && ") + *one;
  }
  return all;
}

void sayUndo(const Console& console, const std::optional<std::string>& undo) {
  if (undo) console.print("undo: " + *undo);
}

nlohmann::ordered_json undoJson(const std::optional<std::string>& undo) {
  return undo ? nlohmann::ordered_json(*undo) : nlohmann::ordered_json();
}

}  // namespace enablement::tool
