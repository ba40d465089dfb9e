#include <enablement/tool/usage.h>

#include <charconv>
#include <string_view>
#include <utility>

#include <enablement/schema/text.h>
#include <enablement/tool/console.h>
#include <enablement/tool/spelling.h>

namespace enablement::tool {
namespace {

constexpr const char* isEmpty = "is empty";

Exit usage(const std::string& message, const std::string& hint) {
  return complain(Error{ErrorCode::invalidArgument, message, hint});
}

// "enablectl migrate up"
std::string nameOf(const CLI::App& verb) {
  const CLI::App* parent = verb.get_parent();
  return parent == nullptr ? "enablectl" : nameOf(*parent) + " " + verb.get_name();
}

std::string helpOf(const CLI::App& verb) {
  return "see: " + nameOf(verb) + " --help";
}

std::string didYouMean(const std::optional<std::string>& word, const std::string& help) {
  return word ? "did you mean " + *word + "? S" + help.substr(1) : help;
}

std::vector<std::string> optionNames(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

Exit unknownOption(const CLI::App& verb, const std::string& word) {
  const std::string option = word.substr(0, word.find('='));
  return usage("unknown option " + quote(option),
               didYouMean(nearest(option, optionNames(verb)), helpOf(verb)));
}

// A word for which the verb has no place.
Exit tooMuch(const CLI::App& verb, const std::string& word) {
  const std::string& name = verb.get_name();
  const bool decides = name == "enable" || name == "disable";
  if (decides && (word == "on" || word == "off"))
    return usage(name + " is told no " + quote(word) + ": it means " +
                     (name == "enable" ? "on" : "off") + " already",
                 "leave it out, or say: enablectl set TARGET " + word);
  return usage(quote(word) + " is one word too many", helpOf(verb));
}

// "NAME: what" of the parser as a sentence about NAME.
std::string aboutAnOption(std::string_view what) {
  const std::size_t colon = what.find(": ");
  if (colon == std::string_view::npos) return std::string(what);
  return std::string(what.substr(0, colon)) + std::string(what.substr(colon + 1));
}

Exit wrongValue(const CLI::App& verb, const CLI::ParseError& error) {
  const std::string text = aboutAnOption(error.what());
  if (text.ends_with(std::string(" ") + isEmpty)) return emptyValue(text.substr(0, text.find(' ')));
  return usage(text, helpOf(verb));
}

// Whether an option of that name takes a value or none. The parser gives it an empty one then.
bool mayHaveAValue(const CLI::App& app, const std::string& name) {
  const auto options = app.get_options([&](const CLI::Option* option) {
    return option->check_name(name) && option->get_items_expected_min() == 0 &&
           option->get_items_expected_max() > 0;
  });
  if (!options.empty()) return true;
  const auto verbs =
      app.get_subcommands([&](const CLI::App* verb) { return mayHaveAValue(*verb, name); });
  return !verbs.empty();
}

}  // namespace

CLI::Validator oneOf(std::vector<std::string> words) {
  return {[words = std::move(words)](const std::string& typed) {
            std::string all;
            for (std::size_t i = 0; i < words.size(); ++i) {
              if (words[i] == typed) return std::string();
              all += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
            }
            return typed.empty() ? isEmpty : "is " + all + ", not " + quote(typed);
          },
          ""};
}

CLI::Validator numberFrom(std::int64_t least, std::int64_t most) {
  return {[least, most](const std::string& typed) {
            std::int64_t number = 0;
            const char* const end = typed.data() + typed.size();
            const auto [read, failed] = std::from_chars(typed.data(), end, number);
            if (failed == std::errc() && read == end && number >= least && number <= most)
              return std::string();
            return typed.empty() ? isEmpty
                                 : "is a number from " + std::to_string(least) + " to " +
                                       std::to_string(most) + ", not " + quote(typed);
          },
          ""};
}

void refuseEmptyValues(CLI::App& app) {
  for (CLI::Option* option : app.get_options())
    if (option->get_items_expected_max() > 0 && option->get_items_expected_min() > 0)
      option->check(
          [](const std::string& value) { return std::string(value.empty() ? isEmpty : ""); });
  for (CLI::App* verb : app.get_subcommands(nullptr))
    if (verb->get_name() != "complete") refuseEmptyValues(*verb);  // nothing may be typed yet
}

std::string emptyOption(const CLI::App& app, int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--") break;
    if (!word.starts_with("--")) continue;
    if (word.find('=') == word.size() - 1) return word.substr(0, word.size() - 1);
    if (i + 1 < argc && *argv[i + 1] == '\0' && mayHaveAValue(app, word)) return word;
  }
  return {};
}

Exit emptyValue(const std::string& option) {
  const std::string remedy = option.starts_with('-') ? "leave " + option + " out, or " : "";
  return usage(option + " is empty", remedy + "give it a value; is a variable not set?");
}

Exit unknownVerb(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands(nullptr))
    if (!verb->get_group().empty()) names.push_back(verb->get_name());
  // What others call it.
  if (word == "undo") return usage("unknown verb \"undo\"", didYouMean("restore", helpOf(app)));
  return usage("unknown verb " + quote(word), didYouMean(nearest(word, names), helpOf(app)));
}

const CLI::App& chosenVerb(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : chosenVerb(*chosen.front());
}

Exit usageError(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& verb = chosenVerb(app);
  if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr) return wrongValue(verb, error);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::string_view what = error.what();
    return usage(std::string(what.substr(0, what.find(':'))) + " needs a value", helpOf(verb));
  }
  // What is missing may be there, misspelt.
  const bool hasVerbs = !verb.get_subcommands(nullptr).empty();
  const auto rest = app.remaining(true);
  for (const std::string& word : rest)
    if (word.starts_with('-')) return unknownOption(verb, word);
  if (!rest.empty() && hasVerbs) return unknownVerb(verb, rest.front());
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && hasVerbs)
    return usage("no verb is named",
                 &verb == &app ? helpOf(verb) + ", or start with: enablectl demo" : helpOf(verb));
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !rest.empty())
    return tooMuch(verb, rest.front());
  return usage(error.what(), helpOf(verb));
}

}  // namespace enablement::tool
