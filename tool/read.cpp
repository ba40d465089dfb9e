// enablectl resolve, list: what is on, and what is stored. They only look.
#include <memory>
#include <optional>
#include <string>

#include <enablement/tool/json_output.h>
#include <enablement/tool/place.h>
#include <enablement/tool/verbs.h>
#include <enablement/tool/words.h>

namespace enablement::tool {
namespace {

struct ResolveOptions {
  std::string target;
  std::string discoveryDefault;
  PlaceOptions place;
};

struct Question {
  Target target;
  std::string session;
  WorkingDirectory directory;
};

Result<Question> questionOf(const ResolveOptions& options) {
  const auto key = TargetKey::parse(options.target);
  if (!key) return fail(key.error());
  Target target{*key};
  if (!options.discoveryDefault.empty()) {
    const auto value = parseOnOff(options.discoveryDefault);
    if (!value) return fail(value.error());
    if (key->type() != TargetType::mcpServer)
      return fail(ErrorCode::invalidArgument, "a plugin has no discovery default",
                  "--discovery-default is about an MCP server");
    target.discoveryDefault = *value;
  }
  const auto directory = options.place.folder();
  if (!directory) return fail(directory.error());
  if (!*directory)
    return fail(ErrorCode::invalidArgument, "the folder of the session is not named",
                "give --directory DIR, or --no-directory when it has none");
  return Question{target, options.place.session, **directory};
}

// Whether the global value is the discovery default: without it there is none.
bool discoveryDecides(const EnablementService& service, const Question& question) {
  const auto without = service.resolve(question.session, Target{question.target.key});
  const auto* resolved = std::get_if<Resolved>(&without);
  return resolved != nullptr && !resolved->decidedBy();
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

Json documentOf(const Question& question, Effective effective, const Resolution& own) {
  const auto* resolved = std::get_if<Resolved>(&own);
  return {{"target", question.target.key.printed()},
          {"session", question.session},
          {"state", name(effective.state)},
          {"reason", name(effective.reason)},
          {"enablement", resolved == nullptr ? Json() : enablementJson(*resolved)},
          {"workingDirectory", toJson(question.directory)}};
}

// The target's own decisions, most specific first.
void printLayers(const Console& console, const Question& question, const Resolution& own) {
  const auto* resolved = std::get_if<Resolved>(&own);
  if (resolved == nullptr) return;
  for (const Layer& layer : resolved->enablement()) {
    const std::string place =
        layer.kind == Scope::workspace ? *question.directory.uri() : question.session;
    console.print("  " + std::string(onOff(layer.enabled)) + "  " + whereIn(layer.kind, place));
  }
}

Exit resolve(const Common& common, const ResolveOptions& options) {
  const auto question = questionOf(options);
  if (!question) return complain(question.error());
  const auto service = openStore(common, Access::look);
  if (!service) return complain(service.error());
  // What cannot be read is not taken for "no decisions": the answer is pending then.
  const Status settled = settle(**service, question->session, question->directory);
  if (!settled && tool::exitOf(settled.error().code) == Exit::usage)
    return complain(settled.error());

  const Effective effective = (*service)->effective(question->session, question->target);
  const Resolution own = (*service)->resolve(question->session, question->target);
  const Console console = common.console();
  if (common.json) {
    console.print(document(documentOf(*question, effective, own)));
  } else {
    const bool byDiscovery = effective.reason == EffectiveReason::global &&
                             question->target.discoveryDefault &&
                             discoveryDecides(**service, *question);
    console.print(console.painted(name(effective.state), paintOf(effective.state)) + "  " +
                  because(effective, question->session, question->target.key, question->directory,
                          byDiscovery ? "by its discovery default" : byGlobalDecision));
    if (common.verbose) printLayers(console, *question, own);
  }
  if (!settled) complain(settled.error());
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
  verb.add_option("TARGET", options->target, "a plugin or an MCP server")
      ->option_text(" ")
      ->required();
  addPlace(verb, options->place);
  verb.get_option("--session")->required();
  verb.add_option("--discovery-default", options->discoveryDefault,
                  "what a server's own\n"
                  "configuration says")
      ->option_text("on|off");
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
