#include <enablement/tool/step.h>

#include <algorithm>

#include <enablement/schema/text.h>

namespace enablement::tool {

Fields::Fields(const Json& object, std::string_view what) : object_(object), what_(what) {
  if (!object.is_object())
    throw BadStep{{ErrorCode::invalidArgument, std::string(what) + " is not an object", {}}};
}

void Fields::wrong(std::string_view key, std::string_view expected) const {
  throw BadStep{
      {ErrorCode::invalidArgument,
       std::string(what_) + " needs " + enablement::quote(key) + ": " + std::string(expected),
       {}}};
}

const Json* Fields::find(std::string_view key) const {
  const auto at = object_.find(key);
  return at == object_.end() ? nullptr : &*at;
}

const Json& Fields::get(std::string_view key) const {
  const Json* value = find(key);
  if (value == nullptr) wrong(key, "it is missing");
  return *value;
}

std::string Fields::text(std::string_view key) const {
  const Json& value = get(key);
  if (!value.is_string()) wrong(key, "a string");
  return value.get<std::string>();
}

std::optional<std::string> Fields::textIfAny(std::string_view key) const {
  if (find(key) == nullptr) return std::nullopt;
  return text(key);
}

bool Fields::flag(std::string_view key) const {
  const Json& value = get(key);
  if (!value.is_boolean()) wrong(key, "true or false");
  return value.get<bool>();
}

const Json& Fields::object(std::string_view key) const {
  const Json& value = get(key);
  if (!value.is_object()) wrong(key, "an object");
  return value;
}

const Json& Fields::list(std::string_view key) const {
  const Json& value = get(key);
  if (!value.is_array()) wrong(key, "a list");
  return value;
}

Scope Fields::scope(std::string_view key) const {
  const auto scope = parseScope(text(key));
  if (!scope) throw BadStep{scope.error(), true};
  return *scope;
}

void Host::start() {
  // One millisecond per look at the clock, so that every play is the same.
  service_ = EnablementService::open(
      {.path = file_, .clock = [this] { return now_ += std::chrono::milliseconds(1); }});
  subscription_ =
      service_->subscribe([this](const Event& event) { events_.push_back(event.sessions); });
}

void Host::restart() {
  service_->close();
  service_.reset();
  start();
}

Json Host::takeEvents() {
  return std::exchange(events_, Json::array());
}

Target Step::target() const {
  const std::string alias = fields.text("target");
  const Json* found = Fields(targets, "the scenario's \"targets\"").find(alias);
  if (found == nullptr)
    throw BadStep{{ErrorCode::invalidArgument, "no target is called " + enablement::quote(alias),
                   "a step names one of the scenario's \"targets\""}};
  const Fields described(*found, "the target");
  const std::string type = described.text("type");
  std::string text;
  std::optional<std::string> owner;
  TargetText target;
  if (type == name(TargetType::plugin)) {
    text = described.text("source");
    target.uri = text;
  } else if (type == name(TargetType::mcpServer)) {
    target.type = TargetType::mcpServer;
    text = described.text("name");
    target.name = text;
    owner = described.textIfAny("owningPlugin");
    target.owningPlugin = owner;
    if (described.find("defaultEnabled") != nullptr)
      target.discoveryDefault = described.flag("defaultEnabled");
  } else {
    throw BadStep{{ErrorCode::invalidArgument,
                   "a target of the unknown type " + enablement::quote(type),
                   "a target is of type plugin or mcpServer"}};
  }
  const auto built = makeTarget(target);
  if (!built) throw BadStep{built.error(), true};
  return *built;
}

}  // namespace enablement::tool
