// Files that appear whole or not at all. Internal.
#pragma once

#include <filesystem>
#include <functional>

#include <enablement/schema/error.h>

namespace enablement {

enum class Created : unsigned char {
  made,
  existed,  // something has that name already, and was left alone
};

// `build` fills a draft, an empty file under a name that nobody else uses, with mode 0600; the
// draft is synced and linked into place. There is never an empty or half-made file under the real
// name, and what is there already is never overwritten. `build` may throw SQLite::Exception.
[[nodiscard]] Result<Created> createWhole(
    const std::filesystem::path& path,
    const std::function<void(const std::filesystem::path& draft)>& build);

// Makes the folder a file is to be in, for its owner alone, if there is none.
[[nodiscard]] Status makeFolderOf(const std::filesystem::path& path);

}  // namespace enablement
