// The verbs of enablectl, one family per file.
#pragma once

#include <enablement/tool/common.h>

namespace enablement::tool {

void addWriteVerbs(CLI::App& app, Common& common);  // enable, disable, set, clear, revert
void addPurge(CLI::App& app, Common& common);
void addReadVerbs(CLI::App& app, Common& common);  // resolve, get
void addList(CLI::App& app, Common& common);
void addSessions(CLI::App& app, Common& common);
void addHistory(CLI::App& app, Common& common);  // history, restore, watch
void addDelta(CLI::App& app, Common& common);    // delta, prune
void addDoctor(CLI::App& app, Common& common);
void addTree(CLI::App& app, Common& common);
void addPlan(CLI::App& app, Common& common);
void addExplain(CLI::App& app, Common& common);
void addMigrate(CLI::App& app, Common& common);
void addUpkeep(CLI::App& app, Common& common);  // check, backup, recover, vacuum
void addImportAndExport(CLI::App& app, Common& common);
void addReplay(CLI::App& app, Common& common);
void addReduce(CLI::App& app, Common& common);
void addSession(CLI::App& app, Common& common);
void addDemo(CLI::App& app, Common& common);
void addCompletion(CLI::App& app, Common& common);  // and complete, for the shells
void addManual(CLI::App& app, Common& common);

// The whole command line: what is parsed, completed and described in the manual pages.
void buildApp(CLI::App& app, Common& common);

// The whole program.
[[nodiscard]] Exit run(int argc, const char* const* argv);

}  // namespace enablement::tool
