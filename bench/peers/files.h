// What a host does without a database: it appends a record, or rewrites a whole JSON file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include <enablement/bench/data.h>

namespace enablement::bench {

// Appends 200 bytes and waits until they are on the device.
class RawAppend {
 public:
  explicit RawAppend(const std::filesystem::path& file);
  ~RawAppend();
  RawAppend(const RawAppend&) = delete;
  RawAppend& operator=(const RawAppend&) = delete;

  void append() const;

 private:
  int file_;
};

// {scope: {place: {key: bool}}}.
[[nodiscard]] nlohmann::json jsonOf(const DataSet& data);

// Changes one entry, writes everything under another name, waits for the device, and renames.
class JsonRewrite {
 public:
  JsonRewrite(std::filesystem::path file, const DataSet& data)
      : file_(std::move(file)), all_(jsonOf(data)) {}

  void change(const std::string& key, bool enabled);

 private:
  std::filesystem::path file_;
  nlohmann::json all_;
};

}  // namespace enablement::bench
