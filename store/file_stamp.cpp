#include <enablement/store/file_stamp.h>

#include <sys/stat.h>

#include <cerrno>
#include <cstring>

namespace enablement {

std::filesystem::path beside(const std::filesystem::path& path, const std::string& suffix) {
  return path.string() + suffix;
}

std::int64_t walBytesBeside(const std::filesystem::path& path) {
  struct stat wal = {};
  return ::stat(beside(path, "-wal").c_str(), &wal) == 0 ? wal.st_size : 0;
}

Result<std::optional<FileStamp>> stampOf(const std::filesystem::path& path) {
  struct stat found = {};
  if (::stat(path.c_str(), &found) != 0) {
    if (errno == ENOENT) return std::nullopt;
    return fail(systemError("look at", path, errno));
  }
  return FileStamp{.device = found.st_dev,
                   .inode = found.st_ino,
                   .size = found.st_size,
                   .modifiedNs = found.st_mtim.tv_sec * 1'000'000'000 + found.st_mtim.tv_nsec,
                   .walBytes = walBytesBeside(path),
                   .isRegular = S_ISREG(found.st_mode)};
}

Error systemError(const std::string& doing, const std::filesystem::path& path, int number) {
  const ErrorCode code = number == ENOSPC || number == EDQUOT ? ErrorCode::full
                         : number == EROFS || number == EACCES || number == EPERM
                             ? ErrorCode::readOnly
                             : ErrorCode::io;
  return {code, "cannot " + doing + " " + path.string() + ": " + std::strerror(number),
          "check the path, its folder and your rights there"};
}

}  // namespace enablement
