// enablectl resolve, get: what is on, and what is stored in one place. They only look.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <enablement/resolver/gate.h>
#include <enablement/tool/json_output.h>
#include <enablement/tool/look.h>
#include <enablement/tool/notes.h>
#include <enablement/tool/request.h>
#include <enablement/tool/target_text.h>
#include <enablement/tool/verbs.h>
#include <enablement/tool/words.h>

namespace enablement::tool {
namespace {

struct ResolveOptions {
  TargetOptions target;
  PlaceOptions place;
};

// Whether the global value is the discovery default: without it there is none.
bool discoveryDecides(const View& view, const Target& target) {
  const auto without = view.service->resolve(view.session, Target{target.key});
  const auto* resolved = std::get_if<Resolved>(&without);
  return resolved != nullptr && !resolved->decidedBy();
}

Json documentOf(const View& view, const Target& target, Effective effective,
                const Resolution& own) {
  const auto* resolved = std::get_if<Resolved>(&own);
  return {{"target", target.key.printed()},
          {"session", view.session},
          {"state", name(effective.state)},
          {"reason", name(effective.reason)},
          {"enablement", resolved == nullptr ? Json() : enablementJson(*resolved)},
          {"workingDirectory", toJson(view.directory)}};
}

// The target's own decisions, most specific first.
void printLayers(const Console& console, const View& view, const Resolution& own) {
  const auto* resolved = std::get_if<Resolved>(&own);
  if (resolved == nullptr) return;
  for (const Layer& layer : resolved->enablement()) {
    const std::string place = layer.kind == Scope::workspace ? *view.directory.uri() : view.session;
    console.print("  " + std::string(onOff(layer.enabled)) + "  " + whereIn(layer.kind, place));
  }
}

Exit resolve(const Common& common, const ResolveOptions& options) {
  const auto target = options.target.get();
  if (!target) return complain(target.error());
  const auto view = look(common, options.place);
  if (!view) return complain(view.error());

  const Effective effective = view->service->effective(view->session, *target);
  const Resolution own = view->service->resolve(view->session, *target);
  const Console console = common.console();
  if (common.json) {
    console.print(document(documentOf(*view, *target, effective, own)));
  } else {
    const bool byDiscovery = effective.reason == EffectiveReason::global &&
                             target->discoveryDefault && discoveryDecides(*view, *target);
    console.print(console.painted(name(effective.state), paintOf(effective.state)) + "  " +
                  because(effective, view->session, target->key, view->directory,
                          byDiscovery ? "by its discovery default" : byGlobalDecision));
    if (common.verbose) printLayers(console, *view, own);
  }
  if (!view->settled) complain(view->settled.error());
  noteUndecided(console, *view->service, target->key);
  noteUnknownSession(console, *view->service, view->session);
  return exitOf(effective.state);
}

// get

Exit get(const Common& common, const RequestOptions& options) {
  const auto request = requestOf(options);
  if (!request) return complain(request.error());
  const auto service = openReadable(common, Access::look);
  if (!service) return complain(service.error());
  const auto stored = (*service)->stored();
  if (!stored) return complain(stored.error());
  const auto found = storedAt(**service, *request);
  if (!found) return complain(found.error());
  const Console console = common.console();
  const TargetKey& key = request->target.key;
  if (common.json) {
    console.print(document({{"target", key.printed()},
                            {"scope", name(request->scope)},
                            {"where", request->where()},
                            {"decision", *found ? toJson(**found) : Json()}}));
  } else if (*found) {
    console.print(onOff((*found)->enabled));
  } else {
    const auto elsewhere = std::count_if(stored->begin(), stored->end(),
                                         [&](const StoredDecision& d) { return d.key == key; });
    const std::string target = shown(key.printed());
    console.note("nothing is stored about " + target + " " + request->whereInWords());
    if (elsewhere > 0) console.note("elsewhere there is: enablectl list --target " + target);
  }
  return *found ? Exit::done : Exit::no;
}

void addGet(CLI::App& app, Common& common) {
  CLI::App& verb = addVerb(
      app, common, "get", "Print the decision stored in one place: on or off",
      std::string(targetHelp) +
          "Without --scope the place is the narrowest that is named: the session, else the\n"
          "folder, else everywhere. Exits with 1 when nothing is stored there. What a\n"
          "session sees in the end is what resolve says.\n"
          "\n"
          "Examples:\n"
          "  enablectl get file:///plugins/alpha\n"
          "  enablectl get mcpServers#search --directory .");
  auto options = std::make_shared<RequestOptions>();
  addTargetText(verb, options->target)->required();
  addScope(verb, options->scope);
  addPlace(verb, options->place);
  verb.callback(
      [&common, options] { common.run = [options](const Common& c) { return get(c, *options); }; });
}

void addResolve(CLI::App& app, Common& common) {
  CLI::App& verb =
      addVerb(app, common, "resolve", "Say whether a target is on in a session, and why",
              std::string(targetHelp) +
                  "Prints enabled, disabled or pending, then what decided. The exit code says\n"
                  "the same: 0 enabled, 1 disabled, 3 pending.\n"
                  "\n"
                  "Examples:\n"
                  "  enablectl resolve file:///plugins/alpha --session ahp://copilot/1 \\\n"
                  "      --directory ~/src/site\n"
                  "  enablectl resolve mcpServers#search --session ahp://copilot/1 \\\n"
                  "      --no-directory --discovery-default off --json");
  auto options = std::make_shared<ResolveOptions>();
  addTarget(verb, options->target)->required();
  addPlace(verb, options->place);
  verb.get_option("--session")->required();
  addDiscoveryDefault(verb, options->target);
  verb.callback([&common, options] {
    common.run = [options](const Common& c) { return resolve(c, *options); };
  });
}

}  // namespace

void addReadVerbs(CLI::App& app, Common& common) {
  addResolve(app, common);
  addGet(app, common);
}

}  // namespace enablement::tool
