#include <enablement/store/file_stamp.h>

#include <sys/stat.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

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

Result<std::optional<FileStamp>> sureStampOf(const std::filesystem::path& path) {
  using std::chrono::nanoseconds;
  using std::chrono::system_clock;
  // A tick of the slowest kernels is 10 ms.
  static constexpr nanoseconds tick = std::chrono::milliseconds(12);
  static constexpr int tries = 20;
  auto stamp = stampOf(path);
  for (int i = 0; i < tries && stamp && *stamp; ++i) {
    const nanoseconds age =
        system_clock::now().time_since_epoch() - nanoseconds((*stamp)->modifiedNs);
    // A time in the future is some other clock's.
    if ((*stamp)->walBytes > 0 || age >= tick || age < nanoseconds(0)) break;
    std::this_thread::sleep_for(tick - age);
    stamp = stampOf(path);
  }
  return stamp;
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
