#include <enablement/bench/peers/files.h>

#include <fcntl.h>
#include <unistd.h>

#include <string_view>

#include <enablement/bench/must.h>

namespace enablement::bench {
namespace {

void writeAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(file, bytes.data(), bytes.size());
    must(written > 0, "cannot write");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

RawAppend::RawAppend(const std::filesystem::path& file)
    : file_(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) {
  must(file_ >= 0, "cannot open " + file.string());
}

RawAppend::~RawAppend() {
  ::close(file_);
}

void RawAppend::append() const {
  static const std::string record(200, 'x');
  writeAll(file_, record);
  must(::fdatasync(file_) == 0, "cannot sync");
}

nlohmann::json jsonOf(const DataSet& data) {
  nlohmann::json all;
  for (const Decision& decision : data.decisions())
    all[std::string(name(decision.scope))][std::string(data.placeOf(decision))]
       [data.names()[decision.target].printed] = decision.enabled;
  return all;
}

void JsonRewrite::change(const std::string& key, bool enabled) {
  all_["global"][""][key] = enabled;
  const std::string aside = file_.string() + ".new";
  const int file = ::open(aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  must(file >= 0, "cannot open " + aside);
  writeAll(file, all_.dump(1, '\t'));
  must(::fsync(file) == 0, "cannot sync");
  ::close(file);
  std::filesystem::rename(aside, file_);
}

}  // namespace enablement::bench
