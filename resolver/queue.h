// Applying what was queued, as soon as it can be (I12). Internal.
#pragma once

#include <span>
#include <string_view>

#include <enablement/resolver/draft.h>
#include <enablement/resolver/plan.h>
#include <enablement/store/records.h>

namespace enablement {

// Plans asks about one target from a session and puts the outcome into the draft, by what the
// draft knows of the session by now. Asks of a workspace need a known folder.
void planIntoDraft(Draft& draft, std::string_view session, const Target& target,
                   std::span<const ScopeAsk> asks);

// Applies, drops or moves those of a session's queued parts that need not wait any longer:
// workspace parts once the folder is known, session parts once the session is settled. `parts` are
// in order of the targets' first queueing, of one target the later written last.
void settleQueue(Draft& draft, std::string_view session, std::span<const QueuedPart> parts);

}  // namespace enablement
