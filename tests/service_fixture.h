// What the tests of the store and the service share: a folder of their own, a clock that they move,
// the events they saw, and answers and rows as text that reads well when a comparison fails.
#pragma once

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <SQLiteCpp/SQLiteCpp.h>

#include <enablement/resolver/service.h>

namespace enablement::test {

using Names = std::vector<std::string>;

// For what a test builds on: the test fails here when it fails.
inline void must(const Status& status) {
  if (!status) throw std::runtime_error(describe(status.error()));
}
template <typename Value>
void must(const Result<Value>& result) {
  if (!result) throw std::runtime_error(describe(result.error()));
}

// Gone with everything in it at the end.
class TempFolder {
 public:
  TempFolder() {
    // In memory where that is possible: a commit waits for the device otherwise.
    std::error_code failed;
    const std::filesystem::path memory = "/dev/shm";
    const bool usable =
        std::filesystem::is_directory(memory, failed) && ::access(memory.c_str(), W_OK) == 0;
    std::string made =
        (usable ? memory : std::filesystem::temp_directory_path()) / "enablement-test-XXXXXX";
    if (!::mkdtemp(made.data())) throw std::runtime_error("cannot make " + made);
    path_ = made;
  }
  ~TempFolder() {
    std::error_code failed;
    std::filesystem::remove_all(path_, failed);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

  // Every file with its bytes. Only while no database in it is open in this process: closing a file
  // that SQLite has open drops SQLite's locks.
  [[nodiscard]] std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path_))
      if (entry.is_regular_file()) files[entry.path().filename()] = bytesOf(entry.path());
    return files;
  }
  static std::string bytesOf(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void write(const std::filesystem::path& file, std::string_view bytes) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
  }

 private:
  std::filesystem::path path_;
};

// Stands still until it is moved.
class FakeClock {
 public:
  void at(std::int64_t milliseconds) { *now_ = milliseconds; }
  [[nodiscard]] Clock clock() const {
    return [now = now_] { return Timestamp(std::chrono::milliseconds(now->load())); };
  }

 private:
  std::shared_ptr<std::atomic<std::int64_t>> now_ =
      std::make_shared<std::atomic<std::int64_t>>(1'000);
};

// What the library logs while it lives.
class LogCapture {
 public:
  LogCapture() {
    spdlog::drop("enablement");
    auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(text_);
    auto logger = std::make_shared<spdlog::logger>("enablement", std::move(sink));
    logger->set_pattern("%l %v");
    spdlog::register_logger(std::move(logger));
  }
  ~LogCapture() { spdlog::drop("enablement"); }
  LogCapture(const LogCapture&) = delete;
  LogCapture& operator=(const LogCapture&) = delete;

  [[nodiscard]] Names lines() const {
    Names lines;
    std::istringstream in(text_.str());
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }

 private:
  std::ostringstream text_;
};

// Holds the write lock of a store's file, as another process would.
class OtherWriter {
 public:
  explicit OtherWriter(const std::filesystem::path& file)
      : database_(file.string(), SQLite::OPEN_READWRITE) {
    database_.exec("BEGIN IMMEDIATE");
  }

 private:
  SQLite::Database database_;
};

inline Target plugin(std::string_view uri) {
  return Target{TargetKey::plugin(uri).value()};
}
inline Target server(std::string_view name, std::optional<bool> discoveryDefault = {}) {
  return Target{TargetKey::mcpServer(name).value(), discoveryDefault};
}
inline Target serverOf(std::string_view owner, std::string_view name,
                       std::optional<bool> discoveryDefault = {}) {
  return Target{TargetKey::mcpServer(name, owner).value(), discoveryDefault};
}
inline WorkingDirectory folder(std::string_view uri) {
  return WorkingDirectory::directory(uri).value();
}
// A client's statement about one plugin.
inline StatedPlugin states(std::string_view uri, bool enabled) {
  return {std::string(uri), {{"global", enabled}}};
}

inline std::string word(std::optional<bool> value) {
  return !value ? "-" : *value ? "on" : "off";
}
inline std::string text(std::string_view view) {
  return std::string(view);
}

// "off session=off global=on", "on", "pending(session)".
inline std::string show(const Resolution& answer) {
  if (const auto* pending = std::get_if<Pending>(&answer))
    return "pending(" + text(name(pending->reason)) + ")";
  const auto& resolved = std::get<Resolved>(answer);
  std::string shown = word(resolved.enabled());
  for (const Layer& layer : resolved.enablement())
    shown += " " + text(name(layer.kind)) + "=" + word(layer.enabled);
  return shown;
}
inline std::string show(const Result<Resolution>& answer) {
  return answer ? show(*answer) : text(name(answer.error().code));
}
inline std::string show(const Status& status) {
  return status ? "done" : text(name(status.error().code));
}
// "disabled/container".
inline std::string show(Effective answer) {
  return text(name(answer.state)) + "/" + text(name(answer.reason));
}
inline std::string place(Scope scope, std::string_view at) {
  return text(name(scope)) + (at.empty() ? "" : " " + text(at));
}
// "workspace file:///one acme/alpha off".
inline std::string show(const StoredDecision& row) {
  return place(row.scope, row.place) + " " + row.key.printed() + " " + word(row.enabled);
}
// "s1 workspace file:///one acme/alpha clear"; the folder only where one was named.
inline std::string show(const QueuedPart& part) {
  return part.session + " " + place(part.scope, part.folder) + " " + part.target.key.printed() +
         " " + text(name(part.asked));
}
// "set global acme/alpha - off", of a queued part "queued part s1 session acme/alpha off".
inline std::string show(const HistoryEntry& entry) {
  const std::string what = place(entry.scope, entry.place) + " " +
                           (entry.key ? entry.key->printed() : entry.customizationId) + " ";
  if (entry.subject == HistoryEntry::Subject::decision)
    return text(name(entry.cause)) + " " + what + word(entry.before) + " " + word(entry.after);
  return text(name(entry.cause)) + " part " + entry.session + " " + what +
         (entry.after ? word(entry.after) : "clear");
}
template <typename Row>
Names show(const Result<std::vector<Row>>& rows) {
  if (!rows) return {text(name(rows.error().code))};
  Names shown;
  for (const Row& row : *rows) shown.push_back(show(row));
  return shown;
}

// A service on a store of its own, and a listener that writes down what it hears.
class World {
 protected:
  TempFolder folder_;  // first: the service must be gone before it is

 public:
  World() {
    options.path = folder_ / "enablement.db";
    options.clock = clock.clock();
    options.busyTimeout = std::chrono::milliseconds(30);
    open();
  }

  void open() {
    service = EnablementService::open(options);
    listener_ = service->subscribe([this](const Event& event) { heard_.push_back(event); });
  }
  // Memory is gone, what is stored and queued is kept.
  void restart() {
    service.reset();
    open();
  }
  // Loaded, its folder known; the events of that are forgotten.
  void settle(std::string_view session, const WorkingDirectory& directory) {
    must(service->loadSession(session));
    must(service->setWorkingDirectory(session, directory));
    (void)heard();
  }
  Status base(std::string_view session, std::string_view client,
              const std::vector<StatedPlugin>& plugins) {
    return service->stateClientBase(session, client, plugins);
  }

  [[nodiscard]] std::string ask(std::string_view session, const Target& target) const {
    return show(service->resolve(session, target));
  }
  [[nodiscard]] Names stored() const { return show(service->stored()); }
  [[nodiscard]] Names queued() const { return show(service->queued()); }
  [[nodiscard]] Names history(std::int64_t after = 0) const {
    return show(service->history({.afterSequence = after}));
  }
  [[nodiscard]] std::int64_t sequence() const {
    const auto rows = service->history({.last = 1}).value();
    return rows.empty() ? 0 : rows.back().sequence;
  }
  // The events since the last time, each as the sessions it names.
  std::vector<Names> heard() {
    std::vector<Names> named;
    for (const Event& event : std::exchange(heard_, {})) named.push_back(event.sessions);
    return named;
  }
  [[nodiscard]] const std::vector<Event>& heardEvents() const { return heard_; }
  // The known sessions: those that a change at global scope is announced to.
  Names known() {
    (void)heard();
    const Target probe = plugin("probe/probe");
    must(service->setStored(probe, std::nullopt, false, "probe"));
    const auto named = heard();
    must(service->clearStored(probe, std::nullopt, "probe"));
    (void)heard();
    return named.empty() ? Names() : named.front();
  }

  ServiceOptions options;
  FakeClock clock;
  std::unique_ptr<EnablementService> service;

 private:
  std::vector<Event> heard_;
  Subscription listener_;
};

class ServiceTest : public ::testing::Test, protected World {
 protected:
  const std::string s1 = "s1", s2 = "s2", s3 = "s3";
  const WorkingDirectory one = folder("file:///one"), two = folder("file:///two");
  const WorkingDirectory none = WorkingDirectory::none(), unknown = WorkingDirectory::pending();
  const Target alpha = plugin("acme/alpha"), beta = plugin("acme/beta");
  const Target db = serverOf("acme/alpha", "db");
};

}  // namespace enablement::test
