// The durable decisions: rows, history, digest, what others commit; and the maps they are read
// into.
#include <enablement/store/store.h>

#include <sys/stat.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <enablement/migrations/migrator.h>

#include "service_fixture.h"

namespace enablement {
namespace {

using test::must;
using test::Names;
using test::show;

const TargetKey alpha = TargetKey::plugin("acme/alpha").value();
const TargetKey beta = TargetKey::plugin("acme/beta").value();
const TargetKey db = TargetKey::mcpServer("db", "acme/alpha").value();
const TargetKey git = TargetKey::mcpServer("git").value();

DecisionChange change(Scope scope, const std::string& place, const TargetKey& key,
                      std::optional<bool> before, std::optional<bool> after,
                      const std::string& session = {}) {
  return {scope, place, key, before, after, after ? Cause::set : Cause::clear, session};
}
DecisionChange global(const TargetKey& key, std::optional<bool> before, std::optional<bool> after) {
  return change(Scope::global, "", key, before, after);
}
QueueChange queue(QueueChange::Kind kind, const QueuedPart& part) {
  return {kind, part, kind == QueueChange::Kind::put ? Cause::queued : Cause::queueApplied};
}

class StoreTest : public ::testing::Test {
 protected:
  StoreTest() {
    options.path = temp / "new" / "enablement.db";
    options.clock = clock.clock();
    options.busyTimeout = std::chrono::milliseconds(30);
  }

  std::unique_ptr<Store> open() {
    auto opened = Store::open(options);
    must(opened);
    return std::move(*opened);
  }
  // Reads what others wrote, as every transaction begins.
  static Status catchUp(Transaction& transaction) {
    const auto foreign = transaction.foreign();
    if (!foreign) return fail(foreign.error());
    if (!*foreign || !(*foreign)->everything) return {};
    const auto index = transaction.everything();
    return index ? Status() : fail(index.error());
  }
  static Status commit(Store& store, const ChangeSet& changes, std::string_view actor = "tester") {
    auto transaction = store.begin(Store::Mode::write);
    if (!transaction) return fail(transaction.error());
    if (auto caught = catchUp(*transaction); !caught) return caught;
    if (auto written = transaction->write(changes, actor); !written) return written;
    return transaction->commit();
  }
  // What others committed, as rows or "everything"; afterwards it is read.
  static Names foreign(Store& store) {
    auto transaction = store.begin(Store::Mode::read).value();
    const auto changes = transaction.foreign();
    if (!changes) return {std::string(name(changes.error().code))};
    Names shown;
    if (*changes && (*changes)->everything) {
      const auto index = transaction.everything();
      shown = {index ? "everything" : std::string(name(index.error().code))};
    } else if (*changes) {
      for (const HistoryEntry& entry : (*changes)->entries) shown.push_back(show(entry));
    }
    EXPECT_EQ(show(transaction.commit()), "done");
    return shown;
  }
  static Names stored(Store& store) { return show(store.begin(Store::Mode::read)->stored()); }
  static Names history(Store& store, const HistoryQuery& query = {}) {
    return show(store.begin(Store::Mode::read)->history(query));
  }
  void sql(const std::string& statements) const {
    SQLite::Database(options.path.string(), SQLite::OPEN_READWRITE).exec(statements);
  }
  [[nodiscard]] std::string ask(const std::string& query) const {
    SQLite::Database database(options.path.string(), SQLite::OPEN_READONLY);
    SQLite::Statement rows(database, query);
    std::string shown;
    while (rows.executeStep())
      for (int i = 0; i < rows.getColumnCount(); ++i)
        shown += rows.getColumn(i).getString() + (i + 1 < rows.getColumnCount() ? "|" : "\n");
    return shown;
  }
  [[nodiscard]] static unsigned modeOf(const std::filesystem::path& path) {
    struct stat found = {};
    EXPECT_EQ(::stat(path.c_str(), &found), 0);
    return found.st_mode & 0777U;
  }

  test::TempFolder temp;
  StoreOptions options;
  test::FakeClock clock;
};

TEST_F(StoreTest, ANewFileIsMarkedAsOursAndOnlyItsOwnerMayReadIt_I16) {
  const mode_t mask = ::umask(0);
  open();
  ::umask(mask);
  EXPECT_EQ(modeOf(options.path), 0600U);
  EXPECT_EQ(modeOf(temp / "new"), 0700U);
  const std::string version = std::to_string(currentSchemaVersion());
  EXPECT_EQ(ask("PRAGMA application_id"), std::to_string(0x454E424C) + "\n");  // "ENBL"
  EXPECT_EQ(ask("PRAGMA user_version"), version + "\n");
  EXPECT_EQ(ask("PRAGMA journal_mode"), "wal\n");
  EXPECT_EQ(ask("SELECT version, last_compatible_version <= version FROM meta"), version + "|1\n");
  std::string steps;
  for (const Migration& step : migrations())
    steps += std::to_string(step.version) + "|" + std::string(step.name) + "|" +
             std::string(step.sha256) + "|1000\n";
  EXPECT_EQ(ask("SELECT version, name, sha256, applied_at FROM migration ORDER BY version"), steps);
}

TEST_F(StoreTest, LeavesNothingBesideTheFileAfterACleanStop_I16) {
  EXPECT_EQ(show(commit(*open(), {global(alpha, {}, false)})), "done");
  Names files;
  for (const auto& [file, bytes] : temp.contents()) files.push_back(file);
  EXPECT_EQ(files, Names{"enablement.db"});
}

TEST_F(StoreTest, ThoseWhoMustFindAStoreCreateNothing_I16) {
  for (const Access access : {Access::existing, Access::look}) {
    options.access = access;
    const auto opened = Store::open(options);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::io);
    EXPECT_NE(opened.error().message.find(options.path.string()), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(temp / "new"));
  }
}

TEST_F(StoreTest, WhoOnlyLooksReadsEverythingAndWritesNothing_I16) {
  must(commit(*open(), {global(alpha, {}, false)}));
  const auto before = temp.contents();
  options.access = Access::look;
  {
    const auto store = open();
    EXPECT_EQ(stored(*store), Names{"global acme/alpha off"});
    EXPECT_EQ(show(commit(*store, {global(alpha, false, true)})), "readOnly");
  }
  EXPECT_EQ(temp.contents(), before);
}

TEST_F(StoreTest, AddsChangesAndRemovesRowsAndSaysWhoGaveThemTheirValueAndWhen_I13) {
  const auto store = open();
  clock.at(1'500);
  must(commit(*store,
              {change(Scope::session, "s1", git, {}, true, "s1"), global(beta, {}, true),
               change(Scope::workspace, "file:///one", db, {}, false, "s1")},
              "ann"));
  clock.at(2'500);
  must(commit(*store,
              {global(beta, true, false), change(Scope::session, "s1", git, true, {}, "s1")},
              "ben"));
  const auto rows = store->begin(Store::Mode::read)->stored().value();
  EXPECT_EQ(show(Result<std::vector<StoredDecision>>(rows)),
            (Names{"global acme/beta off", "workspace file:///one acme/alpha#mcp=db off"}));
  EXPECT_EQ(rows[0].by, "ben");
  EXPECT_EQ(rows[0].since.time_since_epoch().count(), 2'500);
  EXPECT_EQ(rows[1].by, "ann");
  EXPECT_EQ(rows[1].since.time_since_epoch().count(), 1'500);
  auto transaction = store->begin(Store::Mode::read).value();
  EXPECT_TRUE(transaction.decisionsOf("s1")->empty());
  EXPECT_EQ(show(transaction.decisionsAbout(db)), Names{show(rows[1])});
}

TEST_F(StoreTest, HistoryIsAskedByTargetSessionTimeAndNumber_I13) {
  const auto store = open();
  must(commit(*store,
              {global(alpha, {}, false), change(Scope::session, "s1", db, {}, false, "s1")}));
  clock.at(2'000);
  must(commit(*store, {change(Scope::session, "s1", db, false, {}), global(alpha, false, true)}));
  const Names all = {"set global acme/alpha - off", "set session s1 acme/alpha#mcp=db - off",
                     "clear session s1 acme/alpha#mcp=db off -", "set global acme/alpha off on"};
  EXPECT_EQ(history(*store), all);
  EXPECT_EQ(history(*store, {.target = alpha}), (Names{all[0], all[3]}));
  EXPECT_EQ(history(*store, {.session = "s1"}), (Names{all[1], all[2]}));
  EXPECT_EQ(history(*store, {.since = Timestamp(std::chrono::seconds(2))}),
            (Names{all[2], all[3]}));
  EXPECT_EQ(history(*store, {.afterSequence = 3}), Names{all[3]});
  EXPECT_EQ(history(*store, {.last = 3}), (Names{all[1], all[2], all[3]}));
}

TEST_F(StoreTest, QueuedPartsComeInOrderOfTheirTargetsFirstQueueing_I12) {
  using enum QueueChange::Kind;
  const auto store = open();
  const QueuedPart first{"s1", Target{git, false}, Scope::session, "", Asked::on};
  const QueuedPart second{"s1", Target{alpha}, Scope::workspace, "", Asked::off};
  const QueuedPart third{"s1", Target{git, true}, Scope::workspace, "file:///one", Asked::clear};
  must(commit(*store, {queue(put, first), queue(put, second), queue(put, third)}));
  const auto parts = store->begin(Store::Mode::read)->queueOf("s1").value();
  EXPECT_EQ(show(Result<std::vector<QueuedPart>>(parts)),
            (Names{"s1 session mcpServers#git on", "s1 workspace file:///one mcpServers#git clear",
                   "s1 workspace acme/alpha off"}));
  EXPECT_EQ(parts[0].target.discoveryDefault, true) << "kept as the target was given last";
  must(commit(*store, {queue(remove, parts[1]), queue(put, first)}));
  EXPECT_EQ(show(store->begin(Store::Mode::read)->queueAbout(git)),
            Names{"s1 session mcpServers#git on"});
  EXPECT_EQ(foreign(*open()), Names{"everything"}) << "the digest follows the queue";
}

TEST_F(StoreTest, WhatIsNotCommittedIsNotThere_I14) {
  const auto store = open();
  {
    auto transaction = store->begin(Store::Mode::write).value();
    must(catchUp(transaction));
    must(transaction.write({global(alpha, {}, false)}, "tester"));
  }
  EXPECT_EQ(stored(*store), Names{});
  EXPECT_EQ(show(commit(*store, {global(alpha, {}, true)})), "done");
  EXPECT_EQ(history(*store), Names{"set global acme/alpha - on"});
}

TEST_F(StoreTest, ARowChangedBehindOurBackIsNoticed_I16) {
  using enum QueueChange::Kind;
  must(commit(*open(), {global(alpha, {}, false), change(Scope::session, "s1", db, {}, true),
                        queue(put, {"s1", Target{git, true}, Scope::session, "", Asked::on})}));
  const std::vector<std::pair<std::string, std::string>> edits = {
      {"UPDATE decision SET enabled = 1 WHERE scope = 'global'",
       "UPDATE decision SET enabled = 0 WHERE scope = 'global'"},
      {"UPDATE decision SET place = 's2' WHERE scope = 'session'",
       "UPDATE decision SET place = 's1' WHERE scope = 'session'"},
      {"UPDATE queued_part SET asked = 'off'", "UPDATE queued_part SET asked = 'on'"},
      {"UPDATE queued_part SET discovery_default = NULL",
       "UPDATE queued_part SET discovery_default = 1"},
      {"INSERT INTO decision VALUES ('global', '', 'plugin', 'x/y', '', 1, 1)",
       "DELETE FROM decision WHERE owner_uri = 'x/y'"}};
  for (const auto& [edit, undo] : edits) {
    const auto store = open();
    EXPECT_EQ(foreign(*store), Names{"everything"}) << "whole before: " << edit;
    sql(edit);
    EXPECT_EQ(foreign(*store), Names{"corrupt"}) << edit;
    EXPECT_EQ(foreign(*open()), Names{"corrupt"}) << edit;
    sql(undo);
  }
  sql("DELETE FROM decision WHERE scope = 'session'");
  EXPECT_EQ(foreign(*open()), Names{"corrupt"});
}

TEST_F(StoreTest, HistoryIsBoundedAndKeepsTheNewestRowOfEveryDecision_I13) {
  options.historyRows = 10;
  const auto store = open();
  must(commit(*store, {global(alpha, {}, false)}, "ann"));
  must(commit(*store, {global(git, {}, false)}));
  for (int i = 0; i < 300; ++i)
    must(commit(*store,
                {global(beta, i == 0 ? std::nullopt : std::optional(i % 2 == 0), i % 2 != 0)}));
  // Pruned a few dozen at a time, not row by row.
  EXPECT_LE(history(*store).size(), 10U + 64 + 2);
  EXPECT_GE(history(*store).size(), 10U + 2);
  EXPECT_EQ(history(*store, {.target = alpha}), Names{"set global acme/alpha - off"});
  EXPECT_EQ(store->begin(Store::Mode::read)->stored().value()[0].by, "ann");
  must(commit(*store, {global(alpha, false, true)}));
  EXPECT_EQ(history(*store, {.target = alpha}), Names{"set global acme/alpha off on"});
  EXPECT_EQ(stored(*store).size(), 3U) << "no decision makes room for another";
  EXPECT_EQ(foreign(*open()), Names{"everything"}) << "the digest outlives the pruning";
}

TEST_F(StoreTest, HistoryForgetsThePartsThatNoLongerWait_I13) {
  using enum QueueChange::Kind;
  options.historyRows = 10;
  const auto store = open();
  const QueuedPart part{"s1", Target{alpha}, Scope::session, "", Asked::on};
  std::optional<bool> value;
  const auto others = [&] {
    for (int i = 0; i < 200; ++i) {
      const bool next = !value.value_or(false);
      must(commit(*store, {global(beta, value, next)}));
      value = next;
    }
  };
  must(commit(*store, {queue(put, part)}));
  others();
  EXPECT_EQ(history(*store, {.target = alpha}), Names{"queued part s1 session acme/alpha on"})
      << "kept as long as it waits";
  must(commit(*store, {queue(remove, part)}));
  others();
  EXPECT_EQ(history(*store, {.target = alpha}), Names{});
}

TEST_F(StoreTest, AConfiguredCapRefusesTheExceedingWriteAsAWhole_I13) {
  options.decisionCap = 2;
  const auto store = open();
  must(commit(*store, {global(alpha, {}, false), global(beta, {}, false)}));
  const Names before = stored(*store);
  EXPECT_EQ(show(commit(*store, {global(alpha, false, true), global(git, {}, false)})), "limit");
  EXPECT_EQ(stored(*store), before);
  EXPECT_EQ(show(commit(*store, {global(alpha, false, true)})), "done");
  EXPECT_EQ(show(commit(*store, {global(alpha, true, {}), global(git, {}, false)})), "done");
  options.decisionCap = 1;  // lowered later: what is there stays, and may be changed and removed
  EXPECT_EQ(show(commit(*open(), {global(git, false, true)})), "done");
}

TEST_F(StoreTest, TheViewOfDecisionsIsForPeople_I4) {
  clock.at(1'700'000'000'123);
  must(commit(*open(),
              {global(alpha, {}, false), change(Scope::workspace, "file:///one", db, {}, true),
               change(Scope::session, "s1", git, {}, false)},
              "ann"));
  EXPECT_EQ(ask("SELECT scope, \"where\", target, value, since, \"by\" FROM decisions"),
            "global||acme/alpha|off|2023-11-14T22:13:20.123Z|ann\n"
            "session|s1|mcpServers#git|off|2023-11-14T22:13:20.123Z|ann\n"
            "workspace|file:///one|acme/alpha#mcp=db|on|2023-11-14T22:13:20.123Z|ann\n");
}

// --- Two on one file -----------------------------------------------------------------------------

TEST_F(StoreTest, WhatAnotherCommitsIsToldRowByRowOnceAndOurOwnIsNot_I18) {
  const auto ours = open();
  const auto theirs = open();
  EXPECT_EQ(foreign(*ours), Names{"everything"});
  EXPECT_EQ(foreign(*ours), Names{});
  must(commit(*ours, {global(alpha, {}, false)}));
  EXPECT_EQ(foreign(*ours), Names{});
  must(commit(*theirs, {global(alpha, false, true), change(Scope::session, "s1", db, {}, true)}));
  const Names told = {"set global acme/alpha off on", "set session s1 acme/alpha#mcp=db - on"};
  {
    auto dropped = ours->begin(Store::Mode::read).value();
    EXPECT_EQ(dropped.foreign().value()->entries.size(), 2U);
  }
  EXPECT_EQ(foreign(*ours), told) << "a transaction that is not committed has not read it";
  EXPECT_EQ(foreign(*ours), Names{});
  EXPECT_EQ(foreign(*theirs), Names{});
}

TEST_F(StoreTest, EverythingIsReadAgainWhereHistoryHasAGap_I18) {
  options.historyRows = 1;
  const auto ours = open();
  const auto theirs = open();
  EXPECT_EQ(foreign(*ours), Names{"everything"});
  for (int i = 0; i < 100; ++i)
    must(commit(*theirs,
                {global(alpha, i == 0 ? std::nullopt : std::optional(i % 2 == 0), i % 2 != 0)}));
  EXPECT_EQ(foreign(*ours), Names{"everything"});
  EXPECT_EQ(show(commit(*ours, {global(beta, {}, true)})), "done");
}

TEST_F(StoreTest, ANewerSchemaIsUsedOnlyIfItAllowsProgramsOfOurVersion_I16) {
  const auto store = open();
  EXPECT_EQ(foreign(*store), Names{"everything"});
  sql("UPDATE meta SET version = 9, last_compatible_version = 1; PRAGMA user_version = 9");
  EXPECT_EQ(open()->schemaVersion(), 9);
  EXPECT_EQ(show(commit(*open(), {global(alpha, {}, false)})), "done");
  sql("UPDATE meta SET version = 10, last_compatible_version = 10; PRAGMA user_version = 10");
  EXPECT_EQ(foreign(*store), Names{"newerSchema"});
  const auto refused = Store::open(options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::newerSchema);
  for (const auto* version : {"10", "1"})
    EXPECT_NE(refused.error().message.find(version), std::string::npos) << refused.error().message;
}

TEST_F(StoreTest, OneWriterAtATimeAndReadersDoNotWaitForIt_I14) {
  const auto store = open();
  must(commit(*store, {global(alpha, {}, false)}));
  {
    const test::OtherWriter other(options.path);
    EXPECT_EQ(show(commit(*store, {global(alpha, false, true)})), "busy");
    EXPECT_EQ(stored(*store), Names{"global acme/alpha off"});
  }
  EXPECT_EQ(show(commit(*store, {global(alpha, false, true)})), "done");
}

}  // namespace
}  // namespace enablement
