// The command line: which verb, with what.
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <iostream>
#include <string>
#include <string_view>

#include <enablement/tool/target_text.h>
#include <enablement/tool/usage.h>
#include <enablement/tool/verbs.h>

namespace enablement::tool {
namespace {

const std::string footer =
    std::string(targetHelp) +
    "Exit codes: 0 done or enabled; 1 disabled, or mismatches; 2 usage; 3 pending;\n"
    "4 no readable store; 5 busy; 6 migrations differ; 7 write refused; 8 done in\n"
    "part.\n"
    "\n"
    "A verb's help: enablectl help VERB. Start with: enablectl demo\n"
    "Why is it on?           enablectl explain TARGET --session URI --directory DIR\n"
    "Off in this folder:     enablectl disable TARGET --directory .\n"
    "What are the targets?   enablectl list, or enablectl tree FILE\n";

// The library is silent unless somebody wants to hear it.
void logToStandardError() {
  auto logger = spdlog::stderr_logger_mt("enablement");
  logger->set_pattern("enablectl: %l: %v");
  logger->set_level(spdlog::level::debug);
}

// enablectl help VERB…
Exit helpFor(const CLI::App& app, int argc, const char* const* argv) {
  const CLI::App* verb = &app;
  std::string above;
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    const auto verbs =
        verb->get_subcommands([&](const CLI::App* one) { return one->get_name() == word; });
    if (verbs.empty()) return unknownVerb(*verb, word);
    above += (above.empty() ? "" : " ") + verb->get_name();
    verb = verbs.front();
  }
  std::cout << verb->help(above);
  return Exit::done;
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
  app.footer(footer);
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
  refuseEmptyValues(app);
}

Exit run(int argc, const char* const* argv) {
  Common common;
  CLI::App app;
  buildApp(app, common);
  if (argc > 1 && std::string_view(argv[1]) == "help") return helpFor(app, argc, argv);
  if (const std::string option = emptyOption(app, argc, argv); !option.empty())
    return emptyValue(option);
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
