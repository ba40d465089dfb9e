// enablectl migrate: the schema of a store, looked at and changed.
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <enablement/store/upkeep.h>
#include <enablement/tool/json_output.h>
#include <enablement/tool/usage.h>
#include <enablement/tool/verbs.h>
#include <enablement/tool/words.h>

namespace enablement::tool {
namespace {

std::string inMilliseconds(std::chrono::microseconds time) {
  std::string text(32, '\0');
  const int size = std::snprintf(text.data(), text.size(), "%.1f ms",
                                 static_cast<double>(time.count()) / 1000.0);
  text.resize(static_cast<std::size_t>(size));
  return text;
}

std::string stepName(int version, std::string_view name) {
  return std::to_string(version) + " " + shown(name);
}

std::string listed(const std::vector<Loss>& losses) {
  std::string text;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    if (i > 0) text += i + 1 == losses.size() ? " and " : ", ";
    text += counted(static_cast<std::size_t>(losses[i].count), losses[i].what);
  }
  return text;
}

std::string sentence(const MigrationStep& step, bool dryRun) {
  const bool up = step.direction == Direction::up;
  std::string text = dryRun ? (up ? "would apply " : "would undo ") : (up ? "applied " : "undid ");
  text += stepName(step.version, step.name);
  if (!dryRun) text += " in " + inMilliseconds(step.took);
  if (!step.losses.empty()) text += ", giving up " + listed(step.losses);
  return text;
}

Json toJson(const std::vector<Loss>& losses) {
  Json list = Json::array();
  for (const Loss& loss : losses) list.push_back({{"what", loss.what}, {"count", loss.count}});
  return list;
}

Json toJson(const MigrationFinding& finding) {
  return {{"kind", name(finding.kind)},
          {"version", finding.version},
          {"name", finding.name},
          {"what", finding.what},
          {"remedy", finding.remedy}};
}

Json toJson(const std::vector<MigrationFinding>& findings) {
  Json list = Json::array();
  for (const MigrationFinding& finding : findings) list.push_back(toJson(finding));
  return list;
}

// What is more than a step that waits.
std::vector<MigrationFinding> broken(std::vector<MigrationFinding> findings) {
  std::erase_if(findings, [](const MigrationFinding& finding) {
    return finding.kind == MigrationFinding::Kind::pending;
  });
  return findings;
}

void print(const Console& console, const MigrationFinding& finding) {
  console.say(std::string(name(finding.kind)) + ": step " +
              stepName(finding.version, finding.name) + " " + shown(finding.what));
  console.print("  " + finding.remedy);
}

// status

Exit exitOf(const SchemaState& state, bool exitCode) {
  if (!exitCode) return Exit::done;
  if (isBroken(state.findings)) return Exit::migration;
  return state.findings.empty() ? Exit::done : Exit::no;
}

Json statusDocument(const StoreOptions& options, const SchemaState& state) {
  Json applied = Json::array();
  for (const AppliedMigration& step : state.applied)
    applied.push_back({{"version", step.version},
                       {"name", step.name},
                       {"sha256", step.sha256},
                       {"appliedAt", utc(step.at)},
                       {"durationUs", step.took.count()}});
  return {{"path", options.path.string()},
          {"version", state.version},
          {"newest", currentSchemaVersion()},
          {"applied", std::move(applied)},
          {"findings", toJson(state.findings)}};
}

Exit status(const Common& common, bool exitCode) {
  const auto options = storeOptions(common, Access::look);
  if (!options) return complain(options.error());
  const auto state = schemaState(*options);
  if (!state) return complain(state.error());
  const Console console = common.console();
  if (common.json) {
    console.print(document(statusDocument(*options, *state)));
    return exitOf(*state, exitCode);
  }
  console.say(shown(options->path.string()) + " has schema version " +
              std::to_string(state->version) + ", this program writes version " +
              std::to_string(currentSchemaVersion()));
  for (const AppliedMigration& step : state->applied)
    console.print("applied " + stepName(step.version, step.name) + " in " +
                  inMilliseconds(step.took) + ", " + utc(step.at));
  for (const MigrationFinding& finding : state->findings) {
    if (finding.kind == MigrationFinding::Kind::pending)
      console.print("would apply " + stepName(finding.version, finding.name));
    else
      print(console, finding);
  }
  return exitOf(*state, exitCode);
}

// up, down, goto

Json runDocument(const Common& common, const StoreOptions& options, const MigrationRun& run) {
  Json steps = Json::array();
  for (const MigrationStep& step : run.steps)
    steps.push_back({{"version", step.version},
                     {"name", step.name},
                     {"direction", step.direction == Direction::up ? "up" : "down"},
                     {"durationUs", common.dryRun ? Json() : Json(step.took.count())},
                     {"losses", toJson(step.losses)}});
  return {{"path", options.path.string()},
          {"dryRun", common.dryRun},
          {"created", run.creates},
          {"from", run.from},
          {"to", run.to},
          {"steps", std::move(steps)}};
}

void print(const Common& common, const StoreOptions& options, const MigrationRun& run) {
  const Console console = common.console();
  if (common.json) return console.print(document(runDocument(common, options, run)));
  if (run.creates)
    console.say((common.dryRun ? "would create " : "created ") + shown(options.path.string()));
  for (const MigrationStep& step : run.steps) console.say(sentence(step, common.dryRun));
  if (common.quiet) return;
  if (run.steps.empty())
    console.say("nothing to do: the schema has version " + std::to_string(run.to));
  else
    console.say("schema version " + std::to_string(run.from) + " -> " + std::to_string(run.to));
}

// Steps on top of what other scripts have made would do harm.
std::optional<Exit> refuseBroken(const StoreOptions& options) {
  const auto state = schemaState(options);
  if (!state) return std::nullopt;  // told by the rehearsal
  const auto findings = broken(state->findings);
  if (findings.empty()) return std::nullopt;
  const MigrationFinding& first = findings.front();
  return complain(
      Error{ErrorCode::corrupt,
            "nothing was migrated: step " + stepName(first.version, first.name) + " " + first.what,
            "see all: enablectl migrate validate"},
      Exit::migration);
}

// The version that so many steps lead to; none: as far as it goes.
Result<int> versionAfter(const StoreOptions& options, Direction direction,
                         std::optional<int> steps) {
  const auto state = schemaState(options);
  int version = 0;
  if (state)
    version = state->version;
  else if (state.error().code != ErrorCode::io)
    return fail(state.error());
  if (direction == Direction::down) return std::max(version - steps.value_or(1), 0);
  const int newest = std::max(version, currentSchemaVersion());
  return steps ? std::min(version + *steps, newest) : newest;
}

Exit migrateTo(const Common& common, const StoreOptions& options, int version) {
  if (const auto refused = refuseBroken(options)) return *refused;
  const auto rehearsed = rehearseMigration(options, version);
  if (!rehearsed) return complain(rehearsed.error());
  if (common.dryRun) {
    print(common, options, *rehearsed);
    return Exit::done;
  }
  if (const auto losses = rehearsed->losses(); !losses.empty()) {
    const std::string what =
        "going down to schema version " + std::to_string(version) + " gives up " + listed(losses);
    if (!common.yes && !confirmed(common, what + ". Go on?", false))
      return complain(Error{ErrorCode::invalidArgument, "nothing was migrated: " + what,
                            "make a backup first (enablectl backup FILE), then say -y"},
                      Exit::no);
  }
  const auto run = runMigration(options, *rehearsed);
  if (!run) return complain(run.error());
  print(common, options, *run);
  return Exit::done;
}

Exit climb(const Common& common, Direction direction, std::optional<int> steps) {
  const auto options = storeOptions(common, Access::readWrite);
  if (!options) return complain(options.error());
  if (direction == Direction::down) {
    const auto exists = storeExists(common);
    if (!exists) return complain(exists.error());
    if (!*exists) return complain(schemaState(*options).error());
  }
  const auto version = versionAfter(*options, direction, steps);
  if (!version) return complain(version.error());
  return migrateTo(common, *options, *version);
}

Exit goTo(const Common& common, int version) {
  const auto options = storeOptions(common, Access::readWrite);
  if (!options) return complain(options.error());
  return migrateTo(common, *options, version);
}

// validate, repair

Exit validateBookkeeping(const Common& common) {
  const auto options = storeOptions(common, Access::look);
  if (!options) return complain(options.error());
  const auto state = schemaState(*options);
  if (!state) return complain(state.error());
  const bool sound = !isBroken(state->findings);
  const Console console = common.console();
  if (common.json) {
    console.print(document({{"path", options->path.string()},
                            {"version", state->version},
                            {"newest", currentSchemaVersion()},
                            {"sound", sound},
                            {"findings", toJson(state->findings)}}));
  } else {
    for (const MigrationFinding& finding : state->findings) print(console, finding);
    if (state->findings.empty())
      console.say("every step is the one that this program's scripts describe");
  }
  return sound ? Exit::done : Exit::migration;
}

void printRepair(const Common& common, const StoreOptions& options,
                 const std::vector<MigrationFinding>& findings) {
  const Console console = common.console();
  if (common.json)
    return console.print(document({{"path", options.path.string()},
                                   {"dryRun", common.dryRun},
                                   {"repaired", toJson(findings)}}));
  for (const MigrationFinding& finding : findings)
    console.say((common.dryRun ? "would accept step " : "accepted step ") +
                stepName(finding.version, finding.name) + " (" + std::string(name(finding.kind)) +
                ")");
  if (findings.empty()) console.say("nothing to repair");
}

Exit repair(const Common& common) {
  const auto options = storeOptions(common, Access::existing);
  if (!options) return complain(options.error());
  const auto state = schemaState(*options);
  if (!state) return complain(state.error());
  const auto findings = broken(state->findings);
  if (common.dryRun || findings.empty()) {
    printRepair(common, *options, findings);
    return Exit::done;
  }
  const Console console = common.console();
  if (!common.json)
    for (const MigrationFinding& finding : findings) print(console, finding);
  if (!common.yes &&
      !confirmed(common, "Take this program's scripts for those that made the file?", false))
    return complain(Error{ErrorCode::invalidArgument, "nothing was repaired",
                          "compare the tables first (enablectl check --full), then say -y"},
                    Exit::no);
  if (auto repaired = repairMigrations(*options); !repaired) return complain(repaired.error());
  printRepair(common, *options, findings);
  return Exit::done;
}

// Subverbs.

void addLockTimeout(CLI::App& verb, Common& common) {
  verb.add_option("--lock-timeout", common.busyTimeout, "how long to wait for the lock (2000)")
      ->option_text("MS")
      ->check(numberFrom(0, 3'600'000));
}

void addClimb(CLI::App& migrate, Common& common, Direction direction) {
  const bool up = direction == Direction::up;
  CLI::App& verb =
      addVerb(migrate, common, up ? "up" : "down",
              up ? "Apply the steps that wait, or N of them" : "Undo the newest step, or N of them",
              up ? "A store that does not exist is created.\n\n"
                   "Examples:\n  enablectl migrate up -n\n  enablectl migrate up"
                 : "What a step down would lose is counted, and you are asked first. Without a\n"
                   "terminal nothing is lost unless -y is given.\n\n"
                   "Examples:\n  enablectl migrate down -n\n  enablectl migrate down 1");
  addDryRun(verb, common);
  addYes(verb, common);
  addLockTimeout(verb, common);
  auto steps = std::make_shared<std::optional<int>>();
  verb.add_option("N", *steps, "how many steps")->option_text(" ")->check(numberFrom(1, 1'000'000));
  verb.callback([&common, direction, steps] {
    common.run = [direction, steps](const Common& c) { return climb(c, direction, *steps); };
  });
}

void addGoto(CLI::App& migrate, Common& common) {
  CLI::App& verb = addVerb(migrate, common, "goto", "Go up or down to a schema version",
                           "Examples:\n  enablectl migrate goto 1 -n");
  addDryRun(verb, common);
  addYes(verb, common);
  addLockTimeout(verb, common);
  auto version = std::make_shared<int>();
  verb.add_option("V", *version, "the version; 0 is a store without tables")
      ->option_text(" ")
      ->required();
  verb.callback([&common, version] {
    common.run = [version](const Common& c) { return goTo(c, *version); };
  });
}

}  // namespace

void addMigrate(CLI::App& app, Common& common) {
  CLI::App& migrate =
      addVerb(app, common, "migrate", "See and change the schema of the store",
              "A daemon brings an older store up by itself; this is for looking, for trying\n"
              "first, and for going back. All steps are taken in one transaction, or none.\n"
              "\n"
              "Examples:\n"
              "  enablectl migrate status\n"
              "  enablectl migrate up --dry-run");
  migrate.require_subcommand(1);

  CLI::App& statusVerb =
      addVerb(migrate, common, "status", "Which steps are applied and which wait",
              "Examples:\n  enablectl migrate status --exit-code");
  auto exitCode = std::make_shared<bool>(false);
  statusVerb.add_flag("--exit-code", *exitCode, "exit with 1 when steps wait, 6 when some differ");
  statusVerb.callback([&common, exitCode] {
    common.run = [exitCode](const Common& c) { return status(c, *exitCode); };
  });
  addClimb(migrate, common, Direction::up);
  addClimb(migrate, common, Direction::down);
  addGoto(migrate, common);
  CLI::App& validateVerb =
      addVerb(migrate, common, "validate", "Compare what was applied with the scripts",
              "Lists what is missing, changed, out of order or pending, with its remedy.\n\n"
              "Examples:\n  enablectl migrate validate");
  validateVerb.callback([&common] { common.run = validateBookkeeping; });
  CLI::App& repairVerb =
      addVerb(migrate, common, "repair", "Accept the scripts as those applied",
              "Corrects the bookkeeping alone; tables and decisions stay as they are.\n\n"
              "Examples:\n  enablectl migrate repair -n");
  addDryRun(repairVerb, common);
  addYes(repairVerb, common);
  addLockTimeout(repairVerb, common);
  repairVerb.callback([&common] { common.run = repair; });
}

}  // namespace enablement::tool
