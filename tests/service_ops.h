// Calls of the service as values, to be made up at random and shown when they find something.
#pragma once

#include <array>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <rapidcheck.h>

#include "service_fixture.h"

namespace enablement::test {

enum class Do {
  load,
  directory,
  turn,
  set,
  clear,
  replace,
  base,
  baseGone,
  purge,
  close,
  erase,
  stored,
  restart
};
inline const std::array doing = {"load",    "directory", "turn",     "set",   "clear",
                                 "replace", "base",      "baseGone", "purge", "close",
                                 "delete",  "stored",    "restart"};

// One call, of which each takes the fields that it needs.
struct Op {
  Do what = Do::load;
  std::size_t session = 0;
  std::size_t target = 0;
  std::size_t scope = 0;
  std::size_t folder = 0;  // three folders, none, not known
  bool on = false;
  std::size_t code = 0;  // a list of entries or a client's statement
};

inline const std::array sessions = {"s1", "s2", "s3"};
inline const std::array folders = {"file:///one", "file:///two", "file:///three"};
inline const std::vector<Target> targets = {plugin("acme/alpha"), serverOf("acme/alpha", "db"),
                                            server("git", false), plugin("acme/beta")};

inline WorkingDirectory directoryOf(const Op& op) {
  if (op.folder < folders.size()) return folder(folders[op.folder]);
  return op.folder == 3 ? WorkingDirectory::none() : WorkingDirectory::pending();
}

// Of each scope nothing, off or on; the workspace entry may name a folder.
inline std::vector<ReplaceEntry> listOf(const Op& op) {
  std::vector<ReplaceEntry> list;
  std::size_t rest = op.code;
  for (const Scope scope : precedence) {
    if (rest % 3 != 0) list.push_back({scope, rest % 3 == 2});
    if (rest % 3 != 0 && scope == Scope::workspace && op.code / 27 > 1)
      list.back().uri = folders[op.code / 27 - 2];
    rest /= 3;
  }
  return list;
}

// Of three targets each nothing, no opinion, off or on.
inline std::vector<StatedPlugin> statementOf(const Op& op) {
  const auto list = [](std::size_t says) {
    return says < 2 ? std::vector<StatedEntry>() : std::vector<StatedEntry>{{"global", says == 3}};
  };
  const std::size_t alpha = op.code % 4, db = op.code / 4 % 4, beta = op.code / 16 % 4;
  std::vector<StatedPlugin> plugins;
  if (alpha != 0 || db != 0) plugins.push_back({"acme/alpha", list(alpha)});
  if (db != 0) plugins.back().childEnablement = {{"db", list(db)}};
  if (beta != 0) plugins.push_back({"acme/beta", list(beta)});
  return plugins;
}

// Makes the call; says "done" or the code of the error.
inline std::string call(World& world, const Op& op) {
  EnablementService& service = *world.service;
  const std::string session = sessions[op.session];
  const Target& target = targets[op.target];
  const auto outcome = [](const auto& result) {
    return result ? "done" : std::string(name(result.error().code));
  };
  switch (op.what) {
    case Do::load:
      return outcome(service.loadSession(session));
    case Do::directory:
      return outcome(service.setWorkingDirectory(session, directoryOf(op)));
    case Do::turn:
      return outcome(service.setTurnActive(session, op.on));
    case Do::set:
      return outcome(service.set(session, target, precedence[op.scope], op.on, "t"));
    case Do::clear:
      return outcome(service.clear(session, target, precedence[op.scope], "t"));
    case Do::replace:
      return outcome(service.replace(session, target, listOf(op), "t"));
    case Do::base:
      return outcome(service.stateClientBase(session, op.on ? "a" : "b", statementOf(op)));
    case Do::baseGone:
      return outcome(service.removeClientBase(session, op.on ? "a" : "b"));
    case Do::purge:
      return outcome(service.purge(target.key, "t"));
    case Do::close:
      return outcome(service.closeSession(session));
    case Do::erase:
      return outcome(service.deleteSession(session));
    case Do::stored: {
      std::optional<WorkingDirectory> directory;
      if (op.folder < folders.size()) directory = directoryOf(op);
      return outcome(op.scope == 0 ? service.clearStored(target, directory, "t")
                                   : service.setStored(target, directory, op.on, "t"));
    }
    case Do::restart:
      world.restart();
      return "done";
  }
  return "?";
}

inline std::ostream& operator<<(std::ostream& out, const Op& op) {
  return out << doing[static_cast<std::size_t>(op.what)] << "(" << sessions[op.session] << ", "
             << targets[op.target].key.printed() << ", " << name(precedence[op.scope])
             << ", folder " << op.folder << ", " << word(op.on) << ", code " << op.code << ")";
}

inline rc::Gen<Op> anyOp() {
  const auto below = [](std::size_t n) { return rc::gen::inRange<std::size_t>(0, n); };
  const auto what = rc::gen::weightedElement<Do>({{5, Do::load},
                                                  {7, Do::directory},
                                                  {4, Do::turn},
                                                  {12, Do::set},
                                                  {5, Do::clear},
                                                  {6, Do::replace},
                                                  {6, Do::base},
                                                  {2, Do::baseGone},
                                                  {1, Do::purge},
                                                  {1, Do::close},
                                                  {1, Do::erase},
                                                  {3, Do::stored},
                                                  {1, Do::restart}});
  // Uneven, so that calls meet each other's decisions.
  const auto mostly = [](std::size_t last) {
    return rc::gen::weightedElement<std::size_t>({{5, 0}, {2, 1}, {1, 2}, {2, last}});
  };
  return rc::gen::build<Op>(
      rc::gen::set(&Op::what, what), rc::gen::set(&Op::session, mostly(1)),
      rc::gen::set(&Op::target, mostly(3)), rc::gen::set(&Op::scope, below(3)),
      rc::gen::set(&Op::folder,
                   rc::gen::weightedElement<std::size_t>({{4, 0}, {3, 1}, {1, 2}, {2, 3}, {2, 4}})),
      rc::gen::set(&Op::on, rc::gen::arbitrary<bool>()), rc::gen::set(&Op::code, below(27 * 4)));
}

}  // namespace enablement::test
