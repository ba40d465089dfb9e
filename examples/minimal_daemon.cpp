// A daemon in forty lines: opens its store, gates a list, reacts to changes, stops on SIGTERM.
#include <csignal>
#include <fstream>
#include <iostream>

#include <enablement/resolver/gate.h>
#include <enablement/resolver/service.h>

using namespace enablement;

int main(int argc, char** argv) {
  if (argc != 4) return std::cerr << "usage: minimal_daemon DATABASE FOLDER-URI LIST\n", 2;
  sigset_t stop;  // blocked before any thread starts, and waited for below
  sigemptyset(&stop);
  for (const int signal : {SIGTERM, SIGINT}) sigaddset(&stop, signal);
  pthread_sigmask(SIG_BLOCK, &stop, nullptr);

  const std::string session = "ahp://example/session-1";
  const auto list = nlohmann::ordered_json::parse(std::ifstream(argv[3]));
  const auto folder = WorkingDirectory::directory(argv[2]);
  if (!folder) return std::cerr << describe(folder.error()) << '\n', 2;

  const auto service = EnablementService::open({.path = argv[1]});
  const auto publish = [&](const Event&) {
    const auto gated = gate(*service, session, list, {});
    if (!gated) return void(std::cerr << describe(gated.error()) << '\n');
    for (const auto& [server, runs] : gated->mcpServers())
      std::cout << server << (runs ? " may run\n" : " must not run\n") << std::flush;
  };
  const auto changes = service->subscribe(publish);
  service->watch();  // enablectl and other windows write to the same file

  for (const Status& done :
       {service->setWorkingDirectory(session, *folder), service->loadSession(session)})
    if (!done) std::cerr << describe(done.error()) << '\n';
  int signal = 0;
  sigwait(&stop, &signal);
  service->close();
}
