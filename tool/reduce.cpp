// enablectl reduce: runs the protocol's reducer fixtures.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <enablement/tool/fixtures.h>
#include <enablement/tool/json_output.h>
#include <enablement/tool/usage.h>
#include <enablement/tool/verbs.h>
#include <enablement/tool/words.h>

namespace enablement::tool {
namespace {

struct ReduceOptions {
  std::vector<std::string> files;
  std::string generation = "2";
};

Result<std::vector<FixtureFile>> readAll(const std::vector<std::string>& names) {
  std::vector<FixtureFile> files;
  for (const std::string& name : names) {
    const auto text = readText(name);
    if (!text) return fail(text.error());
    auto fixtures = parseJson(*text, inputName(name));
    if (!fixtures) return fail(fixtures.error());
    files.push_back({inputName(name), *std::move(fixtures)});
  }
  return files;
}

Json toJson(const FixtureReport& report) {
  Json mismatches = Json::array();
  for (const FixtureMismatch& m : report.mismatches)
    mismatches.push_back({{"file", m.file},
                          {"number", m.number},
                          {"fixture", m.description},
                          {"expected", m.expected},
                          {"actual", m.actual}});
  return {{"fixtures", report.fixtures},
          {"skipped", report.skipped},
          {"mismatches", std::move(mismatches)},
          {"refusals", report.refusals}};
}

std::string orNothing(const std::optional<Json>& value) {
  static constexpr std::size_t margin = 14;  // "    expected  "
  return value ? legible(*value, margin) : "nothing";
}

std::string titleOf(const FixtureMismatch& mismatch) {
  std::string title = shown(mismatch.file) + ": fixture " + std::to_string(mismatch.number);
  if (!mismatch.description.empty()) title += ", " + shown(mismatch.description);
  return title;
}

void print(const Console& console, const FixtureReport& report) {
  for (const FixtureMismatch& m : report.mismatches) {
    console.say(titleOf(m));
    for (const Difference& difference : m.differences) {
      console.print("  " + (difference.path.empty() ? "the state" : shown(difference.path)));
      console.print("    expected  " + orNothing(difference.expected));
      console.print("    actual    " + orNothing(difference.actual));
    }
  }
  std::string summary = counted(report.fixtures, "fixture") + ", " +
                        std::to_string(report.mismatches.size()) +
                        (report.mismatches.size() == 1 ? " mismatch" : " mismatches");
  if (report.skipped > 0)
    summary += ", " + std::to_string(report.skipped) + " of other reducers skipped";
  console.print(summary);
}

Exit reduceFiles(const Common& common, const ReduceOptions& options) {
  const auto files = readAll(options.files);
  if (!files) return complain(files.error());
  const Generation generation = options.generation == "1" ? Generation::first : Generation::second;
  const auto report = runFixtures(*files, generation);
  if (!report) return complain(report.error());
  const Console console = common.console();
  for (const std::string& refusal : report->refusals)
    console.note(shown(refusal) + "; it changes nothing");
  if (common.json)
    console.print(document(toJson(*report)));
  else
    print(console, *report);
  return report->mismatches.empty() ? Exit::done : Exit::no;
}

}  // namespace

void addReduce(CLI::App& app, Common& common) {
  CLI::App& verb =
      addVerb(app, common, "reduce", "Run reducer fixtures and compare session states",
              "A file holds one fixture or a list of them:\n"
              "  {\"description\": …, \"reducer\": \"session\", \"initial\": {…},\n"
              "   \"actions\": […], \"expected\": {…}}\n"
              "The actions are applied in order; members that are null count as left out.\n"
              "Fixtures of other reducers are skipped and counted. No store is used.\n"
              "\n"
              "Exit codes: 0 all are as expected; 1 mismatches; 2 a file is malformed. An\n"
              "action that is refused changes nothing, and is named on standard error.\n"
              "\n"
              "Examples:\n"
              "  enablectl reduce fixtures/*.json\n"
              "  enablectl reduce --generation 1 --json old.json\n"
              "  make-fixture | enablectl reduce -");
  auto options = std::make_shared<ReduceOptions>();
  verb.add_option("FILE", options->files, "fixture files, - for standard input")
      ->option_text(" ")
      ->required();
  verb.add_option("--generation", options->generation,
                  "of the protocol: 1 (0.5.2 to 0.7.x), else 2")
      ->option_text("N")
      ->check(oneOf({"1", "2"}));
  verb.callback([&common, options] {
    common.run = [options](const Common& c) { return reduceFiles(c, *options); };
  });
}

}  // namespace enablement::tool
