// enablectl purge: forget a target that was uninstalled.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <enablement/tool/json_output.h>
#include <enablement/tool/request.h>
#include <enablement/tool/target_text.h>
#include <enablement/tool/verbs.h>
#include <enablement/tool/words.h>

namespace enablement::tool {
namespace {

// What is known about a target: one line each.
struct Known {
  std::vector<std::string> decisions;
  std::vector<std::string> waiting;

  [[nodiscard]] bool nothing() const { return decisions.empty() && waiting.empty(); }
  [[nodiscard]] std::string counts() const {
    std::string text;
    if (!decisions.empty()) text = counted(decisions.size(), "decision");
    if (!decisions.empty() && !waiting.empty()) text += " and ";
    if (!waiting.empty()) text += counted(waiting.size(), "waiting part");
    return text;
  }
};

struct PurgeOptions {
  std::string target;
  bool children = false;
};

// What is to be forgotten.
struct Doomed {
  TargetKey key;
  bool children;  // a plugin's servers, too

  [[nodiscard]] bool includes(const TargetKey& other) const {
    return other == key || (children && other.container() == key);
  }
  [[nodiscard]] std::string inWords() const {
    return shown(key.printed()) + (children ? " and its servers" : "");
  }
  // A line about a child names it.
  [[nodiscard]] std::string named(const TargetKey& other) const {
    return other == key ? "" : shown(other.printed()) + " ";
  }
};

Result<Known> knownAbout(const EnablementService& service, const Doomed& doomed) {
  Known known;
  const auto stored = service.stored();
  if (!stored) return fail(stored.error());
  for (const StoredDecision& decision : *stored)
    if (doomed.includes(decision.key))
      known.decisions.push_back(doomed.named(decision.key) + std::string(onOff(decision.enabled)) +
                                " " + whereIn(decision.scope, decision.place));
  const auto queued = service.queued();
  if (!queued) return fail(queued.error());
  for (const QueuedPart& part : *queued)
    if (doomed.includes(part.target.key))
      known.waiting.push_back(doomed.named(part.target.key) + std::string(name(part.asked)) +
                              " in the session " + shown(part.session) + ", waiting");
  return known;
}

void print(const Common& common, const Doomed& doomed, const Known& known) {
  const Console console = common.console();
  if (common.json) {
    console.print(document({{"target", doomed.key.printed()},
                            {"children", doomed.children},
                            {"dryRun", common.dryRun},
                            {"decisions", known.decisions.size()},
                            {"waiting", known.waiting.size()}}));
    return;
  }
  if (common.quiet) return;
  if (known.nothing()) {
    console.say("nothing is stored about " + doomed.inWords());
    return;
  }
  console.say((common.dryRun ? "would remove " : "removed ") + known.counts() + " about " +
              doomed.inWords() + ":");
  for (const std::string& line : known.decisions) console.print("  " + line);
  for (const std::string& line : known.waiting) console.print("  " + line);
}

// What holds now, and what a purge leaves behind.
void noteTheRest(const Common& common, const EnablementService& service, const Doomed& doomed) {
  const Console console = common.console();
  const Request everywhere{{doomed.key}, Scope::global, std::nullopt, std::nullopt, std::nullopt};
  if (const auto decides = whatDecides(service, everywhere);
      decides && *decides && !common.dryRun && !common.json && !common.quiet)
    console.say((*decides)->sentence(everywhere));
  const auto stored = service.stored();
  if (!stored || doomed.children) return;
  const auto left = std::count_if(stored->begin(), stored->end(), [&](const StoredDecision& one) {
    return one.key.container() == doomed.key;
  });
  if (left > 0)
    console.note(counted(static_cast<std::size_t>(left), "decision") + " about its servers " +
                 (common.dryRun ? "would stay" : "stayed") + ": remove them with --children");
}

// Without a store there is nothing to remove.
Exit tryOut(const Common& common, const Doomed& doomed) {
  const auto exists = storeExists(common);
  if (!exists) return complain(exists.error());
  if (!*exists) {
    print(common, doomed, {});
    return Exit::done;
  }
  const auto service = openReadable(common, Access::look);
  if (!service) return complain(service.error());
  const auto known = knownAbout(**service, doomed);
  if (!known) return complain(known.error());
  print(common, doomed, *known);
  noteTheRest(common, **service, doomed);
  return Exit::done;
}

Exit purge(const Common& common, const PurgeOptions& options) {
  const auto key = keyFrom(options.target);
  if (!key) return complain(key.error());
  if (options.children && key->type() != TargetType::plugin)
    return complain(
        Error{ErrorCode::invalidArgument, "only a plugin has children", "leave --children out"});
  const Doomed doomed{*key, options.children};
  if (common.dryRun) return tryOut(common, doomed);
  const auto service = openReadable(common, Access::readWrite);
  if (!service) return complain(service.error());
  const auto known = knownAbout(**service, doomed);
  if (!known) return complain(known.error());
  if (!known->nothing()) {
    const std::string question = "Remove " + known->counts() + " about " + doomed.inWords() + "?";
    // A script that calls purge means it.
    if (!confirmed(common, question, true)) {
      common.console().note("nothing was removed");
      return Exit::no;
    }
    const auto done = doomed.children ? (*service)->purgeWithServers(*key, actor)
                                      : (*service)->purge(*key, actor);
    if (!done) return complain(done.error());
  }
  print(common, doomed, *known);
  noteTheRest(common, **service, doomed);
  return Exit::done;
}

}  // namespace

void addPurge(CLI::App& app, Common& common) {
  CLI::App& verb =
      addVerb(app, common, "purge", "Forget a target: every decision about it",
              std::string(targetHelp) +
                  "For a plugin or server that was uninstalled. A plugin's servers are targets\n"
                  "of their own: --children forgets them, too. At a terminal you are asked first,\n"
                  "unless -y is given.\n"
                  "\n"
                  "Examples:\n"
                  "  enablectl purge file:///plugins/alpha --children\n"
                  "  enablectl purge -n file:///plugins/alpha#mcp=db");
  addDryRun(verb, common);
  addYes(verb, common);
  auto options = std::make_shared<PurgeOptions>();
  addTargetText(verb, options->target)->required();
  verb.add_flag("--children", options->children, "a plugin's servers, too");
  verb.callback([&common, options] {
    common.run = [options](const Common& c) { return purge(c, *options); };
  });
}

}  // namespace enablement::tool
