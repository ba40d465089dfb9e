// enablectl sessions: what is stored for each session, and how to forget it.
#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <enablement/tool/json_output.h>
#include <enablement/tool/usage.h>
#include <enablement/tool/verbs.h>
#include <enablement/tool/words.h>

namespace enablement::tool {
namespace {

struct SessionOptions {
  std::string doomed;     // --delete URI
  bool doomsday = false;  // --delete without one: of all that are listed
  std::optional<int> staleDays;
};

struct StoredSession {
  std::string uri;
  std::size_t decisions = 0;
  std::size_t queued = 0;
  std::size_t unclaimed = 0;
  Timestamp changed = {};  // the last change, a removal too, as far as the history goes back

  [[nodiscard]] std::string inWords() const {
    std::string text = counted(decisions, "decision");
    if (queued > 0) text += ", " + counted(queued, "waiting part");
    if (unclaimed > 0) text += ", " + counted(unclaimed, "unclaimed decision");
    return text;
  }
};

Result<std::vector<StoredSession>> storedSessions(const EnablementService& service) {
  std::map<std::string, StoredSession> found;
  const auto note = [&](const std::string& session, std::size_t StoredSession::*count,
                        Timestamp since) {
    StoredSession& one = found[session];
    ++(one.*count);
    one.changed = std::max(one.changed, since);
  };
  const auto stored = service.stored();
  if (!stored) return fail(stored.error());
  for (const StoredDecision& row : *stored)
    if (row.scope == Scope::session) note(row.place, &StoredSession::decisions, row.since);
  const auto queued = service.queued();
  if (!queued) return fail(queued.error());
  for (const QueuedPart& row : *queued) note(row.session, &StoredSession::queued, row.since);
  const auto unclaimed = service.unclaimed();
  if (!unclaimed) return fail(unclaimed.error());
  for (const UnclaimedDecision& row : *unclaimed)
    note(row.session, &StoredSession::unclaimed, row.since);
  const auto history = service.history();
  if (!history) return fail(history.error());
  for (const HistoryEntry& row : *history)
    if (const auto one = found.find(row.session); one != found.end())
      one->second.changed = std::max(one->second.changed, row.at);

  std::vector<StoredSession> sessions;
  for (auto& [uri, session] : found) {
    session.uri = uri;
    sessions.push_back(std::move(session));
  }
  return sessions;
}

void keepStale(std::vector<StoredSession>& sessions, int days) {
  const Timestamp end = systemNow() - std::chrono::days(days);
  std::erase_if(sessions, [&](const StoredSession& one) { return one.changed > end; });
}

Json toJson(const StoredSession& session) {
  return {{"session", session.uri},
          {"decisions", session.decisions},
          {"queued", session.queued},
          {"unclaimed", session.unclaimed},
          {"changed", utc(session.changed)}};
}

Json toJson(const std::vector<StoredSession>& sessions) {
  Json list = Json::array();
  for (const StoredSession& session : sessions) list.push_back(toJson(session));
  return list;
}

void print(const Console& console, const std::vector<StoredSession>& sessions) {
  Table table({{"session", true}, {"decisions"}, {"queued"}, {"unclaimed"}, {"changed (UTC)"}});
  for (const StoredSession& session : sessions)
    table.add({{shown(session.uri)},
               {std::to_string(session.decisions)},
               {std::to_string(session.queued)},
               {std::to_string(session.unclaimed)},
               {minutes(session.changed)}});
  table.print(console);
}

// Those that are asked for.
Result<std::vector<StoredSession>> select(const EnablementService& service,
                                          const SessionOptions& options) {
  auto sessions = storedSessions(service);
  if (!sessions) return sessions;
  if (options.staleDays) keepStale(*sessions, *options.staleDays);
  if (!options.doomed.empty())
    std::erase_if(*sessions, [&](const StoredSession& one) { return one.uri != options.doomed; });
  return sessions;
}

Exit list(const Common& common, const SessionOptions& options) {
  const auto service = openReadable(common, Access::look);
  if (!service) return complain(service.error());
  const auto sessions = select(**service, options);
  if (!sessions) return complain(sessions.error());
  const Console console = common.console();
  if (common.json)
    console.print(document(toJson(*sessions)));
  else if (sessions->empty())
    console.note("nothing is stored for any " +
                 std::string(options.staleDays ? "session that old" : "session"));
  else
    print(console, *sessions);
  return Exit::done;
}

void report(const Common& common, const std::vector<StoredSession>& sessions) {
  const Console console = common.console();
  if (common.json)
    return console.print(document({{"dryRun", common.dryRun}, {"deleted", toJson(sessions)}}));
  if (common.quiet) return;
  for (const StoredSession& one : sessions)
    console.say((common.dryRun ? "would delete " : "deleted ") + shown(one.uri) + ": " +
                one.inWords());
  if (sessions.empty())
    console.say("nothing to delete");
  else if (!common.dryRun)
    console.say("folders, plugins and decisions for everywhere stay; these sessions inherit again");
}

Exit erase(const Common& common, const SessionOptions& options) {
  const auto service = openReadable(common, common.dryRun ? Access::look : Access::existing);
  if (!service) return complain(service.error());
  const auto sessions = select(**service, options);
  if (!sessions) return complain(sessions.error());
  if (!common.dryRun && !sessions->empty()) {
    const std::string what = sessions->size() == 1 ? shown(sessions->front().uri) + " (" +
                                                         sessions->front().inWords() + ")"
                                                   : counted(sessions->size(), "session");
    // A script that says --delete means it.
    if (!confirmed(common, "Delete what is stored for " + what + "?", true)) {
      common.console().note("nothing was deleted");
      return Exit::no;
    }
    for (const StoredSession& one : *sessions)
      if (auto done = (*service)->deleteSession(one.uri, actor); !done)
        return complain(done.error());
  }
  report(common, *sessions);
  return Exit::done;
}

Exit sessions(const Common& common, const SessionOptions& options) {
  if (options.doomsday && options.doomed.empty() && !options.staleDays)
    return complain(Error{ErrorCode::invalidArgument, "--delete names no session",
                          "name it, or say which with --stale DAYS"});
  if (!options.doomed.empty() && options.staleDays)
    return complain(Error{ErrorCode::invalidArgument, "--delete URI and --stale exclude each other",
                          "--delete without a URI deletes those that --stale lists"});
  return options.doomsday ? erase(common, options) : list(common, options);
}

}  // namespace

void addSessions(CLI::App& app, Common& common) {
  CLI::App& verb =
      addVerb(app, common, "sessions", "List the sessions that something is stored for",
              "Each with its decisions, the parts that wait, and its last change. --delete\n"
              "forgets one, or with --stale those without a change for so many days; at a\n"
              "terminal you are asked first, unless -y is given.\n"
              "\n"
              "Examples:\n"
              "  enablectl sessions\n"
              "  enablectl sessions --delete ahp://copilot/1\n"
              "  enablectl sessions --stale 90 --delete -n");
  addDryRun(verb, common);
  addYes(verb, common);
  auto options = std::make_shared<SessionOptions>();
  CLI::Option* doomed = verb.add_option("--delete", options->doomed, "forget it, and its queue")
                            ->option_text("[URI]")
                            ->expected(0, 1);
  verb.add_option("--stale", options->staleDays, "those without a change since")
      ->option_text("DAYS")
      ->check(numberFrom(0, 36'500));
  verb.callback([&common, options, doomed] {
    options->doomsday = doomed->count() > 0;
    common.run = [options](const Common& c) { return sessions(c, *options); };
  });
}

}  // namespace enablement::tool
