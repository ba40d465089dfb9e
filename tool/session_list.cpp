#include <enablement/tool/session_list.h>

#include <utility>

#include <enablement/schema/text.h>

namespace enablement::tool {
namespace {

Result<OwnerMap> ownersFrom(const Json& json, std::string_view name) {
  constexpr const char* hint = "the owners are one object: from server name to plugin URI";
  if (!json.is_object())
    return fail(ErrorCode::invalidArgument, std::string(name) + ": the owners are not an object",
                hint);
  OwnerMap owners;
  for (const auto& [server, plugin] : json.items()) {
    if (!plugin.is_string())
      return fail(ErrorCode::invalidArgument,
                  std::string(name) + ": the owner of " + enablement::quote(server) +
                      " is not a plugin's URI",
                  hint);
    owners.emplace(server, plugin.get<std::string>());
  }
  return owners;
}

}  // namespace

Result<SessionList> parseSessionList(std::string_view text, std::string_view name) {
  auto json = parseJson(text, name);
  if (!json) return fail(json.error());
  SessionList list{std::string(name), {}, {}, Json::object()};
  if (!json->is_object()) {
    list.customizations = *std::move(json);
    return list;
  }
  const auto customizations = json->find("customizations");
  if (customizations == json->end())
    return fail(ErrorCode::invalidArgument, list.name + ": holds no \"customizations\"",
                "give the list itself, or an object with \"customizations\" and \"owners\"");
  if (const auto found = json->find("owners"); found != json->end()) {
    auto owners = ownersFrom(*found, name);
    if (!owners) return fail(owners.error());
    list.owners = *std::move(owners);
  }
  list.customizations = std::move(*customizations);
  list.rest = *std::move(json);
  return list;
}

Result<SessionList> ListOptions::read() const {
  if (file == "-" && owners == "-")
    return fail(ErrorCode::invalidArgument, "the list and its owners cannot both be read from -",
                "put both into one object: \"customizations\" and \"owners\"");
  const auto text = readText(file);
  if (!text) return fail(text.error());
  auto list = parseSessionList(*text, inputName(file));
  if (!list || owners.empty()) return list;
  const auto ownersText = readText(owners);
  if (!ownersText) return fail(ownersText.error());
  const auto json = parseJson(*ownersText, inputName(owners));
  if (!json) return fail(json.error());
  auto map = ownersFrom(*json, inputName(owners));
  if (!map) return fail(map.error());
  list->owners = *std::move(map);
  return list;
}

void addOwners(CLI::App& verb, ListOptions& list) {
  verb.add_option("--owners", list.owners,
                  "the plugins of bare servers,\n"
                  "by server name, as JSON")
      ->option_text("FILE");
}

Result<GatedList> gated(const EnablementService& service, std::string_view session,
                        const SessionList& list) {
  auto result = gate(service, session, list.customizations, list.owners);
  if (!result) {
    Error error = result.error();
    error.message = list.name + ": " + error.message;
    return fail(error);
  }
  return result;
}

}  // namespace enablement::tool
