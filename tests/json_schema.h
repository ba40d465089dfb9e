// Checks a value against a JSON schema: as much of the language as docs/cli/schemas.json uses. A
// keyword that is not known here is a fault of the schema.
#pragma once

#include <algorithm>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace enablement::testing {

class SchemaCheck {
 public:
  using Json = nlohmann::json;

  explicit SchemaCheck(Json document) : document_(std::move(document)) {}

  // Where and how `value` is not what `schema` says; empty when it is.
  [[nodiscard]] std::vector<std::string> faults(const Json& schema, const Json& value,
                                                const std::string& at = "") const {
    if (const auto ref = schema.find("$ref"); ref != schema.end())
      return faults(document_.at(Json::json_pointer(ref->get<std::string>().substr(1))), value, at);
    if (const auto any = schema.find("anyOf"); any != schema.end()) return ofAny(*any, value, at);
    std::vector<std::string> found;
    const auto fault = [&](const std::string& what) { found.push_back(at + ": " + what); };
    for (const auto& [keyword, rule] : schema.items()) {
      if (keyword == "type") {
        if (!isOfType(rule, value)) fault("is no " + rule.dump() + ": " + value.dump());
      } else if (keyword == "enum") {
        if (std::find(rule.begin(), rule.end(), value) == rule.end()) fault("is " + value.dump());
      } else if (keyword == "const") {
        if (rule != value) fault("is " + value.dump());
      } else if (keyword == "pattern") {
        if (value.is_string() &&
            !std::regex_search(value.get<std::string>(), std::regex(rule.get<std::string>())))
          fault("does not match: " + value.dump());
      } else if (keyword == "minimum") {
        if (value.is_number() && value < rule) fault("is too small: " + value.dump());
      } else if (keyword == "required") {
        for (const auto& name : rule)
          if (value.is_object() && !value.contains(name.get<std::string>()))
            fault("misses " + name.dump());
      } else if (keyword == "items") {
        for (std::size_t i = 0; value.is_array() && i < value.size(); ++i)
          add(found, faults(rule, value[i], at + "/" + std::to_string(i)));
      } else if (keyword == "properties" || keyword == "additionalProperties") {
        continue;
      } else {
        fault("the schema says " + keyword);
      }
    }
    add(found, ofMembers(schema, value, at));
    return found;
  }

 private:
  static void add(std::vector<std::string>& all, const std::vector<std::string>& some) {
    all.insert(all.end(), some.begin(), some.end());
  }

  [[nodiscard]] std::vector<std::string> ofAny(const Json& schemas, const Json& value,
                                               const std::string& at) const {
    std::vector<std::string> found;
    for (const Json& schema : schemas) {
      const auto some = faults(schema, value, at);
      if (some.empty()) return {};
      add(found, some);
    }
    return found;
  }

  [[nodiscard]] std::vector<std::string> ofMembers(const Json& schema, const Json& value,
                                                   const std::string& at) const {
    std::vector<std::string> found;
    if (!value.is_object()) return found;
    const Json known = schema.value("properties", Json::object());
    const Json others = schema.value("additionalProperties", Json(true));
    for (const auto& [name, member] : value.items()) {
      if (known.contains(name))
        add(found, faults(known[name], member, at + "/" + name));
      else if (others == false)
        found.push_back(at + ": has a member " + name);
      else if (others.is_object())
        add(found, faults(others, member, at + "/" + name));
    }
    return found;
  }

  static bool isOfType(const Json& rule, const Json& value) {
    if (rule.is_array())
      return std::any_of(rule.begin(), rule.end(),
                         [&](const Json& one) { return isOfType(one, value); });
    if (rule == "integer") return value.is_number_integer();
    return rule == value.type_name();
  }

  Json document_;
};

}  // namespace enablement::testing
