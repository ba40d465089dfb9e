#include <enablement/overlay/session_table.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace enablement {

std::size_t SessionNameHash::operator()(std::string_view name) const {
  return XXH3_64bits(name.data(), name.size());
}

}  // namespace enablement
