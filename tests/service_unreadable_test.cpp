// A store that cannot be read: never replaced, never altered, never taken for "no decisions".
#include <functional>
#include <map>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <enablement/migrations/migrator.h>

#include "service_fixture.h"

namespace enablement {
namespace {

using test::must;
using test::Names;
using test::show;
using test::states;

struct Damage {
  std::string name;
  ErrorCode code;
  std::function<void(const std::filesystem::path&)> harm;
};

void PrintTo(const Damage& damage, std::ostream* out) {
  *out << damage.name;
}

void sql(const std::filesystem::path& file, const std::string& statements) {
  SQLite::Database(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec(statements);
}

// Where the row of the one decision lies; its row of history looks alike but for the word before.
std::size_t rowIn(const std::string& bytes) {
  const std::string row = "globalpluginacme/alpha";
  std::size_t found = bytes.find(row);
  while (found != std::string::npos && bytes.compare(found - 8, 8, "decision") == 0)
    found = bytes.find(row, found + 1);
  if (found == std::string::npos) throw std::runtime_error("the row was not found");
  return found;
}

const std::vector<Damage> damages = {
    {"NoBytes", ErrorCode::corrupt, [](const auto& file) { test::TempFolder::write(file, ""); }},
    {"Garbage", ErrorCode::corrupt,
     [](const auto& file) { test::TempFolder::write(file, std::string(8192, 'x')); }},
    {"AnotherProgramsDatabase", ErrorCode::corrupt,
     [](const auto& file) {
       std::filesystem::remove(file);
       sql(file, "CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)");
     }},
    {"ANewerSchema", ErrorCode::newerSchema,
     [](const auto& file) {
       sql(file,
           "UPDATE meta SET version = 7, last_compatible_version = 7; PRAGMA user_version = 7");
     }},
    {"ALogWithoutItsFile", ErrorCode::corrupt,
     [](const auto& file) {
       std::filesystem::remove(file);
       test::TempFolder::write(file.string() + "-wal", "left over");
     }},
    {"OneLetterOfARow", ErrorCode::corrupt,
     [](const auto& file) {
       std::string bytes = test::TempFolder::bytesOf(file);
       bytes.at(rowIn(bytes) + 21) = 'b';
       test::TempFolder::write(file, bytes);
     }},
    {"AWholePage", ErrorCode::corrupt, [](const auto& file) {
       std::string bytes = test::TempFolder::bytesOf(file);
       bytes.replace(rowIn(bytes) / 4096 * 4096, 4096, 4096, '\xA5');
       test::TempFolder::write(file, bytes);
     }}};

class Unreadable : public test::ServiceTest {};

class Damaged : public test::ServiceTest, public ::testing::WithParamInterface<Damage> {
 protected:
  // A store with one decision, damaged before the service opens it.
  Damaged() {
    must(service->setStored(alpha, std::nullopt, false, "t"));
    service.reset();
    good = test::TempFolder::bytesOf(options.path);
    GetParam().harm(options.path);
    damaged = folder_.contents();
    open();
  }
  void putRight() {
    std::filesystem::remove(options.path.string() + "-wal");
    test::TempFolder::write(options.path, good);
  }

  const test::LogCapture log;
  std::string good;
  std::map<std::string, std::string> damaged;
};
INSTANTIATE_TEST_SUITE_P(Store, Damaged, ::testing::ValuesIn(damages),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(Damaged, AnswersPendingRefusesWritesWithTheCauseAndAltersNoByte_I16) {
  const std::string cause(name(GetParam().code));
  const ServiceStatus status = service->status();
  EXPECT_EQ(status.state, ServiceStatus::State::degraded);
  ASSERT_TRUE(status.error);
  EXPECT_EQ(name(status.error->code), cause);
  EXPECT_NE(status.error->message.find(options.path.string()), std::string::npos);

  EXPECT_EQ(show(service->loadSession(s1)), cause);
  EXPECT_EQ(ask(s1, alpha), "pending(store)");
  EXPECT_EQ(show(service->effective(s1, db)), "pending/store");
  EXPECT_EQ(show(service->set(s1, alpha, Scope::global, true, "t")), cause);
  EXPECT_EQ(show(service->setStored(alpha, one, true, "t")), cause);
  EXPECT_EQ(show(service->purge(alpha.key, "t")), cause);
  EXPECT_EQ(show(service->deleteSession(s1)), cause);
  EXPECT_EQ(show(service->refresh()), cause);
  EXPECT_EQ(stored(), Names{cause});
  EXPECT_EQ(history(), Names{cause});
  EXPECT_EQ(heard(), std::vector<Names>{});
  EXPECT_EQ(service->generation(), status.generation);
  EXPECT_EQ(log.lines().size(), 1U) << "told once, not with every try";
  service.reset();
  EXPECT_EQ(folder_.contents(), damaged);
}

TEST_P(Damaged, IsUsedAgainWithTheNextRefreshOnceItIsPutRightAndAnnouncedOnce_I16) {
  must(service->setWorkingDirectory(s2, one));
  must(base(s1, "editor", {states("acme/beta", false)}));
  EXPECT_EQ(heard(), std::vector<Names>{});
  putRight();
  EXPECT_EQ(ask(s1, alpha), "pending(store)") << "until it is told to try again";
  must(service->refresh());
  EXPECT_EQ(heard(), (std::vector<Names>{{s1, s2}}));
  must(service->refresh());
  EXPECT_EQ(heard(), std::vector<Names>{});
  EXPECT_EQ(service->status().state, ServiceStatus::State::ready);
  EXPECT_FALSE(service->status().error);
  must(service->loadSession(s2));
  EXPECT_EQ(ask(s2, alpha), "off global=off");
  EXPECT_EQ(show(service->set(s2, alpha, Scope::workspace, true, "t")),
            "on workspace=on global=off");
}

TEST_P(Damaged, IsUsedAgainWithTheNextLoadOnceItIsPutRight_I16) {
  must(service->setWorkingDirectory(s1, one));
  EXPECT_FALSE(service->loadSession(s2));
  putRight();
  must(service->loadSession(s1));
  EXPECT_EQ(heard(), std::vector<Names>{{s1}}) << "a failed load made no session known";
  EXPECT_EQ(ask(s1, alpha), "off global=off");
}

TEST_F(Unreadable, ForAnotherCauseItSaysSoButAnnouncesNothingNew_I16) {
  must(service->setWorkingDirectory(s1, one));
  service.reset();
  test::TempFolder::write(options.path, "garbage");
  open();
  must(service->setWorkingDirectory(s1, one));
  test::TempFolder::write(options.path, "");
  EXPECT_EQ(show(service->refresh()), "corrupt");
  EXPECT_NE(service->status().error.value().message.find("empty"), std::string::npos);
  EXPECT_EQ(heard(), std::vector<Names>{}) << "it was pending(store) and still is";
}

TEST_F(Unreadable, ARefusedNewerSchemaIsNamedBesideOurOwn_I16) {
  service.reset();
  sql(options.path, "UPDATE meta SET version = 70, last_compatible_version = 60");
  open();
  const std::string message = service->status().error.value().message;
  EXPECT_NE(message.find("70"), std::string::npos) << message;
  EXPECT_NE(message.find("version " + std::to_string(currentSchemaVersion())), std::string::npos)
      << message;
}

TEST_F(Unreadable, AServiceGoesOnWhenItsFileMovesToANewerSchemaThatAllowsIt_I16) {
  settle(s1, one);
  must(service->set(s1, alpha, Scope::session, false, "t"));
  (void)heard();
  sql(options.path,
      "UPDATE meta SET version = 7, last_compatible_version = 2; PRAGMA user_version = 7");
  EXPECT_EQ(show(service->set(s1, beta, Scope::session, false, "t")), "off session=off");
  EXPECT_EQ(service->status().state, ServiceStatus::State::ready);
  EXPECT_EQ(service->status().schemaVersion, 7);
  EXPECT_EQ(ask(s1, alpha), "off session=off");
  EXPECT_EQ(heard(), (std::vector<Names>{{s1}})) << "its own write, and nothing else";
}

TEST_F(Unreadable, ANewerSchemaThatAllowsOurVersionIsUsed_I16) {
  service.reset();
  sql(options.path,
      "UPDATE meta SET version = 7, last_compatible_version = 2; PRAGMA user_version = 7");
  open();
  EXPECT_EQ(service->status().state, ServiceStatus::State::ready);
  EXPECT_EQ(service->status().schemaVersion, 7);
  settle(s1, one);
  EXPECT_EQ(show(service->set(s1, alpha, Scope::session, false, "t")), "off session=off");
  restart();
  EXPECT_EQ(stored(), Names{"session s1 acme/alpha off"});
}

TEST_F(Unreadable, AFailedLoadLeavesTheSessionNotLoadedAndTheNextOneTriesAgain_I16) {
  settle(s1, one);
  must(service->set(s2, alpha, Scope::session, false, "t"));
  must(service->setStored(beta, std::nullopt, false, "t"));
  must(service->setWorkingDirectory(s2, one));
  (void)heard();
  sql(options.path, "UPDATE decision SET enabled = 1");
  EXPECT_EQ(show(service->loadSession(s2)), "corrupt");
  EXPECT_EQ(heard(), (std::vector<Names>{{s1, s2}})) << "what was on or off is pending now";
  EXPECT_EQ(show(service->loadSession(s2)), "corrupt");
  EXPECT_EQ(heard(), std::vector<Names>{});
  EXPECT_EQ(ask(s1, beta), "pending(store)");
  sql(options.path, "UPDATE decision SET enabled = 0");
  must(service->loadSession(s2));
  EXPECT_EQ(heard(), (std::vector<Names>{{s1, s2}}));
  EXPECT_EQ(ask(s2, alpha), "off session=off");
  EXPECT_EQ(ask(s1, beta), "off global=off");
}

}  // namespace
}  // namespace enablement
