#include <enablement/resolver/answer_json.h>

#include <utility>

#include <nlohmann/json.hpp>

namespace enablement {

using nlohmann::ordered_json;

ordered_json enablementJson(const Resolved& resolved) {
  ordered_json list = ordered_json::array();
  for (const Layer& layer : resolved.enablement()) {
    ordered_json entry{{"kind", name(layer.kind)}};
    if (layer.kind == Scope::workspace) entry["uri"] = *resolved.workingDirectory().uri();
    entry["enabled"] = layer.enabled;
    list.push_back(std::move(entry));
  }
  return list;
}

ordered_json toJson(const WorkingDirectory& directory) {
  switch (directory.kind()) {
    case WorkingDirectory::Kind::pending:
      return {{"kind", "pending"}};
    case WorkingDirectory::Kind::none:
      return {{"kind", "none"}};
    case WorkingDirectory::Kind::directory:
      break;
  }
  return {{"kind", "directory"}, {"uri", *directory.uri()}};
}

ordered_json toJson(const Resolution& resolution) {
  if (const auto* pending = std::get_if<Pending>(&resolution))
    return {{"kind", "pending"}, {"reason", name(pending->reason)}};
  const auto& resolved = std::get<Resolved>(resolution);
  return {{"kind", "resolved"},
          {"enabled", resolved.enabled()},
          {"enablement", enablementJson(resolved)},
          {"workingDirectory", toJson(resolved.workingDirectory())}};
}

ordered_json toJson(Effective effective) {
  return {{"state", name(effective.state)}, {"reason", name(effective.reason)}};
}

}  // namespace enablement
