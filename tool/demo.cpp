// enablectl demo: what the product does, on a store that nobody keeps.
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <enablement/tool/demo_fault.h>
#include <enablement/tool/json_output.h>
#include <enablement/tool/temp_dir.h>
#include <enablement/tool/verbs.h>
#include <enablement/tool/words.h>

namespace enablement::tool {
namespace {

constexpr std::string_view api = "ahp://demo/api";
constexpr std::string_view site = "ahp://demo/site";
constexpr std::string_view fresh = "ahp://demo/new";
constexpr std::array sessions{api, site, fresh};

constexpr std::string_view format = "acme/format";
constexpr std::string_view search = "acme/format#mcp=search";
constexpr std::string_view review = "virtual://editor/review";
constexpr std::string_view notes = "virtual://editor/notes";
constexpr std::array targets{format, search, review, notes};

WorkingDirectory folderOf(std::string_view session) {
  if (session == fresh) return WorkingDirectory::pending();
  return *WorkingDirectory::directory(session == api ? "file:///src/api" : "file:///src/site");
}

Target target(std::string_view printed) {
  return {*TargetKey::parse(printed)};
}

// A daemon with three sessions, one of which has no known folder yet. In all of them an editor is
// connected that brings two plugins, both switched off there.
Result<std::unique_ptr<EnablementService>> start(const std::filesystem::path& file) {
  auto service = EnablementService::open({.path = file});
  const std::vector<StatedPlugin> editor{{std::string(review), {{"global", false}}},
                                         {std::string(notes), {{"global", false}}}};
  for (const std::string_view session : sessions) {
    if (auto ok = service->loadSession(session); !ok) return fail(ok.error());
    if (auto ok = service->setWorkingDirectory(session, folderOf(session)); !ok)
      return fail(ok.error());
    if (auto ok = service->stateClientBase(session, "editor", editor); !ok) return fail(ok.error());
  }
  return service;
}

struct Decision {
  std::string_view session;
  std::string_view target;
  Scope scope;
  bool enabled;
};

constexpr std::array decisions{
    Decision{api, format, Scope::global, false},
    Decision{api, format, Scope::workspace, true},
    Decision{api, search, Scope::session, false},
    Decision{site, review, Scope::global, true},
};

Status decide(EnablementService& service) {
  for (const Decision& d : decisions)
    if (auto answer = service.set(d.session, target(d.target), d.scope, d.enabled, "demo"); !answer)
      return fail(answer.error());
  return {};
}

struct Answer {
  std::string_view session;
  std::string_view target;
  Effective effective;
  std::string why;
};

// Whether the host itself decided for everywhere; else a global value is the editor's.
bool hostDecided(const std::vector<StoredDecision>& stored, const TargetKey& key) {
  for (const StoredDecision& decision : stored)
    if (decision.scope == Scope::global && decision.key == key) return true;
  return false;
}

Result<std::vector<Answer>> ask(const EnablementService& service) {
  const auto stored = service.stored();
  if (!stored) return fail(stored.error());
  std::vector<Answer> answers;
  for (const std::string_view session : sessions)
    for (const std::string_view printed : targets) {
      const Target asked = target(printed);
      const Effective effective = service.effective(session, asked);
      const std::string_view global =
          hostDecided(*stored, asked.key) ? byGlobalDecision : "by what the editor states";
      answers.push_back({session, printed, effective,
                         because(effective, session, asked.key, folderOf(session), global)});
    }
  return answers;
}

struct Played {
  std::vector<Answer> answers;
  AzureSeen before;  // in the first run
  AzureSeen later;   // in the second
};

Json rowOf(std::string_view session, std::string_view target, Effective answer) {
  return {{"session", session},
          {"target", target},
          {"state", name(answer.state)},
          {"reason", name(answer.reason)}};
}

Json toJson(const Played& played) {
  Json rows = Json::array();
  for (const Answer& answer : played.answers)
    rows.push_back(rowOf(answer.session, answer.target, answer.effective));
  for (const AzureSeen* seen : {&played.before, &played.later})
    rows.push_back(rowOf(seen->server.session, seen->server.key->printed(), seen->server.answer));
  return rows;
}

std::string headingOf(std::string_view session) {
  const WorkingDirectory folder = folderOf(session);
  return std::string(session) +
         (folder.uri() == nullptr ? ", folder not known yet" : ", folder " + *folder.uri());
}

void printAnswers(const Console& console, const std::vector<Answer>& answers) {
  Table table({{"answer"}, {"target"}, {"what decided"}}, 2);
  std::string_view session;
  for (const Answer& answer : answers) {
    if (answer.session != session) {
      session = answer.session;
      table.heading(headingOf(session));
    }
    table.add({{std::string(name(answer.effective.state)), paintOf(answer.effective.state)},
               {std::string(answer.target)},
               {answer.why}});
  }
  table.print(console);
}

void tell(const Console& console) {
  console.say(
      "A daemon runs agent sessions. Two of them have a folder, of the third it is not known yet. "
      "An editor is connected to all three and brings two plugins of its own, review and notes, "
      "both switched off there. On a new store these decisions are made:");
  console.print("");
  Table table({{"in the session"}, {"decision"}, {"target"}, {"scope"}}, 2);
  for (const Decision& d : decisions)
    table.add({{std::string(d.session)},
               {std::string(onOff(d.enabled)), d.enabled ? Paint::green : Paint::red},
               {std::string(d.target)},
               {std::string(name(d.scope))}});
  table.print(console);
  console.print("");
  console.say(
      "Then the daemon stops and starts again on the same file. What was decided is still there, "
      "and the editor says once more what it thinks:");
  console.print("");
}

void conclude(const Console& console) {
  console.print("");
  console.say(
      "The most specific decision wins: session, then folder, then everywhere. What the editor "
      "states lies below the host's decisions and is never stored: review follows the host, notes "
      "follows the editor. Nothing is guessed: pending is not on, until the folder is known.");
}

// In the first run the server of the plugin azure is switched off everywhere, as it is seen there.
Result<AzureSeen> switchAzureOff(EnablementService& service) {
  const auto seen = seenBefore(service, api);
  if (!seen) return seen;
  if (auto off = service.set(api, Target{*seen->server.key}, Scope::global, false, "demo"); !off)
    return fail(off.error());
  return seenBefore(service, api);
}

Result<Played> play() {
  const auto folder = TempDir::create();
  if (!folder) return fail(folder.error());
  const auto file = folder->path() / "enablement.db";
  Played played;
  {
    const auto first = start(file);
    if (!first) return fail(first.error());
    if (auto ok = decide(**first); !ok) return fail(ok.error());
    auto before = switchAzureOff(**first);
    if (!before) return fail(before.error());
    played.before = *std::move(before);
  }
  const auto second = start(file);
  if (!second) return fail(second.error());
  auto answers = ask(**second);
  if (!answers) return fail(answers.error());
  played.answers = *std::move(answers);
  auto later = seenLater(**second, site);
  if (!later) return fail(later.error());
  played.later = *std::move(later);
  return played;
}

Exit demo(const Common& common) {
  const auto played = play();
  if (!played) return complain(played.error());
  const Console console = common.console();
  if (common.json) {
    console.print(document(toJson(*played)));
    return Exit::done;
  }
  if (!common.quiet) tell(console);
  printAnswers(console, played->answers);
  if (!common.quiet) conclude(console);
  printFault(console, played->before, played->later, common.quiet);
  return Exit::done;
}

}  // namespace

void addDemo(CLI::App& app, Common& common) {
  CLI::App& verb = addVerb(app, common, "demo", "Show what this is about, on a temporary store",
                           "Nothing of yours is read or written.\n"
                           "\n"
                           "Examples:\n"
                           "  enablectl demo");
  verb.callback([&common] { common.run = demo; });
}

}  // namespace enablement::tool
