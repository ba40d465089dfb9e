#include <enablement/schema/hashed_text.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace enablement {

std::size_t hashOf(std::string_view text) {
  return XXH3_64bits(text.data(), text.size());
}

}  // namespace enablement
