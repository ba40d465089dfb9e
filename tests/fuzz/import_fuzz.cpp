// libFuzzer's entry to the readers of imports; scripts/gates/fuzz builds and runs it.
#include <cstddef>
#include <cstdint>

#include "import_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  enablement::fuzz::importInput({reinterpret_cast<const char*>(data), size});
  return 0;
}
