// enablectl doctor: one page for a bug report.
#include <sys/stat.h>

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <enablement/resolver/service.h>

#include "tool_fixture.h"

namespace enablement::testing {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class Doctor : public Tool {
 protected:
  json asJson(std::vector<std::string> arguments, int exit = 0) {
    arguments.emplace_back("--json");
    const Ran ran = onStore(std::move(arguments));
    EXPECT_EQ(ran.exit, exit) << ran.out << ran.err;
    return json::parse(ran.out, nullptr, false);
  }
  void decide() {
    onStore({"disable", "acme/secret"});
    onStore({"enable", "acme/secret", "--directory", "file:///secret"});
    onStore({"disable", "acme/secret", "--session", "s", "--no-directory"});
    onStore({"disable", "acme/secret", "--session", "waits"});
    // A folder part of a session that turns out to have no folder is dropped, and recorded.
    onStore({"enable", "acme/secret", "--session", "t", "--scope", "workspace"});
    const auto service = EnablementService::open({.path = db()});
    EXPECT_TRUE(service->loadSession("t"));
    EXPECT_TRUE(service->setWorkingDirectory("t", WorkingDirectory::none()));
  }
};

TEST_F(Doctor, SaysHowTheStoreIs) {
  decide();
  const Ran page = onStore({"doctor"});
  EXPECT_EQ(page.exit, 0) << page.out;
  expectNarrow(page.out.substr(page.out.find("\nfile")));
  const json found = asJson({"doctor"});
  EXPECT_EQ(found["journalMode"], "wal");
  EXPECT_EQ(found["file"]["mode"], "0600");
  EXPECT_EQ(found["schemaVersion"], found["newestSchema"]);
  EXPECT_EQ(found["counts"]["global"], 1);
  EXPECT_EQ(found["counts"]["workspace"], 1);
  EXPECT_EQ(found["counts"]["session"], 1);
  EXPECT_EQ(found["counts"]["queued"], 1);
  EXPECT_EQ(found["counts"]["unclaimed"], 0);
  ASSERT_THAT(found["troubles"], SizeIs(1));
  EXPECT_EQ(found["troubles"][0]["cause"], "queueDropped");
  EXPECT_THAT(found["problems"], IsEmpty());
  for (const json& check : found["checks"]) EXPECT_EQ(check["sound"], true);
}

TEST_F(Doctor, HidesKeysAndFoldersWhenAsked) {
  decide();
  EXPECT_THAT(onStore({"doctor"}).out, HasSubstr("acme/secret"));
  for (const char* form : {"--redact", "--json"}) {
    const std::string page = onStore({"doctor", "--redact", form}).out;
    EXPECT_THAT(page, Not(HasSubstr("secret")));
    EXPECT_THAT(page, Not(HasSubstr(home().string())));
  }
}

TEST_F(Doctor, SaysWhoHasTheFileOpen) {
  decide();
  const auto service = EnablementService::open({.path = db()});
  const json found = asJson({"doctor"});
  ASSERT_THAT(found["openIn"], SizeIs(1));
  EXPECT_EQ(found["openIn"][0]["process"], getpid());
}

TEST_F(Doctor, SpeaksOfAStoreThatCannotBeUsedAndLeavesItAlone_I16) {
  EXPECT_THAT(asJson({"doctor"}, 4)["problems"], SizeIs(1)) << "it is not there";
  EXPECT_TRUE(fs::is_empty(home()));
  writeFile(db(), "this is somebody's diary, not a database");
  chmod(db().c_str(), 0644);
  const std::string before = read(db());
  const json found = asJson({"doctor"}, 4);
  EXPECT_EQ(found["counts"], nullptr);
  EXPECT_THAT(found["problems"].dump(), HasSubstr("chmod 600"));
  EXPECT_THAT(found["problems"].dump(), HasSubstr("not a database"));
  EXPECT_THAT(asJson({"doctor", "--redact"}, 4).dump(), Not(HasSubstr(home().string())));
  EXPECT_EQ(read(db()), before);
}

}  // namespace
}  // namespace enablement::testing
