// What the tests of faults, processes and threads share: a folder in memory, raw access to a
// store's file, services in words, and a log that counts.
#pragma once

#include <sqlite3.h>

#include <chrono>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <spdlog/sinks/ostream_sink.h>

#include <enablement/resolver/service.h>

#include "disk.h"

namespace enablement::testing {

inline constexpr std::string_view session = "ahp://copilot/session-1";
inline constexpr std::string_view folderUri = "file:///repo";
inline constexpr std::string_view actor = "a test";

// An empty folder, in memory where the system has such a place, removed in the end.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// The files of a folder by name, to put back.
using FolderCopy = std::vector<std::pair<std::string, std::string>>;

// With no service open in this process: closing a store's file would drop SQLite's locks.
FolderCopy copyOf(const fs::path& folder);
void restore(const fs::path& folder, const FolderCopy& copy);

// A connection of SQLite's own, past the fault file system. Throws std::runtime_error.
class RawDatabase {
 public:
  explicit RawDatabase(const fs::path& file, int flags = SQLITE_OPEN_READWRITE);
  ~RawDatabase();
  RawDatabase(const RawDatabase&) = delete;
  RawDatabase& operator=(const RawDatabase&) = delete;

  void run(const std::string& sql);
  // The first column of the first row as text; empty without one.
  std::string ask(const std::string& sql);
  [[nodiscard]] sqlite3* handle() const { return handle_; }

 private:
  sqlite3* handle_ = nullptr;
};

Target plugin(std::string_view uri);
Target server(std::string_view name, std::string_view owner);
WorkingDirectory directory(std::string_view uri);

// With a clock that stands still.
ServiceOptions optionsFor(const fs::path& file);

// "on", "off" or what is pending.
std::string inWords(const Resolution& answer);
// What a call came to: "ok", or the word of its error.
template <typename T>
std::string outcome(const Result<T>& result) {
  return result ? "ok" : std::string(name(result.error().code));
}
// Every decision and queued part in the file, a line each; a line that tells the error if it cannot
// be read.
std::vector<std::string> contentOf(const EnablementService& service);

// Loads the session of these tests and tells its folder.
void settle(EnablementService& service);

// The store that faults are tried on: one off at each scope. Nothing was ever decided about
// `undecided`.
struct Offs {
  Target global = plugin("acme/off-everywhere");
  Target workspace = plugin("acme/off-in-the-folder");
  Target session = plugin("acme/off-in-the-session");
  Target undecided = plugin("acme/undecided");

  void store(const fs::path& file) const;
  [[nodiscard]] std::vector<Target> all() const { return {global, workspace, session}; }
  // The targets that were off and now resolve to on: must be none.
  [[nodiscard]] std::vector<std::string> enabledIn(const EnablementService& service) const;
  // The answers of the four, in words.
  [[nodiscard]] std::vector<std::string> answersOf(const EnablementService& service) const;
};

// Stands in for the library's logger while it lives.
class LogCounter {
 public:
  LogCounter();
  ~LogCounter();
  LogCounter(const LogCounter&) = delete;
  LogCounter& operator=(const LogCounter&) = delete;

  [[nodiscard]] std::size_t errors() const;
  [[nodiscard]] std::string text() const { return text_->str(); }

 private:
  std::shared_ptr<std::ostringstream> text_ = std::make_shared<std::ostringstream>();
};

// Waits until `holds` does, looking all the time; false when that takes longer than `most`.
bool eventually(const std::function<bool()>& holds,
                std::chrono::milliseconds most = std::chrono::seconds(20));

// Runs `body` in a child process, which may end itself or return. With no store open in this
// process but such as `body` does not touch; a failure of the child is one of the test.
void inAnotherProcess(const std::function<void()>& body);

// Runs `body` in a child process as the user `nobody`, who is bound by permission bits, and returns
// what it returned. With no store open in this process.
std::string asNobody(const fs::path& folder, const std::function<std::string()>& body);
[[nodiscard]] bool canBecomeNobody();

}  // namespace enablement::testing
