// enablectl manual: manual pages, made from the command line that is parsed.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <enablement/tool/verbs.h>

namespace enablement::tool {
namespace {

namespace fs = std::filesystem;

// Text that troff prints as it is.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

// Lines that are kept as they are.
std::string verbatim(const std::string& text) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool request = line.starts_with('.') || line.starts_with('\'');
    out += (request ? "\\&" : "") + plain(line) + "\n";
  }
  return out;
}

std::string literal(const std::string& text) {
  return ".nf\n" + verbatim(text) + ".fi\n";
}

// Every name of an option with its value: "-n, --last N".
std::string heading(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true, false);
  std::string text;
  for (const std::string& name : option.get_snames()) text += (text.empty() ? "-" : ", -") + name;
  for (const std::string& name : option.get_lnames()) text += (text.empty() ? "--" : ", --") + name;
  const std::string value = option.get_option_text();
  if (value.find_first_not_of(' ') != std::string::npos) text += " " + value;
  return text;
}

std::string oneLine(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string optionsOf(const CLI::App& verb) {
  std::string out;
  for (const CLI::Option* option : verb.get_options())
    out += ".TP\n\\fB" + plain(heading(*option)) + "\\fR\n" +
           verbatim(oneLine(option->get_description()));
  return out;
}

std::vector<const CLI::App*> verbsOf(const CLI::App& app) {
  auto verbs = app.get_subcommands([](const CLI::App* verb) { return !verb->get_group().empty(); });
  return {verbs.begin(), verbs.end()};
}

std::string pageName(const std::string& name) {
  std::string page = name;
  std::replace(page.begin(), page.end(), ' ', '-');
  return page;
}

std::string verbList(const CLI::App& app, const std::string& name) {
  std::string out = ".SH VERBS\n";
  for (const CLI::App* verb : verbsOf(app))
    out += ".TP\n\\fB" + plain(pageName(name) + "-" + verb->get_name()) + "\\fR(1)\n" +
           verbatim(verb->get_description());
  return out;
}

// What stands below the help is a description, and examples.
std::string footerOf(const CLI::App& app) {
  const std::string footer = app.get_footer();
  const std::string mark = "Examples:\n";
  const std::size_t examples = footer.find(mark);
  std::string out = ".SH DESCRIPTION\n" + verbatim(app.get_description()) + "\n";
  const std::string before = footer.substr(0, std::min(examples, footer.size()));
  if (!before.empty()) out += ".PP\n" + literal(before);
  if (examples != std::string::npos)
    out += ".SH EXAMPLES\n" + literal(footer.substr(examples + mark.size()));
  return out;
}

std::string pageOf(const CLI::App& app, const std::string& name) {
  std::string synopsis = name + " [OPTIONS]";
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional()) synopsis += " " + option->get_name(true, false);
  if (!verbsOf(app).empty()) synopsis += " VERB";
  std::string page = ".TH " + plain(pageName(name)) +
                     " 1 \"\" \"enablement " ENABLEMENT_VERSION "\" \"enablement\"\n.SH NAME\n" +
                     plain(pageName(name)) + " \\- " + plain(oneLine(app.get_description())) +
                     "\n.SH SYNOPSIS\n" + plain(synopsis) + "\n" + footerOf(app);
  if (!verbsOf(app).empty()) page += verbList(app, name);
  page += ".SH OPTIONS\n" + optionsOf(app);
  if (app.get_parent() != nullptr) page += ".SH SEE ALSO\n\\fBenablectl\\fR(1)\n";
  return page;
}

Status writePage(const fs::path& folder, const CLI::App& app, const std::string& name) {
  const fs::path file = folder / (pageName(name) + ".1");
  std::ofstream stream(file, std::ios::binary);
  stream << pageOf(app, name);
  stream.close();
  if (!stream) return fail(ErrorCode::io, "cannot write " + file.string());
  for (const CLI::App* verb : verbsOf(app))
    if (auto done = writePage(folder, *verb, name + " " + verb->get_name()); !done) return done;
  return {};
}

Exit manual(const std::string& into) {
  Common unused;
  CLI::App app;
  buildApp(app, unused);
  if (into.empty()) {
    std::cout << pageOf(app, "enablectl");
    return Exit::done;
  }
  std::error_code failed;
  fs::create_directories(into, failed);
  if (failed)
    return complain(Error{ErrorCode::io, "cannot make " + into + ": " + failed.message(), {}});
  if (auto done = writePage(into, app, "enablectl"); !done) return complain(done.error());
  return Exit::done;
}

}  // namespace

void addManual(CLI::App& app, Common& common) {
  // Not for people: what the installation calls.
  CLI::App& verb = *app.add_subcommand("manual", "Write the manual pages");
  verb.group("");
  auto into = std::make_shared<std::string>();
  verb.add_option("--into", *into, "a folder; else the first page is printed");
  verb.callback([&common, into] { common.run = [into](const Common&) { return manual(*into); }; });
}

}  // namespace enablement::tool
