// What to tell a runtime that is running.
#pragma once

#include <enablement/enforcement/desired.h>
#include <enablement/enforcement/observation.h>
#include <enablement/enforcement/plan.h>
#include <enablement/enforcement/state.h>

namespace enablement {

// Ordered steps from what is observed to what is desired, for the runtime that `desired` is of
// (E3). Only servers that the runtime lists are touched; a step whose observed value is the wanted
// one already is left out; a server that is on merely by default is not switched on where the
// runtime has switched it off itself. *Not yet*, if a name was observed that `desired` does not
// know. A pure function; any thread.
[[nodiscard]] Planned<MidSessionPlan> midSessionPlan(const Desired& desired,
                                                     const Observed& observed,
                                                     const EnforcementState& state);

// The plan once a runtime that was just started has shown what it runs. It is no gate (E7): what
// must not start is in the launch plan; by the time of this one a server has started and asked for
// a sign-in. It only mends what nobody could know at the launch.
[[nodiscard]] inline Planned<MidSessionPlan> reconcileAfterStart(const Desired& desired,
                                                                 const Observed& observed,
                                                                 const EnforcementState& state) {
  return midSessionPlan(desired, observed, state);
}

}  // namespace enablement
