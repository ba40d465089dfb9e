#include "reduce_input.h"

#include <stdexcept>
#include <utility>

#include <enablement/schema/json_text.h>
#include <enablement/session/reducer.h>

namespace enablement::fuzz {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

void requireRefusal(const Error& error) {
  require(error.code == ErrorCode::invalidArgument, "refused with another code");
  require(!error.message.empty() && error.message.size() < 1000, "refused without a message");
}

// A state can be printed, read and taken again.
void requireReadable(const PublishedState& state) {
  const auto again = parseJson(state.json().dump(), "state");
  require(again.has_value(), "a state cannot be read again");
  require(*again == state.json(), "a state is read as another");
  require(PublishedState::create(*again).has_value(), "a state is not taken again");
}

// The action applied, or the state as it was if it is refused.
PublishedState applied(const PublishedState& state, const Json& action, Generation generation) {
  const Json before = state.json();
  const auto next = reduce(state, action, generation);
  require(state.json() == before, "the old state was changed");
  if (!next) {
    requireRefusal(next.error());
    return state;
  }
  const auto twice = reduce(state, action, generation);
  require(twice && twice->json() == next->json(), "not a function of state and action");
  require(twice->isSame(state) == next->isSame(state), "unchanged only sometimes");
  requireReadable(*next);
  return *next;
}

}  // namespace

void reduceInput(std::string_view bytes) {
  // nlohmann's own reader, because ours stops at depths that a caller's values may have.
  constexpr bool throwing = false;
  Json input = Json::parse(bytes, nullptr, throwing);
  if (!input.is_array() || input.empty()) return;
  auto first = PublishedState::create(std::move(input.front()));
  if (!first) return requireRefusal(first.error());
  for (const Generation generation : {Generation::first, Generation::second}) {
    PublishedState state = *first;
    for (std::size_t i = 1; i < input.size(); ++i) state = applied(state, input[i], generation);
  }
}

}  // namespace enablement::fuzz
