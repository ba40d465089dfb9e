// enablectl tree: a session's list as it would be published, with what is on in it. It only looks.
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include <enablement/tool/json_output.h>
#include <enablement/tool/look.h>
#include <enablement/tool/session_list.h>
#include <enablement/tool/verbs.h>
#include <enablement/tool/words.h>

namespace enablement::tool {
namespace {

constexpr std::size_t gap = 2;           // between columns
constexpr std::size_t narrowLabel = 24;  // labels get this much however wide the rest is

struct TreeOptions {
  ListOptions list;
  PlaceOptions place;
};

// An entry in the order of the list, children after their container.
struct Row {
  std::size_t depth;
  const Json& entry;
  Effective answer;
};

std::string textOf(const Json& entry, const char* field) {
  const auto found = entry.find(field);
  return found != entry.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string titleOf(const Json& entry) {
  const std::string name = textOf(entry, "name");
  return shown(name.empty() ? textOf(entry, "id") : name);
}

std::vector<Row> rowsOf(const GatedList& list) {
  std::vector<Row> rows;
  const auto add = [&](std::size_t depth, const Json& entry) {
    if (const Effective* answer = list.find(textOf(entry, "id")))
      rows.push_back({depth, entry, *answer});
  };
  for (const Json& entry : list.customizations()) {
    add(0, entry);
    const auto children = entry.find("children");
    if (kindOf(entry) == EntryKind::mcpServer || children == entry.end()) continue;
    for (const Json& child : *children) add(1, child);
  }
  return rows;
}

// What says the state where there are no colours.
char markOf(EffectiveState state) {
  switch (state) {
    case EffectiveState::enabled:
      return '+';
    case EffectiveState::disabled:
      return '-';
    case EffectiveState::pending:
      return '?';
  }
  return '?';
}

// Prints rows in columns. A label that is too long for its column takes a line of its own.
class TreePrinter {
 public:
  TreePrinter(const Console& console, const std::vector<Row>& rows) : console_(console) {
    std::size_t answer = 0;
    for (const Row& row : rows) {
      label_ = std::max(label_, labelWidth(row));
      type_ = std::max(type_, columns(typeOf(row)));
      answer = std::max(answer, stateWidth + gap + columns(inBrief(row.answer)));
    }
    const std::size_t rest = type_ + answer + 2 * gap;
    label_ =
        std::min(label_, std::max(narrowLabel, console.width() - std::min(console.width(), rest)));
  }

  void print(const Row& row, bool withId) const {
    const Paint paint = paintOf(row.answer.state);
    std::string line(row.depth * indent, ' ');
    line += console_.painted(std::string(1, markOf(row.answer.state)), paint) + " " +
            titleOf(row.entry);
    const std::size_t width = labelWidth(row);
    if (width > label_)
      line += "\n" + std::string(label_, ' ');
    else
      line.append(label_ - width, ' ');
    const std::string type = typeOf(row);
    const std::string state(name(row.answer.state));
    line.append(gap, ' ').append(type).append(type_ - columns(type) + gap, ' ');
    line += console_.painted(state, paint);
    line.append(stateWidth - state.size() + gap, ' ').append(inBrief(row.answer));
    console_.print(line);
    if (withId)
      console_.print(std::string((row.depth + 1) * indent, ' ') + "id " +
                     shown(textOf(row.entry, "id")));
  }

 private:
  static constexpr std::size_t indent = 2;
  static constexpr std::size_t stateWidth = 8;  // "disabled"

  static std::size_t labelWidth(const Row& row) {
    return row.depth * indent + 2 + columns(titleOf(row.entry));
  }
  static std::string typeOf(const Row& row) { return shown(textOf(row.entry, "type")); }

  const Console& console_;
  std::size_t label_ = 0;
  std::size_t type_ = 0;
};

void printSummary(const Console& console, const std::vector<Row>& rows) {
  std::array<std::size_t, 3> counts{};
  for (const Row& row : rows) ++counts[static_cast<std::size_t>(row.answer.state)];
  std::string text;
  for (const EffectiveState state :
       {EffectiveState::enabled, EffectiveState::disabled, EffectiveState::pending})
    text += (text.empty() ? "" : ", ") + std::to_string(counts[static_cast<std::size_t>(state)]) +
            " " + std::string(name(state));
  console.print("");
  console.print(text);
}

std::string positionOf(const EntryProblem& problem) {
  std::string text;
  for (const std::size_t index : problem.position)
    text += (text.empty() ? "[" : ", ") + std::to_string(index);
  return text + "]";
}

void printProblems(const Console& console, const GatedList& list) {
  if (!list.problems().empty()) console.print("");
  for (const EntryProblem& problem : list.problems()) {
    const Json* entry = &list.customizations()[problem.position.front()];
    if (problem.position.size() > 1) entry = &entry->at("children")[problem.position[1]];
    console.say("problem at " + positionOf(problem) + ": " + std::string(name(problem.code)) +
                ", so " + titleOf(*entry) + " has no key and is off");
  }
}

void print(const Common& common, const GatedList& list) {
  const Console console = common.console();
  if (common.json) return console.print(document(list.toJson()));
  const std::vector<Row> rows = rowsOf(list);
  const TreePrinter printer(console, rows);
  for (const Row& row : rows) printer.print(row, common.verbose);
  if (!rows.empty()) printSummary(console, rows);
  if (rows.empty()) console.note("the list is empty");
  printProblems(console, list);
}

Exit tree(const Common& common, const TreeOptions& options) {
  const auto list = options.list.read();
  if (!list) return complain(list.error());
  const auto view = look(common, options.place);
  if (!view) return complain(view.error());
  const auto result = gated(*view->service, view->session, *list);
  if (!result) return complain(result.error());
  print(common, *result);
  if (view->settled) return Exit::done;
  return complain(view->settled.error(), Exit::pending);
}

}  // namespace

void addTree(CLI::App& app, Common& common) {
  CLI::App& verb = addVerb(
      app, common, "tree", "Show what is on in a list of customizations",
      "FILE holds the list as a host publishes it, or an object with the list as\n"
      "\"customizations\" and the plugins of bare servers as \"owners\". Marks: + enabled,\n"
      "- disabled, ? pending. With -v each entry's id is shown.\n"
      "\n"
      "Exit codes: 0 done; 2 the list is malformed; 3 the store cannot be read, so that\n"
      "all is pending.\n"
      "\n"
      "Examples:\n"
      "  enablectl tree list.json --session ahp://copilot/1 --directory ~/src/site\n"
      "  dump-list | enablectl tree - --session ahp://copilot/1 --no-directory \\\n"
      "      --owners owners.json --json");
  auto options = std::make_shared<TreeOptions>();
  verb.add_option("FILE", options->list.file, "the list, - for standard input")
      ->option_text(" ")
      ->required();
  addPlace(verb, options->place);
  verb.get_option("--session")->required();
  addOwners(verb, options->list);
  verb.callback([&common, options] {
    common.run = [options](const Common& c) { return tree(c, *options); };
  });
}

}  // namespace enablement::tool
