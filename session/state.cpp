#include <enablement/session/state.h>

#include <array>
#include <limits>
#include <string>
#include <utility>

#include <enablement/session/json_walk.h>

namespace enablement {
namespace {

constexpr std::array<const char*, 3> lists{"customizations", "activeClients", "workingDirectories"};

tl::unexpected<Error> refuse(const std::string& what) {
  return fail(ErrorCode::invalidArgument, "the session's state " + what,
              "it is an object; its customizations, activeClients and workingDirectories are lists "
              "or left out");
}

}  // namespace

PublishedState::PublishedState(nlohmann::ordered_json json)
    : json_(std::make_shared<const nlohmann::ordered_json>(std::move(json))) {}

Result<PublishedState> PublishedState::create(nlohmann::ordered_json json) {
  const std::string problem =
      problemOfJson(json, maxJsonDepth, std::numeric_limits<std::size_t>::max());
  if (!problem.empty()) return refuse(problem);
  if (!json.is_object()) return refuse("is not an object");
  for (const char* list : lists) {
    const auto found = json.find(list);
    if (found != json.end() && !found->is_null() && !found->is_array())
      return refuse("has \"" + std::string(list) + "\" that are not a list");
  }
  return PublishedState(std::move(json));
}

}  // namespace enablement
