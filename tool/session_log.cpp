#include <enablement/tool/session_log.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <utility>

#include <enablement/schema/text.h>
#include <enablement/session/version.h>
#include <enablement/tool/common.h>

namespace enablement::tool {
namespace {

constexpr const char* lineHint =
    "a line is {session, client, version, action} or {do, …}; see: enablectl session --help";

tl::unexpected<Error> bad(const std::string& what) {
  return fail(ErrorCode::invalidArgument, what, lineHint);
}

// A field of a line, of the kind that it has to be.
class Fields {
 public:
  explicit Fields(const Json& line) : line_(line) {}

  [[nodiscard]] const Json* find(const char* name) const {
    const auto found = line_.find(name);
    return found == line_.end() || found->is_null() ? nullptr : &*found;
  }
  Result<std::string> text(const char* name) const {
    const Json* field = find(name);
    if (field == nullptr || !field->is_string())
      return bad("it has no text \"" + std::string(name) + "\"");
    return field->get<std::string>();
  }
  Result<std::vector<std::string>> texts(const char* name) const {
    const Json* field = find(name);
    std::vector<std::string> texts;
    if (field != nullptr && field->is_array())
      for (const Json& one : *field)
        if (one.is_string()) texts.push_back(one.get<std::string>());
    if (field == nullptr || !field->is_array() || texts.size() != field->size())
      return bad("its \"" + std::string(name) + "\" is no list of texts");
    return texts;
  }

 private:
  const Json& line_;
};

// What a line does to the host, beside actions. `result` is filled in.
struct Doing {
  EnablementService& service;
  SessionHost& host;
  Timestamp& now;
  const Fields& fields;
  PlayedLine& result;
};

void note(Doing& doing, const Status& done) {
  if (!done) doing.result.error = done.error();
}

Status open(Doing& doing, const std::string& session) {
  std::optional<std::vector<std::string>> directories;
  if (doing.fields.find("workingDirectories") != nullptr) {
    auto texts = doing.fields.texts("workingDirectories");
    if (!texts) return fail(texts.error());
    directories = *std::move(texts);
  }
  note(doing, doing.host.openSession(session, std::move(directories)));
  return {};
}

Status load(Doing& doing, const std::string& session) {
  note(doing, doing.service.loadSession(session, actor));
  return {};
}

Status close(Doing& doing, const std::string& session) {
  note(doing, doing.host.closeSession(session));
  return {};
}

Status erase(Doing& doing, const std::string& session) {
  note(doing, doing.host.deleteSession(session, actor));
  return {};
}

Status owners(Doing& doing, const std::string& session) {
  const Json* map = doing.fields.find("owners");
  if (map == nullptr || !map->is_object()) return bad("it has no object \"owners\"");
  OwnerMap owners;
  for (const auto& [server, plugin] : map->items()) {
    if (!plugin.is_string()) return bad("the owner of " + quote(server) + " is not a text");
    owners.emplace(server, plugin.get<std::string>());
  }
  note(doing, doing.host.setOwners(session, std::move(owners)));
  return {};
}

Status unsubscribe(Doing& doing, const std::string& session) {
  const auto client = doing.fields.text("client");
  if (!client) return fail(client.error());
  doing.host.clientUnsubscribed(session, *client);
  return {};
}

Status decide(Doing& doing, const std::string& session) {
  const auto target = doing.fields.text("target");
  if (!target) return fail(target.error());
  const auto word = doing.fields.text("scope");
  if (!word) return fail(word.error());
  const auto key = TargetKey::parse(*target);
  if (!key) return fail(key.error());
  const auto scope = parseScope(*word);
  if (!scope) return fail(scope.error());
  const Json* enabled = doing.fields.find("enabled");
  if (enabled != nullptr && !enabled->is_boolean()) return bad("its \"enabled\" is no boolean");
  const auto done = enabled == nullptr
                        ? doing.service.clear(session, {*key}, *scope, actor)
                        : doing.service.set(session, {*key}, *scope, enabled->get<bool>(), actor);
  if (!done) doing.result.error = done.error();
  return {};
}

Status route(Doing& doing, const std::string& session) {
  const auto id = doing.fields.text("id");
  if (!id) return fail(id.error());
  const auto word = doing.fields.text("scope");
  if (!word) return fail(word.error());
  const auto scope = parseScope(*word);
  if (!scope) return fail(scope.error());
  const auto found = doing.host.routeFor(session, *id, *scope);
  if (found)
    doing.result.route = *found;
  else
    doing.result.error = found.error();
  return {};
}

using OfSession = Status (*)(Doing&, const std::string&);
struct OtherLine {
  std::string_view name;
  OfSession play;
};

constexpr std::array<OtherLine, 8> ofSessions{{{"open", open},
                                               {"load", load},
                                               {"close", close},
                                               {"delete", erase},
                                               {"owners", owners},
                                               {"unsubscribe", unsubscribe},
                                               {"decide", decide},
                                               {"route", route}}};

Status playConnection(Doing& doing, const std::string& what) {
  const auto client = doing.fields.text("client");
  if (!client) return fail(client.error());
  doing.result.what += " " + *client;
  if (what == "disconnect") {
    doing.host.clientDisconnected(*client);
    return {};
  }
  const auto sessions = doing.fields.texts("sessions");
  if (!sessions) return fail(sessions.error());
  doing.host.clientReconnected(*client, *sessions);
  return {};
}

Status playTick(Doing& doing) {
  const Json* wait = doing.fields.find("milliseconds");
  constexpr std::int64_t year = std::int64_t{366} * 24 * 3600 * 1000;
  if (wait == nullptr || !wait->is_number_integer() || wait->get<std::int64_t>() < 0 ||
      wait->get<std::int64_t>() > year)
    return bad("it has no \"milliseconds\" from 0 to a year");
  doing.result.what += " " + std::to_string(wait->get<std::int64_t>()) + " ms";
  doing.now += std::chrono::milliseconds(wait->get<std::int64_t>());
  doing.host.tick(doing.now);
  return {};
}

Status playDoing(Doing& doing, const std::string& what) {
  if (what == "tick") return playTick(doing);
  if (what == "disconnect" || what == "reconnect") return playConnection(doing, what);
  for (const OtherLine& other : ofSessions) {
    if (other.name != what) continue;
    const auto session = doing.fields.text("session");
    if (!session) return fail(session.error());
    doing.result.what += " " + *session;
    return other.play(doing, *session);
  }
  return bad("nothing is known that does " + quote(what));
}

// "session/customizationToggled alpha of c1".
std::string titleOf(const Json& action, const std::optional<std::string>& client) {
  std::string title = "an action";
  if (action.is_object()) {
    const Fields fields(action);
    title = fields.text("type").value_or(title);
    if (const auto id = fields.text("id")) title += " " + *id;
  }
  return title + (client ? " of " + *client : " of the host");
}

}  // namespace

Result<std::vector<LogLine>> parseLog(std::string_view text, std::string_view name) {
  std::vector<LogLine> lines;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const std::string where = std::string(name) + ", line " + std::to_string(number);
    auto json = parseJson(line, where);
    if (!json) return fail(json.error());
    if (!json->is_object())
      return fail(ErrorCode::invalidArgument, where + ": it is no object", lineHint);
    lines.push_back({number, *std::move(json)});
  }
  return lines;
}

SessionPlayer::SessionPlayer(std::filesystem::path path)
    : now_(std::make_shared<Timestamp>(systemNow())) {
  ServiceOptions options;
  options.path = std::move(path);
  options.clock = [now = now_] { return *now; };
  service_ = EnablementService::open(options);
  HostOptions hostOptions;
  hostOptions.clock = options.clock;
  host_ = std::make_unique<SessionHost>(
      *service_, [this](const SessionMessage& message) { sent_.push_back(message); }, hostOptions);
  seen_ = newestChange(*service_).value_or(0);
}

Result<PlayedLine> SessionPlayer::play(const LogLine& line) {
  const bool isAction = line.json.contains("action");
  auto played = isAction ? playAction(line) : playOther(line);
  if (!played) return played;
  played->sent = std::exchange(sent_, {});
  auto changes = service_->history({.afterSequence = seen_});
  if (!changes) return fail(changes.error());
  if (!changes->empty()) seen_ = changes->back().sequence;
  played->stored = *std::move(changes);
  return played;
}

Result<PlayedLine> SessionPlayer::playAction(const LogLine& line) {
  const Fields fields(line.json);
  const auto session = fields.text("session");
  if (!session) return fail(session.error());
  std::optional<std::string> client;
  Generation generation = Generation::second;
  if (fields.find("client") != nullptr) {
    auto named = fields.text("client");
    if (!named) return fail(named.error());
    client = *std::move(named);
    const auto version = fields.text("version");
    if (!version) return fail(version.error());
    const auto negotiated = generationOf(*version);
    if (!negotiated) return fail(negotiated.error());
    generation = *negotiated;
  }
  const Json& action = line.json.at("action");
  PlayedLine played{line.number, titleOf(action, client)};
  played.outcome = host_->dispatch(*session, client, generation, action);
  return played;
}

Result<PlayedLine> SessionPlayer::playOther(const LogLine& line) {
  const Fields fields(line.json);
  const auto what = fields.text("do");
  if (!what) return bad("it has neither an \"action\" nor a text \"do\"");
  PlayedLine played{line.number, *what};
  Doing doing{*service_, *host_, *now_, fields, played};
  if (auto done = playDoing(doing, *what); !done) return fail(done.error());
  return played;
}

}  // namespace enablement::tool
