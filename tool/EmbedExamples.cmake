# Writes OUTPUT, a C++ file that holds the lists of FOLDER. Run with cmake -P.
file(READ ${FOLDER}/azure-session.json session)
file(READ ${FOLDER}/azure-session-later.json later)
file(WRITE ${OUTPUT}
"// Generated from examples/*.json.
#include <enablement/tool/examples.h>

namespace enablement::tool {

std::string_view azureSession() {
  return R\"~json(${session})~json\";
}

std::string_view azureSessionLater() {
  return R\"~json(${later})~json\";
}

}  // namespace enablement::tool
")
