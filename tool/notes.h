// What may have been meant by a target, session or folder that nothing is stored about. Said beside
// the result: the decision stays, and so do JSON and exit codes.
#pragma once

#include <optional>
#include <string>

#include <enablement/resolver/service.h>
#include <enablement/tool/console.h>
#include <enablement/tool/request.h>

namespace enablement::tool {

// Of a verb that looks: nothing is decided about the target, but about one of a similar name.
void noteUndecided(const Console& console, const EnablementService& service, const TargetKey& key);

// The same of a session.
void noteUnknownSession(const Console& console, const EnablementService& service,
                        const std::string& session);

// Folders do not inherit: that a folder above has a decision is worth saying.
void noteParentFolders(const Console& console, const EnablementService& service,
                       const TargetKey& key, const WorkingDirectory& directory);

// The similar targets before a write, as a note; empty when the target is known.
[[nodiscard]] std::string similarNote(const EnablementService& service, const TargetKey& key);

// Of a write: a folder that is not there, a session that is no URI.
void notePlace(const Console& console, const Request& request);

}  // namespace enablement::tool
