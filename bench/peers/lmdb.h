// Three gets in a read transaction that is renewed for each look-up, in LMDB. The session's folder
// comes from memory, as a host has it there.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <enablement/bench/data.h>
#include <enablement/bench/found.h>

struct MDB_env;
struct MDB_txn;

namespace enablement::bench {

class Lmdb {
 public:
  // Makes a database in a new folder.
  Lmdb(const std::filesystem::path& folder, const DataSet& data);
  ~Lmdb();
  Lmdb(const Lmdb&) = delete;
  Lmdb& operator=(const Lmdb&) = delete;

  [[nodiscard]] Found find(std::string_view session, std::string_view folder, std::string_view key);

 private:
  [[nodiscard]] Found get(Scope scope, std::string_view place, std::string_view key);

  MDB_env* environment_ = nullptr;
  MDB_txn* reader_ = nullptr;
  unsigned table_ = 0;
  std::string text_;  // the concatenated key, whose memory is kept
};

}  // namespace enablement::bench
