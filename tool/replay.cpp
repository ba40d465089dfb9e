// enablectl replay: plays scenario files.
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <enablement/tool/json_output.h>
#include <enablement/tool/player.h>
#include <enablement/tool/progress.h>
#include <enablement/tool/temp_dir.h>
#include <enablement/tool/verbs.h>
#include <enablement/tool/words.h>

namespace enablement::tool {
namespace {

Result<std::vector<ScenarioFile>> readAll(const std::vector<std::string>& names) {
  std::vector<ScenarioFile> files;
  for (const std::string& name : names) {
    const auto text = readText(name);
    if (!text) return fail(text.error());
    auto scenarios = parseJson(*text, inputName(name));
    if (!scenarios) return fail(scenarios.error());
    files.push_back({inputName(name), *std::move(scenarios)});
  }
  return files;
}

Result<Report> playAll(const Common& common, const std::vector<std::string>& names) {
  const auto files = readAll(names);
  if (!files) return fail(files.error());
  const InterruptLater later;
  ProgressLine progress(common);
  return play(*files, [&](std::size_t played, std::size_t all) {
    progress.show("played " + std::to_string(played) + " of " + counted(all, "scenario"));
    return !InterruptLater::asked();
  });
}

Json toJson(const Report& report) {
  Json mismatches = Json::array();
  for (const Mismatch& m : report.mismatches)
    mismatches.push_back({{"file", m.file},
                          {"scenario", m.scenario},
                          {"step", m.step},
                          {"what", m.what},
                          {"expected", m.expected},
                          {"actual", m.actual}});
  return {{"scenarios", report.scenarios}, {"mismatches", std::move(mismatches)}};
}

std::string orNone(const Json& value) {
  static constexpr std::size_t margin = 12;  // "  expected  "
  return value.is_null() ? "none" : legible(value, margin);
}

void print(const Console& console, const Report& report) {
  for (const Mismatch& m : report.mismatches) {
    console.say(shown(m.file) + ": " + shown(m.scenario) + ", step " + std::to_string(m.step) +
                ": " + m.what);
    console.print("  expected  " + orNone(m.expected));
    console.print("  actual    " + orNone(m.actual));
  }
  console.print(counted(report.scenarios, "scenario") + ", " +
                std::to_string(report.mismatches.size()) +
                (report.mismatches.size() == 1 ? " mismatch" : " mismatches"));
}

Exit replay(const Common& common, const std::vector<std::string>& names) {
  const auto report = playAll(common, names);
  if (!report) return complain(report.error());
  const Console console = common.console();
  for (const std::string& warning : report->warnings) console.note("enablectl: " + shown(warning));
  if (common.json)
    console.print(document(toJson(*report)));
  else
    print(console, *report);
  return report->mismatches.empty() ? Exit::done : Exit::no;
}

}  // namespace

void addReplay(CLI::App& app, Common& common) {
  CLI::App& verb =
      addVerb(app, common, "replay", "Play scenario files and compare what happens",
              "Each scenario is played on a fresh temporary store. Every step that does\n"
              "not do what its \"expect\" says is printed; the first step is number 1.\n"
              "\n"
              "Examples:\n"
              "  enablectl replay report.json\n"
              "  enablectl replay --json scenarios/*.json\n"
              "  make-scenario | enablectl replay -");
  auto files = std::make_shared<std::vector<std::string>>();
  verb.add_option("FILE", *files, "scenario files, - for standard input")
      ->option_text(" ")
      ->required();
  verb.callback(
      [&common, files] { common.run = [files](const Common& c) { return replay(c, *files); }; });
}

}  // namespace enablement::tool
