// enablectl check, backup, recover, vacuum: the health of a store's file.
#include <array>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

#include <enablement/store/upkeep.h>
#include <enablement/tool/json_output.h>
#include <enablement/tool/progress.h>
#include <enablement/tool/verbs.h>
#include <enablement/tool/words.h>

namespace enablement::tool {
namespace {

std::string inBytes(std::int64_t bytes) {
  static constexpr std::array units{"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (amount >= 1024 && unit + 1 < units.size()) {
    amount /= 1024;
    ++unit;
  }
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.1f %s", amount, units[unit]);
  return text.data();
}

// check

Json toJson(const CheckReport& report) {
  Json checks = Json::array();
  for (const Check& check : report.checks)
    checks.push_back(
        {{"check", check.name}, {"sound", check.problems.empty()}, {"problems", check.problems}});
  return checks;
}

Exit check(const Common& common, bool full) {
  const auto options = storeOptions(common, Access::look);
  if (!options) return complain(options.error());
  const auto report = checkStore(*options, full);
  if (!report) return complain(report.error());
  const Console console = common.console();
  if (common.json) {
    console.print(document({{"path", options->path.string()},
                            {"full", full},
                            {"schemaVersion", report->schemaVersion},
                            {"sound", report->isSound()},
                            {"checks", toJson(*report)}}));
  } else {
    for (const Check& one : report->checks) {
      const bool sound = one.problems.empty();
      std::string name = one.name;
      name.resize(13, ' ');
      console.print(
          name + console.painted(sound ? "sound" : "damaged", sound ? Paint::green : Paint::red));
      for (const std::string& problem : one.problems)
        console.print(wrapped("  " + shown(problem), 4));
    }
    if (!report->isSound())
      console.note(
          "enablectl: restore a backup, or read what can be read: enablectl recover "
          "FILE --into NEW");
  }
  return report->isSound() ? Exit::done : Exit::database;
}

// backup

Exit backup(const Common& common, const std::string& target) {
  const auto options = storeOptions(common, Access::look);
  if (!options) return complain(options.error());
  if (auto copied = backUpStore(*options, target); !copied) return complain(copied.error());
  StoreOptions copy = *options;
  copy.path = target;
  const auto report = checkStore(copy, false);
  if (!report) return complain(report.error());
  std::error_code unknown;
  const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(target, unknown));
  const Console console = common.console();
  if (common.json)
    console.print(document({{"path", options->path.string()},
                            {"backup", target},
                            {"bytes", bytes},
                            {"schemaVersion", report->schemaVersion},
                            {"sound", report->isSound()}}));
  else if (!common.quiet)
    console.say("copied " + shown(options->path.string()) + " to " + shown(target) + " (" +
                inBytes(bytes) + ")");
  if (report->isSound()) return Exit::done;
  return complain(Error{ErrorCode::corrupt, "the copy is damaged, as the store is: " + target,
                        "see what is wrong with: enablectl check --full"});
}

// recover

Json toJson(const RecoveredTable& table) {
  return {{"table", table.name},
          {"read", table.read},
          {"rebuilt", table.rebuilt},
          {"lost", table.lost},
          {"complete", table.readToTheEnd},
          {"problems", table.problems}};
}

void print(const Console& console, const RecoveryReport& report) {
  Table table({{"TABLE"}, {"READ"}, {"REBUILT"}, {"LOST"}});
  for (const RecoveredTable& one : report.tables) {
    const std::string more = one.readToTheEnd ? "" : ", perhaps more";
    table.add({{one.name},
               {std::to_string(one.read)},
               {std::to_string(one.rebuilt)},
               {std::to_string(one.lost) + more,
                one.lost > 0 || !one.readToTheEnd ? Paint::red : Paint::plain}});
  }
  table.print(console);
  for (const RecoveredTable& one : report.tables)
    for (const std::string& problem : one.problems)
      console.print(wrapped(one.name + ": " + shown(problem), 2));
}

Exit recover(const Common& common, const std::string& damaged, const std::string& into) {
  StoreOptions options{.path = damaged,
                       .access = Access::look,
                       .busyTimeout = std::chrono::milliseconds(common.busyTimeout)};
  ProgressLine progress(common);
  const auto report = recoverStore(options, into, [&](std::int64_t rows) {
    progress.show("read " + counted(static_cast<std::size_t>(rows), "row"));
  });
  progress.clear();
  if (!report) return complain(report.error());
  const Console console = common.console();
  if (common.json) {
    Json tables = Json::array();
    for (const RecoveredTable& table : report->tables) tables.push_back(toJson(table));
    console.print(document({{"path", damaged},
                            {"into", into},
                            {"schemaVersion", report->schemaVersion},
                            {"complete", report->isComplete()},
                            {"tables", std::move(tables)}}));
  } else {
    print(console, *report);
    if (!common.quiet)
      console.say("recovered into " + shown(into) + "; " + shown(damaged) + " is as it was");
  }
  return report->isComplete() ? Exit::done : Exit::partly;
}

// vacuum

Exit vacuum(const Common& common) {
  const auto options = storeOptions(common, Access::existing);
  if (!options) return complain(options.error());
  const Console console = common.console();
  if (common.dryRun) {
    const auto bytes = reclaimableBytes(*options);
    if (!bytes) return complain(bytes.error());
    if (common.json)
      console.print(document(
          {{"path", options->path.string()}, {"dryRun", true}, {"reclaimableBytes", *bytes}}));
    else
      console.say("would give back about " + inBytes(*bytes));
    return Exit::done;
  }
  const auto report = vacuumStore(*options);
  if (!report) return complain(report.error());
  if (common.json)
    console.print(document({{"path", options->path.string()},
                            {"dryRun", false},
                            {"bytesBefore", report->before},
                            {"bytesAfter", report->after}}));
  else if (!common.quiet)
    console.say(shown(options->path.string()) + ": " + inBytes(report->before) + " -> " +
                inBytes(report->after));
  return Exit::done;
}

void addCheck(CLI::App& app, Common& common) {
  CLI::App& verb =
      addVerb(app, common, "check", "See whether the store's file is whole",
              "Looks at the pages, at every decision, and at the sum that the history keeps of\n"
              "them; --full also at indexes, tables and the history row by row. Exits with 4\n"
              "when something is damaged.\n"
              "\n"
              "Examples:\n"
              "  enablectl check --full");
  auto full = std::make_shared<bool>(false);
  verb.add_flag("--full", *full, "check everything");
  verb.callback(
      [&common, full] { common.run = [full](const Common& c) { return check(c, *full); }; });
}

void addBackup(CLI::App& app, Common& common) {
  CLI::App& verb = addVerb(app, common, "backup", "Copy the store while it is in use",
                           "FILE must not exist. It is a store like the first, of one moment.\n"
                           "\n"
                           "Examples:\n"
                           "  enablectl backup /backups/enablement-monday.db");
  auto target = std::make_shared<std::string>();
  verb.add_option("FILE", *target, "the copy")->option_text(" ")->required();
  verb.callback(
      [&common, target] { common.run = [target](const Common& c) { return backup(c, *target); }; });
}

void addRecover(CLI::App& app, Common& common) {
  CLI::App& verb =
      addVerb(app, common, "recover", "Read what can be read of a damaged store",
              "Goes row by row, from both ends, into a new file. A decision that cannot be read\n"
              "is rebuilt from its history; where both disagree, off wins. FILE stays as it is.\n"
              "Exits with 8 when something was lost.\n"
              "\n"
              "Examples:\n"
              "  enablectl recover damaged.db --into fresh.db");
  auto damaged = std::make_shared<std::string>();
  auto into = std::make_shared<std::string>();
  verb.add_option("FILE", *damaged, "the damaged store")->option_text(" ")->required();
  verb.add_option("--into", *into, "the new file")->option_text("NEW")->required();
  verb.callback([&common, damaged, into] {
    common.run = [damaged, into](const Common& c) { return recover(c, *damaged, *into); };
  });
}

void addVacuum(CLI::App& app, Common& common) {
  CLI::App& verb = addVerb(app, common, "vacuum", "Give back the space that removed rows left",
                           "Examples:\n"
                           "  enablectl vacuum -n\n"
                           "  enablectl vacuum");
  addDryRun(verb, common);
  verb.callback([&common] { common.run = vacuum; });
}

}  // namespace

void addUpkeep(CLI::App& app, Common& common) {
  addCheck(app, common);
  addBackup(app, common);
  addRecover(app, common);
  addVacuum(app, common);
}

}  // namespace enablement::tool
