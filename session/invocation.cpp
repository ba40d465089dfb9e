#include <enablement/session/invocation.h>

#include <enablement/session/action_shape.h>
#include <enablement/session/entry_place.h>

namespace enablement {
namespace {

bool isOpen(const Json& entry, const char* disabling) {
  const Json* field = fieldOf(entry, disabling);
  return field == nullptr || (field->is_boolean() && !field->get<bool>());
}

}  // namespace

Invocable invocableAs(const Json& entry, Effective answer) {
  if (answer.state != EffectiveState::enabled) return {};
  const std::string_view type = textOr(entry, "type");
  if (type != "agent" && type != "skill") return {true, true};
  return {isOpen(entry, "disableModelInvocation"), isOpen(entry, "disableUserInvocation")};
}

}  // namespace enablement
