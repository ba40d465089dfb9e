// What each step of a scenario does: one function in one table.
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <enablement/resolver/gate.h>
#include <enablement/schema/text.h>
#include <enablement/tool/json_output.h>
#include <enablement/tool/step.h>

namespace enablement::tool {
namespace {

constexpr std::string_view actor = "scenario";

// A call without an answer has no result.
Outcome outcome(const Status& status) {
  if (!status) return fail(status.error());
  return Json();
}

Outcome outcome(const Result<Resolution>& answer) {
  if (!answer) return fail(answer.error());
  return toJson(*answer);
}

template <typename Value>
Value built(Result<Value> value) {
  if (!value) throw BadStep{value.error(), true};
  return *std::move(value);
}

WorkingDirectory workingDirectory(const Fields& fields) {
  const std::string kind = fields.text("kind");
  if (kind == "none") return WorkingDirectory::none();
  if (kind == "pending") return WorkingDirectory::pending();
  if (kind == "directory") return built(WorkingDirectory::directory(fields.text("uri")));
  throw BadStep{{ErrorCode::invalidArgument,
                 "a working directory of the unknown kind " + enablement::quote(kind),
                 "its kind is directory, none or pending"}};
}

// The folder of a write without a session; none for the global scope.
std::optional<WorkingDirectory> storedPlace(const Step& step, Scope scope) {
  if (scope == Scope::global) return std::nullopt;
  if (scope == Scope::workspace)
    return built(WorkingDirectory::directory(step.fields.text("directory")));
  throw BadStep{{ErrorCode::invalidArgument, "a write at session scope needs a session", {}}, true};
}

std::vector<StatedEntry> statedEntries(const Json& list) {
  if (!list.is_array())
    throw BadStep{{ErrorCode::invalidArgument, "an enablement is not a list", {}}};
  std::vector<StatedEntry> entries;
  for (const Json& item : list) {
    const Fields entry(item, "an entry of an enablement");
    entries.push_back({entry.text("kind"), entry.flag("enabled")});
  }
  return entries;
}

Outcome load(const Step& step) {
  return outcome(step.service().loadSession(step.session()));
}

Outcome close(const Step& step) {
  return outcome(step.service().closeSession(step.session()));
}

Outcome remove(const Step& step) {
  return outcome(step.service().deleteSession(step.session()));
}

Outcome directory(const Step& step) {
  const Fields folder(step.fields.object("workingDirectory"), "the working directory");
  return outcome(step.service().setWorkingDirectory(step.session(), workingDirectory(folder)));
}

Outcome turn(const Step& step) {
  return outcome(step.service().setTurnActive(step.session(), step.fields.flag("active")));
}

Outcome set(const Step& step) {
  const Target target = step.target();
  const Scope scope = step.fields.scope("scope");
  const bool enabled = step.fields.flag("enabled");
  if (const auto session = step.fields.textIfAny("session"))
    return outcome(step.service().set(*session, target, scope, enabled, actor));
  return outcome(step.service().setStored(target, storedPlace(step, scope), enabled, actor));
}

Outcome clear(const Step& step) {
  const Target target = step.target();
  const Scope scope = step.fields.scope("scope");
  if (const auto session = step.fields.textIfAny("session"))
    return outcome(step.service().clear(*session, target, scope, actor));
  return outcome(step.service().clearStored(target, storedPlace(step, scope), actor));
}

Outcome replace(const Step& step) {
  const Target target = step.target();
  std::vector<ReplaceEntry> enablement;
  for (const Json& item : step.fields.list("enablement")) {
    const Fields entry(item, "an entry of the enablement");
    enablement.push_back({entry.scope("kind"), entry.flag("enabled"), entry.textIfAny("uri")});
  }
  return outcome(step.service().replace(step.session(), target, std::move(enablement), actor));
}

Outcome clientBase(const Step& step) {
  std::vector<StatedPlugin> plugins;
  for (const Json& item : step.fields.list("plugins")) {
    const Fields plugin(item, "a stated plugin");
    StatedPlugin& stated = plugins.emplace_back(StatedPlugin{plugin.text("uri")});
    if (const Json* list = plugin.find("enablement")) stated.enablement = statedEntries(*list);
    if (plugin.find("childEnablement") == nullptr) continue;
    for (const auto& [server, list] : plugin.object("childEnablement").items())
      stated.childEnablement.emplace_back(server, statedEntries(list));
  }
  return outcome(
      step.service().stateClientBase(step.session(), step.fields.text("client"), plugins));
}

Outcome clientRemoved(const Step& step) {
  return outcome(step.service().removeClientBase(step.session(), step.fields.text("client")));
}

Outcome purge(const Step& step) {
  return outcome(step.service().purge(step.target().key, actor));
}

// By names and by handles: a scenario sees one answer, and both if they should ever differ.
Outcome resolve(const Step& step) {
  const EnablementService& service = step.service();
  const Target target = step.target();
  Json byName = toJson(service.resolve(step.session(), target));
  Json byHandle = toJson(service.resolve(service.intern(step.session()), service.intern(target)));
  if (byName == byHandle) return byName;
  return Json{{"byName", std::move(byName)}, {"byHandle", std::move(byHandle)}};
}

Outcome effective(const Step& step) {
  return toJson(step.service().effective(step.session(), step.target()));
}

Outcome tree(const Step& step) {
  OwnerMap owners;
  if (step.fields.find("owners") != nullptr) {
    const Fields map(step.fields.object("owners"), "the owner map");
    for (const auto& item : step.fields.object("owners").items())
      owners[item.key()] = map.text(item.key());
  }
  return gate(step.service(), step.session(), step.fields.get("customizations"), owners)
      .map([](const GatedList& list) { return list.toJson(); });
}

Outcome restart(const Step& step) {
  step.host.restart();
  return Json();
}

// The player compares what is stored after any step that expects something.
Outcome stored(const Step& /*step*/) {
  return Json();
}

struct Named {
  std::string_view name;
  Outcome (*take)(const Step&);
};

constexpr std::array steps{
    Named{"load", load},
    Named{"close", close},
    Named{"delete", remove},
    Named{"directory", directory},
    Named{"turn", turn},
    Named{"set", set},
    Named{"clear", clear},
    Named{"replace", replace},
    Named{"clientBase", clientBase},
    Named{"clientRemoved", clientRemoved},
    Named{"purge", purge},
    Named{"resolve", resolve},
    Named{"effective", effective},
    Named{"tree", tree},
    Named{"restart", restart},
    Named{"stored", stored},
};

}  // namespace

Outcome take(const Step& step) {
  const std::string wanted = step.fields.text("do");
  const auto* found =
      std::find_if(steps.begin(), steps.end(), [&](const Named& s) { return s.name == wanted; });
  if (found != steps.end()) return found->take(step);
  throw BadStep{{ErrorCode::invalidArgument, "unknown step " + enablement::quote(wanted), {}}};
}

}  // namespace enablement::tool
