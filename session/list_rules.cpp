#include <enablement/session/list_rules.h>

#include <algorithm>
#include <iterator>

#include <enablement/session/action_shape.h>

namespace enablement {
namespace {

template <typename Matches>
std::optional<std::size_t> firstThat(const Json& list, const Matches& matches) {
  const auto found = std::find_if(list.begin(), list.end(), matches);
  if (found == list.end()) return std::nullopt;
  return static_cast<std::size_t>(std::distance(list.begin(), found));
}

bool isText(const Json& value, const std::string& text) {
  return value.is_string() && value.get_ref<const std::string&>() == text;
}

std::optional<std::size_t> indexOfText(const Json* list, const std::string& text) {
  if (list == nullptr) return std::nullopt;
  return firstThat(*list, [&](const Json& value) { return isText(value, text); });
}

std::optional<Json> without(const Json* list, std::optional<std::size_t> index) {
  if (!index) return std::nullopt;
  Json next = *list;
  next.erase(*index);
  return next;
}

}  // namespace

std::optional<std::size_t> indexOf(const Json& list, const char* field, const std::string& text) {
  return firstThat(list, [&](const Json& entry) {
    const auto found = entry.find(field);
    return found != entry.end() && isText(*found, text);
  });
}

Json withEntry(const Json* list, const char* field, const Json& entry) {
  Json next = list == nullptr ? Json::array() : *list;
  if (const auto index = indexOf(next, field, textIn(entry, field)))
    next[*index] = entry;
  else
    next.push_back(entry);
  return next;
}

std::optional<Json> clientRemoved(const Json* list, const std::string& clientId) {
  if (list == nullptr) return std::nullopt;
  return without(list, indexOf(*list, "clientId", clientId));
}

std::optional<Json> directorySet(const Json* list, const std::string& directory) {
  if (indexOfText(list, directory)) return std::nullopt;
  Json next = list == nullptr ? Json::array() : *list;
  next.push_back(directory);
  return next;
}

std::optional<Json> directoryRemoved(const Json* list, const std::string& directory) {
  return without(list, indexOfText(list, directory));
}

std::optional<Json> directoryReplaced(const Json* list, const std::string& directory,
                                      const std::string& replacement) {
  const auto target = indexOfText(list, directory);
  if (!target || directory == replacement) return std::nullopt;
  const auto other = indexOfText(list, replacement);
  // The one that stands first keeps its place; a directory is not in the list twice.
  if (other && *other < *target) return without(list, target);
  Json next = *list;
  next[*target] = replacement;
  if (other) next.erase(*other);
  return next;
}

}  // namespace enablement
