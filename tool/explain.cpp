// enablectl explain: why a target, or an entry of a list, is on or not. It only looks.
#include <enablement/resolver/explain.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <variant>

#include <enablement/tool/json_output.h>
#include <enablement/tool/look.h>
#include <enablement/tool/notes.h>
#include <enablement/tool/session_list.h>
#include <enablement/tool/target_text.h>
#include <enablement/tool/verbs.h>
#include <enablement/tool/words.h>

namespace enablement::tool {
namespace {

struct ExplainOptions {
  TargetOptions target;
  std::string entry;
  ListOptions list;
  PlaceOptions place;
};

using Subject = std::variant<Target, SessionList>;

Result<Subject> subjectOf(const ExplainOptions& options) {
  if (options.entry.empty() && options.target.target.empty())
    return fail(ErrorCode::invalidArgument, "nothing is named to explain",
                "name a TARGET, or an entry with --entry ID --list FILE");
  if (options.entry.empty())
    return options.target.get().map([](const Target& target) { return Subject(target); });
  return options.list.read().map([](const SessionList& list) { return Subject(list); });
}

Result<Explanation> explanationOf(const View& view, const Subject& subject,
                                  const std::string& entry) {
  if (const auto* target = std::get_if<Target>(&subject))
    return enablement::explain(*view.service, view.session, *target);
  const auto& list = std::get<SessionList>(subject);
  auto explanation =
      enablement::explain(*view.service, view.session, list.customizations, list.owners, entry);
  if (explanation) return explanation;
  Error error = explanation.error();
  error.message = list.name + ": " + error.message;
  return fail(error);
}

Exit explain(const Common& common, const ExplainOptions& options) {
  const auto subject = subjectOf(options);
  if (!subject) return complain(subject.error());
  const auto view = look(common, options.place);
  if (!view) return complain(view.error());
  const auto explanation = explanationOf(*view, *subject, options.entry);
  if (!explanation) return complain(explanation.error());
  const Console console = common.console();
  if (common.json)
    console.print(document(toJson(*explanation)));
  else
    printExplanation(console, *explanation);
  if (!common.json && explanation->key)
    noteParentFolders(console, *view->service, *explanation->key, view->directory);
  if (!view->settled) complain(view->settled.error());
  if (explanation->key) noteUndecided(console, *view->service, *explanation->key);
  noteUnknownSession(console, *view->service, view->session);
  return exitOf(explanation->answer.state);
}

}  // namespace

void printExplanation(const Console& console, const Explanation& explanation, std::size_t indent) {
  std::istringstream text(toText(explanation));
  const std::string margin(indent, ' ');
  std::string line;
  std::getline(text, line);
  // The first word is the state.
  line = wrapped(margin + shown(line), indent + 2).substr(indent);
  const std::size_t word = std::min(line.find(' '), line.size());
  console.print(margin + console.painted(line.substr(0, word), paintOf(explanation.answer.state)) +
                line.substr(word));
  while (std::getline(text, line)) {
    // The rows of the table fit by themselves, and their blanks count.
    const bool row = line.starts_with(' ') || line.starts_with("> ");
    if (line.empty())
      console.print("");
    else
      console.print(row ? margin + shown(line) : wrapped(margin + shown(line), indent + 2));
  }
}

void addExplain(CLI::App& app, Common& common) {
  CLI::App& verb = addVerb(
      app, common, "explain", "Say why a target or an entry of a list is on",
      std::string(targetHelp) +
          "Prints the answer in words, what masks it, every layer with the deciding one\n"
          "marked by >, and what waits in the session's queue. The exit code is resolve's:\n"
          "0 enabled, 1 disabled, 3 pending.\n"
          "\n"
          "Examples:\n"
          "  enablectl explain file:///plugins/alpha --session ahp://copilot/1 \\\n"
          "      --directory ~/src/site\n"
          "  enablectl explain --entry azure-storage --list list.json \\\n"
          "      --session ahp://copilot/1 --no-directory --json");
  auto options = std::make_shared<ExplainOptions>();
  CLI::Option* target = addTarget(verb, options->target);
  addPlace(verb, options->place);
  verb.get_option("--session")->required();
  CLI::Option* discovery = addDiscoveryDefault(verb, options->target);
  CLI::Option* list = verb.add_option("--list", options->list.file,
                                      "a list of customizations,\n"
                                      "- for standard input")
                          ->option_text("FILE");
  CLI::Option* entry = verb.add_option("--entry", options->entry, "the id of an entry of that list")
                           ->option_text("ID");
  addOwners(verb, options->list);
  entry->needs(list)->excludes(target)->excludes(discovery);
  list->needs(entry);
  verb.get_option("--owners")->needs(list);
  verb.callback([&common, options] {
    common.run = [options](const Common& c) { return explain(c, *options); };
  });
}

}  // namespace enablement::tool
