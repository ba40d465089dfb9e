// A running child.cpp: lines to it, lines from it, and its end.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace enablement::testing {

// Killed, if it still runs, when this goes.
class ChildProcess {
 public:
  // `program` is the test's own child by default.
  explicit ChildProcess(std::vector<std::string> arguments,
                        const std::string& program = ownChild());
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  static std::string ownChild();

  void say(const std::string& line);
  // The next line of its output; none when it has ended, or says nothing for too long.
  std::optional<std::string> hear(std::chrono::milliseconds most = std::chrono::seconds(30));
  // A line, and the line that it answers; "(nothing)" without one.
  std::string ask(const std::string& line);
  // What it has said already, without waiting.
  std::vector<std::string> heardSoFar();

  [[nodiscard]] bool hasEnded();
  void kill();
  // Ends its input and waits; its exit code, 128 and more for a signal.
  int finish();

 private:
  bool takeBytes(std::chrono::milliseconds most);

  pid_t pid_ = -1;
  int to_ = -1;
  int from_ = -1;
  std::string buffer_;
};

// Runs statements of SQL in another process.
void runSql(const std::string& file, const std::string& statements);

}  // namespace enablement::testing
