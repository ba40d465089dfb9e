// What a write does to a target's decisions: the rules of I11, as a table and exhaustively.
#include <enablement/resolver/plan.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "service_fixture.h"

namespace enablement {
namespace {

using test::Names;
using test::word;

constexpr std::optional<bool> on = true;
constexpr std::optional<bool> off = false;
constexpr std::optional<bool> nothing = std::nullopt;

// Layers of which only those that matter are named.
struct Given {
  std::optional<bool> session = {};
  std::optional<bool> workspace = {};
  std::optional<bool> global = {};
  std::optional<bool> clientBase = {};
  std::optional<bool> discoveryDefault = {};
  operator Layers() const { return {session, workspace, global, clientBase, discoveryDefault}; }
};

WriteView settled(const Given& layers) {
  return {.layers = layers, .inheritanceKnown = true};
}

// "set global - off": the rows that change, in order.
Names planned(const WriteView& view, std::vector<ScopeAsk> asks) {
  Names rows;
  for (const ScopeChange& change : planWrite(view, asks))
    rows.push_back(std::string(name(change.cause)) + " " + std::string(name(change.scope)) + " " +
                   word(change.before) + " " + word(change.after));
  return rows;
}

Names set(const WriteView& view, Scope scope, bool enabled) {
  return planned(view, {{scope, enabled ? Asked::on : Asked::off, Cause::set}});
}

// --- The table -----------------------------------------------------------------------------------

// What one scope of a settled session holds after on or off is asked of it.
struct Row {
  std::string rule;
  Scope scope;
  Given layers;
  Asked asked;
  std::optional<bool> after;
};

Given stored(Scope scope, std::optional<bool> value, Given layers = {}) {
  (scope == Scope::global      ? layers.global
   : scope == Scope::workspace ? layers.workspace
                               : layers.session) = value;
  return layers;
}

// Ways to make a scope inherit `value`.
std::vector<std::pair<std::string, Given>> inheriting(Scope scope, bool value) {
  std::vector<std::pair<std::string, Given>> ways;
  // The layer that decides and, wider than it, those that say the opposite.
  ways.push_back({"the client base", {.clientBase = value, .discoveryDefault = !value}});
  ways.push_back({"the discovery default", {.discoveryDefault = value}});
  if (value) ways.push_back({"the default, which is on", {}});
  if (scope != Scope::global)
    ways.push_back({"the host's global decision",
                    {.global = value, .clientBase = !value, .discoveryDefault = !value}});
  if (scope == Scope::session)
    ways.push_back(
        {"the workspace decision", {.workspace = value, .global = !value, .clientBase = !value}});
  return ways;
}

std::vector<Row> table() {
  std::vector<Row> rows;
  for (const Scope scope : precedence) {
    for (const bool inherited : {true, false})
      for (const auto& [from, layers] : inheriting(scope, inherited)) {
        const std::string where =
            std::string(name(scope)) + " inherits " + word(inherited) + " from " + from + ": ";
        const auto holds = [&](std::optional<bool> value) { return stored(scope, value, layers); };
        rows.push_back(
            {where + "a stored on stays when on is asked", scope, holds(on), Asked::on, on});
        rows.push_back(
            {where + "a stored off stays when off is asked", scope, holds(off), Asked::off, off});
        rows.push_back(
            {where + "on over off", scope, holds(off), Asked::on, inherited ? nothing : on});
        rows.push_back({where + "on over nothing", scope, holds(nothing), Asked::on,
                        inherited ? nothing : on});
        rows.push_back(
            {where + "off over on", scope, holds(on), Asked::off, inherited ? off : nothing});
        rows.push_back({where + "off over nothing", scope, holds(nothing), Asked::off, off});
        rows.push_back({where + "a clear of off", scope, holds(off), Asked::clear, nothing});
        rows.push_back({where + "a clear of on", scope, holds(on), Asked::clear, nothing});
        rows.push_back(
            {where + "a clear of nothing", scope, holds(nothing), Asked::clear, nothing});
      }
  }
  return rows;
}

std::optional<bool> at(const Given& layers, Scope scope) {
  return scope == Scope::global      ? layers.global
         : scope == Scope::workspace ? layers.workspace
                                     : layers.session;
}

TEST(Plan, StoresOnlyWhatDiffersFromWhatIsInheritedAndEveryOffButOneOverAnOn_I11) {
  for (const Row& row : table()) {
    const std::optional<bool> before = at(row.layers, row.scope);
    const auto changes =
        planWrite(settled(row.layers), std::vector<ScopeAsk>{{row.scope, row.asked, Cause::set}});
    if (before == row.after) {
      EXPECT_TRUE(changes.empty()) << row.rule;
      continue;
    }
    ASSERT_EQ(changes.size(), 1U) << row.rule;
    const bool redundant = row.asked != Asked::clear && !row.after;
    EXPECT_EQ(changes[0], (ScopeChange{row.scope, before, row.after,
                                       redundant ? Cause::redundant : Cause::set}))
        << row.rule;
  }
}

TEST(Plan, StoresWhatIsAskedWhileInheritanceIsNotKnown_I11) {
  for (Row row : table()) {
    if (row.asked != Asked::clear) row.after = row.asked == Asked::on;
    const auto changes = planWrite({.layers = row.layers},
                                   std::vector<ScopeAsk>{{row.scope, row.asked, Cause::set}});
    const auto before = at(row.layers, row.scope);
    std::vector<ScopeChange> expected;
    if (before != row.after) expected = {{row.scope, before, row.after, Cause::set}};
    EXPECT_EQ(changes, expected) << row.rule;
  }
}

// --- Neighbours ----------------------------------------------------------------------------------

constexpr Neighbours nobody = {};
constexpr Neighbours someoneOn = {.any = true, .anyOnBelowHost = true};
constexpr Neighbours someoneOff = {.any = true, .anyOnBelowHost = false};

TEST(Plan, AnOffOverASharedOnIsStoredWhenANeighbourWouldInheritOn_I11) {
  WriteView view = settled({.global = on, .clientBase = off});
  view.everywhere = someoneOn;
  EXPECT_EQ(set(view, Scope::global, false), Names{"set global on off"});
  view.everywhere = someoneOff;
  EXPECT_EQ(set(view, Scope::global, false), Names{"redundant global on -"});

  view = settled({.workspace = on, .clientBase = off});
  view.everywhere = view.inFolder = someoneOn;
  EXPECT_EQ(set(view, Scope::workspace, false), Names{"set workspace on off"});
  view.inFolder = someoneOff;
  EXPECT_EQ(set(view, Scope::workspace, false), Names{"redundant workspace on -"});
  view.inFolder = nobody;
  EXPECT_EQ(set(view, Scope::workspace, false), Names{"redundant workspace on -"});
}

TEST(Plan, ANeighbourInTheFolderInheritsTheHostsGlobalBeforeItsOwnBase_I11) {
  WriteView view = settled({.workspace = on, .global = off, .clientBase = on});
  view.everywhere = view.inFolder = someoneOn;
  EXPECT_EQ(set(view, Scope::workspace, false), Names{"redundant workspace on -"});
}

TEST(Plan, NeighboursAreNothingToASessionsOwnScopeNorToAnOn_I11) {
  WriteView view = settled({.session = on, .clientBase = off});
  view.everywhere = view.inFolder = someoneOn;
  EXPECT_EQ(set(view, Scope::session, false), Names{"redundant session on -"});

  view = settled({.workspace = off, .global = off});
  view.everywhere = view.inFolder = someoneOff;
  EXPECT_EQ(set(view, Scope::global, true), Names{"redundant global off -"});
  view.layers.global = on;
  EXPECT_EQ(set(view, Scope::workspace, true), Names{"redundant workspace off -"});
}

// --- Several scopes at once ----------------------------------------------------------------------

std::vector<ScopeAsk> replaceWith(std::optional<bool> session, std::optional<bool> workspace,
                                  std::optional<bool> global) {
  const auto asked = [](std::optional<bool> value) {
    return !value ? Asked::clear : *value ? Asked::on : Asked::off;
  };
  return {{Scope::session, asked(session), Cause::replace},
          {Scope::workspace, asked(workspace), Cause::replace},
          {Scope::global, asked(global), Cause::replace, true}};
}

TEST(Plan, GlobalComesFirstSoThatWorkspaceAndSessionInheritWhatIsStoredNow_I11) {
  // Asked in the reverse order: each scope is compared with the one planned just before it.
  EXPECT_EQ(planned(settled({}), {{Scope::session, Asked::on, Cause::replace},
                                  {Scope::workspace, Asked::on, Cause::replace},
                                  {Scope::global, Asked::off, Cause::replace}}),
            (Names{"replace global - off", "replace workspace - on"}));
  EXPECT_EQ(planned(settled({.global = off}), {{Scope::workspace, Asked::on, Cause::replace},
                                               {Scope::global, Asked::clear, Cause::replace}}),
            Names{"replace global off -"});
}

TEST(Plan, ANeighbourInTheFolderInheritsTheGlobalValueOfTheSameCall_I11) {
  WriteView view = settled({.workspace = on, .global = on, .clientBase = off});
  view.everywhere = view.inFolder = someoneOn;
  const std::vector<ScopeAsk> asks = {{Scope::workspace, Asked::off, Cause::replace},
                                      {Scope::global, Asked::off, Cause::replace}};
  EXPECT_EQ(planned(view, asks), (Names{"replace global on off", "replace workspace on -"}));
}

TEST(Plan, AReplacementRestatesAGlobalValueThatTheSessionSeesAnyway_I11) {
  const std::vector<std::pair<Given, std::optional<bool>>> seen = {
      {{}, on},
      {{.discoveryDefault = off}, off},
      {{.clientBase = off, .discoveryDefault = on}, off},
      {{.global = on, .clientBase = off}, on},
      {{.global = off, .clientBase = on}, off}};
  for (const auto& [layers, value] : seen)
    EXPECT_EQ(planned(settled(layers), replaceWith({}, {}, value)), Names{})
        << "sees global " << word(value);
  // The same off by a set is somebody's word.
  EXPECT_EQ(set(settled({.clientBase = off}), Scope::global, false), Names{"set global - off"});
  // Only at global scope: elsewhere a client is never shown what is inherited.
  EXPECT_EQ(planned(settled({.global = off}), replaceWith({}, off, off)),
            Names{"replace workspace - off"});
}

TEST(Plan, AReplacementThatDiffersWritesAndItsEmptyScopesAreCleared_I11) {
  EXPECT_EQ(
      planned(settled({.session = off, .workspace = on, .global = off}), replaceWith({}, {}, on)),
      (Names{"replace global off -", "replace workspace on -", "replace session off -"}));
  EXPECT_EQ(planned(settled({.session = off, .workspace = on, .global = off}), {}), Names{});
}

TEST(Plan, ARowThatAWriteMadeEqualToWhatIsInheritedIsRedundantInHistoryOnlyIfItWasSet_I13) {
  const WriteView view = settled({.session = off});
  for (const auto& [cause, named] :
       {std::pair{Cause::set, "redundant"}, std::pair{Cause::replace, "replace"},
        std::pair{Cause::queueApplied, "queueApplied"}})
    EXPECT_EQ(planned(view, {{Scope::session, Asked::on, cause}}),
              Names{std::string(named) + " session off -"});
  EXPECT_EQ(planned(view, {{Scope::session, Asked::clear, Cause::clear}}),
            Names{"clear session off -"});
}

// --- All of it, against another reading of the same page -----------------------------------------

// I11 once more, slowly: each neighbour is asked by itself, each scope has its own lines.
std::vector<ScopeChange> slowPlan(const Layers& given, bool known, const std::vector<bool>& all,
                                  const std::vector<bool>& inFolder,
                                  const std::vector<ScopeAsk>& asks) {
  std::array<std::optional<bool>, 3> held = {given.session, given.workspace, given.global};
  const auto below = [&] {
    if (given.clientBase) return *given.clientBase;
    if (given.discoveryDefault) return *given.discoveryDefault;
    return true;
  };
  const auto globalLayer = [&] { return held[2] ? *held[2] : below(); };
  std::vector<ScopeChange> changes;
  for (const std::size_t scope : {2U, 1U, 0U})
    for (const ScopeAsk& ask : asks) {
      if (index(ask.scope) != scope) continue;
      const bool inherits = scope == 2   ? below()
                            : scope == 1 ? globalLayer()
                            : held[1]    ? *held[1]
                                         : globalLayer();
      bool someoneWouldBeOn = false;
      if (scope == 2)
        for (const bool base : all) someoneWouldBeOn = someoneWouldBeOn || base;
      if (scope == 1)
        for (const bool base : inFolder)
          someoneWouldBeOn = someoneWouldBeOn || (held[2] ? *held[2] : base);

      const std::optional<bool> was = held[scope];
      std::optional<bool> becomes = was;
      std::string outcome;
      if (ask.asked == Asked::clear)
        becomes = std::nullopt;
      else if (const bool wanted = ask.asked == Asked::on;
               ask.mayRestate && wanted == globalLayer())
        becomes = was;
      else if (!known || wanted != inherits)
        becomes = wanted;
      else if (was != wanted) {
        if (wanted)
          becomes = std::nullopt;
        else if (was == std::nullopt)
          becomes = false;
        else
          becomes = someoneWouldBeOn ? std::optional(false) : std::nullopt;
      }
      if (was == becomes) continue;
      const bool restored = !becomes && ask.asked != Asked::clear;
      held[scope] = becomes;
      changes.push_back({ask.scope, was, becomes,
                         restored && ask.cause == Cause::set ? Cause::redundant : ask.cause});
    }
  return changes;
}

Neighbours told(const std::vector<bool>& bases) {
  return {!bases.empty(), std::find(bases.begin(), bases.end(), true) != bases.end()};
}

const std::vector<std::vector<bool>> crowds = {{}, {true}, {false}, {false, true}};

// Calls visit(asks) for every combination of asks of one call: nothing, off, on or clear of each
// scope, by a set, by a replacement from a settled session, and from the queue.
template <typename Visit>
void forAllAsks(Visit visit) {
  for (const Cause cause : {Cause::set, Cause::replace, Cause::queueApplied})
    for (int code = 0; code < 64; ++code) {
      std::vector<ScopeAsk> asks;
      for (int scope = 0, rest = code; scope < 3; ++scope, rest /= 4)
        if (rest % 4 != 3)
          asks.push_back({static_cast<Scope>(scope), static_cast<Asked>(rest % 4), cause,
                          cause == Cause::replace && scope == 2});
      if (code % 2 != 0) std::reverse(asks.begin(), asks.end());
      visit(asks);
    }
}

template <typename Visit>
void forAllLayers(Visit visit) {
  const auto value = [](int code) { return code == 2 ? nothing : std::optional(code == 1); };
  for (int code = 0; code < 243; ++code)
    visit(Layers{value(code % 3), value(code / 3 % 3), value(code / 9 % 3), value(code / 27 % 3),
                 value(code / 81)});
}

TEST(Plan, AgreesWithASecondReadingOfTheRulesOnEveryInput_I10_I11) {
  std::size_t inputs = 0;
  std::size_t wrong = 0;
  forAllLayers([&](const Layers& layers) {
    forAllAsks([&](const std::vector<ScopeAsk>& asks) {
      for (const bool known : {false, true})
        for (const auto& all : crowds)
          for (const auto& inFolder : crowds) {
            ++inputs;
            const auto plan = planWrite({layers, known, told(all), told(inFolder)}, asks);
            if (plan != slowPlan(layers, known, all, inFolder, asks)) ++wrong;
          }
    });
  });
  EXPECT_EQ(inputs, 243U * 3 * 64 * 2 * 16);
  EXPECT_EQ(wrong, 0U);
}

TEST(Plan, NeighboursNeedNotBeLookedForWhereThePlanDoesNotDependOnThem_I11) {
  std::size_t depending = 0;
  std::size_t missed = 0;
  forAllLayers([&](const Layers& layers) {
    forAllAsks([&](const std::vector<ScopeAsk>& asks) {
      for (const bool known : {false, true}) {
        const WriteView alone{layers, known};
        if (dependsOnNeighbours(alone, asks)) {
          ++depending;
          continue;
        }
        for (const auto& all : crowds)
          for (const auto& inFolder : crowds)
            if (planWrite(alone, asks) !=
                planWrite({layers, known, told(all), told(inFolder)}, asks))
              ++missed;
      }
    });
  });
  EXPECT_EQ(missed, 0U);
  EXPECT_GT(depending, 0U);
}

}  // namespace
}  // namespace enablement
