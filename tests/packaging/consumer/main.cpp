// What somebody who links the installed package writes: switch a plugin off, ask, get "off".
#include <cstdio>
#include <variant>

#include <enablement/enforcement/mid_session.h>
#include <enablement/resolver/service.h>
#include <enablement/session/action.h>
#include <enablement/session/reducer.h>

using namespace enablement;

namespace {

bool reduces() {
  const auto state = PublishedState::create({{"title", "T"}});
  if (!state || !mayClientDispatch("session/workingDirectorySet")) return false;
  const auto next =
      reduce(*state, {{"type", "session/workingDirectorySet"}, {"directory", "file:///repo"}},
             Generation::second);
  return next && next->json()["workingDirectories"].size() == 1;
}

bool plans(const EnablementService& service) {
  const auto list = gate(service, "s1", nlohmann::ordered_json::array(), {});
  if (!list) return false;
  const OwnerMap owners;
  const Sources sources;
  const auto plan = launchPlan(Runtime::codex, Launch::create,
                               {service, "s1", *list, owners, sources}, EnforcementState());
  return plan && toJson(*plan)["unknownUserConfig"] == true;
}

}  // namespace

int main(int, char** argv) {
  const auto service = EnablementService::open({.path = argv[1]});
  const auto plugin = TargetKey::plugin("file:///plugins/weather");
  if (!plugin || !service->loadSession("s1") ||
      !service->setWorkingDirectory("s1", WorkingDirectory::none()) ||
      !service->set("s1", Target{*plugin}, Scope::session, false, "consumer")) {
    return 1;
  }
  const Resolution answer = service->resolve("s1", Target{*plugin});
  const auto* resolved = std::get_if<Resolved>(&answer);
  const bool off = resolved != nullptr && !resolved->enabled();
  std::puts(off ? "off, as asked" : "not off");
  return off && reduces() && plans(*service) ? 0 : 1;
}
