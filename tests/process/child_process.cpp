#include "child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <stdexcept>

#include <gtest/gtest.h>

extern char** environ;

namespace enablement::testing {

ChildProcess::ChildProcess(std::vector<std::string> arguments, const std::string& program) {
  std::array<int, 2> input{};
  std::array<int, 2> output{};
  if (::pipe2(input.data(), O_CLOEXEC) != 0 || ::pipe2(output.data(), O_CLOEXEC) != 0)
    throw std::runtime_error("no pipe");
  to_ = input[1];
  from_ = output[0];
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, input[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, output[1], STDOUT_FILENO);
  arguments.insert(arguments.begin(), program);
  std::vector<char*> words;
  for (std::string& word : arguments) words.push_back(word.data());
  words.push_back(nullptr);
  const int failed = ::posix_spawn(&pid_, program.c_str(), &files, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  ::close(input[0]);
  ::close(output[1]);
  if (failed != 0) throw std::runtime_error("cannot run " + program);
  // A child that is gone is found out by its silence.
  std::signal(SIGPIPE, SIG_IGN);
}

ChildProcess::~ChildProcess() {
  kill();
  ::close(from_);
}

void ChildProcess::say(const std::string& line) {
  const std::string text = line + "\n";
  for (std::size_t done = 0; done < text.size();) {
    const auto written = ::write(to_, text.data() + done, text.size() - done);
    if (written <= 0) return;
    done += static_cast<std::size_t>(written);
  }
}

bool ChildProcess::takeBytes(std::chrono::milliseconds most) {
  pollfd waiting{from_, POLLIN, 0};
  if (::poll(&waiting, 1, static_cast<int>(most.count())) <= 0) return false;
  std::array<char, 4096> bytes{};
  const auto count = ::read(from_, bytes.data(), bytes.size());
  if (count <= 0) return false;
  buffer_.append(bytes.data(), static_cast<std::size_t>(count));
  return true;
}

std::optional<std::string> ChildProcess::hear(std::chrono::milliseconds most) {
  const auto deadline = std::chrono::steady_clock::now() + most;
  while (buffer_.find('\n') == std::string::npos) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() < 0 || !takeBytes(left)) return std::nullopt;
  }
  const std::size_t end = buffer_.find('\n');
  std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end + 1);
  return line;
}

std::string ChildProcess::ask(const std::string& line) {
  say(line);
  return hear().value_or("(nothing)");
}

std::vector<std::string> ChildProcess::heardSoFar() {
  std::vector<std::string> lines;
  while (takeBytes(std::chrono::milliseconds(0))) {
  }
  while (buffer_.find('\n') != std::string::npos) lines.push_back(hear().value());
  return lines;
}

bool ChildProcess::hasEnded() {
  siginfo_t ended = {};
  const int failed = ::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT);
  return pid_ < 0 || failed != 0 || ended.si_pid == pid_;
}

void ChildProcess::kill() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  finish();
}

int ChildProcess::finish() {
  if (to_ >= 0) ::close(to_);
  to_ = -1;
  if (pid_ < 0) return -1;
  int status = 0;
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void runSql(const std::string& file, const std::string& statements) {
  EXPECT_EQ(ChildProcess({"sql", file, statements}).finish(), 0) << statements;
}

}  // namespace enablement::testing
