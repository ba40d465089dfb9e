// Hand-overs as the log tells them (E8). Internal.
#pragma once

#include <string_view>

#include <enablement/enforcement/plan.h>
#include <enablement/enforcement/state.h>

namespace enablement {

// At info: session, runtime, what is started, denied, left out, held back as pending, and why.
void logHandOver(const LaunchPlan& plan);
void logHandOver(const MidSessionPlan& plan);
// At info: what became of a toggle from outside.
void logAnswer(std::string_view session, std::string_view server, ToggleAnswer answer);
// At error: reloading does not help.
void logNotConverged(const MidSessionPlan& plan);
// At error if the turn must not go on, else at warning.
void logFailure(const MidSessionPlan& plan, const Step& step);

}  // namespace enablement
