#include "support.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <utility>

#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

namespace enablement::testing {
namespace {

constexpr unsigned nobody = 65534;

std::string line(std::string_view scope, const std::string& place, const TargetKey& key,
                 std::string_view value) {
  return std::string(scope) + " " + place + ": " + key.printed() + " " + std::string(value);
}

}  // namespace

TempFolder::TempFolder() {
  std::error_code failed;
  const bool inMemory = ::access("/dev/shm", W_OK) == 0;
  const fs::path base = inMemory ? "/dev/shm" : fs::temp_directory_path(failed);
  std::string name = (base / "enablement-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder");
  path_ = name;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

FolderCopy copyOf(const fs::path& folder) {
  FolderCopy copy;
  for (const auto& entry : fs::directory_iterator(folder))
    copy.emplace_back(entry.path().filename(), readFile(entry.path()));
  std::sort(copy.begin(), copy.end());
  return copy;
}

void restore(const fs::path& folder, const FolderCopy& copy) {
  for (const auto& entry : fs::directory_iterator(folder)) fs::remove_all(entry.path());
  for (const auto& [name, bytes] : copy) writeFile(folder / name, bytes);
}

RawDatabase::RawDatabase(const fs::path& file, int flags) {
  const int opened = sqlite3_open_v2(file.c_str(), &handle_, flags, "unix");
  if (opened == SQLITE_OK) return;
  sqlite3_close(handle_);
  throw std::runtime_error("cannot open " + file.string());
}

RawDatabase::~RawDatabase() {
  sqlite3_close(handle_);
}

void RawDatabase::run(const std::string& sql) {
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    throw std::runtime_error(sql + ": " + sqlite3_errmsg(handle_));
}

std::string RawDatabase::ask(const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(handle_, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK)
    throw std::runtime_error(sql + ": " + sqlite3_errmsg(handle_));
  std::string answer;
  const int stepped = sqlite3_step(statement);
  if (stepped == SQLITE_ROW) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
    if (text != nullptr) answer = text;
  }
  sqlite3_finalize(statement);
  if (stepped != SQLITE_ROW && stepped != SQLITE_DONE)
    throw std::runtime_error(sql + ": " + sqlite3_errmsg(handle_));
  return answer;
}

Target plugin(std::string_view uri) {
  return {TargetKey::plugin(uri).value()};
}

Target server(std::string_view serverName, std::string_view owner) {
  return {TargetKey::mcpServer(serverName, owner).value()};
}

WorkingDirectory directory(std::string_view uri) {
  return WorkingDirectory::directory(uri).value();
}

ServiceOptions optionsFor(const fs::path& file) {
  ServiceOptions options;
  options.path = file;
  options.clock = [] { return Timestamp(std::chrono::milliseconds(1'767'225'600'000)); };
  return options;
}

std::string inWords(const Resolution& answer) {
  if (const auto* pending = std::get_if<Pending>(&answer))
    return "pending(" + std::string(name(pending->reason)) + ")";
  return std::get<Resolved>(answer).enabled() ? "on" : "off";
}

std::vector<std::string> contentOf(const EnablementService& service) {
  std::vector<std::string> lines;
  const auto decisions = service.stored();
  if (!decisions) return {"unreadable: " + describe(decisions.error())};
  for (const StoredDecision& row : *decisions)
    lines.push_back(line(name(row.scope), row.place, row.key, row.enabled ? "on" : "off"));
  const auto parts = service.queued();
  if (!parts) return {"unreadable: " + describe(parts.error())};
  for (const QueuedPart& part : *parts)
    lines.push_back("queued by " + part.session + ": " +
                    line(name(part.scope), part.folder, part.target.key, name(part.asked)));
  return lines;
}

void settle(EnablementService& service) {
  (void)service.loadSession(session);
  (void)service.setWorkingDirectory(session, directory(folderUri));
}

void Offs::store(const fs::path& file) const {
  const auto service = EnablementService::open(optionsFor(file));
  settle(*service);
  const std::string_view here = testing::session;
  ASSERT_EQ(outcome(service->set(here, global, Scope::global, false, actor)), "ok");
  ASSERT_EQ(outcome(service->set(here, workspace, Scope::workspace, false, actor)), "ok");
  ASSERT_EQ(outcome(service->set(here, session, Scope::session, false, actor)), "ok");
}

std::vector<std::string> Offs::enabledIn(const EnablementService& service) const {
  std::vector<std::string> enabled;
  for (const Target& target : all())
    if (inWords(service.resolve(testing::session, target)) == "on")
      enabled.push_back(target.key.printed());
  return enabled;
}

std::vector<std::string> Offs::answersOf(const EnablementService& service) const {
  std::vector<std::string> answers;
  for (const Target& target : {global, workspace, session, undecided})
    answers.push_back(inWords(service.resolve(testing::session, target)));
  return answers;
}

LogCounter::LogCounter() {
  spdlog::drop("enablement");
  auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(*text_);
  auto logger = std::make_shared<spdlog::logger>("enablement", std::move(sink));
  logger->set_pattern("%l: %v");
  spdlog::register_logger(std::move(logger));
}

LogCounter::~LogCounter() {
  spdlog::drop("enablement");
}

std::size_t LogCounter::errors() const {
  std::istringstream lines(text_->str());
  std::size_t count = 0;
  for (std::string text; std::getline(lines, text);) count += text.starts_with("error: ") ? 1 : 0;
  return count;
}

bool eventually(const std::function<bool()>& holds, std::chrono::milliseconds most) {
  const auto deadline = std::chrono::steady_clock::now() + most;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

void inAnotherProcess(const std::function<void()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    body();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0) << "the other process failed";
}

bool canBecomeNobody() {
  return ::geteuid() == 0;
}

std::string asNobody(const fs::path& folder, const std::function<std::string()>& body) {
  if (::chown(folder.c_str(), nobody, nobody) != 0) return "cannot give the folder away";
  for (const auto& entry : fs::directory_iterator(folder))
    if (::chown(entry.path().c_str(), nobody, nobody) != 0) return "cannot give a file away";
  int ends[2];
  if (::pipe(ends) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    const bool changed = ::setgid(nobody) == 0 && ::setuid(nobody) == 0;
    const std::string said = changed ? body() : "cannot become nobody";
    const auto written = ::write(ends[1], said.data(), said.size());
    ::_exit(written == static_cast<ssize_t>(said.size()) ? 0 : 1);
  }
  ::close(ends[1]);
  std::string said;
  char buffer[4096];
  for (ssize_t n = 0; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    said.append(buffer, static_cast<std::size_t>(n));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return status == 0 ? said : said + " (the child ended badly)";
}

}  // namespace enablement::testing
