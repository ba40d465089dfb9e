#include <enablement/enforcement/definitions.h>

#include <algorithm>

#include <enablement/schema/json_text.h>
#include <enablement/schema/text.h>
#include <enablement/session/json_walk.h>

namespace enablement {
namespace {

// As for actions: a plan that holds it can be written and read again.
constexpr std::size_t maxDefinitionDepth = 48;
constexpr std::size_t maxDefinitionBytes = std::size_t{1024} * 1024;

bool isFilledText(const Json& value) {
  return value.is_string() && !value.get_ref<const std::string&>().empty();
}
bool isTexts(const Json& value) {
  return value.is_array() &&
         std::all_of(value.begin(), value.end(), [](const Json& v) { return v.is_string(); });
}

// What is wrong with a definition, or nothing.
std::string problemOf(const Json& definition) {
  if (!definition.is_object()) return "is not an object";
  if (auto problem = problemOfJson(definition, maxDefinitionDepth, maxDefinitionBytes);
      !problem.empty())
    return problem;
  const auto wrong = [&](const char* field, auto fits) {
    const auto found = definition.find(field);
    return found != definition.end() && !found->is_null() && !fits(*found);
  };
  const auto isObject = [](const Json& value) { return value.is_object(); };
  for (const char* field : {"command", "url"})
    if (wrong(field, isFilledText)) return std::string("has a ") + field + " that is not a text";
  if (wrong("args", isTexts)) return "has args that are not a list of texts";
  for (const char* field : {"env", "headers"})
    if (wrong(field, isObject)) return std::string("has ") + field + " that are not an object";
  return {};
}

}  // namespace

DefinitionsByName wellFormed(const Json& definitions, const std::string& source, bool nullable,
                             std::set<std::string, std::less<>>& names,
                             std::vector<Dropped>& dropped) {
  DefinitionsByName kept;
  if (!definitions.is_object()) {
    if (!definitions.is_null())
      dropped.push_back({source, {}, "is not an object of definitions by name"});
    return kept;
  }
  for (const auto& [name, definition] : definitions.items()) {
    if (const Status valid = checkServerName(name); !valid) {
      dropped.push_back({source, isUtf8(name) ? name : quote(name), "has no valid name"});
      continue;
    }
    names.insert(name);
    if (nullable && definition.is_null()) {
      kept.emplace(name, &definition);
    } else if (std::string problem = problemOf(definition); !problem.empty()) {
      dropped.push_back({source, name, std::move(problem)});
    } else {
      kept.emplace(name, &definition);
    }
  }
  return kept;
}

Json objectOf(const DefinitionsByName& definitions) {
  Json json = Json::object();
  // Appended without looking for the name: names are unique here, and there may be many.
  auto& members = json.get_ref<Json::object_t&>();
  for (const auto& [name, definition] : definitions) members.emplace_back(name, *definition);
  return json;
}

DefinitionsByName byName(const Json& object) {
  DefinitionsByName members;
  for (const auto& [name, definition] : object.items()) members.emplace(name, &definition);
  return members;
}

}  // namespace enablement
