// enablectl history, watch, restore: what happened, what happens, and back again.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <enablement/schema/text.h>
#include <enablement/tool/json_output.h>
#include <enablement/tool/target_text.h>
#include <enablement/tool/undo.h>
#include <enablement/tool/usage.h>
#include <enablement/tool/verbs.h>
#include <enablement/tool/when.h>
#include <enablement/tool/words.h>

namespace enablement::tool {
namespace {

// How often a verb that follows looks for new rows: one statement that reads no more than those.
constexpr auto lookEvery = std::chrono::milliseconds(50);

struct HistoryOptions {
  std::string since;
  std::string target;
  std::string session;
  std::size_t last = 0;
  bool follow = false;
};

Result<HistoryQuery> queryOf(const HistoryOptions& options) {
  HistoryQuery query{.last = options.last};
  if (!options.session.empty()) query.session = options.session;
  if (!options.target.empty()) {
    const auto key = keyFrom(options.target);
    if (!key) return fail(key.error());
    query.target = *key;
  }
  if (!options.since.empty()) {
    const auto since = parseMoment(options.since, systemNow());
    if (!since) return fail(since.error());
    query.since = *since;
  }
  return query;
}

void print(const Console& console, const HistoryEntry& entry) {
  const std::string head = std::to_string(entry.sequence) + "  " + minutes(entry.at) + "  ";
  console.print(wrapped(head + sentence(entry) + " (" + std::string(name(entry.cause)) + " by " +
                            shown(entry.actor) + ")",
                        head.size()));
}

// A line for a program.
void printLine(const HistoryEntry& entry) {
  std::cout << toJson(entry).dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

// Prints rows that come, for as long as somebody reads them.
Exit follow(const Common& common, const EnablementService& service, HistoryQuery query) {
  const Console console = common.console();
  for (;; std::this_thread::sleep_for(lookEvery)) {
    const auto entries = service.history(query);
    // Somebody holds the file for a moment: the rows are there at the next look.
    if (!entries && entries.error().code == ErrorCode::busy) continue;
    if (!entries) return complain(entries.error());
    for (const HistoryEntry& entry : *entries) {
      if (common.json)
        printLine(entry);
      else
        print(console, entry);
      query.afterSequence = entry.sequence;
    }
    if (!entries->empty()) std::cout.flush();
    if (!std::cout) return Exit::done;
  }
}

Exit history(const Common& common, const HistoryOptions& options) {
  auto query = queryOf(options);
  if (!query) return complain(query.error());
  const auto service = openReadable(common, Access::look);
  if (!service) return complain(service.error());
  // Before the rows themselves are read: none that comes meanwhile is lost.
  const auto newest = newestChange(**service);
  if (!newest) return complain(newest.error());
  const auto entries = (*service)->history(*query);
  if (!entries) return complain(entries.error());
  const Console console = common.console();
  if (common.json && !options.follow) {
    console.print(document(toJson(*entries)));
    return Exit::done;
  }
  for (const HistoryEntry& entry : *entries) {
    if (common.json)
      printLine(entry);
    else
      print(console, entry);
  }
  if (!options.follow) {
    if (entries->empty()) console.note("nothing of the kind has happened, as far back as it goes");
    return Exit::done;
  }
  std::cout.flush();
  query->afterSequence = entries->empty() ? *newest : std::max(*newest, entries->back().sequence);
  query->last = 0;
  return follow(common, **service, *query);
}

// watch

Exit watch(Common common, const HistoryOptions& options) {
  auto query = queryOf(options);
  if (!query) return complain(query.error());
  const auto service = openReadable(common, Access::look);
  if (!service) return complain(service.error());
  const auto newest = newestChange(**service);
  if (!newest) return complain(newest.error());
  query->afterSequence = *newest;
  common.console().note("watching " + shown((*service)->status().path.string()) +
                        "; end with Ctrl-C");
  common.json = true;
  return follow(common, **service, *query);
}

// restore

struct Restoration {
  HistoryEntry entry;
  std::optional<bool> now;  // what is stored there
};

// What takes away the decision that a row added.
std::string revertCommand(const HistoryEntry& entry) {
  const std::string revert = "enablectl revert " + shellWord(entry.key->printed());
  if (entry.scope == Scope::global) return revert;
  if (entry.scope == Scope::workspace) return revert + " --directory " + shellWord(entry.place);
  return revert + " --session " + shellWord(entry.place) + ", with --directory or --no-directory";
}

// The row that a person names: its number, or `last` for the newest that took a decision away.
Result<std::int64_t> rowNamed(const EnablementService& service, const std::string& row) {
  if (row != "last") return std::stoll(row);
  const auto entries = service.history();
  if (!entries) return fail(entries.error());
  for (auto entry = entries->rbegin(); entry != entries->rend(); ++entry)
    if (entry->subject == HistoryEntry::Subject::decision && entry->before) return entry->sequence;
  return fail(ErrorCode::invalidArgument, "no row of the history took a decision away",
              "see what there is with: enablectl history");
}

Result<Restoration> restorationOf(const EnablementService& service, std::int64_t sequence) {
  const auto entries = service.history({.afterSequence = sequence - 1});
  if (!entries) return fail(entries.error());
  const std::string row = "row " + std::to_string(sequence) + " of the history";
  if (entries->empty() || entries->front().sequence != sequence)
    return fail(ErrorCode::invalidArgument, row + " is not there",
                "see what there is with: enablectl history");
  const HistoryEntry& entry = entries->front();
  if (entry.subject == HistoryEntry::Subject::decision && !entry.before)
    return fail(ErrorCode::invalidArgument,
                row + " took no decision away, it added one: " + shown(sentence(entry)),
                "take that back with: " + revertCommand(entry));
  if (entry.subject != HistoryEntry::Subject::decision || !entry.before)
    return fail(ErrorCode::invalidArgument,
                row + " took no decision away: " + shown(sentence(entry)),
                "name the row that did; see: enablectl history");
  const auto stored = service.stored();
  if (!stored) return fail(stored.error());
  Restoration restoration{entry, std::nullopt};
  for (const StoredDecision& one : *stored)
    if (one.scope == entry.scope && one.place == entry.place && one.key == *entry.key)
      restoration.now = one.enabled;
  return restoration;
}

Json documentOf(const Common& common, const Restoration& restoration, bool restored,
                const std::optional<std::string>& undo) {
  const HistoryEntry& entry = restoration.entry;
  return {
      {"row", toJson(entry)},       {"target", entry.key->printed()},
      {"scope", name(entry.scope)}, {"where", entry.place},
      {"enabled", *entry.before},   {"stored", restoration.now ? Json(*restoration.now) : Json()},
      {"dryRun", common.dryRun},    {"restored", restored},
      {"undo", undoJson(undo)}};
}

std::string inWords(const Restoration& restoration) {
  const HistoryEntry& entry = restoration.entry;
  return shown(entry.key->printed()) + " " + std::string(onOff(*entry.before)) + " " +
         whereIn(entry.scope, entry.place);
}

Exit restore(const Common& common, const std::string& row) {
  const auto service = openReadable(common, common.dryRun ? Access::look : Access::existing);
  if (!service) return complain(service.error());
  const auto sequence = rowNamed(**service, row);
  if (!sequence) return complain(sequence.error());
  const auto restoration = restorationOf(**service, *sequence);
  if (!restoration) return complain(restoration.error());
  const Console console = common.console();
  const bool same = restoration->now == restoration->entry.before;
  const std::string now =
      restoration->now ? std::string(onOff(*restoration->now)) : std::string("nothing");
  // Where nobody is asked any more it is done, not offered.
  const std::string bringing =
      common.yes && !common.dryRun ? "bringing back: " : "would bring back: ";
  std::optional<std::string> undo;
  if (!common.json && !common.quiet) {
    print(console, restoration->entry);
    console.say(same ? "nothing to bring back: " + inWords(*restoration) + " is stored already"
                     : bringing + inWords(*restoration) + " (stored there now: " + now + ")");
  }
  if (!same && !common.dryRun) {
    if (!confirmed(common, "Bring it back?", false))
      return complain(Error{ErrorCode::invalidArgument, "nothing was brought back",
                            "say yes, or give -y where nobody can be asked"},
                      Exit::no);
    const auto begun = newestChange(**service);
    if (!begun) return complain(begun.error());
    if (auto done = (*service)->restore(*sequence, actor); !done) return complain(done.error());
    const auto changes = ownChangesSince(**service, *begun);
    if (!changes) return complain(changes.error());
    undo = undoOf(common, *changes);
    if (!common.json && !common.quiet) {
      console.say("brought back: " + inWords(*restoration));
      sayUndo(console, undo);
    }
  }
  if (common.json)
    console.print(document(documentOf(common, *restoration, !same && !common.dryRun, undo)));
  return Exit::done;
}

// The verbs.

void addFilters(CLI::App& verb, HistoryOptions& options) {
  verb.add_option("--target", options.target, "only about this target")->option_text("TARGET");
  verb.add_option("--session", options.session, "only of this session")->option_text("URI");
}

void addWatch(CLI::App& app, Common& common) {
  CLI::App& verb =
      addVerb(app, common, "watch", "Print each change as it is made, as JSON",
              "Whoever makes it, this process or another. Ends when it is interrupted, or when\n"
              "nobody reads any more. The lines are those of history --json.\n"
              "\n"
              "Examples:\n"
              "  enablectl watch | jq .target\n"
              "  enablectl watch --session ahp://copilot/1");
  auto options = std::make_shared<HistoryOptions>();
  addFilters(verb, *options);
  verb.callback([&common, options] {
    common.run = [options](const Common& c) { return watch(c, *options); };
  });
}

void addRestore(CLI::App& app, Common& common) {
  CLI::App& verb =
      addVerb(app, common, "restore", "Bring back a decision that was taken away",
              "ROW is the number that history prints, or last for the newest that took a\n"
              "decision away: what it took away or replaced is stored again. It is shown first,\n"
              "and you are asked; without a terminal nothing is done unless -y is given.\n"
              "\n"
              "Examples:\n"
              "  enablectl history --since 1h\n"
              "  enablectl restore 12 -n\n"
              "  enablectl restore last -y");
  addDryRun(verb, common);
  addYes(verb, common);
  auto row = std::make_shared<std::string>();
  verb.add_option("ROW", *row, "a row of the history")
      ->option_text(" ")
      ->required()
      ->check([](const std::string& typed) {
        // As many digits as a row can have.
        const bool number = !typed.empty() && typed.size() <= 18 && typed.front() != '0' &&
                            typed.find_first_not_of("0123456789") == std::string::npos;
        return number || typed == "last" || typed.empty()
                   ? std::string()
                   : "is a number that history prints, or last, not " + quote(typed);
      });
  verb.callback(
      [&common, row] { common.run = [row](const Common& c) { return restore(c, *row); }; });
}

}  // namespace

void addHistory(CLI::App& app, Common& common) {
  CLI::App& verb =
      addVerb(app, common, "history", "Show what was decided, when and by whom",
              "The newest last. TIME is how long ago (15m, 12h, 30d) or a UTC date or time\n"
              "(2026-11-30, 2026-11-30T14:02Z). --json prints one list; with -f a line each.\n"
              "\n"
              "Examples:\n"
              "  enablectl history -n 20\n"
              "  enablectl history --since 2d --target mcpServers#search\n"
              "  enablectl history -f");
  auto options = std::make_shared<HistoryOptions>();
  verb.add_option("--since", options->since, "only since then")->option_text("TIME");
  addFilters(verb, *options);
  verb.add_option("-n,--last", options->last, "only the newest so many")
      ->option_text("N")
      ->check(numberFrom(1, 1'000'000'000));
  verb.add_flag("-f,--follow", options->follow, "go on with what happens now");
  verb.callback([&common, options] {
    common.run = [options](const Common& c) { return history(c, *options); };
  });
  addRestore(app, common);
  addWatch(app, common);
}

}  // namespace enablement::tool
