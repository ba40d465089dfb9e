#include <enablement/store/export.h>

#include <enablement/schema/json_text.h>

namespace enablement {
namespace {

Json toJson(const StoredDecision& decision) {
  Json row{{"scope", name(decision.scope)}};
  if (decision.scope != Scope::global) row["where"] = decision.place;
  row["target"] = decision.key.printed();
  row["enabled"] = decision.enabled;
  return row;
}

Json toJson(const QueuedPart& part) {
  Json row{{"session", part.session}, {"target", part.target.key.printed()}};
  if (part.target.discoveryDefault) row["discoveryDefault"] = *part.target.discoveryDefault;
  row["scope"] = name(part.scope);
  if (!part.folder.empty()) row["folder"] = part.folder;
  row["asked"] = name(part.asked);
  return row;
}

Json toJson(const UnclaimedDecision& decision) {
  return {{"session", decision.session},
          {"id", decision.customizationId},
          {"enabled", decision.enabled}};
}

Json toJson(const ImportMarker& marker) {
  return {{"kind", name(marker.kind)},
          {"path", marker.path},
          {"place", marker.place},
          {"contentHash", marker.contentHash},
          {"at", marker.at.time_since_epoch().count()},
          {"actor", marker.actor},
          {"decisions", marker.decisions}};
}

template <typename Rows>
std::string linesOf(const char* member, const Rows& rows) {
  std::string text = std::string("  \"") + member + "\": [";
  const char* before = "\n    ";
  for (const auto& row : rows) {
    text += before + toJson(row).dump(-1, ' ', false, Json::error_handler_t::replace);
    before = ",\n    ";
  }
  return text + (rows.empty() ? "]" : "\n  ]");
}

std::string inSession(const std::string& what, const std::string& session) {
  return what + " in the session " + session;
}

}  // namespace

std::string exportJson(const StoreContent& content) {
  // That an export was imported says nothing about the store that it is imported into next.
  std::vector<ImportMarker> imports = content.imports;
  std::erase_if(imports,
                [](const ImportMarker& marker) { return marker.kind == ImportKind::json; });
  return "{\n  \"format\": \"enablement-export\",\n  \"version\": 1,\n" +
         linesOf("decisions", content.decisions) + ",\n" + linesOf("queued", content.queued) +
         ",\n" + linesOf("unclaimed", content.unclaimed) + ",\n" + linesOf("imports", imports) +
         "\n}\n";
}

LegacyExport exportLegacy(const StoreContent& content) {
  LegacyExport legacy;
  Json global = Json::object();
  Json folders = Json::object();
  for (const StoredDecision& decision : content.decisions) {
    const std::string key = decision.key.printed();
    if (decision.scope == Scope::global)
      global[key] = decision.enabled;
    else if (decision.scope == Scope::workspace)
      folders[decision.place][key] = decision.enabled;
    else
      legacy.left.push_back(inSession(key + (decision.enabled ? " on" : " off"), decision.place));
  }
  for (const QueuedPart& part : content.queued)
    legacy.left.push_back(
        inSession(part.target.key.printed() + " " + std::string(name(part.asked)) + ", waiting",
                  part.session));
  for (const UnclaimedDecision& decision : content.unclaimed)
    legacy.left.push_back(
        inSession("the entry " + decision.customizationId + (decision.enabled ? " on" : " off"),
                  decision.session));
  Json root{{"customizationEnablement",
             {{"global", std::move(global)}, {"workingDirectories", std::move(folders)}}}};
  legacy.text = root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  return legacy;
}

}  // namespace enablement
