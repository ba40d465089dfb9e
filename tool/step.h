// One step of a scenario: its fields, and the service it acts on.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <enablement/resolver/service.h>
#include <enablement/tool/json_input.h>

namespace enablement::tool {

// A step that cannot be taken. Thrown by the accessors below and caught by the player, the only one
// that knows file, scenario and number.
struct BadStep {
  Error error;
  // The library's own refusal, of a target, scope or folder: what a scenario may expect.
  bool refusal = false;
};

// The fields of a JSON object, of the type that is asked for; anything else throws BadStep.
class Fields {
 public:
  explicit Fields(const Json& object, std::string_view what = "the step");

  [[nodiscard]] const Json* find(std::string_view key) const;
  [[nodiscard]] const Json& get(std::string_view key) const;
  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] std::optional<std::string> textIfAny(std::string_view key) const;
  [[nodiscard]] bool flag(std::string_view key) const;
  [[nodiscard]] const Json& object(std::string_view key) const;
  [[nodiscard]] const Json& list(std::string_view key) const;
  [[nodiscard]] Scope scope(std::string_view key) const;

 private:
  [[noreturn]] void wrong(std::string_view key, std::string_view expected) const;

  const Json& object_;
  std::string_view what_;
};

// A daemon on a file of its own, from start to stop to the next start.
class Host {
 public:
  explicit Host(std::filesystem::path file) : file_(std::move(file)) { start(); }

  void restart();
  [[nodiscard]] EnablementService& service() { return *service_; }
  // What was announced since it was last asked: a list of events, each its sorted sessions.
  [[nodiscard]] Json takeEvents();

 private:
  void start();

  std::filesystem::path file_;
  Timestamp now_{};
  Json events_ = Json::array();
  std::unique_ptr<EnablementService> service_;
  Subscription subscription_;
};

// What a step may use.
struct Step {
  Host& host;
  const Json& targets;  // of the scenario, by alias; built when a step needs one
  Fields fields;

  [[nodiscard]] EnablementService& service() const { return host.service(); }
  [[nodiscard]] std::string session() const { return fields.text("session"); }
  [[nodiscard]] Target target() const;
};

// What a step returns: a result, null when it has none, or how it failed.
using Outcome = Result<Json>;

// Takes the step. Throws BadStep.
[[nodiscard]] Outcome take(const Step& step);

}  // namespace enablement::tool
