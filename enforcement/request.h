// What a running runtime, or a person, asks about one server.
#pragma once

#include <string_view>

#include <enablement/enforcement/inputs.h>
#include <enablement/enforcement/observation.h>
#include <enablement/enforcement/state.h>

namespace enablement {

// Whether something may be let through, and why not.
struct RequestAnswer {
  bool isAllowed = false;
  Why why = Why::invalid;                         // what decided it
  std::optional<NotYet> notYet = {};              // not allowed, because there is no answer yet
  std::optional<Published::Kind> published = {};  // the server's state from now on, if it changes
};

// A server wants a sign-in: whether a person is asked. Answered from the current resolution, never
// from the launch plan: what is off or pending is suppressed, also a name that is first seen now
// (E6, E2b). What is let through counts as a challenge until it ends.
[[nodiscard]] RequestAnswer authRequest(Runtime runtime, std::string_view server,
                                        const SessionInputs& inputs, EnforcementState& state);

enum class StartStop : unsigned char { start, stop };

// Somebody wants a server started or stopped. It never changes what is on (E6): stopping is always
// allowed and says nothing of it, and what is off or pending is not started.
[[nodiscard]] RequestAnswer startStop(Runtime runtime, std::string_view server, StartStop what,
                                      const SessionInputs& inputs, EnforcementState& state);

}  // namespace enablement
