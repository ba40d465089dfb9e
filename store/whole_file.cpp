#include <enablement/store/whole_file.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include <enablement/store/file_stamp.h>
#include <enablement/store/sqlite_error.h>

namespace enablement {
namespace {

Status syncPath(const std::filesystem::path& path, int flags) {
  const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC);
  if (descriptor < 0) return fail(systemError("open", path, errno));
  const int failed = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  if (failed != 0) return fail(systemError("sync", path, failed));
  return {};
}

}  // namespace

Status makeFolderOf(const std::filesystem::path& path) {
  const auto folder = std::filesystem::absolute(path).parent_path();
  std::error_code failed;
  if (std::filesystem::exists(folder, failed)) return {};
  std::filesystem::create_directories(folder, failed);
  if (!failed) std::filesystem::permissions(folder, std::filesystem::perms::owner_all, failed);
  if (failed) return fail(systemError("make the folder", folder, failed.value()));
  return {};
}

Result<Created> createWhole(const std::filesystem::path& path,
                            const std::function<void(const std::filesystem::path&)>& build) {
  const auto draft = beside(path, ".new-" + std::to_string(::getpid()));
  const auto sweep = [&] {
    for (const char* suffix : {"", "-wal", "-shm", "-journal"})
      ::unlink(beside(draft, suffix).c_str());
  };
  sweep();
  const int descriptor = ::open(draft.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (descriptor < 0) return fail(systemError("create", draft, errno));
  ::close(descriptor);

  Status built = attempt("create the file", draft, [&] { build(draft); });
  if (built) built = syncPath(draft, O_RDONLY);
  const int refused = built && ::link(draft.c_str(), path.c_str()) != 0 ? errno : 0;
  sweep();
  if (!built) return fail(built.error());
  if (refused == EEXIST) return Created::existed;
  if (refused != 0) return fail(systemError("create", path, refused));
  const auto folder = std::filesystem::absolute(path).parent_path();
  if (auto synced = syncPath(folder, O_RDONLY | O_DIRECTORY); !synced) return fail(synced.error());
  return Created::made;
}

}  // namespace enablement
