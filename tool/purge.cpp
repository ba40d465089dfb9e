// enablectl purge: forget a target that was uninstalled.
#include <memory>
#include <string>
#include <vector>

#include <enablement/tool/json_output.h>
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

Result<Known> knownAbout(const EnablementService& service, const TargetKey& key) {
  Known known;
  const auto stored = service.stored();
  if (!stored) return fail(stored.error());
  for (const StoredDecision& decision : *stored)
    if (decision.key == key)
      known.decisions.push_back(std::string(onOff(decision.enabled)) + " " +
                                whereIn(decision.scope, decision.place));
  const auto queued = service.queued();
  if (!queued) return fail(queued.error());
  for (const QueuedPart& part : *queued)
    if (part.target.key == key)
      known.waiting.push_back(std::string(name(part.asked)) + " in the session " +
                              shown(part.session) + ", waiting");
  return known;
}

void print(const Common& common, const TargetKey& key, const Known& known) {
  const Console console = common.console();
  if (common.json) {
    console.print(document({{"target", key.printed()},
                            {"dryRun", common.dryRun},
                            {"decisions", known.decisions.size()},
                            {"waiting", known.waiting.size()}}));
    return;
  }
  if (common.quiet) return;
  const std::string target = shown(key.printed());
  if (known.nothing()) {
    console.say("nothing is stored about " + target);
    return;
  }
  console.say((common.dryRun ? "would remove " : "removed ") + known.counts() + " about " + target +
              ":");
  for (const std::string& line : known.decisions) console.print("  " + line);
  for (const std::string& line : known.waiting) console.print("  " + line);
}

// Without a store there is nothing to remove.
Exit tryOut(const Common& common, const TargetKey& key) {
  const auto exists = storeExists(common);
  if (!exists) return complain(exists.error());
  if (!*exists) {
    print(common, key, {});
    return Exit::done;
  }
  const auto service = openReadable(common, Access::look);
  if (!service) return complain(service.error());
  const auto known = knownAbout(**service, key);
  if (!known) return complain(known.error());
  print(common, key, *known);
  return Exit::done;
}

Exit purge(const Common& common, const std::string& target) {
  const auto key = TargetKey::parse(target);
  if (!key) return complain(key.error());
  if (common.dryRun) return tryOut(common, *key);
  const auto service = openReadable(common, Access::readWrite);
  if (!service) return complain(service.error());
  const auto known = knownAbout(**service, *key);
  if (!known) return complain(known.error());
  if (!known->nothing()) {
    const std::string question =
        "Remove " + known->counts() + " about " + shown(key->printed()) + "?";
    // A script that calls purge means it.
    if (!confirmed(common, question, true)) {
      common.console().note("nothing was removed");
      return Exit::no;
    }
    if (const auto done = (*service)->purge(*key, actor); !done) return complain(done.error());
  }
  print(common, *key, *known);
  return Exit::done;
}

}  // namespace

void addPurge(CLI::App& app, Common& common) {
  CLI::App& verb =
      addVerb(app, common, "purge", "Forget a target: every decision about it",
              "For a plugin or server that was uninstalled. A plugin's servers are targets\n"
              "of their own. At a terminal you are asked first, unless -y is given.\n"
              "\n"
              "Examples:\n"
              "  enablectl purge file:///plugins/alpha\n"
              "  enablectl purge -n file:///plugins/alpha#mcp=db");
  addDryRun(verb, common);
  addYes(verb, common);
  auto target = std::make_shared<std::string>();
  verb.add_option("TARGET", *target, "a plugin or an MCP server")->option_text(" ")->required();
  verb.callback(
      [&common, target] { common.run = [target](const Common& c) { return purge(c, *target); }; });
}

}  // namespace enablement::tool
