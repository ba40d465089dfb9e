#include <enablement/enforcement/request.h>

#include <enablement/enforcement/survey.h>
#include <enablement/schema/text.h>

namespace enablement {

struct Request {
  // Whether the server is on at this moment.
  static RequestAnswer answer(Runtime runtime, std::string_view server, const SessionInputs& inputs,
                              EnforcementState& state) {
    const std::string name(server);
    if (inputs.sources.injected.contains(name)) return {.isAllowed = true, .why = Why::byDefault};
    if (!checkServerName(name)) return {.why = Why::invalid};
    const auto names = survey(runtime, inputs, state, {name});
    if (!names) return {.why = Why::session, .notYet = names.error()};
    if (names->isBare(name)) state.seen_.insert(name);
    state.met_.insert(name);
    const Wish& wish = names->wish(name);
    if (!wish.now) return {.why = Why::invalid};
    // Somebody's off in the runtime counts at once, somebody's on when it is stored.
    if (wish.override == false) return {.why = Why::outsideToggle};
    return {.isAllowed = wish.now->state == EffectiveState::enabled, .why = wish.now->why};
  }

  static void challenge(EnforcementState& state, std::string_view server, bool isOpen) {
    if (isOpen)
      state.challenges_.emplace(server);
    else
      state.challenges_.erase(std::string(server));
  }
};

RequestAnswer authRequest(Runtime runtime, std::string_view server, const SessionInputs& inputs,
                          EnforcementState& state) {
  RequestAnswer answer = Request::answer(runtime, server, inputs, state);
  Request::challenge(state, server, answer.isAllowed);
  if (answer.isAllowed) answer.published = Published::Kind::authRequired;
  return answer;
}

RequestAnswer startStop(Runtime runtime, std::string_view server, StartStop what,
                        const SessionInputs& inputs, EnforcementState& state) {
  RequestAnswer answer = Request::answer(runtime, server, inputs, state);
  if (what == StartStop::stop) {
    answer.isAllowed = true;
    answer.published = Published::Kind::stopped;
  } else if (answer.isAllowed) {
    answer.published = Published::Kind::starting;
  }
  return answer;
}

}  // namespace enablement
