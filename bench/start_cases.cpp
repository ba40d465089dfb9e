#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cmath>
#include <exception>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <enablement/bench/allocations.h>
#include <enablement/bench/cases.h>
#include <enablement/bench/must.h>
#include <enablement/bench/peers/files.h>
#include <enablement/bench/peers/string_maps.h>

namespace enablement::bench {
namespace {

// The files of one data set, closed.
struct Files {
  std::string store;
  std::string json;
};

// Asks the kernel to forget what it holds of a file. The file must not be open with SQLite.
void chill(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  must(file >= 0 && ::fsync(file) == 0 && ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0,
       "cannot make " + path + " cold");
  ::close(file);
}

std::unique_ptr<EnablementService> opened(const Files& files) {
  auto service = EnablementService::open({.path = files.store});
  must(service->status().state == ServiceStatus::State::ready, "the store does not open");
  return service;
}

void addSessions(StringMaps& maps, const DataSet& data) {
  for (std::uint32_t i = 0; i < data.size().sessions; ++i)
    maps.session(data.sessions()[i], data.folderOf(i));
}

std::shared_ptr<void> readRows(const Files& files, const DataSet& data) {
  const auto maps = std::make_shared<StringMaps>();
  addSessions(*maps, data);
  sqlite3* database = nullptr;
  sqlite3_stmt* rows = nullptr;
  must(
      sqlite3_open_v2(files.store.c_str(), &database, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK &&
          sqlite3_prepare_v2(database,
                             "SELECT scope, place, owner_uri, name, enabled FROM decision", -1,
                             &rows, nullptr) == SQLITE_OK,
      "cannot read " + files.store);
  const auto text = [&](int column) {
    return std::string_view(reinterpret_cast<const char*>(sqlite3_column_text(rows, column)),
                            static_cast<std::size_t>(sqlite3_column_bytes(rows, column)));
  };
  std::size_t count = 0;
  for (; sqlite3_step(rows) == SQLITE_ROW; ++count) {
    std::string key(text(2));
    if (!text(3).empty()) key.append("#mcp=").append(text(3));
    maps->decide(*parseScope(text(0)), text(1), key, sqlite3_column_int(rows, 4) != 0);
  }
  sqlite3_finalize(rows);
  sqlite3_close(database);
  must(count == data.decisions().size(), "rows are missing");
  return maps;
}

std::shared_ptr<void> readJson(const Files& files, const DataSet& data) {
  const auto maps = std::make_shared<StringMaps>();
  addSessions(*maps, data);
  const auto all = nlohmann::json::parse(std::ifstream(files.json));
  for (const auto& [scope, places] : all.items())
    for (const auto& [place, keys] : places.items())
      for (const auto& [key, enabled] : keys.items())
        maps->decide(*parseScope(scope), place, key, enabled.get<bool>());
  return maps;
}

// What was made is given back, so that taking it down is not timed.
struct Start {
  std::string name;
  std::string file;  // what is made cold
  std::function<std::shared_ptr<void>()> run;
};

// In a thread of its own: a thread keeps the last states that it read, and lets go of them while it
// reads the next service's.
Nanoseconds timed(const Start& start) {
  Nanoseconds took = 0;
  std::exception_ptr failed;
  std::thread([&] {
    try {
      const auto begin = std::chrono::steady_clock::now();
      const auto made = start.run();
      took = since(begin);
    } catch (...) {
      failed = std::current_exception();
    }
  }).join();
  if (failed) std::rethrow_exception(failed);
  return took;
}

void startsOf(Section& section, const Settings& settings, const DataSet& data, const Files& files) {
  const std::string size(data.size().name);
  const std::vector<Start> starts{
      {"open", files.store, [&] { return std::shared_ptr<void>(opened(files)); }},
      {"open, load every session", files.store,
       [&] {
         auto service = opened(files);
         settle(*service, data);
         return std::shared_ptr<void>(std::move(service));
       }},
      {"peer: rows of sqlite3 into maps", files.store, [&] { return readRows(files, data); }},
      {"peer: JSON into maps", files.json, [&] { return readJson(files, data); }},
  };
  for (const bool isCold : {false, true}) {
    const std::string stored = size + (isCold ? ", cold" : ", warm");
    std::vector<std::vector<Nanoseconds>> times(starts.size());
    const std::size_t rounds = settings.scaled(15, 1);
    for (std::size_t round = 0; round < rounds; ++round)
      for (std::size_t i = 0; i < starts.size(); ++i) {
        if (isCold) chill(starts[i].file);
        times[i].push_back(timed(starts[i]));
      }
    std::vector<Nanoseconds> medians;
    for (std::size_t i = 0; i < starts.size(); ++i) {
      medians.push_back(quantile(times[i], 0.5));
      section.lines.push_back({starts[i].name, stored, {.median = medians.back()}});
    }
    section.comparisons.push_back({"open / rows of sqlite3", stored, medians[0] / medians[2], "×"});
    section.comparisons.push_back({"open, load every session / rows of sqlite3", stored,
                                   medians[1] / medians[2], "×", atMost(1.3)});
    section.comparisons.push_back({"JSON / open, load every session", stored,
                                   medians[3] / medians[1], "×",
                                   size == sizeB.name ? std::optional(atLeast(2)) : std::nullopt});
  }
}

// Bytes that are live while a service exists which `make` made. It is made in a thread that has
// ended by then, with the states that it kept; what was there before is not touched, so that
// nothing is left when the service is gone.
double bytesOf(const std::function<std::unique_ptr<EnablementService>()>& make) {
  const LiveBytes live;
  std::unique_ptr<EnablementService> service;
  std::thread([&] { service = make(); }).join();
  const auto weight = static_cast<double>(live.sinceStart());
  std::thread([&] { service.reset(); }).join();
  must(weight > 0 && std::abs(static_cast<double>(live.sinceStart())) < weight / 50,
       "what a service weighs was not counted whole");
  return weight;
}

void weigh(Section& section, const DataSet& data, const Files& files) {
  const auto count = static_cast<double>(data.decisions().size());
  const double shared = bytesOf([&] { return opened(files); });
  const double whole = bytesOf([&] {
    auto service = opened(files);
    settle(*service, data);
    return service;
  });
  const double sessions = bytesOf([&] {
    auto service = EnablementService::open({});
    settle(*service, data);
    return service;
  });
  const auto add = [&](const char* what, double bytes, std::optional<Goal> goal = {}) {
    section.comparisons.push_back(
        {what, std::string(data.size().name), bytes / count, "bytes", goal});
  };
  const auto goal = data.size().name == sizeB.name ? std::optional(atMost(150)) : std::nullopt;
  add("heap, no session loaded, per decision in the file", shared);
  add("heap, every session loaded, per decision", whole);
  add("of that the sessions as such", sessions);
  add("heap per decision without the sessions as such", whole - sessions, goal);
}

}  // namespace

void startCases(Report& report, const Settings& settings) {
  Section& section = report.section("Start and memory");
  for (const Size& size : {sizeA, sizeB}) {
    const DataSet data(size);
    const std::string path = settings.folder + "/start-" + std::string(size.name);
    const Files files{path + ".db", path + ".json"};
    decide(*EnablementService::open({.path = files.store}), data);
    std::ofstream(files.json) << jsonOf(data);
    startsOf(section, settings, data, files);
    weigh(section, data, files);
  }
  section.notes.emplace_back(
      "Cold: the kernel was asked to forget the file; a virtual disk may not.");
  section.notes.emplace_back("Heap is what `operator new` gave; SQLite's page cache is not in it.");
}

}  // namespace enablement::bench
