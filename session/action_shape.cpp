#include <enablement/session/action_shape.h>

#include <string>
#include <vector>

#include <enablement/resolver/entry_target.h>
#include <enablement/session/json_walk.h>

namespace enablement {
namespace {

// Each function below says what is wrong, for a sentence about the action, or nothing.
using Problem = std::string;

bool isText(const Json& object, const char* name) {
  const Json* field = fieldOf(object, name);
  return field != nullptr && field->is_string();
}

Problem needsText(const Json& object, const char* name) {
  return isText(object, name) ? Problem() : "has no text \"" + std::string(name) + "\"";
}

// An object below the action, with a text in it.
Problem needsObject(const Json& action, const char* name, const char* text) {
  const Json* object = fieldOf(action, name);
  if (object == nullptr || !object->is_object())
    return "has no object \"" + std::string(name) + "\"";
  if (isText(*object, text)) return {};
  return "has a \"" + std::string(name) + "\" without a text \"" + text + "\"";
}

Problem bare(const Json& entry, const std::string& where) {
  if (!entry.is_object()) return "has an entry at " + where + " that is not an object";
  for (const char* name : {"id", "type"})
    if (!isText(entry, name))
      return "has an entry at " + where + " without a text \"" + name + "\"";
  return {};
}

// An entry of the tree with its children.
Problem ofEntry(const Json& entry, const std::string& where) {
  if (auto problem = bare(entry, where); !problem.empty()) return problem;
  const Json* children = fieldOf(entry, "children");
  if (children == nullptr || kindOf(entry) == EntryKind::mcpServer) return {};
  if (!children->is_array()) return "has children at " + where + " that are not a list";
  for (std::size_t i = 0; i < children->size(); ++i)
    if (auto problem = bare((*children)[i], where + ".children[" + std::to_string(i) + "]");
        !problem.empty())
      return problem;
  return {};
}

Problem ofCustomizations(const Json& action) {
  const Json* list = fieldOf(action, "customizations");
  if (list == nullptr || !list->is_array()) return "has no list \"customizations\"";
  for (std::size_t i = 0; i < list->size(); ++i)
    if (auto problem = ofEntry((*list)[i], "customizations[" + std::to_string(i) + "]");
        !problem.empty())
      return problem;
  return {};
}

Problem ofCustomization(const Json& action) {
  const Json* entry = fieldOf(action, "customization");
  if (entry == nullptr) return "has no object \"customization\"";
  return ofEntry(*entry, "customization");
}

Problem ofToggle(const Json& action, Generation generation) {
  if (auto problem = needsText(action, "id"); !problem.empty()) return problem;
  const Json* decisions = fieldOf(action, "enablement");
  if (generation == Generation::first || decisions == nullptr || !decisions->is_array()) return {};
  for (std::size_t i = 0; i < decisions->size(); ++i) {
    const Json& decision = (*decisions)[i];
    const Json* enabled = fieldOf(decision, "enabled");
    if (!isText(decision, "kind") || enabled == nullptr || !enabled->is_boolean())
      return "has at enablement[" + std::to_string(i) + "] no {kind, enabled}";
  }
  return {};
}

Problem ofServerState(const Json& action) {
  if (auto problem = needsText(action, "id"); !problem.empty()) return problem;
  if (auto problem = needsObject(action, "state", "kind"); !problem.empty()) return problem;
  const bool badChannel = fieldOf(action, "channel") != nullptr && !isText(action, "channel");
  return badChannel ? "has a \"channel\" that is not a text" : Problem();
}

Problem ofReplacement(const Json& action) {
  auto problem = needsText(action, "directory");
  return problem.empty() ? needsText(action, "replacement") : problem;
}

Problem problemOf(const Json& action, ActionType type, Generation generation) {
  switch (type) {
    case ActionType::customizationsChanged:
      return ofCustomizations(action);
    case ActionType::customizationToggled:
      return ofToggle(action, generation);
    case ActionType::customizationUpdated:
      return ofCustomization(action);
    case ActionType::customizationRemoved:
    case ActionType::mcpServerStartRequested:
    case ActionType::mcpServerStopRequested:
      return needsText(action, "id");
    case ActionType::mcpServerStateChanged:
      return ofServerState(action);
    case ActionType::activeClientSet:
      return needsObject(action, "activeClient", "clientId");
    case ActionType::activeClientRemoved:
      return needsText(action, "clientId");
    case ActionType::workingDirectorySet:
    case ActionType::workingDirectoryRemoved:
      return needsText(action, "directory");
    case ActionType::workingDirectoryReplaced:
      return ofReplacement(action);
  }
  return "is of no known type";
}

const char* shapeOf(ActionType type) {
  switch (type) {
    case ActionType::customizationsChanged:
      return "{customizations: [{type, id, children?: [{type, id}]}]}";
    case ActionType::customizationToggled:
      return "{id, enablement: [{kind, enabled, uri?}]}, or {id, enabled} in generation 1";
    case ActionType::customizationUpdated:
      return "{customization: {type, id, children?: [{type, id}]}}";
    case ActionType::customizationRemoved:
    case ActionType::mcpServerStartRequested:
    case ActionType::mcpServerStopRequested:
      return "{id}";
    case ActionType::mcpServerStateChanged:
      return "{id, state: {kind}, channel?}";
    case ActionType::activeClientSet:
      return "{activeClient: {clientId}}";
    case ActionType::activeClientRemoved:
      return "{clientId}";
    case ActionType::workingDirectorySet:
    case ActionType::workingDirectoryRemoved:
      return "{directory}";
    case ActionType::workingDirectoryReplaced:
      return "{directory, replacement}";
  }
  return "";
}

}  // namespace

const Json* fieldOf(const Json& object, const char* name) {
  const auto field = object.find(name);
  return field == object.end() || field->is_null() ? nullptr : &*field;
}

const std::string& textIn(const Json& object, const char* name) {
  return object.at(name).get_ref<const std::string&>();
}

Status checkShape(const Json& action, ActionType type, Generation generation) {
  Problem problem = problemOfJson(action, maxActionDepth, maxActionBytes);
  const bool limit = !problem.empty();
  if (!limit) problem = problemOf(action, type, generation);
  if (problem.empty()) return {};
  return fail(ErrorCode::invalidArgument, "the action " + std::string(name(type)) + " " + problem,
              limit ? std::string("an action is JSON within these limits; send less at once")
                    : "its shape: " + std::string(shapeOf(type)));
}

}  // namespace enablement
