#include <enablement/tool/player.h>

#include <algorithm>
#include <array>
#include <utility>

#include <enablement/schema/text.h>
#include <enablement/tool/json_output.h>
#include <enablement/tool/step.h>
#include <enablement/tool/temp_dir.h>

namespace enablement::tool {
namespace {

constexpr std::array<std::string_view, 4> expectations{"result", "error", "events", "stored"};

// Plays one scenario after the other into a report.
class Player {
 public:
  Status playFile(const ScenarioFile& file, const std::function<bool()>& goOn) {
    file_ = &file.name;
    if (!file.scenarios.is_array())
      return fail(ErrorCode::invalidArgument, file.name + ": not a list of scenarios");
    std::size_t number = 0;
    for (const Json& scenario : file.scenarios) {
      if (!goOn()) return fail(ErrorCode::io, "interrupted");
      scenario_ = "number " + std::to_string(++number);
      step_ = 0;
      if (auto ok = playScenario(scenario); !ok) return ok;
      ++report_.scenarios;
    }
    return {};
  }
  [[nodiscard]] std::size_t played() const { return report_.scenarios; }
  Report report() { return std::move(report_); }

 private:
  Status playScenario(const Json& scenario) {
    const auto folder = TempDir::create();
    if (!folder) return fail(folder.error());
    try {
      const Fields fields(scenario, "the scenario");
      scenario_ = fields.text("name");
      const Json none = Json::object();
      const Json& targets = fields.find("targets") == nullptr ? none : fields.object("targets");
      Host host(folder->path() / "enablement.db");
      for (const Json& step : fields.list("steps")) {
        ++step_;
        if (auto ok = playStep({host, targets, Fields(step)}); !ok) return ok;
      }
      return {};
    } catch (const BadStep& bad) {
      return fail(bad.error.code, place() + ": " + bad.error.message, bad.error.hint);
    }
  }

  Status playStep(const Step& step) {
    const Json none = Json::object();
    const Json& expect =
        step.fields.find("expect") == nullptr ? none : step.fields.object("expect");
    compareOutcome(expect, outcomeOf(step, expect));
    compare("events", expect.value("events", Json::array()), step.host.takeEvents());
    if (const auto expected = expect.find("stored"); expected != expect.end()) {
      const auto stored = step.service().stored();
      if (!stored) return fail(stored.error());
      compare("stored", *expected, storedJson(*stored));
    }
    for (const auto& [key, value] : expect.items())
      if (std::find(expectations.begin(), expectations.end(), key) == expectations.end())
        report_.warnings.push_back(place() + ": the expectation " + enablement::quote(key) +
                                   " is not known and not compared");
    return {};
  }

  // A refusal is the outcome of a step that expects an error, and a bad step elsewhere.
  static Outcome outcomeOf(const Step& step, const Json& expect) {
    try {
      return take(step);
    } catch (const BadStep& bad) {
      if (!bad.refusal || !expect.contains("error")) throw;
      return fail(bad.error);
    }
  }

  // A step with neither result nor error in its expectation must succeed, whatever it returns.
  void compareOutcome(const Json& expect, const Outcome& outcome) {
    const Json error = expect.value("error", Json());
    if (!outcome) {
      const Json code = name(outcome.error().code);
      if (!sameJson(error, code))
        mismatch("error", error, {{"code", code}, {"message", describe(outcome.error())}});
    } else if (!error.is_null()) {
      mismatch("error", error, Json());
    } else if (expect.contains("result")) {
      compare("result", expect["result"], *outcome);
    }
  }

  void compare(std::string what, const Json& expected, const Json& actual) {
    if (!sameJson(expected, actual)) mismatch(std::move(what), expected, actual);
  }

  void mismatch(std::string what, Json expected, Json actual) {
    report_.mismatches.push_back(
        {*file_, scenario_, step_, std::move(what), std::move(expected), std::move(actual)});
  }

  [[nodiscard]] std::string place() const {
    std::string text = *file_ + ": scenario " + enablement::quote(scenario_);
    if (step_ > 0) text += ", step " + std::to_string(step_);
    return text;
  }

  Report report_;
  const std::string* file_ = nullptr;
  std::string scenario_;
  std::size_t step_ = 0;
};

}  // namespace

Result<Report> play(std::span<const ScenarioFile> files, const Progress& progress) {
  std::size_t all = 0;
  for (const ScenarioFile& file : files) all += file.scenarios.size();
  Player player;
  for (const ScenarioFile& file : files) {
    const auto goOn = [&] { return !progress || progress(player.played(), all); };
    if (auto ok = player.playFile(file, goOn); !ok) return fail(ok.error());
  }
  return player.report();
}

}  // namespace enablement::tool
