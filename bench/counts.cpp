// A fixed set of look-ups whose instructions are counted: scripts/gates/bench-counts runs it in
// callgrind, which collects inside enablement_counted alone.
//   enablement_counts resolve|state|effective|text|handles     exit 3: the service has no such call
#include <cstdint>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <string_view>
#include <vector>

#include <enablement/bench/data.h>
#include <enablement/bench/found.h>
#include <enablement/bench/handles.h>

namespace enablement::bench {
namespace {

constexpr int notThere = 3;

// Asks all look-ups, and adds up what was found so that nothing is left out.
using Pass = std::function<std::uint64_t()>;

template <typename Ask>
Pass passOf(const DataSet& data, Ask ask) {
  return [&data, ask = std::move(ask)] {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < data.lookups().size(); ++i) sum += ask(i);
    return sum;
  };
}

std::uint64_t numberOf(Effective answer) {
  return static_cast<std::uint64_t>(answer.state);
}

template <typename Service>
Pass handlesPass(Service& service, const DataSet& data, const std::vector<Target>& targets) {
  if constexpr (Interns<Service>) {
    return passOf(data,
                  [&service, interned = internedLookups(service, data, targets)](
                      std::size_t i) -> std::uint64_t {
                    return foundIn(service.resolve(interned[i].first, interned[i].second));
                  });
  } else {
    return {};
  }
}

Pass passNamed(std::string_view path, EnablementService& service, const DataSet& data,
               const std::vector<Target>& targets) {
  const auto session = [&data](std::size_t i) -> const std::string& {
    return data.sessions()[data.lookups()[i].session];
  };
  const auto target = [&data, &targets](std::size_t i) -> const Target& {
    return targets[data.lookups()[i].target];
  };
  if (path == "resolve")
    return passOf(data, [&service, session, target](std::size_t i) -> std::uint64_t {
      return foundIn(service.resolve(session(i), target(i)));
    });
  if (path == "state")
    return passOf(data, [&service, session, target](std::size_t i) {
      return numberOf(ownState(service, session(i), target(i)));
    });
  if (path == "effective")
    return passOf(data, [&service, session, target](std::size_t i) {
      return numberOf(service.effective(session(i), target(i)));
    });
  if (path == "text")
    return passOf(data, [&service, &data, session](std::size_t i) -> std::uint64_t {
      const Name& name = data.names()[data.lookups()[i].target];
      return foundIn(service.resolve(session(i), textOf(name)).value());
    });
  if (path == "handles") return handlesPass(service, data, targets);
  return {};
}

}  // namespace
}  // namespace enablement::bench

// By this name callgrind knows where to collect.
extern "C" [[gnu::noinline]] std::uint64_t enablement_counted(const enablement::bench::Pass* pass) {
  return (*pass)();
}

int main(int argc, char** argv) {
  using namespace enablement::bench;
  if (argc != 2) return std::cerr << "usage: enablement_counts PATH\n", 2;
  try {
    const DataSet data(sizeA);
    const auto targets = targetsOf(data);
    const auto service = inMemory(data);
    const Pass pass = passNamed(argv[1], *service, data, targets);
    if (!pass) return notThere;
    (void)pass();  // what only the first pass does is not counted
    std::cout << enablement_counted(&pass) << '\n';
  } catch (const std::exception& error) {
    return std::cerr << error.what() << '\n', 2;
  }
}
