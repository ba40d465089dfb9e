// enablectl set, enable, disable, clear, revert: decisions made by hand.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <enablement/tool/json_output.h>
#include <enablement/tool/notes.h>
#include <enablement/tool/request.h>
#include <enablement/tool/target_text.h>
#include <enablement/tool/undo.h>
#include <enablement/tool/verbs.h>
#include <enablement/tool/words.h>

namespace enablement::tool {
namespace {

// The answer afterwards, for a write in a session.
Result<std::optional<Resolution>> carryOut(EnablementService& service, const Request& request) {
  if (!request.session) {
    const auto folder =
        request.scope == Scope::workspace ? request.directory : std::optional<WorkingDirectory>();
    const Status done = request.value
                            ? service.setStored(request.target, folder, *request.value, actor)
                            : service.clearStored(request.target, folder, actor);
    if (!done) return fail(done.error());
    return std::nullopt;
  }
  if (request.directory)
    if (auto ok = settle(service, *request.session, *request.directory); !ok)
      return fail(ok.error());
  auto answer =
      request.value
          ? service.set(*request.session, request.target, request.scope, *request.value, actor)
          : service.clear(*request.session, request.target, request.scope, actor);
  if (!answer) return fail(answer.error());
  return *std::move(answer);
}

// Why a write changed nothing.
std::string unchanged(const Request& request, const std::optional<bool>& stored,
                      const std::optional<Resolution>& answer) {
  const std::string target = shown(request.target.key.printed());
  const std::string where = request.whereInWords();
  if (request.waits()) return "nothing changed: this waits already for the session to be settled";
  if (!request.value) return "nothing changed: nothing is stored about " + target + " " + where;
  std::string text = "nothing changed: " + target + " is " + std::string(onOff(*request.value)) +
                     " " + where + " already";
  if (stored || !answer) return text;
  return text + ", " +
         because(ownAnswer(*answer), *request.session, request.target.key,
                 request.directory.value_or(WorkingDirectory::pending()));
}

Json decidesJson(const std::optional<Decides>& decides) {
  if (!decides) return nullptr;
  return {{"state", name(decides->answer.state)},
          {"reason", name(decides->answer.reason)},
          {"otherwise", decides->otherwise}};
}

Json documentOf(const Common& common, const Request& request, bool changed,
                const std::optional<bool>& stored, const std::vector<HistoryEntry>& changes,
                const std::optional<Decides>& decides, const std::optional<std::string>& undo) {
  return {{"target", request.target.key.printed()},
          {"scope", name(request.scope)},
          {"where", request.where()},
          {"asked", request.value ? Json(*request.value) : Json("clear")},
          {"dryRun", common.dryRun},
          {"changed", changed},
          {"waits", request.waits()},
          {"stored", stored ? Json(*stored) : Json()},
          {"changes", toJson(changes)},
          {"decides", decidesJson(decides)},
          {"undo", undoJson(undo)}};
}

std::optional<bool> valueOf(const std::optional<StoredDecision>& decision) {
  return decision ? std::optional(decision->enabled) : std::nullopt;
}

Exit write(const Common& common, const Request& request) {
  const auto exists = storeExists(common);
  if (!exists) return complain(exists.error());
  const auto service = openReadable(common, Access::readWrite);
  if (!service) return complain(service.error());
  const auto begun = newestChange(**service);
  if (!begun) return complain(begun.error());
  const std::string similar = request.value ? similarNote(**service, request.target.key) : "";
  const auto answer = carryOut(**service, request);
  if (!answer) return complain(answer.error());
  const auto changes = ownChangesSince(**service, *begun);
  if (!changes) return complain(changes.error());
  const auto stored = storedAt(**service, request);
  if (!stored) return complain(stored.error());
  const auto decides = whatDecides(**service, request);
  if (!decides) return complain(decides.error());

  const auto undo = undoOf(common, *changes, &request);
  const Console console = common.console();
  if (common.json) {
    console.print(document(documentOf(common, request, !changes->empty(), valueOf(*stored),
                                      *changes, *decides, undo)));
  } else if (!common.quiet) {
    if (!*exists) console.say("created the store " + shown((*service)->status().path.string()));
    for (const HistoryEntry& change : *changes) console.say(sentence(change));
    if (changes->empty()) console.say(unchanged(request, valueOf(*stored), *answer));
    if (*decides) console.say((*decides)->sentence(request));
    sayUndo(console, undo);
  }
  if (!similar.empty()) console.note(similar);
  notePlace(console, request);
  return Exit::done;
}

// Looks at what is stored and says what a write would be about.
Exit tryOut(const Common& common, const Request& request) {
  const auto exists = storeExists(common);
  if (!exists) return complain(exists.error());
  std::optional<bool> stored;
  if (*exists) {
    const auto service = openReadable(common, Access::look);
    if (!service) return complain(service.error());
    const auto found = storedAt(**service, request);
    if (!found) return complain(found.error());
    stored = valueOf(*found);
  }
  const bool same = !request.waits() && stored == request.value;
  const Console console = common.console();
  if (common.json) {
    console.print(
        document(documentOf(common, request, !same, stored, {}, std::nullopt, std::nullopt)));
    return Exit::done;
  }
  if (!*exists) console.say("would create the store " + shown(storePath(common)->string()));
  const std::string target = shown(request.target.key.printed());
  const std::string where = request.whereInWords();
  const std::string now = stored ? std::string(onOff(*stored)) : "nothing";
  const std::string text =
      same            ? "would change nothing about " + target + " "
      : request.value ? "would set " + target + " to " + std::string(onOff(*request.value)) + " "
                      : "would clear what is stored about " + target + " ";
  console.say(text + where + " (stored there now: " + now + ")");
  if (request.waits()) console.say("it would wait until the host settles the session");
  return Exit::done;
}

Exit writeOrTryOut(const Common& common, const RequestOptions& options) {
  const auto request = requestOf(options);
  if (!request) return complain(request.error());
  return common.dryRun ? tryOut(common, *request) : write(common, *request);
}

// A verb for one decision. `value` is on, off, nothing for a verb that clears, or "?" for one that
// is told.
CLI::App& addWriteVerb(CLI::App& app, Common& common, const std::string& name,
                       const std::string& description, const std::string& examples,
                       const std::string& value, const std::shared_ptr<RequestOptions>& options) {
  CLI::App& verb = addVerb(app, common, name, description, examples);
  addDryRun(verb, common);
  addTargetText(verb, options->target)->required();
  if (value == "?")
    verb.add_option("on|off", options->value, "the decision")->option_text(" ")->required();
  else
    options->value = value;
  addScope(verb, options->scope);
  addPlace(verb, options->place);
  verb.callback([&common, options] {
    common.run = [options](const Common& c) { return writeOrTryOut(c, *options); };
  });
  return verb;
}

const std::string placeHelp =
    std::string(targetHelp) +
    "Without --scope the place is the narrowest that is named: the session, else the\n"
    "folder, else everywhere.\n"
    "\n"
    "Examples:\n";

void addEnableAndDisable(CLI::App& app, Common& common) {
  addWriteVerb(app, common, "enable", "Decide that a target is on",
               placeHelp +
                   "  enablectl enable file:///plugins/alpha\n"
                   "  enablectl enable mcpServers#search --directory .",
               "on", std::make_shared<RequestOptions>());
  addWriteVerb(app, common, "disable", "Decide that a target is off, here or everywhere",
               placeHelp +
                   "  enablectl disable mcpServers#search --directory .\n"
                   "  enablectl disable file:///plugins/alpha#mcp=db --no-directory \\\n"
                   "      --session ahp://copilot/1",
               "off", std::make_shared<RequestOptions>());
}

// revert --all

Exit revertAll(const Common& common, const std::string& target) {
  const auto key = keyFrom(target);
  if (!key) return complain(key.error());
  const auto exists = storeExists(common);
  if (!exists) return complain(exists.error());
  std::vector<HistoryEntry> changes;
  Request everywhere{{*key}, Scope::global, std::nullopt, std::nullopt, std::nullopt};
  std::optional<Decides> decides;
  std::size_t stored = 0;
  if (*exists || !common.dryRun) {
    const auto service = openReadable(common, common.dryRun ? Access::look : Access::readWrite);
    if (!service) return complain(service.error());
    const auto begun = newestChange(**service);
    if (!begun) return complain(begun.error());
    const auto all = (*service)->stored();
    if (!all) return complain(all.error());
    stored = static_cast<std::size_t>(std::count_if(
        all->begin(), all->end(), [&](const StoredDecision& one) { return one.key == *key; }));
    if (!common.dryRun) {
      if (auto done = (*service)->clearEverywhere(*key, actor); !done)
        return complain(done.error());
      auto own = ownChangesSince(**service, *begun);
      if (!own) return complain(own.error());
      changes = *std::move(own);
      const auto now = whatDecides(**service, everywhere);
      if (!now) return complain(now.error());
      decides = *now;
    }
  }
  const Console console = common.console();
  const std::string shownTarget = shown(key->printed());
  const auto undo = undoOf(common, changes);
  if (common.json) {
    console.print(document({{"target", key->printed()},
                            {"dryRun", common.dryRun},
                            {"decisions", stored},
                            {"changes", toJson(changes)},
                            {"decides", decidesJson(decides)},
                            {"undo", undoJson(undo)}}));
  } else if (common.dryRun) {
    console.say("would take back " + counted(stored, "decision") + " about " + shownTarget);
  } else if (!common.quiet) {
    for (const HistoryEntry& change : changes) console.say(sentence(change));
    if (changes.empty()) console.say("nothing changed: nothing is stored about " + shownTarget);
    if (decides) console.say(decides->sentence(everywhere));
    sayUndo(console, undo);
  }
  return Exit::done;
}

void addRevert(CLI::App& app, Common& common) {
  auto options = std::make_shared<RequestOptions>();
  CLI::App& verb =
      addWriteVerb(app, common, "revert", "Remove the decision of one scope, or of all",
                   placeHelp +
                       "  enablectl revert mcpServers#search --directory .\n"
                       "  enablectl revert file:///plugins/alpha --all",
                   "", options);
  auto all = std::make_shared<bool>(false);
  CLI::Option* flag = verb.add_flag("--all", *all, "of every scope, in every folder and session");
  for (const char* other : {"--scope", "--session", "--directory", "--no-directory"})
    flag->excludes(verb.get_option(other));
  verb.callback([&common, options, all] {
    common.run = [options, all](const Common& c) {
      return *all ? revertAll(c, options->target) : writeOrTryOut(c, *options);
    };
  });
}

}  // namespace

void addWriteVerbs(CLI::App& app, Common& common) {
  addEnableAndDisable(app, common);
  addWriteVerb(
      app, common, "set", "Decide that a target is on or off",
      std::string(targetHelp) +
          "Without --scope the place is the narrowest that is named: the session, else the\n"
          "folder, else everywhere.\n"
          "With --session the write is made in that session: at once when --directory\n"
          "or --no-directory settles it, else as soon as its host settles it.\n"
          "\n"
          "Examples:\n"
          "  enablectl set file:///plugins/alpha off --scope global\n"
          "  enablectl set mcpServers#search on --scope workspace --directory .\n"
          "  enablectl set file:///plugins/alpha#mcp=db off --scope session \\\n"
          "      --session ahp://copilot/session-1",
      "?", std::make_shared<RequestOptions>());
  addWriteVerb(app, common, "clear", "Remove the decision of one scope, to inherit again",
               placeHelp +
                   "  enablectl clear file:///plugins/alpha --scope global\n"
                   "  enablectl clear mcpServers#search --scope workspace --directory .",
               "", std::make_shared<RequestOptions>());
  addRevert(app, common);
}

}  // namespace enablement::tool
