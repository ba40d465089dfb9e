// enablectl resolve, list: what is on, and what is stored. They only look.
#include <memory>
#include <string>
#include <vector>

#include <enablement/resolver/gate.h>
#include <enablement/tool/json_output.h>
#include <enablement/tool/look.h>
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
  return exitOf(effective.state);
}

std::string minutes(const std::string& utcTime) {
  return utcTime.substr(0, 10) + " " + utcTime.substr(11, 5);
}

void printTable(const Console& console, const std::vector<StoredDecision>& stored) {
  Table table({{"scope"}, {"where", true}, {"target", true}, {"value"}, {"since (UTC)"}, {"by"}});
  for (const StoredDecision& decision : stored)
    table.add({{std::string(name(decision.scope))},
               {shown(decision.place)},
               {shown(decision.key.printed())},
               {std::string(onOff(decision.enabled)), decision.enabled ? Paint::green : Paint::red},
               {minutes(utc(decision.since))},
               {shown(decision.by)}});
  table.print(console);
}

Exit list(const Common& common) {
  const auto service = openReadable(common, Access::look);
  if (!service) return complain(service.error());
  const auto stored = (*service)->stored();
  if (!stored) return complain(stored.error());
  const auto queued = (*service)->queued();
  if (!queued) return complain(queued.error());
  const Console console = common.console();
  if (common.json) {
    Json rows = Json::array();
    for (const StoredDecision& decision : *stored) rows.push_back(toJson(decision));
    console.print(document(rows));
    return Exit::done;
  }
  if (stored->empty())
    console.note("no decisions are stored: everything is on, unless a client says otherwise");
  else
    printTable(console, *stored);
  if (!queued->empty())
    console.note("not listed: " + counted(queued->size(), "part") +
                 " of writes that wait until their session is settled");
  return Exit::done;
}

void addResolve(CLI::App& app, Common& common) {
  CLI::App& verb =
      addVerb(app, common, "resolve", "Say whether a target is on in a session, and why",
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
  CLI::App& verb = addVerb(app, common, "list", "List every stored decision",
                           "Examples:\n"
                           "  enablectl list\n"
                           "  enablectl list --json | jq '.[] | select(.scope == \"global\")'");
  verb.callback([&common] { common.run = list; });
}

}  // namespace enablement::tool
