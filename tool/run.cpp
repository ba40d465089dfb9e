// The command line: which verb, with what.
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <exception>
#include <iostream>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include <enablement/schema/text.h>
#include <enablement/tool/verbs.h>

namespace enablement::tool {
namespace {

constexpr const char* exitCodes =
    "Exit codes: 0 done or enabled; 1 disabled, or mismatches; 2 usage; 3 pending;\n"
    "4 no readable store; 5 busy; 6 migrations differ; 7 write refused; 8 done in\n"
    "part.\n"
    "\n"
    "Start with: enablectl demo\n"
    "Why is it on?           enablectl explain TARGET --session URI --directory DIR\n"
    "Off in this folder:     enablectl disable TARGET --directory .\n"
    "What are the targets?   enablectl list, or enablectl tree FILE\n";

// How many letters have to be added, dropped or changed to get from one word to the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, diagonal + 1, change});
    }
  }
  return row.back();
}

std::string nearestVerb(const CLI::App& app, std::string_view word) {
  std::string nearest;
  std::size_t best = std::numeric_limits<std::size_t>::max();
  for (const CLI::App* verb : app.get_subcommands(nullptr)) {
    if (verb->get_group().empty()) continue;  // not for people
    const std::size_t far = distance(word.substr(0, 64), verb->get_name());
    if (far < best) {
      best = far;
      nearest = verb->get_name();
    }
  }
  return nearest;
}

Exit usage(const std::string& message, const std::string& hint) {
  return complain(Error{ErrorCode::invalidArgument, message, hint});
}

Exit usageError(const CLI::App& app, const CLI::ParseError& error) {
  // The verb that was chosen, e.g. `migrate up`.
  const CLI::App* verb = &app;
  std::string name = "enablectl";
  while (!verb->get_subcommands().empty()) {
    verb = verb->get_subcommands().front();
    name += " " + verb->get_name();
  }
  const std::string help = "see: " + name + " --help";
  if (verb->get_subcommands(nullptr).empty()) return usage(error.what(), help);
  for (const std::string& word : app.remaining(true)) {
    if (word.starts_with('-')) return usage("unknown option " + quote(word), help);
    return usage("unknown verb " + quote(word),
                 "did you mean " + nearestVerb(*verb, word) + "? S" + help.substr(1));
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
    return usage("no verb is named",
                 verb == &app ? help + ", or start with: enablectl demo" : help);
  return usage(error.what(), help);
}

// The library is silent unless somebody wants to hear it.
void logToStandardError() {
  auto logger = spdlog::stderr_logger_mt("enablement");
  logger->set_pattern("enablectl: %l: %v");
  logger->set_level(spdlog::level::debug);
}

Exit runVerb(const Common& common) {
  if (common.verbose) logToStandardError();
  const Exit exit = common.run(common);
  std::cout.flush();
  if (!std::cout) return complain(Error{ErrorCode::io, "cannot write to standard output", {}});
  return exit;
}

}  // namespace

void buildApp(CLI::App& app, Common& common) {
  app.name("enablectl");
  app.description("Decide and explain what is on in an agent host: plugins and MCP servers.");
  app.get_formatter()->column_width(30);
  app.get_formatter()->label("SUBCOMMAND", "VERB");
  app.set_help_flag("-h,--help", "print this and exit");
  app.set_version_flag("--version", "enablectl " ENABLEMENT_VERSION, "print the version and exit");
  app.require_subcommand(1);
  app.footer(exitCodes);
  addCommon(app, common);
  addDryRun(app, common);
  addYes(app, common);
  addDemo(app, common);
  addReadVerbs(app, common);
  addExplain(app, common);
  addTree(app, common);
  addPlan(app, common);
  addList(app, common);
  addWriteVerbs(app, common);
  addPurge(app, common);
  addSessions(app, common);
  addHistory(app, common);
  addDelta(app, common);
  addDoctor(app, common);
  addMigrate(app, common);
  addUpkeep(app, common);
  addImportAndExport(app, common);
  addReplay(app, common);
  addReduce(app, common);
  addSession(app, common);
  addCompletion(app, common);
  addManual(app, common);
}

Exit run(int argc, const char* const* argv) {
  Common common;
  CLI::App app;
  buildApp(app, common);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return Exit::done;
  } catch (const CLI::CallForVersion& version) {
    std::cout << version.what() << '\n';
    return Exit::done;
  } catch (const CLI::ParseError& error) {
    return usageError(app, error);
  }
  return runVerb(common);
}

}  // namespace enablement::tool
