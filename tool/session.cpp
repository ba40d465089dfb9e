// enablectl session: plays a log of what happened to sessions, to find out why.
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <enablement/store/upkeep.h>
#include <enablement/tool/json_output.h>
#include <enablement/tool/session_log.h>
#include <enablement/tool/temp_dir.h>
#include <enablement/tool/verbs.h>
#include <enablement/tool/words.h>

namespace enablement::tool {
namespace {

// On a copy of the store that is named, or on an empty one: a log never changes what people use.
Result<std::vector<PlayedLine>> playAll(const Common& common, const std::string& file) {
  const auto text = readText(file);
  if (!text) return fail(text.error());
  const std::string name = inputName(file);
  const auto lines = parseLog(*text, name);
  if (!lines) return fail(lines.error());
  const InterruptLater later;
  const auto folder = TempDir::create();
  if (!folder) return fail(folder.error());
  const auto path = folder->path() / "enablement.db";
  if (!common.db.empty()) {
    const auto options = storeOptions(common, Access::look);
    if (!options) return fail(options.error());
    if (auto copied = backUpStore(*options, path); !copied) return fail(copied.error());
  }
  SessionPlayer player(path);
  std::vector<PlayedLine> played;
  for (const LogLine& line : *lines) {
    if (InterruptLater::asked()) break;
    auto one = player.play(line);
    if (!one) {
      Error error = one.error();
      error.message = name + ", line " + std::to_string(line.number) + ": " + error.message;
      return fail(error);
    }
    played.push_back(*std::move(one));
  }
  return played;
}

Json toJson(const Error& error) {
  return {{"code", name(error.code)}, {"message", error.message}, {"hint", error.hint}};
}

Json toJson(const Route& route) {
  Json json{{"kind", name(route.kind)}};
  if (route.kind == Route::Kind::client) json["client"] = route.client;
  if (route.kind != Route::Kind::impossible) return json;
  json["obstacle"] = name(route.obstacle);
  if (!route.container.empty()) json["container"] = route.container;
  if (route.containerScope) json["containerScope"] = name(*route.containerScope);
  return json;
}

Json toJson(const SessionMessage& message) {
  Json json{{"session", message.session()}};
  if (message.kind() == SessionMessage::Kind::clientLeft) {
    json["clientLeft"] = message.leftClient();
  } else if (const auto* plugin = message.plugin()) {
    json["parsePlugin"] = {{"client", plugin->client}, {"id", plugin->id}, {"uri", plugin->uri}};
  } else {
    const Json* second = message.actionFor(Generation::second);
    json["action"] = second == nullptr ? Json() : *second;
    json["firstGeneration"] = *message.actionFor(Generation::first);
  }
  return json;
}

Json toJson(const PlayedLine& line) {
  Json json{{"line", line.number}, {"what", line.what}};
  if (line.outcome) {
    json["outcome"] = name(line.outcome->kind);
    if (line.outcome->reason) json["reason"] = toJson(*line.outcome->reason);
    if (line.outcome->clientOwned) json["clientOwned"] = *line.outcome->clientOwned;
    for (const RefusedEntry& entry : line.outcome->refusedEntries)
      json["refusedEntries"].push_back({{"index", entry.index}, {"reason", toJson(entry.reason)}});
  }
  if (line.error) json["error"] = toJson(*line.error);
  if (line.route) json["route"] = toJson(*line.route);
  json["stored"] = tool::toJson(std::span<const HistoryEntry>(line.stored));
  json["sent"] = Json::array();
  for (const SessionMessage& message : line.sent) json["sent"].push_back(toJson(message));
  return json;
}

std::string inWords(const Route& route) {
  switch (route.kind) {
    case Route::Kind::host:
      return "the host stores it";
    case Route::Kind::client:
      return "it is a setting of client " + route.client;
    case Route::Kind::impossible:
      break;
  }
  switch (route.obstacle) {
    case Route::Obstacle::noWorkspace:
      return "impossible: the session has no folder";
    case Route::Obstacle::container:
      return "impossible: " + route.container + " is off" +
             (route.containerScope ? " at " + std::string(name(*route.containerScope)) + " scope"
                                   : std::string());
    case Route::Obstacle::invalid:
      return "impossible: its URI or name is bad";
    default:
      return "impossible: it has one flag, for the session";
  }
}

std::string inWords(const SessionMessage& message) {
  if (message.kind() == SessionMessage::Kind::clientLeft)
    return "client " + message.leftClient() + " is gone: fail the calls that wait for it";
  if (const auto* plugin = message.plugin())
    return "parse the plugin " + plugin->id + " of " + plugin->client + ": " + plugin->uri;
  const Json* action = message.actionFor(Generation::second);
  if (action == nullptr) return "to the first generation alone: the list";
  std::string words = action->at("type").get<std::string>();
  if (const auto id = action->find("id"); id != action->end() && id->is_string())
    words += " " + id->get<std::string>();
  if (const auto entry = action->find("customization"); entry != action->end())
    words += " " + entry->at("id").get<std::string>();
  if (const auto list = action->find("customizations"); list != action->end())
    words += " with " + std::to_string(list->size()) + (list->size() == 1 ? " entry" : " entries");
  return words;
}

class Printer {
 public:
  explicit Printer(const Common& common) : console_(common.console()), verbose_(common.verbose) {}

  void print(const PlayedLine& line) const {
    console_.print(
        wrapped("line " + std::to_string(line.number) + "  " + shown(line.what), margin));
    if (line.outcome) print(*line.outcome);
    if (line.error) item("failed", describe(*line.error));
    if (line.route) item("routed", inWords(*line.route));
    for (const HistoryEntry& entry : line.stored) item("stored", sentence(entry));
    for (const SessionMessage& message : line.sent) {
      item("sent", inWords(message));
      const Json* action = message.actionFor(Generation::second);
      if (verbose_ && action != nullptr)
        console_.print(std::string(margin, ' ') + legible(*action, margin));
    }
  }

 private:
  static constexpr std::size_t margin = 11;

  void item(const std::string& label, const std::string& words) const {
    std::string line = "  " + label;
    if (!words.empty()) line.append(margin - line.size(), ' ').append(shown(words));
    console_.print(wrapped(line, margin));
  }

  void print(const Outcome& outcome) const {
    if (outcome.kind == Outcome::Kind::applied)
      item("applied", outcome.clientOwned
                          ? "but Global: it is a setting of client " + *outcome.clientOwned
                          : "");
    else
      item(std::string(name(outcome.kind)), describe(*outcome.reason));
    for (const RefusedEntry& entry : outcome.refusedEntries)
      item("refused", "entry " + std::to_string(entry.index) + ": " + describe(entry.reason));
  }

  Console console_;
  bool verbose_;
};

Exit playSession(const Common& common, const std::string& file) {
  const auto played = playAll(common, file);
  if (!played) return complain(played.error());
  if (common.json) {
    Json lines = Json::array();
    for (const PlayedLine& line : *played) lines.push_back(toJson(line));
    common.console().print(document({{"lines", std::move(lines)}}));
    return Exit::done;
  }
  const Printer printer(common);
  for (const PlayedLine& line : *played) printer.print(line);
  return Exit::done;
}

}  // namespace

void addSession(CLI::App& app, Common& common) {
  CLI::App& verb =
      addVerb(app, common, "session", "Play a log of session actions again",
              "FILE has one JSON object a line:\n"
              "  {\"session\": URI, \"client\": ID, \"version\": \"0.8.0\", \"action\": {…}}\n"
              "without client and version it is an action of the host. Or what else happens:\n"
              "  {\"do\": \"open\", \"session\": URI, \"workingDirectories\": [URI, …]}\n"
              "  {\"do\": \"load\" | \"close\" | \"delete\", \"session\": URI}\n"
              "  {\"do\": \"owners\", \"session\": URI, \"owners\": {SERVER: PLUGIN}}\n"
              "  {\"do\": \"decide\", \"session\": URI, \"target\": TARGET, \"scope\": WORD,\n"
              "   \"enabled\": BOOL}; without enabled it is cleared\n"
              "  {\"do\": \"route\", \"session\": URI, \"id\": ID, \"scope\": WORD}\n"
              "  {\"do\": \"disconnect\", \"client\": ID}\n"
              "  {\"do\": \"reconnect\", \"client\": ID, \"sessions\": [URI, …]}\n"
              "  {\"do\": \"unsubscribe\", \"session\": URI, \"client\": ID}\n"
              "  {\"do\": \"tick\", \"milliseconds\": N}\n"
              "It is played on a copy of the store that --db names, or else on an empty one; no\n"
              "store is changed. With -v the actions that are sent are shown in full.\n"
              "\n"
              "Exit codes: 0 it was played, whatever was refused; 2 a line is malformed.\n"
              "\n"
              "Examples:\n"
              "  enablectl session examples/session-log.jsonl\n"
              "  enablectl session --db enablement.db --json reported.jsonl\n"
              "  read-log | enablectl session -");
  auto file = std::make_shared<std::string>();
  verb.add_option("FILE", *file, "the log, - for standard input")->option_text(" ")->required();
  verb.callback(
      [&common, file] { common.run = [file](const Common& c) { return playSession(c, *file); }; });
}

}  // namespace enablement::tool
