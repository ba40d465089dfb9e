// What a run builds on either works, or ends the run with words.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include <enablement/schema/error.h>

namespace enablement::bench {

inline void must(const Status& status) {
  if (!status) throw std::runtime_error(describe(status.error()));
}

template <typename Value>
Value must(Result<Value> result) {
  if (!result) throw std::runtime_error(describe(result.error()));
  return std::move(*result);
}

inline void must(bool holds, const std::string& otherwise) {
  if (!holds) throw std::runtime_error(otherwise);
}

}  // namespace enablement::bench
