// The examples do what they are there to show.
#include <poll.h>
#include <spawn.h>

#include <array>
#include <chrono>
#include <csignal>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool_fixture.h"

namespace enablement::testing {
namespace {

// The example program, running on a store; what it prints comes through a pipe.
class Daemon {
 public:
  Daemon(std::string database, std::string folder, std::string list) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
    output_ = ends[0];
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
    std::string program = minimalDaemonProgram;
    std::array<char*, 5> arguments{program.data(), database.data(), folder.data(), list.data(),
                                   nullptr};
    if (posix_spawn(&child_, minimalDaemonProgram, &files, nullptr, arguments.data(), environ) != 0)
      child_ = 0;
    posix_spawn_file_actions_destroy(&files);
    close(ends[1]);
  }
  ~Daemon() {
    if (child_ > 0) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
    }
    if (output_ >= 0) close(output_);
  }
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;

  // Waits until it prints a line; false when it ends first, or says nothing for too long.
  bool says(const std::string& line) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    for (;;) {
      for (std::size_t end; (end = text_.find('\n')) != std::string::npos;) {
        const std::string said = text_.substr(0, end);
        text_.erase(0, end + 1);
        if (said == line) return true;
      }
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          deadline - std::chrono::steady_clock::now());
      pollfd ready{output_, POLLIN, 0};
      if (left.count() <= 0 || poll(&ready, 1, static_cast<int>(left.count())) <= 0) return false;
      std::array<char, 4096> bytes{};
      const ssize_t got = ::read(output_, bytes.data(), bytes.size());
      if (got <= 0) return false;
      text_.append(bytes.data(), static_cast<std::size_t>(got));
    }
  }

  // Asks it to end and gives its exit code; 128 and more: ended by a signal.
  int stop() {
    if (child_ <= 0) return -1;  // kill() would take it for the whole process group
    int status = 0;
    kill(child_, SIGTERM);
    const bool ended = waitpid(child_, &status, 0) == child_;
    child_ = 0;
    if (!ended) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  pid_t child_ = 0;
  int output_ = -1;
  std::string text_;
};

class Example : public Tool {};

TEST_F(Example, ADaemonHearsOfADecisionFromOutsideAndStopsCleanly_I18) {
  Daemon daemon(db().string(), "file:///src/api", inExamples("azure-session.json"));
  ASSERT_TRUE(daemon.says("azure/mcp/azure may run"));
  const Ran set =
      onStore({"set", "https://plugins.example.org/azure#mcp=azure", "off", "--scope", "global"});
  ASSERT_EQ(set.exit, 0) << set.err;
  EXPECT_TRUE(daemon.says("azure/mcp/azure must not run"));
  EXPECT_EQ(daemon.stop(), 0);
  std::error_code absent;
  const auto left = fs::file_size(db().string() + "-wal", absent);
  EXPECT_TRUE(absent || left == 0) << left << " bytes";
}

// The example of `enablectl plan --help`, but for the place of the file.
TEST_F(Example, APlanIsShownForTheListOfASession) {
  const Ran help = run({"plan", "--help"});
  EXPECT_THAT(help.out,
              ::testing::HasSubstr(
                  "  enablectl plan --runtime copilot --session ahp://copilot/1 --no-directory \\\n"
                  "      examples/azure-session.json"));
  ASSERT_EQ(onStore({"set", "mcpServers#fetch", "off", "--scope", "global"}).exit, 0);
  const Ran plan = onStore({"plan", "--runtime", "copilot", "--session", "ahp://copilot/1",
                            "--no-directory", inExamples("azure-session.json")});
  EXPECT_EQ(plan.exit, 0) << plan.err;
  EXPECT_THAT(plan.out, ::testing::HasSubstr("+  azure"));
  EXPECT_THAT(plan.out, ::testing::HasSubstr("-  fetch"));
}

TEST_F(Example, TheDaemonFitsIntoFortyLines) {
  const auto lines = linesOf(read(inExamples("minimal_daemon.cpp")));
  EXPECT_FALSE(lines.empty());
  EXPECT_LE(lines.size(), 40U);
}

}  // namespace
}  // namespace enablement::testing
