// A second, slower reading of what a service has to do, which follows it call by call.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <rapidcheck.h>

#include "service_fixture.h"
#include "service_ops.h"

namespace enablement::test {

using Row = std::tuple<Scope, std::string, std::string>;  // scope, place, key as printed
using Rows = std::map<Row, bool>;
using Parts = std::map<std::tuple<std::string, Scope, std::string, std::string>, Asked>;

inline std::optional<bool> valueIn(const Rows& rows, Scope scope, const std::string& place,
                                   const Target& target) {
  const auto row = rows.find({scope, place, target.key.printed()});
  return row == rows.end() ? std::nullopt : std::optional(row->second);
}

// What the test itself remembers of a session.
struct Remembered {
  bool known = false;
  bool loaded = false;
  WorkingDirectory directory = WorkingDirectory::pending();
  bool turn = false;
  bool waits = false;
  std::vector<std::pair<bool, std::map<std::string, std::optional<bool>>>> clients = {};

  [[nodiscard]] bool settled() const { return loaded && directory.isKnown(); }
  [[nodiscard]] std::string folder() const { return directory.uri() ? *directory.uri() : ""; }
  [[nodiscard]] std::optional<bool> base(const Target& target) const {
    for (const auto& [client, says] : clients) {
      const auto opinion = says.find(target.key.printed());
      if (opinion != says.end() && opinion->second) return opinion->second;
    }
    return std::nullopt;
  }
};

struct Seen {
  Rows rows;
  Parts parts;
  std::int64_t sequence = 0;
};

class Model {
 public:
  explicit Model(World& world) : world_(world) { before_ = see(); }

  void play(const Op& op) {
    const std::array<Remembered, 3> old = memory_;
    const std::string expected = errorOf(op);
    (void)world_.heard();
    const std::string result = call(world_, op);
    RC_ASSERT(result == expected);
    if (result == "done") remember(op);
    const Seen after = see();
    const auto changed = historyExplains(after);
    staysInItsScopes(op, old[op.session], after, result == "done");
    RC_ASSERT(world_.heard() == eventsOf(op, old, changed, result == "done"));
    before_ = after;
    answersAreWhatIsStored();
    settledSessionsHaveNoQueue();
    if (result == "done" && op.what == Do::set) aSetCounts(op);
    whatHadToGoIsGone(op);
  }

  void answersAreWhatIsStored() const {
    for (std::size_t s = 0; s < sessions.size(); ++s)
      for (const Target& target : targets) {
        const Resolution answer = world_.service->resolve(sessions[s], target);
        RC_ASSERT(show(answer) == expectedAnswer(s, target));
        if (const auto* resolved = std::get_if<Resolved>(&answer))
          RC_ASSERT(resolved->workingDirectory() == memory_[s].directory);
      }
  }
  // Reads in what another process committed, which is announced alike. Says whether that made the
  // service write: parts that the other one queued for a session that is settled here.
  bool refresh() {
    const std::int64_t last = see().sequence;
    (void)world_.heard();
    must(world_.service->refresh());
    const Seen after = see();
    RC_ASSERT(world_.heard() == eventOf(namedBy(historyExplains(after))));
    before_ = after;
    answersAreWhatIsStored();
    settledSessionsHaveNoQueue();
    return after.sequence != last;
  }

 private:
  Seen see() const {
    Seen seen;
    const auto rows = world_.service->stored().value();
    for (const auto& row : rows) seen.rows[{row.scope, row.place, row.key.printed()}] = row.enabled;
    const auto parts = world_.service->queued().value();
    for (const auto& part : parts)
      seen.parts[{part.session, part.scope, part.folder, part.target.key.printed()}] = part.asked;
    seen.sequence = world_.sequence();
    return seen;
  }

  std::string expectedAnswer(std::size_t s, const Target& target) const {
    const Remembered& session = memory_[s];
    if (!session.loaded) return "pending(session)";
    if (!session.directory.isKnown()) return "pending(workingDirectory)";
    std::string list;
    std::optional<bool> decided;
    const auto layer = [&](Scope scope, std::optional<bool> value) {
      if (!value) return;
      list += " " + std::string(name(scope)) + "=" + word(value);
      if (!decided) decided = value;
    };
    layer(Scope::session, valueIn(before_.rows, Scope::session, sessions[s], target));
    if (session.directory.uri())
      layer(Scope::workspace, valueIn(before_.rows, Scope::workspace, session.folder(), target));
    auto global = valueIn(before_.rows, Scope::global, "", target);
    if (!global) global = session.base(target);
    if (!global) global = target.discoveryDefault;
    layer(Scope::global, global);
    return word(decided.value_or(true)) + list;
  }

  // The folder errors; everything else succeeds.
  std::string errorOf(const Op& op) const {
    const Remembered& session = memory_[op.session];
    std::optional<ReplaceEntry> workspace;
    if (op.what == Do::set || op.what == Do::clear) {
      if (precedence[op.scope] == Scope::workspace) workspace = {Scope::workspace, op.on};
    } else if (op.what == Do::replace) {
      for (const ReplaceEntry& entry : listOf(op))
        if (entry.kind == Scope::workspace) workspace = entry;
    }
    if (!workspace || !session.directory.isKnown()) return "done";
    if (!session.directory.uri()) return "noWorkspace";
    return workspace->uri && *workspace->uri != session.folder() ? "foreignWorkspace" : "done";
  }

  void remember(const Op& op) {
    Remembered& session = memory_[op.session];
    const auto client = std::find_if(session.clients.begin(), session.clients.end(),
                                     [&](const auto& known) { return known.first == op.on; });
    if (op.what <= Do::base) session.known = true;
    if (op.what == Do::load) session.loaded = true;
    if (op.what == Do::directory) {
      const bool moved = !(session.directory == directoryOf(op));
      session.waits |= moved && session.loaded && session.turn;
      session.directory = directoryOf(op);
    }
    if (op.what == Do::turn) session.turn = op.on;
    if (op.what == Do::turn && !op.on) session.waits = false;
    if (op.what == Do::close || op.what == Do::erase) session = {};
    if (op.what == Do::restart) memory_ = {};
    if (op.what == Do::baseGone && client != session.clients.end()) session.clients.erase(client);
    if (op.what == Do::base) {
      std::map<std::string, std::optional<bool>> says;
      const auto opinion = [](const std::vector<StatedEntry>& list) {
        return list.empty() ? std::nullopt : std::optional(list[0].enabled);
      };
      for (const StatedPlugin& plugin : statementOf(op)) {
        says[plugin.uri] = opinion(plugin.enablement);
        for (const auto& [child, list] : plugin.childEnablement)
          says[plugin.uri + "#mcp=" + child] = opinion(list);
      }
      if (client == session.clients.end())
        session.clients.emplace_back(op.on, says);
      else
        client->second = says;
    }
  }

  // Replays on the old rows what history says has happened: the new rows come out. Returns the rows
  // that changed.
  std::set<Row> historyExplains(const Seen& after) const {
    Rows rows = before_.rows;
    Parts parts = before_.parts;
    std::set<Row> changed;
    const auto entries = world_.service->history({.afterSequence = before_.sequence}).value();
    for (const HistoryEntry& entry : entries) {
      const std::string key = entry.key->printed();
      if (entry.subject == HistoryEntry::Subject::decision) {
        const Row row{entry.scope, entry.place, key};
        const auto was = rows.find(row);
        RC_ASSERT((was == rows.end() ? std::nullopt : std::optional(was->second)) == entry.before);
        RC_ASSERT(entry.before != entry.after);
        rows.erase(row);
        if (entry.after) rows[row] = *entry.after;
        changed.insert(row);
      } else if (entry.cause == Cause::queued) {
        parts[{entry.session, entry.scope, entry.place, key}] = !entry.after   ? Asked::clear
                                                                : *entry.after ? Asked::on
                                                                               : Asked::off;
      } else {
        RC_ASSERT(parts.erase({entry.session, entry.scope, entry.place, key}) == 1U);
      }
    }
    RC_ASSERT(rows == after.rows);
    RC_ASSERT(parts == after.parts);
    return changed;
  }

  void staysInItsScopes(const Op& op, const Remembered& old, const Seen& after, bool done) const {
    const std::string session = sessions[op.session];
    const Remembered& now = memory_[op.session];
    const auto isOwn = [&](const Row& row) {
      const auto& [scope, place, key] = row;
      return scope == Scope::global || (scope == Scope::session && place == session) ||
             (scope == Scope::workspace && now.directory.uri() && place == now.folder());
    };
    const auto isNamed = [&](Scope scope) {
      if (op.what != Do::replace) return scope == precedence[op.scope];
      if (old.settled()) return true;
      const auto list = listOf(op);
      return std::any_of(list.begin(), list.end(),
                         [&](const auto& entry) { return entry.kind == scope; });
    };
    const auto mayChange = [&](const Row& row) {
      const auto& [scope, place, key] = row;
      const bool isTarget = key == targets[op.target].key.printed();
      if (!done) return false;
      if (op.what == Do::set || op.what == Do::clear || op.what == Do::replace)
        return isTarget && isOwn(row) && isNamed(scope);
      if (op.what == Do::load || op.what == Do::directory)
        return isOwn(row) && scope != Scope::global &&
               std::any_of(before_.parts.begin(), before_.parts.end(), [&](const auto& part) {
                 return std::get<0>(part.first) == session && std::get<3>(part.first) == key;
               });
      if (op.what == Do::erase) return scope == Scope::session && place == session;
      if (op.what == Do::stored)
        return isTarget && (op.folder < folders.size()
                                ? scope == Scope::workspace && place == folders[op.folder]
                                : scope == Scope::global);
      return op.what == Do::purge && isTarget;
    };
    for (const auto& [row, value] : before_.rows)
      if (!mayChange(row)) RC_ASSERT(after.rows.contains(row) && after.rows.at(row) == value);
    for (const auto& [row, value] : after.rows)
      if (!mayChange(row)) RC_ASSERT(before_.rows.contains(row));
    if (!done) RC_ASSERT(after.sequence == before_.sequence);
  }

  // The table of I17.
  std::vector<Names> eventsOf(const Op& op, const std::array<Remembered, 3>& old,
                              const std::set<Row>& changed, bool done) const {
    if (!done) return {};
    const Remembered& was = old[op.session];
    const Remembered& is = memory_[op.session];
    const bool moved = op.what == Do::directory && !(was.directory == is.directory) && was.loaded;
    std::set<std::string> named = namedBy(changed);
    if ((op.what == Do::load && !was.loaded) || (op.what == Do::turn && was.waits && !op.on) ||
        moved)
      named.emplace(sessions[op.session]);
    if (moved && was.turn) named.erase(sessions[op.session]);
    if (op.what == Do::base || op.what == Do::baseGone)
      for (const Target& target : targets)
        if (is.settled() && was.base(target) != is.base(target) &&
            !valueIn(before_.rows, Scope::global, "", target))
          named.emplace(sessions[op.session]);
    return eventOf(named);
  }

  static std::vector<Names> eventOf(const std::set<std::string>& named) {
    if (named.empty()) return {};
    return {Names(named.begin(), named.end())};
  }

  std::set<std::string> namedBy(const std::set<Row>& changed) const {
    std::set<std::string> named;
    for (const auto& [scope, place, key] : changed)
      for (std::size_t s = 0; s < sessions.size(); ++s) {
        const Remembered& session = memory_[s];
        if ((scope == Scope::global && session.known) ||
            (scope == Scope::workspace && session.directory.uri() && session.folder() == place) ||
            (scope == Scope::session && session.loaded && sessions[s] == place))
          named.emplace(sessions[s]);
      }
    return named;
  }

  void settledSessionsHaveNoQueue() const {
    for (const auto& [part, asked] : before_.parts)
      for (std::size_t s = 0; s < sessions.size(); ++s)
        RC_ASSERT(sessions[s] != std::get<0>(part) || !memory_[s].settled());
  }

  // The asked value is the answer unless something more specific stands; and after an off nobody
  // whom it is for is on, unless by something more specific.
  void aSetCounts(const Op& op) const {
    const Remembered& caller = memory_[op.session];
    const Scope scope = precedence[op.scope];
    const bool stored = scope == Scope::global || caller.settled() ||
                        (scope == Scope::workspace && caller.directory.isKnown());
    for (std::size_t s = 0; s < sessions.size() && stored; ++s) {
      const bool applies = s == op.session || scope == Scope::global ||
                           (scope == Scope::workspace && memory_[s].directory == caller.directory);
      if (!applies || !memory_[s].settled() || (op.on && s != op.session)) continue;
      const auto answer =
          std::get<Resolved>(world_.service->resolve(sessions[s], targets[op.target]));
      const bool overruled = answer.decidedBy() && *answer.decidedBy() < scope;
      RC_ASSERT(overruled || answer.enabled() == op.on);
    }
  }

  // Of a deleted session, and of an uninstalled target, nothing is left.
  void whatHadToGoIsGone(const Op& op) const {
    const std::string session = sessions[op.session];
    const std::string target = targets[op.target].key.printed();
    for (const auto& [row, value] : before_.rows) {
      const auto& [scope, place, key] = row;
      RC_ASSERT(op.what != Do::erase || scope != Scope::session || place != session);
      RC_ASSERT(op.what != Do::purge || key != target);
    }
    for (const auto& [part, asked] : before_.parts) {
      RC_ASSERT(op.what != Do::erase || std::get<0>(part) != session);
      RC_ASSERT(op.what != Do::purge || std::get<3>(part) != target);
    }
  }

  World& world_;
  std::array<Remembered, 3> memory_;
  Seen before_;
};

}  // namespace enablement::test
