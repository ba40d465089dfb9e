// enablectl plan: what a runtime would be given for a session's list. It only looks.
#include <memory>
#include <string>
#include <vector>

#include <enablement/enforcement/desired.h>
#include <enablement/schema/text.h>
#include <enablement/tool/json_output.h>
#include <enablement/tool/look.h>
#include <enablement/tool/plan_sources.h>
#include <enablement/tool/session_list.h>
#include <enablement/tool/verbs.h>
#include <enablement/tool/words.h>

namespace enablement::tool {
namespace {

struct PlanOptions {
  ListOptions list;
  PlaceOptions place;
  std::string runtime;
};

std::string_view kindOf(const Item& item) {
  return item.kind == Item::Kind::server ? "server" : "plugin";
}

// Items under headings, in one table, so that columns stand below each other.
class Sections {
 public:
  void add(const std::string& heading, const std::vector<Item>& items, char mark, Paint paint) {
    if (items.empty()) return;
    begin(heading);
    for (const Item& item : items)
      table_.add({{std::string(1, mark), paint},
                  {shown(item.name)},
                  {std::string(kindOf(item))},
                  {std::string(inWords(item.why))}});
  }
  void add(const std::string& heading, const std::vector<std::string>& servers,
           const std::string& why) {
    if (servers.empty()) return;
    begin(heading);
    for (const std::string& server : servers)
      table_.add({{"!", Paint::red}, {shown(server)}, {"server"}, {why}});
  }
  void print(const Console& console) const { table_.print(console); }

 private:
  void begin(const std::string& heading) { table_.heading(heading); }

  Table table_{{{""}, {"name", true}, {"type"}, {"why"}}};
};

void print(const Console& console, const LaunchPlan& plan) {
  const std::string runtime(name(plan.runtime));
  Sections sections;
  sections.add("started", plan.started, '+', Paint::green);
  sections.add("denied", plan.denied, '-', Paint::red);
  sections.add("left out", plan.leftOut, '-', Paint::red);
  sections.add("held back as pending", plan.pending, '?', Paint::yellow);
  sections.add("off, but cannot be enforced", plan.unenforceable,
               runtime + " starts it by itself, and has no deny list");
  sections.print(console);
  for (const Dropped& entry : plan.dropped)
    console.say("dropped from the " + shown(entry.source) + ": " + enablement::quote(entry.name) +
                " " + entry.problem);
  if (plan.unknownUserConfig)
    console.note("the names in the user's own configuration of " + runtime +
                 " are not known; give them as \"userServers\"");
}

Exit plan(const Common& common, const PlanOptions& options) {
  const auto list = options.list.read();
  if (!list) return complain(list.error());
  const auto sources = sourcesFrom(list->rest, list->customizations, list->name);
  if (!sources) return complain(sources.error());
  const auto view = look(common, options.place);
  if (!view) return complain(view.error());
  const auto result = gated(*view->service, view->session, *list);
  if (!result) return complain(result.error());
  if (!view->settled) return complain(view->settled.error(), Exit::pending);
  const auto made = launchPlan(*runtimeOf(options.runtime), Launch::create,
                               {*view->service, view->session, *result, list->owners, *sources},
                               EnforcementState());
  if (!made)
    return complain(
        Error{ErrorCode::invalidArgument, "there is no plan yet: " + describe(made.error()), {}},
        Exit::pending);
  const Console console = common.console();
  if (common.json)
    console.print(document(toJson(*made)));
  else
    print(console, *made);
  return Exit::done;
}

}  // namespace

void addPlan(CLI::App& app, Common& common) {
  CLI::App& verb =
      addVerb(app, common, "plan", "Show what a runtime would start for a session",
              "What is started, denied to the runtime, left out, held back as pending, and what\n"
              "is off and cannot be enforced. --json has the configuration, too. No runtime is\n"
              "called.\n"
              "\n"
              "FILE holds the list as a host publishes it, or an object with the list as\n"
              "\"customizations\", and with what else the runtime gets servers from:\n"
              "  \"owners\": {NAME: PLUGIN URI}\n"
              "  \"plugins\": {URI: {\"directory\": …, \"servers\": {NAME: {…}},\n"
              "                    \"registered\": [NAME…]}}\n"
              "  \"rootConfiguration\", \"builtIns\": {NAME: {…}}\n"
              "  \"workspace\": [{\"primary\": true, \"servers\": {NAME: {…}}}]\n"
              "  \"userServers\", \"injected\": [NAME…]\n"
              "  \"ephemeral\": true\n"
              "Without \"plugins\" their URIs stand for directories.\n"
              "\n"
              "Exit codes: 0 done; 2 the list is malformed; 3 the store cannot be read, so that\n"
              "there is no plan.\n"
              "\n"
              "Examples:\n"
              "  enablectl plan --runtime copilot --session ahp://copilot/1 --no-directory \\\n"
              "      examples/azure-session.json");
  auto options = std::make_shared<PlanOptions>();
  verb.add_option("FILE", options->list.file, "the list, - for standard input")
      ->option_text(" ")
      ->required();
  verb.add_option("--runtime", options->runtime, "copilot, claude or codex")
      ->option_text("NAME")
      ->required()
      ->check(CLI::IsMember({"copilot", "claude", "codex"}));
  addPlace(verb, options->place);
  verb.get_option("--session")->required();
  addOwners(verb, options->list);
  verb.callback([&common, options] {
    common.run = [options](const Common& c) { return plan(c, *options); };
  });
}

}  // namespace enablement::tool
