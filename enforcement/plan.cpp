#include <enablement/enforcement/plan.h>

#include <array>

namespace enablement {
namespace {

using nlohmann::ordered_json;

ordered_json toJson(const std::vector<Item>& items) {
  ordered_json list = ordered_json::array();
  for (const Item& item : items)
    list.push_back({{item.kind == Item::Kind::server ? "server" : "plugin", item.name},
                    {"why", name(item.why)}});
  return list;
}

ordered_json toJson(const Step& step) {
  ordered_json json{{"step", name(step.kind)}};
  if (!step.call.empty()) json["call"] = step.call;
  if (!step.server.empty()) json["server"] = step.server;
  if (step.enabled) json["enabled"] = *step.enabled;
  json["when"] = step.atNextSend ? "nextSend" : "atOnce";
  json["onFailure"] = name(step.onFailure);
  if (step.why) json["why"] = name(*step.why);
  return json;
}

}  // namespace

std::string_view name(Runtime runtime) {
  switch (runtime) {
    case Runtime::copilot:
      return "copilot";
    case Runtime::claude:
      return "claude";
    case Runtime::codex:
      return "codex";
  }
  return "copilot";
}

std::optional<Runtime> runtimeOf(std::string_view text) {
  for (const Runtime runtime : {Runtime::copilot, Runtime::claude, Runtime::codex})
    if (name(runtime) == text) return runtime;
  return std::nullopt;
}

std::string_view name(Launch launch) {
  switch (launch) {
    case Launch::create:
      return "create";
    case Launch::resume:
      return "resume";
    case Launch::createAfterFailedResume:
      return "createAfterFailedResume";
  }
  return "create";
}

std::string_view name(NotYet reason) {
  switch (reason) {
    case NotYet::session:
      return "session";
    case NotYet::store:
      return "store";
    case NotYet::superseded:
      return "superseded";
  }
  return "store";
}

std::string describe(NotYet reason) {
  switch (reason) {
    case NotYet::session:
      return "the session's decisions are not loaded (load them, then plan again)";
    case NotYet::store:
      return "the store cannot be read (see its status, then plan again)";
    case NotYet::superseded:
      return "something changed since the list was gated (gate it again, then plan again)";
  }
  return {};
}

std::string_view name(Why why) {
  switch (why) {
    case Why::session:
      return "session";
    case Why::workspace:
      return "workspace";
    case Why::global:
      return "global";
    case Why::byDefault:
      return "default";
    case Why::container:
      return "container";
    case Why::store:
      return "store";
    case Why::workingDirectory:
      return "workingDirectory";
    case Why::flag:
      return "flag";
    case Why::child:
      return "child";
    case Why::invalid:
      return "invalid";
    case Why::ephemeral:
      return "ephemeral";
    case Why::outsideToggle:
      return "outsideToggle";
    case Why::notParsed:
      return "notParsed";
    case Why::noDirectory:
      return "noDirectory";
    case Why::hostPlugin:
      return "hostPlugin";
    case Why::sameDirectory:
      return "sameDirectory";
    case Why::injectedName:
      return "injectedName";
    case Why::noDefinition:
      return "noDefinition";
    case Why::removed:
      return "removed";
  }
  return "invalid";
}

Why whyOf(EffectiveReason reason) {
  switch (reason) {
    case EffectiveReason::session:
      return Why::session;
    case EffectiveReason::workspace:
      return Why::workspace;
    case EffectiveReason::global:
      return Why::global;
    case EffectiveReason::byDefault:
      return Why::byDefault;
    case EffectiveReason::container:
      return Why::container;
    case EffectiveReason::store:
      return Why::store;
    case EffectiveReason::workingDirectory:
      return Why::workingDirectory;
    case EffectiveReason::flag:
      return Why::flag;
    case EffectiveReason::child:
      return Why::child;
    case EffectiveReason::invalid:
      return Why::invalid;
  }
  return Why::invalid;
}

std::string_view inWords(Why why) {
  switch (why) {
    case Why::session:
      return "by this session";
    case Why::workspace:
      return "by this folder";
    case Why::global:
      return "everywhere";
    case Why::byDefault:
      return "by default";
    case Why::container:
      return "by its plugin";
    case Why::store:
      return "the store cannot be read";
    case Why::workingDirectory:
      return "the folder is not known";
    case Why::flag:
      return "by its own flag";
    case Why::child:
      return "a child is pending";
    case Why::invalid:
      return "it has no valid name or URI";
    case Why::ephemeral:
      return "the session is ephemeral";
    case Why::outsideToggle:
      return "switched off in the runtime";
    case Why::notParsed:
      return "its children are not known";
    case Why::noDirectory:
      return "its directory is not known";
    case Why::hostPlugin:
      return "no plugin of a client";
    case Why::sameDirectory:
      return "shares a directory";
    case Why::injectedName:
      return "has an off server with a host's name";
    case Why::noDefinition:
      return "no definition of it is known";
    case Why::removed:
      return "not in the list any more";
  }
  return {};
}

std::string_view name(StepKind kind) {
  switch (kind) {
    case StepKind::cancelAuthentication:
      return "cancelAuthentication";
    case StepKind::expect:
      return "expect";
    case StepKind::call:
      return "call";
    case StepKind::relaunch:
      return "relaunch";
    case StepKind::rebuild:
      return "rebuild";
    case StepKind::reload:
      return "reload";
  }
  return "call";
}

std::string_view name(OnFailure onFailure) {
  return onFailure == OnFailure::failTurn ? "failTurn" : "log";
}

ordered_json toJson(const LaunchPlan& plan) {
  ordered_json dropped = ordered_json::array();
  for (const Dropped& entry : plan.dropped)
    dropped.push_back({{"source", entry.source}, {"name", entry.name}, {"problem", entry.problem}});
  return {{"runtime", name(plan.runtime)},       {"session", plan.session},
          {"launch", name(plan.launch)},         {"configuration", plan.configuration},
          {"started", toJson(plan.started)},     {"denied", toJson(plan.denied)},
          {"leftOut", toJson(plan.leftOut)},     {"pending", toJson(plan.pending)},
          {"unenforceable", plan.unenforceable}, {"unknownUserConfig", plan.unknownUserConfig},
          {"dropped", std::move(dropped)}};
}

ordered_json toJson(const MidSessionPlan& plan) {
  ordered_json steps = ordered_json::array();
  for (const Step& step : plan.steps) steps.push_back(toJson(step));
  ordered_json json{
      {"runtime", name(plan.runtime)}, {"session", plan.session}, {"steps", std::move(steps)}};
  if (plan.launch) json["launch"] = toJson(*plan.launch);
  json["leftAlone"] = plan.leftAlone;
  json["unenforceable"] = plan.unenforceable;
  if (!plan.didNotConverge.empty())
    json["error"] = {{"code", "didNotConverge"}, {"servers", plan.didNotConverge}};
  json["inventoryWanted"] = plan.inventoryWanted;
  return json;
}

}  // namespace enablement
