// enablectl set, clear: decisions made by hand.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <enablement/tool/json_output.h>
#include <enablement/tool/place.h>
#include <enablement/tool/verbs.h>
#include <enablement/tool/words.h>

namespace enablement::tool {
namespace {

struct WriteOptions {
  std::string target;
  std::string value;  // of set
  std::string scope;
  PlaceOptions place;
};

// What is asked, checked.
struct Request {
  Target target;
  Scope scope;
  std::optional<bool> value;           // none: clear
  std::optional<std::string> session;  // none: a stored write
  std::optional<WorkingDirectory> directory;

  // Whether the write is made in a session whose folder this program does not know.
  [[nodiscard]] bool waits() const { return session && !directory && scope != Scope::global; }

  // The place that the write is about: empty for everywhere, and for a folder that is not known.
  [[nodiscard]] std::string where() const {
    if (scope == Scope::session) return *session;
    if (scope == Scope::workspace && directory && directory->uri() != nullptr)
      return *directory->uri();
    return {};
  }
  [[nodiscard]] std::string whereInWords() const {
    if (scope == Scope::workspace && where().empty())
      return "in the folder of the session " + shown(*session);
    return whereIn(scope, where());
  }
};

tl::unexpected<Error> usage(std::string message, std::string hint = {}) {
  return fail(ErrorCode::invalidArgument, std::move(message), std::move(hint));
}

Result<Request> requestOf(const WriteOptions& options, bool isSet) {
  const auto key = TargetKey::parse(options.target);
  if (!key) return fail(key.error());
  const auto scope = parseScope(options.scope);
  if (!scope) return fail(scope.error());
  const auto directory = options.place.folder();
  if (!directory) return fail(directory.error());
  Request request{{*key}, *scope, std::nullopt, std::nullopt, *directory};
  if (isSet) {
    const auto value = parseOnOff(options.value);
    if (!value) return fail(value.error());
    request.value = *value;
  }
  if (!options.place.session.empty()) {
    if (*scope == Scope::workspace && options.place.noDirectory)
      return fail(ErrorCode::noWorkspace, "a session without a folder has none to decide about",
                  "decide for the session or everywhere");
    request.session = options.place.session;
    return request;
  }
  if (*scope == Scope::session)
    return usage("--scope session needs a session", "name it with --session URI");
  if (options.place.noDirectory)
    return usage("--no-directory needs a session", "name it with --session URI");
  if (*scope == Scope::workspace && !request.directory)
    return usage("--scope workspace needs a folder", "name it with --directory DIR");
  if (*scope == Scope::global && request.directory)
    return usage("--scope global is about no folder",
                 "leave --directory out, or name --scope workspace");
  return request;
}

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

// What is stored at the place of the request.
Result<std::optional<bool>> storedAt(const EnablementService& service, const Request& request) {
  const auto stored = service.stored();
  if (!stored) return fail(stored.error());
  for (const StoredDecision& decision : *stored)
    if (decision.scope == request.scope && decision.place == request.where() &&
        decision.key == request.target.key)
      return decision.enabled;
  return std::nullopt;
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

Json documentOf(const Common& common, const Request& request, bool changed,
                const std::optional<bool>& stored, const std::vector<HistoryEntry>& changes) {
  Json list = Json::array();
  for (const HistoryEntry& change : changes) list.push_back(toJson(change));
  return {{"target", request.target.key.printed()},
          {"scope", name(request.scope)},
          {"where", request.where()},
          {"asked", request.value ? Json(*request.value) : Json("clear")},
          {"dryRun", common.dryRun},
          {"changed", changed},
          {"waits", request.waits()},
          {"stored", stored ? Json(*stored) : Json()},
          {"changes", std::move(list)}};
}

Exit write(const Common& common, const Request& request) {
  const auto service = openReadable(common, Access::readWrite);
  if (!service) return complain(service.error());
  const auto newest = (*service)->history({.last = 1});
  if (!newest) return complain(newest.error());
  const auto answer = carryOut(**service, request);
  if (!answer) return complain(answer.error());

  const auto changes =
      (*service)->history({.afterSequence = newest->empty() ? 0 : newest->back().sequence});
  if (!changes) return complain(changes.error());
  std::vector<HistoryEntry> ours;
  std::copy_if(changes->begin(), changes->end(), std::back_inserter(ours),
               [](const HistoryEntry& entry) { return entry.actor == actor; });
  const auto stored = storedAt(**service, request);
  if (!stored) return complain(stored.error());

  const Console console = common.console();
  if (common.json) {
    console.print(document(documentOf(common, request, !ours.empty(), *stored, ours)));
  } else if (!common.quiet) {
    for (const HistoryEntry& change : ours) console.say(sentence(change));
    if (ours.empty()) console.say(unchanged(request, *stored, *answer));
  }
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
    stored = *found;
  }
  const bool same = !request.waits() && stored == request.value;
  const Console console = common.console();
  if (common.json) {
    console.print(document(documentOf(common, request, !same, stored, {})));
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

Exit writeOrTryOut(const Common& common, const WriteOptions& options, bool isSet) {
  const auto request = requestOf(options, isSet);
  if (!request) return complain(request.error());
  return common.dryRun ? tryOut(common, *request) : write(common, *request);
}

void addWriteVerb(CLI::App& app, Common& common, const std::string& name,
                  const std::string& description, const std::string& examples) {
  const bool isSet = name == "set";
  CLI::App& verb = addVerb(app, common, name, description, examples);
  addDryRun(verb, common);
  auto options = std::make_shared<WriteOptions>();
  verb.add_option("TARGET", options->target, "a plugin or an MCP server")
      ->option_text(" ")
      ->required();
  if (isSet)
    verb.add_option("on|off", options->value, "the decision")->option_text(" ")->required();
  verb.add_option("--scope", options->scope, "session, workspace or global")
      ->option_text("SCOPE")
      ->required();
  addPlace(verb, options->place);
  verb.callback([&common, options, isSet] {
    common.run = [options, isSet](const Common& c) { return writeOrTryOut(c, *options, isSet); };
  });
}

}  // namespace

void addSetAndClear(CLI::App& app, Common& common) {
  addWriteVerb(app, common, "set", "Decide that a target is on or off",
               "TARGET is PLUGIN, PLUGIN#mcp=SERVER or mcpServers#SERVER.\n"
               "With --session the write is made in that session: at once when --directory\n"
               "or --no-directory settles it, else as soon as its host settles it.\n"
               "\n"
               "Examples:\n"
               "  enablectl set file:///plugins/alpha off --scope global\n"
               "  enablectl set mcpServers#search on --scope workspace --directory .\n"
               "  enablectl set file:///plugins/alpha#mcp=db off --scope session \\\n"
               "      --session ahp://copilot/session-1");
  addWriteVerb(app, common, "clear", "Take a decision back, to inherit again",
               "TARGET is PLUGIN, PLUGIN#mcp=SERVER or mcpServers#SERVER.\n"
               "\n"
               "Examples:\n"
               "  enablectl clear file:///plugins/alpha --scope global\n"
               "  enablectl clear mcpServers#search --scope workspace --directory .");
}

}  // namespace enablement::tool
