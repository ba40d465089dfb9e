// Stores that cannot be read: nothing in them ever resolves to on, every byte stays as it is, the
// cause is told with its code, once in the log, and the next load tries again (I14, I16).
#include <unistd.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <enablement/migrations/migrator.h>

#include "fault/support.h"
#include "fault/tally.h"
#include "process/child_process.h"

namespace enablement::testing {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Le;
using ::testing::SizeIs;

struct BrokenStore {
  std::string name;
  void (*damage)(const fs::path& file);
  ErrorCode code;
  std::vector<std::string> says = {};
};

void PrintTo(const BrokenStore& store, std::ostream* stream) {
  *stream << store.name;
}

void overwrite(const fs::path& file, std::size_t offset, const std::string& bytes) {
  std::string content = readFile(file);
  content.replace(offset, bytes.size(), bytes);
  writeFile(file, content);
}

void overwritePageOf(const fs::path& file, const std::string& table) {
  const int page = std::stoi(
      RawDatabase(file).ask("SELECT rootpage FROM sqlite_schema WHERE name = '" + table + "'"));
  overwrite(file, static_cast<std::size_t>(page - 1) * 4096, std::string(4096, '\x5A'));
}

void sayVersion(const fs::path& file, int version, int lastCompatible) {
  RawDatabase raw(file);
  raw.run("UPDATE meta SET version = " + std::to_string(version) +
          ", last_compatible_version = " + std::to_string(lastCompatible));
  raw.run("PRAGMA user_version = " + std::to_string(version));
}

// A store as a killed process leaves it: the last writes are in the log alone.
void leaveLog(const fs::path& file) {
  inAnotherProcess([&] {
    const auto service = EnablementService::open(optionsFor(file));
    const bool written =
        service->setStored(plugin("acme/in-the-log"), std::nullopt, false, actor).has_value();
    ::_exit(written ? 0 : 1);  // nothing is closed
  });
  ASSERT_GT(fs::file_size(file.string() + "-wal"), 0U);
}

const std::vector<BrokenStore> brokenStores{
    {"NotADatabase",
     [](const fs::path& file) { writeFile(file, "somebody's diary, line by line"); },
     ErrorCode::corrupt},
    {"ADatabaseOfAnotherProgram",
     [](const fs::path& file) { RawDatabase(file).run("PRAGMA application_id = 1"); },
     ErrorCode::corrupt,
     {"another program"}},
    {"ADatabaseWithoutAnyMark",
     [](const fs::path& file) {
       fs::remove(file);
       RawDatabase raw(file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
       raw.run("CREATE TABLE decision (enabled INTEGER)");
     },
     ErrorCode::corrupt,
     {"another program"}},
    {"AnEmptyFile",
     [](const fs::path& file) { fs::resize_file(file, 0); },
     ErrorCode::corrupt,
     {"is empty"}},
    {"AMissingFileBesideALeftOverLog",
     [](const fs::path& file) {
       leaveLog(file);
       fs::remove(file);
     },
     ErrorCode::corrupt,
     {"write-ahead log"}},
    {"ANewerSchema",
     [](const fs::path& file) { sayVersion(file, 9047, 9046); },
     ErrorCode::newerSchema,
     {"9047", "version " + std::to_string(currentSchemaVersion())}},
    {"ADamagedPageOfDecisions", [](const fs::path& file) { overwritePageOf(file, "decision"); },
     ErrorCode::corrupt},
    {"ADamagedPageOfHistory", [](const fs::path& file) { overwritePageOf(file, "history"); },
     ErrorCode::corrupt},
    {"ADamagedPageOfMeta", [](const fs::path& file) { overwritePageOf(file, "meta"); },
     ErrorCode::corrupt},
    {"HalfAFile", [](const fs::path& file) { fs::resize_file(file, fs::file_size(file) / 2); },
     ErrorCode::corrupt},
    {"TheFirst100BytesOverwritten",
     [](const fs::path& file) { overwrite(file, 0, std::string(100, '\xFF')); },
     ErrorCode::corrupt},
    {"ADecisionThatAnotherProgramTurnedOn",
     [](const fs::path& file) { RawDatabase(file).run("UPDATE decision SET enabled = 1"); },
     ErrorCode::corrupt},
    {"ADecisionThatAnotherProgramRemoved",
     [](const fs::path& file) {
       RawDatabase(file).run("DELETE FROM decision WHERE scope = 'session'");
     },
     ErrorCode::corrupt},
    {"ATableThatIsMissing",
     [](const fs::path& file) {
       RawDatabase raw(file);
       raw.run("DROP VIEW decisions");
       raw.run("DROP TABLE decision");
     },
     ErrorCode::corrupt},
    {"ALogThatIsAFolder",
     [](const fs::path& file) { fs::create_directory(file.string() + "-wal"); }, ErrorCode::io},
    {"AFolderInItsPlace",
     [](const fs::path& file) {
       fs::remove(file);
       fs::create_directory(file);
     },
     ErrorCode::io},
};

class Opening : public ::testing::TestWithParam<BrokenStore> {
 protected:
  void SetUp() override {
    offs_.store(file_);
    good_ = copyOf(folder_.path());
  }

  // Everything but folders, by name.
  [[nodiscard]] FolderCopy files() const {
    FolderCopy copy;
    for (const auto& entry : fs::directory_iterator(folder_.path()))
      if (entry.is_regular_file())
        copy.emplace_back(entry.path().filename(), readFile(entry.path()));
    std::sort(copy.begin(), copy.end());
    return copy;
  }

  Offs offs_;
  TempFolder folder_;
  fs::path file_ = folder_.path() / "enablement.db";
  FolderCopy good_;
  LogCounter log_;
};

TEST_P(Opening, ABrokenStoreAnswersPendingAndStaysAsItIs_I16) {
  GetParam().damage(file_);
  const FolderCopy before = files();
  Tally& sum = tally("stores that cannot be opened");
  ++sum.tried;
  {
    const auto service = EnablementService::open(optionsFor(file_));
    int events = 0;
    const auto subscription = service->subscribe([&](const Event&) { ++events; });
    ASSERT_EQ(service->status().state, ServiceStatus::State::degraded);
    const Error error = service->status().error.value();
    EXPECT_EQ(name(error.code), name(GetParam().code)) << describe(error);
    for (const std::string& words : GetParam().says) EXPECT_THAT(error.message, HasSubstr(words));
    EXPECT_THAT(error.message, HasSubstr(file_.string()));
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(outcome(service->loadSession(session)), name(error.code));
      EXPECT_EQ(outcome(service->setWorkingDirectory(session, directory(folderUri))), "ok");
      EXPECT_EQ(outcome(service->set(session, offs_.undecided, Scope::global, true, actor)),
                name(error.code));
      EXPECT_EQ(outcome(service->setStored(offs_.undecided, std::nullopt, false, actor)),
                name(error.code));
      EXPECT_EQ(outcome(service->purge(offs_.global.key, actor)), name(error.code));
      EXPECT_EQ(outcome(service->deleteSession(session)), name(error.code));
      EXPECT_EQ(outcome(service->refresh()), name(error.code));
      EXPECT_EQ(outcome(service->backup(folder_.path() / "copy")), name(error.code));
      EXPECT_EQ(outcome(service->stored()), name(error.code));
      EXPECT_THAT(offs_.answersOf(*service), Each("pending(store)"));
    }
    EXPECT_EQ(events, 0);
    EXPECT_EQ(log_.errors(), 1U) << log_.text();
  }
  EXPECT_EQ(files(), before);
  ++(HasFailure() ? sum.lost : sum.refused);
}

TEST_P(Opening, ABrokenStoreThatIsPutRightIsReadByTheNextLoad_I16) {
  GetParam().damage(file_);
  const auto service = EnablementService::open(optionsFor(file_));
  ASSERT_EQ(service->status().state, ServiceStatus::State::degraded);
  restore(folder_.path(), good_);
  settle(*service);
  EXPECT_THAT(offs_.answersOf(*service), ElementsAre("off", "off", "off", "on"));
  EXPECT_EQ(service->status().state, ServiceStatus::State::ready);
}

// A tool that only looks is told the same.
TEST_P(Opening, ABrokenStoreIsNotReadByLookingAtIt_I16) {
  GetParam().damage(file_);
  const FolderCopy before = files();
  for (const Access access : {Access::look, Access::existing}) {
    ServiceOptions options = optionsFor(file_);
    options.access = access;
    const auto service = EnablementService::open(options);
    settle(*service);
    EXPECT_THAT(offs_.enabledIn(*service), IsEmpty());
  }
  EXPECT_EQ(files(), before);
}

INSTANTIATE_TEST_SUITE_P(Fault, Opening, ::testing::ValuesIn(brokenStores),
                         [](const auto& param) { return param.param.name; });

using OpeningAStore = Opening;

TEST_F(OpeningAStore, UsesANewerFileThatAdmitsThisProgram_I16) {
  sayVersion(file_, 9047, 1);
  const auto service = EnablementService::open(optionsFor(file_));
  settle(*service);
  EXPECT_THAT(offs_.answersOf(*service), ElementsAre("off", "off", "off", "on"));
  EXPECT_EQ(service->status().schemaVersion, 9047);
  EXPECT_EQ(outcome(service->set(session, offs_.undecided, Scope::global, false, actor)), "ok");
}

// The file of a store that was read well once goes bad underneath: from then on nothing is on.

struct Meddling {
  std::string name;
  // In another process where the file is opened: closing it here would drop this service's locks.
  void (*meddle)(const fs::path& file);
};

void PrintTo(const Meddling& meddling, std::ostream* stream) {
  *stream << meddling.name;
}

fs::path elsewhere(const fs::path& file) {
  return file.parent_path() / "elsewhere.db";
}

const std::vector<Meddling> meddlings{
    {"Deleted", [](const fs::path& file) { fs::remove(file); }},
    {"DeletedWithItsLog",
     [](const fs::path& file) {
       fs::remove(file);
       fs::remove(file.string() + "-wal");
       fs::remove(file.string() + "-shm");
     }},
    {"Moved", [](const fs::path& file) { fs::rename(file, elsewhere(file)); }},
    {"Truncated", [](const fs::path& file) { fs::resize_file(file, 0); }},
    {"MigratedDown",
     [](const fs::path& file) {
       runSql(file,
              "BEGIN; DROP VIEW decisions; DROP TABLE history; DROP TABLE queued_part;"
              "DROP TABLE decision; DROP TABLE meta; PRAGMA user_version = 0; COMMIT");
     }},
    {"MigratedUp",
     [](const fs::path& file) {
       runSql(file,
              "BEGIN; UPDATE meta SET version = 9047, last_compatible_version = 9046;"
              "PRAGMA user_version = 9047; COMMIT");
     }},
    {"EditedByAnotherProgram",
     [](const fs::path& file) { runSql(file, "UPDATE decision SET enabled = 1"); }},
};

class AnOpenStore : public ::testing::TestWithParam<Meddling> {};

TEST_P(AnOpenStore, ThatGoesBadAnswersPendingAndIsNotMadeAnew_I16) {
  const TempFolder folder;
  const fs::path file = folder.path() / "enablement.db";
  const Offs offs;
  offs.store(file);
  LogCounter log;
  const auto service = EnablementService::open(optionsFor(file));
  settle(*service);
  ASSERT_EQ(outcome(service->setStored(plugin("acme/more"), std::nullopt, false, actor)), "ok");
  GetParam().meddle(file);
  const bool existed = fs::exists(file);
  Tally& sum = tally("stores that go bad while open");
  ++sum.tried;
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(service->refresh());
    EXPECT_FALSE(service->set(session, offs.undecided, Scope::global, false, actor));
    EXPECT_FALSE(service->loadSession("ahp://copilot/another"));
    EXPECT_THAT(offs.answersOf(*service), Each("pending(store)"));
  }
  EXPECT_EQ(fs::exists(file), existed);
  // How it was found, and what is found since: not every call.
  EXPECT_THAT(log.errors(), AllOf(Ge(1U), Le(2U))) << log.text();
  ++(HasFailure() ? sum.lost : sum.refused);
}

// Whoever puts a backup in its place means it; but nobody goes on writing to a file that is gone.
TEST_F(OpeningAStore, NoticesThatAnOpenFileWasReplacedBeforeItUsesTheOther_I16) {
  const auto service = EnablementService::open(optionsFor(file_));
  settle(*service);
  ASSERT_EQ(outcome(service->backup(elsewhere(file_))), "ok");
  ASSERT_EQ(outcome(service->set(session, offs_.global, Scope::global, true, actor)), "ok");
  std::vector<Event> events;
  const auto subscription = service->subscribe([&](const Event& e) { events.push_back(e); });
  fs::remove(file_.string() + "-wal");
  fs::remove(file_.string() + "-shm");
  fs::rename(elsewhere(file_), file_);
  EXPECT_EQ(outcome(service->set(session, offs_.undecided, Scope::global, false, actor)), "io");
  EXPECT_THAT(offs_.answersOf(*service), Each("pending(store)"));
  EXPECT_THAT(events, SizeIs(1));
  EXPECT_EQ(outcome(service->refresh()), "ok");
  EXPECT_THAT(offs_.answersOf(*service), ElementsAre("off", "off", "off", "on"));
  EXPECT_THAT(events, SizeIs(2));
}

INSTANTIATE_TEST_SUITE_P(Fault, AnOpenStore, ::testing::ValuesIn(meddlings),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace enablement::testing
