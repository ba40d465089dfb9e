#include <enablement/tool/fixtures.h>

#include <algorithm>
#include <utility>

#include <enablement/schema/text.h>
#include <enablement/tool/json_output.h>

namespace enablement::tool {
namespace {

constexpr const char* fixtureShape =
    "a fixture is {description, reducer: \"session\", initial, actions: […], expected}";

// A name as it stands in a JSON pointer.
std::string escaped(std::string_view key) {
  std::string out;
  for (const char c : key) {
    if (c == '~')
      out += "~0";
    else if (c == '/')
      out += "~1";
    else
      out += c;
  }
  return out;
}

const Json* memberOf(const Json& object, const std::string& key) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

const Json* elementOf(const Json& list, std::size_t index) {
  return index < list.size() ? &list[index] : nullptr;
}

std::optional<Json> copied(const Json* value) {
  return value == nullptr ? std::nullopt : std::optional(*value);
}

// Null is nothing on that side; a null in JSON is a value.
void compare(const std::string& path, const Json* expected, const Json* actual,
             std::vector<Difference>& out) {
  const bool both = expected != nullptr && actual != nullptr;
  if (both && sameJson(*expected, *actual)) return;
  if (both && expected->is_object() && actual->is_object()) {
    for (const auto& [key, value] : expected->items())
      compare(path + "/" + escaped(key), &value, memberOf(*actual, key), out);
    for (const auto& [key, value] : actual->items())
      if (memberOf(*expected, key) == nullptr)
        compare(path + "/" + escaped(key), nullptr, &value, out);
  } else if (both && expected->is_array() && actual->is_array()) {
    for (std::size_t i = 0; i < std::max(expected->size(), actual->size()); ++i)
      compare(path + "/" + std::to_string(i), elementOf(*expected, i), elementOf(*actual, i), out);
  } else {
    out.push_back({path, copied(expected), copied(actual)});
  }
}

// Runs one fixture after the other into a report.
class FixtureRunner {
 public:
  explicit FixtureRunner(Generation generation) : generation_(generation) {}

  Status runFile(const FixtureFile& file) {
    file_ = &file.name;
    if (file.fixtures.is_object()) return runNext(file.fixtures, 1);
    if (!file.fixtures.is_array())
      return fail(ErrorCode::invalidArgument, file.name + ": neither a fixture nor a list of them",
                  fixtureShape);
    std::size_t number = 0;
    for (const Json& fixture : file.fixtures)
      if (auto ok = runNext(fixture, ++number); !ok) return ok;
    return {};
  }
  FixtureReport report() { return std::move(report_); }

 private:
  Status runNext(const Json& fixture, std::size_t number) {
    number_ = number;
    description_.clear();
    if (!fixture.is_object()) return bad("it is not an object");
    if (const auto found = fixture.find("description"); found != fixture.end()) {
      if (!found->is_string()) return bad("its \"description\" is not a text");
      description_ = found->get<std::string>();
    }
    const auto reducer = fixture.find("reducer");
    if (reducer == fixture.end() || !reducer->is_string()) return bad("it has no text \"reducer\"");
    if (*reducer != "session") {
      ++report_.skipped;
      return {};
    }
    return run(fixture);
  }

  Status run(const Json& fixture) {
    for (const char* needed : {"initial", "actions", "expected"})
      if (!fixture.contains(needed)) return bad("it has no \"" + std::string(needed) + "\"");
    const Json& actions = fixture["actions"];
    if (!actions.is_array()) return bad("its \"actions\" are not a list");
    auto state = PublishedState::create(fixture["initial"]);
    if (!state) return bad("initial: " + state.error().message, state.error().hint);
    for (std::size_t i = 0; i < actions.size(); ++i) {
      auto next = reduce(*state, actions[i], generation_);
      if (next)
        state = *std::move(next);
      else
        report_.refusals.push_back(place() + ": action " + std::to_string(i + 1) + ": " +
                                   next.error().message);
    }
    compareWith(fixture["expected"], state->json());
    return {};
  }

  void compareWith(const Json& expected, const Json& actual) {
    ++report_.fixtures;
    Json wanted = withoutNulls(expected);
    Json got = withoutNulls(actual);
    auto differences = differencesOf(wanted, got);
    if (differences.empty()) return;
    report_.mismatches.push_back(
        {*file_, number_, description_, std::move(wanted), std::move(got), std::move(differences)});
  }

  [[nodiscard]] std::string place() const {
    std::string place = *file_ + ": fixture " + std::to_string(number_);
    if (!description_.empty()) place += ", " + enablement::quote(description_);
    return place;
  }

  [[nodiscard]] Status bad(const std::string& what, const std::string& hint = fixtureShape) const {
    return fail(ErrorCode::invalidArgument, place() + ": " + what, hint);
  }

  Generation generation_;
  FixtureReport report_;
  const std::string* file_ = nullptr;
  std::size_t number_ = 0;
  std::string description_;
};

}  // namespace

Json withoutNulls(const Json& value) {
  if (!value.is_structured()) return value;
  Json out(value.type());
  if (value.is_array()) {
    for (const Json& element : value) out.push_back(withoutNulls(element));
  } else {
    // The vector's own function: keys are known to be new, and the map's would look again.
    for (const auto& [key, member] : value.get_ref<const Json::object_t&>())
      if (!member.is_null()) out.get_ref<Json::object_t&>().emplace_back(key, withoutNulls(member));
  }
  return out;
}

std::vector<Difference> differencesOf(const Json& expected, const Json& actual) {
  std::vector<Difference> out;
  compare("", &expected, &actual, out);
  return out;
}

Result<FixtureReport> runFixtures(std::span<const FixtureFile> files, Generation generation) {
  FixtureRunner runner(generation);
  for (const FixtureFile& file : files)
    if (auto ok = runner.runFile(file); !ok) return fail(ok.error());
  return runner.report();
}

}  // namespace enablement::tool
