#include <enablement/bench/peers/lmdb.h>

#include <lmdb.h>

#include <enablement/bench/must.h>

namespace enablement::bench {
namespace {

constexpr std::size_t mapBytes = std::size_t{256} << 20;

void done(int code) {
  // The words are only made when they are needed: making them allocates.
  if (code != MDB_SUCCESS) must(false, mdb_strerror(code));
}

void writeKey(std::string& text, Scope scope, std::string_view place, std::string_view key) {
  text.assign(1, static_cast<char>('0' + static_cast<int>(scope)));
  text.append(place).append(1, '\n').append(key);
}

MDB_val valueOf(std::string& text) {
  return {text.size(), text.data()};
}

}  // namespace

Lmdb::Lmdb(const std::filesystem::path& folder, const DataSet& data) {
  std::filesystem::create_directory(folder);
  done(mdb_env_create(&environment_));
  done(mdb_env_set_mapsize(environment_, mapBytes));
  done(mdb_env_open(environment_, folder.c_str(), 0, 0600));
  MDB_txn* writer = nullptr;
  done(mdb_txn_begin(environment_, nullptr, 0, &writer));
  done(mdb_dbi_open(writer, nullptr, 0, &table_));
  for (const Decision& decision : data.decisions()) {
    writeKey(text_, decision.scope, data.placeOf(decision), data.names()[decision.target].printed);
    MDB_val key = valueOf(text_);
    char enabled = decision.enabled ? 1 : 0;
    MDB_val value{1, &enabled};
    done(mdb_put(writer, table_, &key, &value, 0));
  }
  done(mdb_txn_commit(writer));
  done(mdb_txn_begin(environment_, nullptr, MDB_RDONLY, &reader_));
  mdb_txn_reset(reader_);
}

Lmdb::~Lmdb() {
  mdb_txn_abort(reader_);
  mdb_env_close(environment_);
}

Found Lmdb::get(Scope scope, std::string_view place, std::string_view key) {
  writeKey(text_, scope, place, key);
  MDB_val asked = valueOf(text_);
  MDB_val value;
  if (mdb_get(reader_, table_, &asked, &value) != MDB_SUCCESS) return 0;
  return found(scope, *static_cast<const char*>(value.mv_data) != 0);
}

Found Lmdb::find(std::string_view session, std::string_view folder, std::string_view key) {
  done(mdb_txn_renew(reader_));
  const Found all = get(Scope::session, session, key) | get(Scope::workspace, folder, key) |
                    get(Scope::global, {}, key);
  mdb_txn_reset(reader_);
  return all;
}

}  // namespace enablement::bench
