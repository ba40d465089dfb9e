// libFuzzer's entry to the reducer; scripts/gates/fuzz builds and runs it.
#include <cstddef>
#include <cstdint>

#include "reduce_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  enablement::fuzz::reduceInput({reinterpret_cast<const char*>(data), size});
  return 0;
}
