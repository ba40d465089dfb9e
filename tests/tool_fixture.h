// Runs the built enablectl and keeps what it said.
#pragma once

#include <fcntl.h>
#include <pty.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <enablement/tool/temp_dir.h>

#include "places.h"

namespace enablement::testing {

namespace fs = std::filesystem;

inline std::string read(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline void writeFile(const fs::path& file, std::string_view text) {
  std::ofstream(file, std::ios::binary) << text;
}

struct Ran {
  int exit = -1;  // 128 and more: ended by a signal
  std::string out;
  std::string err;
};

inline void expectNarrow(const std::string& text);

class Tool : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(folder_) << describe(folder_.error());
    fs::create_directory(home());
    fs::create_directory(temporary());
  }

  // A folder that is empty but for what the test makes.
  [[nodiscard]] fs::path home() const { return folder_->path() / "home"; }
  // The program's $TMPDIR.
  [[nodiscard]] fs::path temporary() const { return folder_->path() / "tmp"; }
  [[nodiscard]] fs::path db() const { return home() / "enablement.db"; }

  // Starts enablectl on what is given for standard input, output and error.
  pid_t start(std::vector<std::string> arguments, std::vector<std::string> environment,
              const fs::path& input, const fs::path& output, const fs::path& errors) {
    const std::string program = enablectlProgram;
    arguments.insert(arguments.begin(), program);
    environment.push_back("HOME=" + home().string());
    environment.push_back("TMPDIR=" + temporary().string());
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&files, 0, input.c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, output.c_str(), flags, 0600);
    posix_spawn_file_actions_addopen(&files, 2, errors.c_str(), flags, 0600);
    pid_t child = 0;
    const int failed = posix_spawn(&child, program.c_str(), &files, nullptr,
                                   pointers(arguments).data(), pointers(environment).data());
    posix_spawn_file_actions_destroy(&files);
    EXPECT_EQ(failed, 0);
    return child;
  }

  static int wait(pid_t child) {
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  // Runs enablectl without a terminal.
  Ran run(std::vector<std::string> arguments, std::vector<std::string> environment = {},
          const fs::path& input = "/dev/null") {
    const fs::path out = folder_->path() / "out";
    const fs::path err = folder_->path() / "err";
    const int exit = wait(start(std::move(arguments), std::move(environment), input, out, err));
    return {exit, read(out), read(err)};
  }

  // Small containers have no pseudo-terminals.
  static bool hasTerminals() {
    int terminal = -1;
    int program = -1;
    if (openpty(&terminal, &program, nullptr, nullptr, nullptr) != 0) return false;
    close(terminal);
    close(program);
    return true;
  }
  // Runs enablectl on a terminal at which somebody types; both outputs are in `out`.
  Ran onTerminal(std::vector<std::string> arguments, const std::string& typed = {},
                 std::vector<std::string> environment = {}) {
    int terminal = -1;
    int program = -1;
    std::array<char, 256> path{};
    if (openpty(&terminal, &program, path.data(), nullptr, nullptr) != 0) return {};
    EXPECT_EQ(::write(terminal, typed.data(), typed.size()), static_cast<ssize_t>(typed.size()));
    const pid_t child =
        start(std::move(arguments), std::move(environment), path.data(), path.data(), path.data());
    close(program);
    Ran ran;
    std::array<char, 4096> bytes{};
    for (ssize_t got; (got = ::read(terminal, bytes.data(), bytes.size())) > 0;)
      ran.out.append(bytes.data(), static_cast<std::size_t>(got));
    close(terminal);
    ran.exit = wait(child);
    return ran;
  }

  // The same on the store of the test.
  Ran onStore(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"--db", db().string()});
    return run(std::move(arguments));
  }

  // What a call on the store of the test prints that must succeed.
  std::string say(const std::vector<std::string>& arguments) {
    const Ran ran = onStore(arguments);
    EXPECT_EQ(ran.exit, 0) << ::testing::PrintToString(arguments) << ran.out << ran.err;
    expectNarrow(ran.out);
    return ran.out;
  }
  nlohmann::json asJson(std::vector<std::string> arguments) {
    arguments.emplace_back("--json");
    return nlohmann::json::parse(say(arguments), nullptr, false);
  }

 private:
  static std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (std::string& text : texts) all.push_back(text.data());
    all.push_back(nullptr);
    return all;
  }

  Result<tool::TempDir> folder_ = tool::TempDir::create();
};

inline std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// A command to be copied stays on its line.
inline bool holdsACommand(const std::string& line) {
  return line.starts_with("undo: ") || line.find("\"undo\": ") != std::string::npos;
}

inline void expectNarrow(const std::string& text) {
  for (const std::string& line : linesOf(text)) {
    if (holdsACommand(line)) continue;
    EXPECT_LE(line.size(), 80U) << line;
  }
}

}  // namespace enablement::testing
