#include "scenarios.h"

#include <unistd.h>

#include <gtest/gtest.h>

#include <enablement/store/upkeep.h>

#include "fault_vfs.h"

namespace enablement::testing {
namespace {

using Call = Scenario::Call;

const Offs offs;

Target tools() {
  return plugin("acme/tools");
}
Target database() {
  return server("db", "acme/tools");
}

template <typename T>
Status plain(const Result<T>& result) {
  return result ? Status() : Status(fail(result.error()));
}

Call load() {
  return [](EnablementService& service) { return service.loadSession(session, actor); };
}

Call enter() {
  return [](EnablementService& service) {
    return service.setWorkingDirectory(session, directory(folderUri), actor);
  };
}

Call set(Target target, Scope scope, bool enabled) {
  return [=](EnablementService& service) {
    return plain(service.set(session, target, scope, enabled, actor));
  };
}

Call clear(Target target, Scope scope) {
  return [=](EnablementService& service) {
    return plain(service.clear(session, target, scope, actor));
  };
}

Call replace(Target target, std::vector<ReplaceEntry> list) {
  return [=](EnablementService& service) {
    return plain(service.replace(session, target, list, actor));
  };
}

Call batch(std::vector<Write> writes) {
  return [=](EnablementService& service) { return plain(service.batch(session, writes, actor)); };
}

Call purge(Target target) {
  return [=](EnablementService& service) { return service.purge(target.key, actor); };
}

Call deleteSession() {
  return [](EnablementService& service) { return service.deleteSession(session, actor); };
}

void storeOffs(const fs::path& file) {
  offs.store(file);
}

void storeOffsAndOns(const fs::path& file) {
  storeOffs(file);
  const auto service = EnablementService::open(optionsFor(file));
  settle(*service);
  ASSERT_EQ(outcome(service->set(session, tools(), Scope::global, false, actor)), "ok");
  ASSERT_EQ(outcome(service->set(session, tools(), Scope::workspace, true, actor)), "ok");
  ASSERT_EQ(outcome(service->set(session, tools(), Scope::session, false, actor)), "ok");
  ASSERT_EQ(outcome(service->set(session, database(), Scope::global, false, actor)), "ok");
}

void queueParts(const fs::path& file) {
  storeOffs(file);
  const auto service = EnablementService::open(optionsFor(file));
  ASSERT_EQ(outcome(service->set(session, tools(), Scope::workspace, false, actor)), "ok");
  ASSERT_EQ(outcome(service->set(session, tools(), Scope::session, true, actor)), "ok");
  ASSERT_EQ(outcome(service->set(session, database(), Scope::session, false, actor)), "ok");
  ASSERT_EQ(outcome(service->clear(session, offs.session, Scope::session, actor)), "ok");
}

std::uintmax_t logPages(const fs::path& log) {
  std::error_code missing;
  const auto bytes = fs::file_size(log, missing);
  return missing ? 0 : bytes / (4096 + 24);
}

// As an older program left it.
void storeOffsInTheFirstSchema(const fs::path& file) {
  queueParts(file);
  const auto rehearsed = rehearseMigration(optionsFor(file), 1);
  ASSERT_TRUE(rehearsed) << describe(rehearsed.error());
  ASSERT_EQ(outcome(runMigration(optionsFor(file), *rehearsed)), "ok");
}

// As a process leaves it that was killed shortly before its write-ahead log is due to be emptied.
void fillLog(const fs::path& file) {
  storeOffs(file);
  inAnotherProcess([&] {
    const auto service = EnablementService::open(optionsFor(file));
    const fs::path log = file.string() + "-wal";
    bool written = true;
    for (bool on = false; written && logPages(log) < 985; on = !on)
      written = service->setStored(tools(), std::nullopt, on, actor).has_value();
    ::_exit(written ? 0 : 1);  // nothing is closed
  });
}

void keepLittleHistory(ServiceOptions& options) {
  options.historyRows = 2;
}

}  // namespace

std::vector<Target> scenarioTargets() {
  return {offs.global, offs.workspace, offs.session, offs.undecided, tools(), database()};
}

std::vector<Scenario> scenarios() {
  const std::vector<Write> three{{tools(), Set{Scope::global, false}},
                                 {database(), Set{Scope::workspace, false}},
                                 {offs.session, Clear{Scope::session}}};
  std::vector<Scenario> all;
  all.push_back({"CreatingAStore", nullptr, {}});
  all.push_back({"TheFirstWriteToANewStore", nullptr, {set(tools(), Scope::global, false)}});
  all.push_back({"ASet", storeOffs, {load(), enter(), set(tools(), Scope::workspace, false)}});
  all.push_back(
      {"AReplace",
       storeOffsAndOns,
       {load(), enter(), replace(tools(), {{Scope::global, true}, {Scope::session, true}}),
        replace(tools(), {{Scope::global, false}, {Scope::workspace, true}})}});
  all.push_back({"AQueueBeingFilled",
                 storeOffs,
                 {set(tools(), Scope::workspace, false), set(database(), Scope::session, false)}});
  all.push_back({"AQueueBeingApplied", queueParts, {load(), enter()}});
  all.push_back({"ABatch", storeOffs, {load(), enter(), batch(three)}});
  all.push_back({"APurge", storeOffsAndOns, {load(), enter(), purge(tools())}});
  all.push_back({"ADeletedSession", queueParts, {deleteSession()}});
  all.push_back({"AMigration", storeOffsInTheFirstSchema, {}});
  all.push_back({"WritesThatForgetOldHistory",
                 storeOffs,
                 {load(), enter(), set(tools(), Scope::global, false),
                  set(database(), Scope::session, false), clear(tools(), Scope::global)},
                 keepLittleHistory});
  all.push_back({"EmptyingTheWriteAheadLog",
                 fillLog,
                 {load(), enter(), set(tools(), Scope::workspace, false),
                  set(database(), Scope::session, false), set(tools(), Scope::session, false),
                  clear(tools(), Scope::workspace), set(database(), Scope::global, false),
                  clear(database(), Scope::session)}});
  return all;
}

Picture pictureOf(const EnablementService& service) {
  Picture picture{contentOf(service), {}};
  for (const Target& target : scenarioTargets())
    picture.answers.push_back(target.key.printed() + " " +
                              inWords(service.resolve(session, target)));
  return picture;
}

fs::path storeIn(const fs::path& folder) {
  return folder / "enablement.db";
}

FolderCopy filesBefore(const Scenario& scenario) {
  const TempFolder folder;
  if (scenario.prepare) scenario.prepare(storeIn(folder.path()));
  return copyOf(folder.path());
}

std::unique_ptr<EnablementService> openFor(const Scenario& scenario, const fs::path& folder) {
  ServiceOptions options = optionsFor(storeIn(folder));
  scenario.adjust(options);
  return EnablementService::open(std::move(options));
}

std::vector<Picture> statesOf(const Scenario& scenario, const fs::path& folder,
                              const FolderCopy& before) {
  FaultVfs& vfs = FaultVfs::get();
  restore(folder, before);
  vfs.reset();
  const auto service = openFor(scenario, folder);
  std::vector<Picture> states{pictureOf(*service), pictureOf(*service)};
  for (const Scenario::Call& call : scenario.calls) {
    EXPECT_EQ(outcome(call(*service)), "ok");
    states.push_back(pictureOf(*service));
  }
  return states;
}

}  // namespace enablement::testing
