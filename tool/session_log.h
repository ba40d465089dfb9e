// A log of what happened to sessions, and what becomes of it when it happens again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <enablement/resolver/service.h>
#include <enablement/schema/error.h>
#include <enablement/session/host.h>
#include <enablement/tool/json_input.h>

namespace enablement::tool {

// One line that is not empty: an object with an `action`, or with what else happened as `do`.
struct LogLine {
  std::size_t number;  // from 1
  Json json;
};

// `invalidArgument`, naming `name` and the line.
[[nodiscard]] Result<std::vector<LogLine>> parseLog(std::string_view text, std::string_view name);

// What became of a line.
struct PlayedLine {
  std::size_t number;
  std::string what;                     // "session/customizationToggled alpha of c1"
  std::optional<Outcome> outcome = {};  // of an action
  std::optional<Error> error = {};      // of anything else that failed
  std::optional<Route> route = {};      // of a question for a route
  std::vector<HistoryEntry> stored = {};
  std::vector<SessionMessage> sent = {};
};

// Plays logs on a service, with a clock that stands still between the lines. Main thread only.
class SessionPlayer {
 public:
  // Opens the store at `path`, which is written to.
  explicit SessionPlayer(std::filesystem::path path);

  // `invalidArgument` for a line that cannot be played at all: what is missing in it. What the host
  // or the service refuses is an answer like others.
  Result<PlayedLine> play(const LogLine& line);

 private:
  Result<PlayedLine> playAction(const LogLine& line);
  Result<PlayedLine> playOther(const LogLine& line);

  std::shared_ptr<Timestamp> now_;
  std::unique_ptr<EnablementService> service_;
  std::vector<SessionMessage> sent_;
  std::unique_ptr<SessionHost> host_;
  std::int64_t seen_ = 0;  // of the history
};

}  // namespace enablement::tool
