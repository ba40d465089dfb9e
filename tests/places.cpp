#include "places.h"

#include "process/child_process.h"

namespace enablement::testing {

std::string inTests(std::string_view below) {
  return ENABLEMENT_SOURCE_DIR "/tests/" + std::string(below);
}

std::string inExamples(std::string_view below) {
  return ENABLEMENT_SOURCE_DIR "/examples/" + std::string(below);
}

const char* const enablectlProgram = ENABLEMENT_ENABLECTL;
const char* const minimalDaemonProgram = ENABLEMENT_MINIMAL_DAEMON;

std::string ChildProcess::ownChild() {
  return ENABLEMENT_CHILD;
}

}  // namespace enablement::testing
