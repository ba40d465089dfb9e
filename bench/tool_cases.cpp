#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include <enablement/bench/cases.h>
#include <enablement/bench/must.h>

namespace enablement::bench {
namespace {

// How long a process takes that may exit with 0, or with 1 and 3, which are answers.
Nanoseconds runProcess(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
    ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
  const auto start = std::chrono::steady_clock::now();
  pid_t child = 0;
  const int failed =
      ::posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  must(failed == 0, "cannot run " + words[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  const Nanoseconds took = since(start);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  must(code == 0 || code == 1 || code == 3, words[1] + " exits with " + std::to_string(code));
  return took;
}

}  // namespace

void toolCases(Report& report, const Settings& settings) {
  Section& section = report.section("enablectl as a process");
  const DataSet data(sizeOfTool);
  const std::string file = settings.folder + "/tool.db";
  decide(*EnablementService::open({.path = file}), data);
  const std::string& target = data.names().front().printed;
  const std::vector<std::string> place{"--session", data.sessions()[0], "--directory",
                                       data.folders()[0]};
  const auto with = [&](std::vector<std::string> words, bool placed = false) {
    words.insert(words.begin(), ENABLEMENT_ENABLECTL);
    words.insert(words.end(), {"--db", file});
    if (placed) words.insert(words.end(), place.begin(), place.end());
    return words;
  };
  const std::vector<std::vector<std::string>> verbs{
      with({"list"}),
      with({"get", target, "--scope", "global"}),
      with({"resolve", target}, true),
      with({"explain", target}, true),
      with({"disable", target, "--directory", data.folders()[1]}),
      with({"history"}),
      with({"delta"}),
      with({"doctor"}),
  };
  const std::size_t rounds = settings.scaled(40, 4);
  std::vector<std::vector<Nanoseconds>> times(verbs.size());
  for (std::size_t round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < verbs.size(); ++i) times[i].push_back(runProcess(verbs[i]));
  for (std::size_t i = 0; i < verbs.size(); ++i) {
    const Figures figures{.median = quantile(times[i], 0.5),
                          .p50 = quantile(times[i], 0.5),
                          .p99 = quantile(times[i], 0.99)};
    section.lines.push_back({verbs[i][1], "1,000", figures});
    section.comparisons.push_back({verbs[i][1], "1,000", figures.median / 1e6, "ms", atMost(50)});
  }
  section.notes.emplace_back("Only the first `disable` changes something; the others find it so.");
}

}  // namespace enablement::bench
