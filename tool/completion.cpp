// enablectl completion, complete: what a shell offers while a line is typed.
//
// The scripts for the shells know nothing of verbs and options: they ask `enablectl complete`,
// which walks the same command line that is parsed. It is fast, looks only, and is silent when it
// fails.
#include <algorithm>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <enablement/schema/text.h>
#include <enablement/tool/usage.h>
#include <enablement/tool/verbs.h>
#include <enablement/tool/words.h>

namespace enablement::tool {
namespace {

constexpr const char* bashScript = R"(# enablectl for bash
_enablectl() {
  local line=${COMP_LINE:0:COMP_POINT} words current candidate quoted breaks= kind=
  # Not COMP_WORDS: bash cuts URIs into pieces.
  read -a words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  current=${words[${#words[@]} - 1]}
  # Of a word that bash has cut, it wants the last piece only.
  [[ $COMP_WORDBREAKS == *:* ]] && breaks+=:
  [[ $COMP_WORDBREAKS == *=* ]] && breaks+==
  local cut=
  [[ -n $breaks ]] && cut=${current%"${current##*[$breaks]}"}
  COMPREPLY=()
  while IFS=$'\t' read -r candidate _; do
    case $candidate in
      :*) kind=$candidate ;;
      *)
        printf -v quoted %q "${candidate#"$cut"}"
        COMPREPLY+=("$quoted")
        ;;
    esac
  done < <("$1" complete -- "${words[@]:1}" 2>/dev/null)
  case $kind in
    :files) compopt -o default ;;
    :folders) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$current") ;;
  esac
}
complete -F _enablectl enablectl
)";

constexpr const char* zshScript = R"(#compdef enablectl
_enablectl() {
  local line candidate
  local -a candidates
  for line in "${(@f)$(${words[1]} complete -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      :files) _files ;;
      :folders) _files -/ ;;
      :*|'') ;;
      *)
        candidate=${line%%$'\t'*}
        candidates+=("${candidate//:/\\:}:${${line#"$candidate"}#$'\t'}")
        ;;
    esac
  done
  _describe enablectl candidates
}
if [ "$funcstack[1]" = _enablectl ]; then _enablectl "$@"; else compdef _enablectl enablectl; fi
)";

constexpr const char* fishScript = R"(# enablectl for fish
function __enablectl_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in ($words[1] complete -- $words[2..-1] 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path (commandline -ct)
            case ':folders'
                __fish_complete_directories (commandline -ct)
            case ':*'
            case '*'
                echo $line
        end
    end
end
complete -c enablectl -f -a '(__enablectl_complete)'
)";

// What may stand in a place of the command line.
struct Offer {
  std::vector<std::pair<std::string, std::string>> words = {};  // with a description
  std::string more = "none";  // what the shell adds of its own: files, folders, none

  void add(std::string word, std::string description = {}) {
    words.emplace_back(std::move(word), std::move(description));
  }
};

std::string firstLine(const std::string& text) {
  std::string line = text;
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

// What is typed so far, understood as the parser does.
struct Typed {
  CLI::App* verb;
  const CLI::Option* option = nullptr;  // whose value comes next
  std::size_t positionals = 0;          // that are there already
  std::string db = {};
};

CLI::Option* optionNamed(CLI::App& verb, const std::string& word) {
  return verb.get_option_no_throw(word.substr(0, word.find('=')));
}

CLI::App* verbNamed(CLI::App& app, const std::string& word) {
  for (CLI::App* verb : app.get_subcommands(nullptr))
    if (verb->get_name() == word) return verb;
  return nullptr;
}

void take(Typed& typed, const std::string& word) {
  if (typed.option) {
    if (typed.option->check_name("--db")) typed.db = word;
    typed.option = nullptr;
  } else if (word.starts_with("-") && word.size() > 1) {
    const CLI::Option* option = optionNamed(*typed.verb, word);
    if (option && option->get_items_expected_max() > 0) {
      if (word.find('=') == std::string::npos)
        typed.option = option;
      else if (option->check_name("--db"))
        typed.db = word.substr(word.find('=') + 1);
    }
  } else if (CLI::App* verb = verbNamed(*typed.verb, word)) {
    typed.verb = verb;
    typed.positionals = 0;
  } else {
    ++typed.positionals;
  }
}

// Words that are stored, each once.
Offer storedWords(const Common& common, std::string_view kind) {
  Offer offer;
  const auto service = openReadable(common, Access::look);
  if (!service) return offer;
  std::set<std::string> words;
  if (const auto stored = (*service)->stored())
    for (const StoredDecision& row : *stored) {
      if (kind == "target") words.insert(row.key.printed());
      if (kind == "session" && row.scope == Scope::session) words.insert(row.place);
      if (kind == "folder" && row.scope == Scope::workspace) words.insert(row.place);
    }
  if (const auto queued = (*service)->queued())
    for (const QueuedPart& part : *queued) {
      if (kind == "target") words.insert(part.target.key.printed());
      if (kind == "session") words.insert(part.session);
      if (kind == "folder" && !part.folder.empty()) words.insert(part.folder);
    }
  for (const std::string& word : words) offer.add(word);
  return offer;
}

// Rows of the history that took a decision away, the newest first.
Offer historyRows(const Common& common) {
  Offer offer;
  const auto service = openReadable(common, Access::look);
  if (!service) return offer;
  const auto history = (*service)->history({.last = 100});
  if (!history) return offer;
  for (auto row = history->rbegin(); row != history->rend(); ++row)
    if (row->subject == HistoryEntry::Subject::decision && row->before)
      offer.add(std::to_string(row->sequence), sentence(*row));
  return offer;
}

Offer words(std::initializer_list<const char*> words) {
  Offer offer;
  for (const char* word : words) offer.add(word);
  return offer;
}

Offer valuesOf(const Common& common, const std::string& name) {
  if (name == "--scope") return words({"session", "workspace", "global"});
  if (name == "--color") return words({"auto", "always", "never"});
  if (name == "--generation") return words({"1", "2"});
  if (name == "--discovery-default" || name == "on|off") return words({"on", "off"});
  if (name == "SHELL") return words({"bash", "zsh", "fish"});
  if (name == "--target" || name == "TARGET") return storedWords(common, "target");
  if (name == "--session" || name == "--delete") return storedWords(common, "session");
  if (name == "ROW") return historyRows(common);
  if (name == "--directory") {
    Offer folders = storedWords(common, "folder");
    folders.more = "folders";
    return folders;
  }
  Offer offer;
  for (const char* file : {"--db", "--into", "--list", "--owners", "FILE", "--output"})
    if (name == file) offer.more = "files";
  return offer;
}

Offer optionsOf(const CLI::App& verb) {
  Offer offer;
  for (const CLI::Option* option : verb.get_options()) {
    if (option->get_group().empty()) continue;
    for (const std::string& name : option->get_lnames())
      offer.add("--" + name, firstLine(option->get_description()));
    for (const std::string& name : option->get_snames())
      offer.add("-" + name, firstLine(option->get_description()));
  }
  return offer;
}

Offer positionalOf(const Common& common, const CLI::App& verb, std::size_t index) {
  const auto positionals =
      verb.get_options([](const CLI::Option* option) { return option->get_positional(); });
  if (positionals.empty()) return {};
  const CLI::Option* last = positionals.back();
  if (index >= positionals.size() && last->get_items_expected_max() <= 1) return {};
  return valuesOf(common,
                  positionals[std::min(index, positionals.size() - 1)]->get_name(true, false));
}

Offer offerFor(const Typed& typed, const Common& common, std::string& word) {
  const auto nameOf = [](const CLI::Option& option) {
    return option.get_lnames().empty() ? std::string() : "--" + option.get_lnames().front();
  };
  if (typed.option) return valuesOf(common, nameOf(*typed.option));
  if (const std::size_t is = word.find('='); word.starts_with("--") && is != std::string::npos) {
    const CLI::Option* option = optionNamed(*typed.verb, word);
    if (!option) return {};
    Offer offer = valuesOf(common, nameOf(*option));
    for (auto& [value, description] : offer.words) value.insert(0, word.substr(0, is + 1));
    return offer;
  }
  if (word.starts_with("-")) return optionsOf(*typed.verb);
  Offer offer = positionalOf(common, *typed.verb, typed.positionals);
  for (const CLI::App* verb : typed.verb->get_subcommands(nullptr))
    if (!verb->get_group().empty()) offer.add(verb->get_name(), verb->get_description());
  return offer;
}

// The last word is the one that is being typed.
Exit complete(Common common, std::vector<std::string> words) {
  if (words.empty()) words.emplace_back();
  Common unused;
  CLI::App app("", "enablectl");
  buildApp(app, unused);
  Typed typed{&app};
  for (auto word = words.begin(); word != std::prev(words.end()); ++word) take(typed, *word);
  if (!typed.db.empty()) common.db = typed.db;
  common.busyTimeout = std::min(common.busyTimeout, 100);
  std::string word = words.back();
  const Offer offer = offerFor(typed, common, word);
  for (const auto& [candidate, description] : offer.words) {
    // What does not fit on a line cannot be offered.
    if (!candidate.starts_with(word) || hasControl(candidate)) continue;
    std::cout << candidate;
    if (!description.empty()) std::cout << '\t' << description;
    std::cout << '\n';
  }
  std::cout << ':' << offer.more << '\n';
  return Exit::done;
}

Exit completion(const std::string& shell) {
  std::cout << (shell == "bash" ? bashScript : shell == "zsh" ? zshScript : fishScript);
  return Exit::done;
}

}  // namespace

void addCompletion(CLI::App& app, Common& common) {
  CLI::App& verb =
      addVerb(app, common, "completion", "Print what completes this program in a shell",
              "An installed enablectl is completed already. Verbs, options, stored targets,\n"
              "sessions and folders are offered.\n"
              "\n"
              "Examples:\n"
              "  enablectl completion fish > ~/.config/fish/completions/enablectl.fish\n"
              "  enablectl completion bash");
  auto shell = std::make_shared<std::string>();
  verb.add_option("SHELL", *shell, "bash, zsh or fish")
      ->option_text(" ")
      ->required()
      ->check(oneOf({"bash", "zsh", "fish"}));
  verb.callback(
      [&common, shell] { common.run = [shell](const Common&) { return completion(*shell); }; });

  // Not for people: what the scripts call.
  CLI::App& asked = *app.add_subcommand("complete", "Offer words for a line that is typed");
  asked.group("");
  auto words = std::make_shared<std::vector<std::string>>();
  asked.add_option("WORDS", *words, "the line so far");
  asked.callback(
      [&common, words] { common.run = [words](const Common& c) { return complete(c, *words); }; });
}

}  // namespace enablement::tool
