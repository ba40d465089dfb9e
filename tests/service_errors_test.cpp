// A call that fails changes nothing, in memory or on disk, announces nothing and makes no session
// known (I14).
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "service_fixture.h"

namespace enablement {
namespace {

using test::must;
using test::Names;
using test::show;
using test::states;

class Refused : public test::ServiceTest {
 protected:
  // s1 works in a folder, s2 in none, s3 is not known; there are rows in every table.
  Refused() {
    settle(s1, one);
    settle(s2, none);
    for (const Scope scope : precedence) must(service->set(s1, alpha, scope, false, "t"));
    must(service->set("waiting", alpha, Scope::session, false, "t"));
    must(base(s1, "editor", {states("acme/beta", false)}));
    (void)heard();
  }
  // All there is to see.
  std::vector<Names> everything() {
    std::vector<Names> all = {stored(), queued(), history(), {}, {}};
    for (const auto& session : {s1, s2, s3})
      for (const Target& target : {alpha, beta, db}) all[3].push_back(ask(session, target));
    all[4] = {std::to_string(service->generation())};
    for (const auto& event : heard()) all.push_back(event);
    return all;
  }
  using Call = std::function<Status()>;
  // Each fails with the code and leaves everything as it was, and its session not known.
  void expect(const std::string& code, const std::vector<Call>& calls) {
    const auto before = everything();
    for (std::size_t i = 0; i < calls.size(); ++i) {
      EXPECT_EQ(show(calls[i]()), code) << "call " << i;
      EXPECT_EQ(everything(), before) << code << ", call " << i;
    }
  }
  Status replace(const std::string& session, std::vector<ReplaceEntry> list) {
    return service->replace(session, alpha, std::move(list), "t").map([](const auto&) {});
  }
  Status change(const std::string& session, Scope scope, bool enabled = true) {
    return service->set(session, alpha, scope, enabled, "t").map([](const auto&) {});
  }
  Status clear(const std::string& session, Scope scope) {
    return service->clear(session, alpha, scope, "t").map([](const auto&) {});
  }

  const std::vector<ReplaceEntry> twice = {{Scope::global, true}, {Scope::global, false}};
  const std::vector<ReplaceEntry> foreign = {{Scope::workspace, true, "file:///two"}};
};

TEST_F(Refused, ABadArgumentOrUriChangesNothing_I14) {
  const std::string broken = "\xFF", endless(65'537, 's');
  expect(
      "invalidArgument",
      {[&] { return replace(s1, twice); }, [&] { return replace(s3, twice); },
       [&] {
         return replace(s2, {{Scope::workspace, true}, {Scope::workspace, true, "file:///two"}});
       },
       [&] { return change("", Scope::global); }, [&] { return change(broken, Scope::global); },
       [&] { return change(endless, Scope::global); }, [&] { return service->loadSession(""); },
       [&] { return service->setWorkingDirectory(broken, one); },
       [&] { return service->setTurnActive("", true); }, [&] { return service->closeSession(""); },
       [&] { return service->deleteSession(endless); }, [&] { return base("", "editor", {}); },
       [&] { return base(s3, "", {}); }, [&] { return base(s3, endless, {}); },
       [&] {
         return base(s3, "editor", {{"acme/alpha", {}, {{"", {}}}}});
       },
       [&] {
         return base(s1, "editor", {states("acme/alpha", true), {"acme/beta", {}, {{"\n", {}}}}});
       },
       [&] { return service->setStored(alpha, none, true, "t"); },
       [&] { return service->clearStored(alpha, unknown, "t"); },
       [&] { return service->backup(options.path); }});
  expect("invalidUri", {[&] { return base(s3, "editor", {states("/bare/path", true)}); },
                        [&] { return base(s1, "editor", {states("file:///x?y", true)}); },
                        [&] {
                          return replace(s3, {{Scope::workspace, true, "/two"}});
                        },
                        [&] {
                          return replace(s2, {{Scope::workspace, true, "acme/two"}});
                        }});
  EXPECT_EQ(known(), (Names{s1, s2, "waiting"}));
}

TEST_F(Refused, AWorkspaceThatIsNotTheSessionsChangesNothing_I14) {
  expect("noWorkspace",
         {[&] { return change(s2, Scope::workspace); }, [&] { return clear(s2, Scope::workspace); },
          [&] {
            return replace(s2, {{Scope::global, true}, {Scope::workspace, true}});
          },
          [&] { return replace(s2, foreign); }});
  expect("foreignWorkspace", {[&] { return replace(s1, foreign); }});
  // As soon as the folder is known, loaded or not.
  must(service->setWorkingDirectory("waiting", none));
  expect("noWorkspace", {[&] { return change("waiting", Scope::workspace); }});
  must(service->setWorkingDirectory("waiting", one));
  expect("foreignWorkspace", {[&] { return replace("waiting", foreign); }});
}

TEST_F(Refused, TheFolderErrorsAreOnlyAboutWorkspaceEntriesThatDiffer_I14) {
  must(replace(s2, {{Scope::session, false}}));
  must(replace(s1, {{Scope::workspace, false, "FILE://localhost/one/"}}));
  must(replace(s1, {{Scope::global, false, "file:///two"}, {Scope::session, true, "no uri"}}));
  must(replace(s3, foreign));
}

TEST_F(Refused, ABatchIsRefusedAsAWhole_I14) {
  const Write good{beta, Set{Scope::session, false}};
  const auto batch = [&](const std::string& session, const Write& bad) {
    return service->batch(session, std::vector<Write>{good, bad}, "t").map([](const auto&) {});
  };
  expect("noWorkspace", {[&] { return batch(s2, {alpha, Set{Scope::workspace, false}}); }});
  expect("foreignWorkspace", {[&] { return batch(s1, {alpha, Replace{foreign}}); }});
  expect("invalidArgument", {[&] { return batch(s2, {alpha, Replace{twice}}); }});
}

TEST_F(Refused, ABusyFileChangesNothingAndTheNextCallWorks_I14) {
  const std::vector<Call> writes = {[&] { return change(s1, Scope::session); },
                                    [&] { return change(s3, Scope::session); },
                                    [&] { return clear(s1, Scope::global); },
                                    [&] { return replace(s1, {}); },
                                    [&] { return service->setStored(beta, one, false, "t"); },
                                    [&] { return service->clearStored(alpha, std::nullopt, "t"); },
                                    [&] { return service->purge(alpha.key, "t"); },
                                    [&] { return service->deleteSession(s1); }};
  {
    const test::OtherWriter other(options.path);
    expect("busy", writes);
  }
  EXPECT_EQ(known(), (Names{s1, s2, "waiting"}));
  for (const Call& write : writes) EXPECT_EQ(show(write()), "done");
}

TEST_F(Refused, ArgumentsAreCheckedFirstThenTheFolderThenTheStore_I14) {
  const test::OtherWriter other(options.path);
  expect("invalidArgument", {[&] { return replace(s2, {foreign[0], twice[0], twice[1]}); }});
  expect("noWorkspace", {[&] { return change(s2, Scope::workspace); }});
  expect("foreignWorkspace", {[&] { return replace(s1, foreign); }});
  expect("busy", {[&] { return change(s1, Scope::workspace); }});
}

TEST_F(Refused, ALimitChangesNothingAndWhatIsStoredCanStillChange_I13_I14) {
  options.decisionCap = 3;
  restart();
  settle(s1, one);
  expect("limit",
         {[&] { return service->setStored(beta, one, false, "t"); },
          [&] { return service->set(s1, db, Scope::session, false, "t").map([](auto&&) {}); }});
  must(change(s1, Scope::session));
  must(clear(s1, Scope::global));
  must(service->setStored(beta, one, false, "t"));
}

TEST_F(Refused, AServiceThatOnlyLooksOrIsClosedChangesNothing_I14) {
  options.access = Access::look;
  restart();
  settle(s1, one);
  EXPECT_TRUE(service->status().readOnly);
  expect(
      "readOnly",
      {[&] { return change(s1, Scope::session); }, [&] { return change(s3, Scope::global); },
       [&] { return service->purge(alpha.key, "t"); }, [&] { return service->deleteSession(s1); }});
  EXPECT_EQ(ask(s1, alpha), "off session=off workspace=off global=off");
  service->close();
  expect("invalidArgument",
         {[&] { return change(s1, Scope::session); }, [&] { return service->loadSession(s1); },
          [&] { return service->closeSession(s1); }, [&] { return base(s1, "editor", {}); },
          [&] { return service->refresh(); }});
  EXPECT_EQ(service->status().state, ServiceStatus::State::closed);
}

}  // namespace
}  // namespace enablement
