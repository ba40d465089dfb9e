// Another process, for tests. What it is to do comes as arguments, or line by line:
//
//   sql FILE STATEMENTS    runs them and ends
//   hold FILE STATEMENTS   runs them, says "ready", and keeps the connection until its input ends
//   serve FILE             a service in a settled session; answers each line of its input
//   alternate FILE         two full replaces in turn until it is killed; says the number of each
//   write FILE NAME COUNT  COUNT decisions of its own about NAME-0, NAME-1 …; tries again when busy
//   migrate FILE V N       to schema version V, but ends before its N-th statement; says how many
//                          steps it took
#include <sqlite3.h>
#include <unistd.h>

#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <enablement/resolver/service.h>
#include <enablement/store/upkeep.h>

namespace enablement {
namespace {

constexpr std::string_view session = "ahp://copilot/session-1";

int complain(const std::string& what) {
  std::cerr << "child: " << what << std::endl;
  return 1;
}

std::unique_ptr<EnablementService> openSettled(const std::string& file) {
  ServiceOptions options;
  options.path = file;
  auto service = EnablementService::open(options);
  (void)service->loadSession(session);
  (void)service->setWorkingDirectory(session, WorkingDirectory::directory("file:///repo").value());
  return service;
}

int runSql(const std::string& file, const std::string& statements, bool holds) {
  sqlite3* database = nullptr;
  if (sqlite3_open_v2(file.c_str(), &database, SQLITE_OPEN_READWRITE, nullptr) != SQLITE_OK)
    return complain("cannot open " + file);
  sqlite3_busy_timeout(database, 20'000);
  if (sqlite3_exec(database, statements.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    return complain(statements + ": " + sqlite3_errmsg(database));
  if (holds) {
    std::cout << "ready" << std::endl;
    for (std::string line; std::getline(std::cin, line);) {
    }
  }
  return sqlite3_close(database) == SQLITE_OK ? 0 : 1;
}

template <typename T>
std::string outcome(const Result<T>& result) {
  return result ? "ok" : std::string(name(result.error().code));
}

std::string answer(const Resolution& resolution) {
  if (std::holds_alternative<Pending>(resolution)) return "pending";
  return std::get<Resolved>(resolution).enabled() ? "on" : "off";
}

// "set TARGET SCOPE on|off", "clear TARGET SCOPE", "resolve TARGET", "refresh", "state".
std::string reply(EnablementService& service, const std::string& line) {
  std::istringstream words(line);
  std::string verb;
  std::string target;
  std::string scopeWord;
  std::string value;
  words >> verb >> target >> scopeWord >> value;
  if (verb == "refresh") return outcome(service.refresh());
  if (verb == "state")
    return service.status().state == ServiceStatus::State::ready ? "ready" : "degraded";
  const Target about{TargetKey::parse(target).value()};
  if (verb == "resolve") return answer(service.resolve(session, about));
  const Scope scope = parseScope(scopeWord).value();
  if (verb == "set") return outcome(service.set(session, about, scope, value == "on", "child"));
  if (verb == "clear") return outcome(service.clear(session, about, scope, "child"));
  return "what?";
}

int serve(const std::string& file) {
  const auto service = openSettled(file);
  std::cout << "ready" << std::endl;
  for (std::string line; std::getline(std::cin, line);)
    std::cout << reply(*service, line) << std::endl;
  return 0;
}

int alternate(const std::string& file) {
  const auto service = openSettled(file);
  const Target target{TargetKey::plugin("acme/alternating").value()};
  const std::vector<ReplaceEntry> odd{
      {Scope::session, false}, {Scope::workspace, true}, {Scope::global, false}};
  const std::vector<ReplaceEntry> even{{Scope::session, true}, {Scope::workspace, false}};
  for (int number = 1;; ++number) {
    const auto done = service->replace(session, target, number % 2 == 1 ? odd : even, "child");
    if (!done) return complain(describe(done.error()));
    std::cout << number << std::endl;
  }
}

// How many more statements may begin; negative: any number.
int statementsLeft = -1;

int countStatement(unsigned /*event*/, void* /*context*/, void* /*statement*/, void* /*sql*/) {
  if (statementsLeft > 0 && --statementsLeft == 0) ::_exit(9);  // nothing is closed
  return 0;
}

int watchStatements(sqlite3* database, char** /*message*/, const sqlite3_api_routines* /*api*/) {
  return sqlite3_trace_v2(database, SQLITE_TRACE_STMT, countStatement, nullptr);
}

int migrateUntil(const std::string& file, int version, int statement) {
  sqlite3_auto_extension(reinterpret_cast<void (*)()>(watchStatements));
  StoreOptions options;
  options.path = file;
  const auto rehearsed = rehearseMigration(options, version);
  if (!rehearsed) return complain(describe(rehearsed.error()));
  statementsLeft = statement;
  const auto run = runMigration(options, *rehearsed);
  if (!run) return complain(describe(run.error()));
  std::cout << run->steps.size() << std::endl;
  return 0;
}

int write(const std::string& file, const std::string& name, int count) {
  const auto service = openSettled(file);
  int busy = 0;
  for (int i = 0; i < count;) {
    const Target target{TargetKey::plugin(name + "-" + std::to_string(i)).value()};
    const auto done = service->set(session, target, Scope::global, false, name);
    if (done) {
      ++i;
    } else if (done.error().code == ErrorCode::busy) {
      ++busy;
    } else {
      return complain(describe(done.error()));
    }
  }
  std::cout << busy << std::endl;
  return 0;
}

int run(const std::vector<std::string>& words) {
  const std::size_t count = words.size();
  if (count == 3 && words[0] == "sql") return runSql(words[1], words[2], false);
  if (count == 3 && words[0] == "hold") return runSql(words[1], words[2], true);
  if (count == 2 && words[0] == "serve") return serve(words[1]);
  if (count == 2 && words[0] == "alternate") return alternate(words[1]);
  if (count == 4 && words[0] == "write") return write(words[1], words[2], std::stoi(words[3]));
  if (count == 4 && words[0] == "migrate")
    return migrateUntil(words[1], std::stoi(words[2]), std::stoi(words[3]));
  return complain("what?");
}

}  // namespace
}  // namespace enablement

int main(int argc, char** argv) {
  return enablement::run({argv + 1, argv + argc});
}
