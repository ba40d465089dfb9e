#include <enablement/enforcement/hand_over.h>

#include <spdlog/spdlog.h>

#include <enablement/schema/log.h>
#include <enablement/schema/text.h>

namespace enablement {
namespace {

std::string listed(const std::vector<Item>& items) {
  std::string text;
  for (const Item& item : items)
    text +=
        (text.empty() ? "" : ", ") + quote(item.name) + " (" + std::string(inWords(item.why)) + ")";
  return text.empty() ? "nothing" : text;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + quote(name);
  return text;
}

std::string inWords(const Step& step) {
  std::string text(step.call.empty() ? name(step.kind) : step.call);
  if (!step.server.empty()) text += " " + quote(step.server);
  if (step.enabled) text += *step.enabled ? " on" : " off";
  if (step.why) text += " (" + std::string(inWords(*step.why)) + ")";
  return text;
}

}  // namespace

void logHandOver(const LaunchPlan& plan) {
  std::string text = quote(plan.session) + " is handed to " + std::string(name(plan.runtime)) +
                     " (" + std::string(name(plan.launch)) + "): started: " + listed(plan.started) +
                     "; denied: " + listed(plan.denied) + "; left out: " + listed(plan.leftOut) +
                     "; held back as pending: " + listed(plan.pending);
  if (!plan.unenforceable.empty())
    text += "; off, but started by the runtime itself: " + listed(plan.unenforceable);
  if (plan.unknownUserConfig) text += "; the user's own servers are not known";
  for (const Dropped& entry : plan.dropped)
    text += "; dropped from the " + entry.source + ": " + quote(entry.name) + " " + entry.problem;
  log()->info("{}", text);
}

void logHandOver(const MidSessionPlan& plan) {
  std::string text;
  for (const Step& step : plan.steps) text += (text.empty() ? "" : ", ") + inWords(step);
  log()->info("{} in {}: {}", quote(plan.session), name(plan.runtime), text);
}

void logAnswer(std::string_view session, std::string_view server, ToggleAnswer answer) {
  log()->info("{}: that {} was switched in the runtime itself is {}", quote(session), quote(server),
              name(answer));
}

void logNotConverged(const MidSessionPlan& plan) {
  log()->error("{} in {}: reloading does not bring its servers to what is wanted: {}",
               quote(plan.session), name(plan.runtime), listed(plan.didNotConverge));
}

void logFailure(const MidSessionPlan& plan, const Step& step) {
  const auto level =
      step.onFailure == OnFailure::failTurn ? spdlog::level::err : spdlog::level::warn;
  log()->log(level, "{} in {}: {} failed", quote(plan.session), name(plan.runtime), inWords(step));
}

}  // namespace enablement
