// enablectl delta, prune: which stored decisions make no difference, and taking them away.
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <enablement/resolver/standing.h>
#include <enablement/tool/folder.h>
#include <enablement/tool/json_output.h>
#include <enablement/tool/verbs.h>
#include <enablement/tool/when.h>
#include <enablement/tool/words.h>

namespace enablement::tool {
namespace {

// Whether a folder on this machine is not there. Each is looked at once; what cannot be looked at,
// and folders elsewhere, count as there.
FolderIsGone folderIsGone() {
  auto known = std::make_shared<std::map<std::string, bool>>();
  return [known](const std::string& uri) {
    const auto [found, isNew] = known->emplace(uri, false);
    if (isNew)
      if (const auto path = localPath(uri)) {
        struct stat status {};
        errno = 0;
        found->second = stat(path->c_str(), &status) != 0 && (errno == ENOENT || errno == ENOTDIR);
      }
    return found->second;
  };
}

std::string inWords(const StoredDecision& decision) {
  return shown(decision.key.printed()) + " " + std::string(onOff(decision.enabled)) + " " +
         whereIn(decision.scope, decision.place);
}

// delta

Json toJson(const std::vector<Comparison>& comparisons) {
  Json list = Json::array();
  for (const Comparison& one : comparisons) {
    Json row = tool::toJson(one.decision);
    row["wider"] = tool::toJson(one.wider);
    list.push_back(std::move(row));
  }
  return list;
}

Json toJson(const std::vector<StoredDecision>& decisions) {
  Json list = Json::array();
  for (const StoredDecision& one : decisions) list.push_back(tool::toJson(one));
  return list;
}

void print(const Console& console, const std::string& heading,
           const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  console.print(console.painted(heading, Paint::bold));
  for (const std::string& line : lines) console.print(wrapped("  " + line, 4));
}

void print(const Console& console, const Delta& delta) {
  const auto compared = [](const std::vector<Comparison>& some, const std::string& verb) {
    std::vector<std::string> lines;
    for (const Comparison& one : some)
      lines.push_back(inWords(one.decision) + ": " + verb + " " +
                      std::string(onOff(one.wider.enabled)) + " " +
                      whereIn(one.wider.scope, one.wider.place));
    return lines;
  };
  std::vector<std::string> missing;
  for (const StoredDecision& one : delta.missingFolders) missing.push_back(inWords(one));
  print(console, "redundant: they repeat what they inherit", compared(delta.redundant, "as"));
  print(console, "overriding: they oppose what they inherit", compared(delta.overriding, "not"));
  print(console, "in folders that are gone", missing);
  if (delta.redundant.empty() && delta.overriding.empty() && missing.empty())
    console.note("every decision stands by itself");
  else
    console.note("what clients state is not known here; see also: enablectl prune");
}

Exit delta(const Common& common) {
  const auto service = openReadable(common, Access::look);
  if (!service) return complain(service.error());
  const auto stored = (*service)->stored();
  if (!stored) return complain(stored.error());
  const Delta found = deltaOf(*stored, folderIsGone());
  const Console console = common.console();
  if (common.json)
    console.print(document({{"redundant", toJson(found.redundant)},
                            {"overriding", toJson(found.overriding)},
                            {"missingFolders", toJson(found.missingFolders)}}));
  else
    print(console, found);
  return Exit::done;
}

// prune

struct PruneOptions {
  bool redundant = false;
  bool missingFolders = false;
  std::string olderThan;
  bool apply = false;
};

Result<PruneRequest> requestOf(const PruneOptions& options) {
  PruneRequest request{.redundant = options.redundant};
  if (options.missingFolders) request.folderIsGone = folderIsGone();
  if (!options.olderThan.empty()) {
    const auto age = parseAge(options.olderThan);
    if (!age) return fail(age.error());
    request.before = systemNow() - *age;
  }
  if (!options.redundant && !options.missingFolders && options.olderThan.empty())
    return fail(ErrorCode::invalidArgument, "nothing is named to prune",
                "say --redundant, --missing-folders or --older-than AGE");
  return request;
}

std::string_view inWords(Pruning::Reason reason) {
  switch (reason) {
    case Pruning::Reason::redundant:
      return "redundant";
    case Pruning::Reason::missingFolder:
      return "the folder is gone";
    case Pruning::Reason::old:
      return "old";
  }
  return {};
}

Json documentOf(const std::vector<Pruning>& found, bool applied) {
  Json pruned = Json::array();
  Json kept = Json::array();
  for (const Pruning& one : found) {
    Json row = tool::toJson(one.decision);
    row["reason"] = name(one.reason);
    (one.kept ? kept : pruned).push_back(std::move(row));
  }
  return {{"applied", applied}, {"pruned", std::move(pruned)}, {"kept", std::move(kept)}};
}

void print(const Common& common, const std::vector<Pruning>& found, bool applied) {
  const Console console = common.console();
  if (common.json) return console.print(document(documentOf(found, applied)));
  if (common.quiet) return;
  std::vector<std::string> pruned;
  std::vector<std::string> kept;
  for (const Pruning& one : found)
    (one.kept ? kept : pruned)
        .push_back(inWords(one.decision) + " (" + std::string(inWords(one.reason)) + ")");
  const std::string count = counted(pruned.size(), "decision");
  print(console, (applied ? "pruned " : "would prune ") + count, pruned);
  print(console, "kept, for no wider off stands behind it", kept);
  if (pruned.empty()) console.note("nothing to prune");
  if (!pruned.empty() && !applied) console.note("a dry run; prune with --apply");
}

Exit prune(const Common& common, const PruneOptions& options) {
  const auto request = requestOf(options);
  if (!request) return complain(request.error());
  const bool applies = options.apply && !common.dryRun;
  const auto service = openReadable(common, applies ? Access::existing : Access::look);
  if (!service) return complain(service.error());
  if (applies) {
    const auto pruned = (*service)->prune(*request, actor);
    if (!pruned) return complain(pruned.error());
    print(common, *pruned, true);
    return Exit::done;
  }
  const auto stored = (*service)->stored();
  if (!stored) return complain(stored.error());
  print(common, planPrune(*stored, *request), false);
  return Exit::done;
}

void addPrune(CLI::App& app, Common& common) {
  CLI::App& verb =
      addVerb(app, common, "prune", "Take away decisions that are of no use",
              "A dry run unless --apply is given. An off goes only where a wider stored off\n"
              "keeps everybody off; an off for everywhere never goes. AGE is 90s, 15m, 12h,\n"
              "30d or 4w. Every removal is in the history; see also restore.\n"
              "\n"
              "Examples:\n"
              "  enablectl prune --redundant --missing-folders\n"
              "  enablectl prune --older-than 365d --apply");
  addDryRun(verb, common);
  auto options = std::make_shared<PruneOptions>();
  verb.add_flag("--redundant", options->redundant, "those that repeat what they\ninherit");
  verb.add_flag("--missing-folders", options->missingFolders, "those of folders that are gone");
  verb.add_option("--older-than", options->olderThan, "those made longer ago")->option_text("AGE");
  verb.add_flag("--apply", options->apply, "do it");
  verb.callback([&common, options] {
    common.run = [options](const Common& c) { return prune(c, *options); };
  });
}

}  // namespace

void addDelta(CLI::App& app, Common& common) {
  CLI::App& verb =
      addVerb(app, common, "delta", "Compare decisions with what they inherit",
              "Redundant ones repeat a wider stored decision, overriding ones oppose it. Where\n"
              "a session works is not stored: its decision is redundant only if it would\n"
              "inherit the same in any folder. What clients state is not known here.\n"
              "\n"
              "Examples:\n"
              "  enablectl delta");
  verb.callback([&common] { common.run = delta; });
  addPrune(app, common);
}

}  // namespace enablement::tool
