// The reducer: a session's state and an action give the next state (S2).
#pragma once

#include <cstddef>

#include <nlohmann/json.hpp>

#include <enablement/schema/error.h>
#include <enablement/session/state.h>

namespace enablement {

// Which generation of the protocol a peer negotiated (S1). Nothing in a message tells it.
enum class Generation : unsigned char {
  first = 1,   // 0.5.2 to 0.7.x: entries and toggles bear `enabled`
  second = 2,  // 0.8.0 and later: they bear `enablement`, a list of decisions by scope
};

// Actions nested deeper, or longer as JSON text without spaces, are refused. Four levels less than
// a state may have, because a part of an action lies up to four levels deeper in the state: every
// state can be written and read again.
inline constexpr std::size_t maxActionDepth = 60;
inline constexpr std::size_t maxActionBytes = std::size_t{8} * 1024 * 1024;

// A pure function; any thread. What an action does not name stays as it is, with its place. Where
// its rule says *unchanged*, and for an action of another type, the result is the same object as
// `state` (PublishedState::isSame). It asks neither who sent an action, nor whether ids are unique:
// that is the host's part (S3, S4).
//
// `invalidArgument`, saying what is wrong: the action is no object with a text `type`; a field that
// its rule needs is missing or of the wrong kind; or it is beyond the limits above. `state` stays.
[[nodiscard]] Result<PublishedState> reduce(const PublishedState& state,
                                            const nlohmann::ordered_json& action,
                                            Generation generation);

}  // namespace enablement
