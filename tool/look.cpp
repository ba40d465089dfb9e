#include <enablement/tool/look.h>

#include <utility>

#include <enablement/tool/target_text.h>

namespace enablement::tool {

Result<Target> TargetOptions::get() const {
  const auto key = keyFrom(target);
  if (!key) return fail(key.error());
  if (discoveryDefault.empty()) return Target{*key};
  const auto value = parseOnOff(discoveryDefault);
  if (!value) return fail(value.error());
  if (key->type() != TargetType::mcpServer)
    return fail(ErrorCode::invalidArgument, "a plugin has no discovery default",
                "--discovery-default is about an MCP server");
  return Target{*key, *value};
}

CLI::Option* addTarget(CLI::App& verb, TargetOptions& target) {
  return addTargetText(verb, target.target);
}

CLI::Option* addDiscoveryDefault(CLI::App& verb, TargetOptions& target) {
  return verb
      .add_option("--discovery-default", target.discoveryDefault,
                  "what a server's own\n"
                  "configuration says")
      ->option_text("on|off");
}

Result<View> look(const Common& common, const PlaceOptions& place) {
  const auto directory = place.folder();
  if (!directory) return fail(directory.error());
  if (!*directory)
    return fail(ErrorCode::invalidArgument, "the folder of the session is not named",
                "give --directory DIR, or --no-directory when it has none");
  auto service = openStore(common, Access::look);
  if (!service) return fail(service.error());
  Status settled = settle(**service, place.session, **directory);
  if (!settled && exitOf(settled.error().code) == Exit::usage) return fail(settled.error());
  return View{*std::move(service), place.session, **directory, std::move(settled)};
}

Exit exitOf(EffectiveState state) {
  switch (state) {
    case EffectiveState::enabled:
      return Exit::done;
    case EffectiveState::disabled:
      return Exit::no;
    case EffectiveState::pending:
      return Exit::pending;
  }
  return Exit::pending;
}

}  // namespace enablement::tool
