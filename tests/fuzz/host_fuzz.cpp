// libFuzzer's entry to the dispatch of a host; scripts/gates/fuzz builds and runs it.
#include <cstddef>
#include <cstdint>

#include "host_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  enablement::fuzz::hostInput({reinterpret_cast<const char*>(data), size});
  return 0;
}
