// The vocabulary: scopes, errors, text, folders, answers.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <enablement/schema/error.h>
#include <enablement/schema/resolution.h>
#include <enablement/schema/scope.h>
#include <enablement/schema/text.h>

namespace enablement {
namespace {

using namespace std::string_literals;

// --- Scopes --------------------------------------------------------------------------------------

TEST(Scope, IsOneOfThreeWordsThatParseBack_I14) {
  const std::vector<std::pair<std::string, Scope>> words = {
      {"session", Scope::session}, {"workspace", Scope::workspace}, {"global", Scope::global}};
  for (const auto& [word, scope] : words) {
    EXPECT_EQ(name(scope), word);
    EXPECT_EQ(parseScope(word).value(), scope);
  }
}

TEST(Scope, AnythingElseIsAnInvalidArgumentThatNamesTheWords_I14) {
  for (const auto& word : {""s, "Session"s, "session "s, "user"s, "glob"s, "session\0"s}) {
    const auto scope = parseScope(word);
    ASSERT_FALSE(scope) << word;
    EXPECT_EQ(scope.error().code, ErrorCode::invalidArgument);
    EXPECT_NE(scope.error().message.find(enablement::quote(word)), std::string::npos);
    EXPECT_EQ(scope.error().hint, "a scope is session, workspace or global");
  }
}

TEST(Scope, IsAskedMostSpecificFirstAndPlannedWidestFirst_I6_I11) {
  EXPECT_EQ(std::vector(precedence.begin(), precedence.end()),
            (std::vector{Scope::session, Scope::workspace, Scope::global}));
  EXPECT_TRUE(std::equal(precedence.rbegin(), precedence.rend(), writeOrder.begin()));
  for (std::size_t i = 0; i < precedence.size(); ++i) EXPECT_EQ(index(precedence[i]), i);
}

// --- Errors --------------------------------------------------------------------------------------

TEST(Error, CodesAreTheWordsOfTheContract_I14) {
  const std::vector<std::pair<ErrorCode, std::string>> words = {
      {ErrorCode::invalidArgument, "invalidArgument"},
      {ErrorCode::invalidUri, "invalidUri"},
      {ErrorCode::noWorkspace, "noWorkspace"},
      {ErrorCode::foreignWorkspace, "foreignWorkspace"},
      {ErrorCode::busy, "busy"},
      {ErrorCode::full, "full"},
      {ErrorCode::readOnly, "readOnly"},
      {ErrorCode::corrupt, "corrupt"},
      {ErrorCode::newerSchema, "newerSchema"},
      {ErrorCode::io, "io"},
      {ErrorCode::limit, "limit"}};
  for (const auto& [code, word] : words) EXPECT_EQ(name(code), word);
}

TEST(Error, IsDescribedInOneLineWithItsHintIfItHasOne_I14) {
  EXPECT_EQ(describe({ErrorCode::io, "it failed", ""}), "it failed");
  EXPECT_EQ(describe({ErrorCode::io, "it failed", "try again"}), "it failed (try again)");
}

// --- Text ----------------------------------------------------------------------------------------

TEST(Quoted, ShowsControlsAndBrokenUtf8AsEscapesAndTheRestAsItIs_I14) {
  EXPECT_EQ(enablement::quote(""), "\"\"");
  EXPECT_EQ(enablement::quote("a b/é😀"), "\"a b/é😀\"");
  EXPECT_EQ(enablement::quote("a\n\0\x7F"s + "b"), "\"a\\x0a\\x00\\x7fb\"");
  EXPECT_EQ(enablement::quote("\xFFz\xC3"), "\"\\xffz\\xc3\"");
}

TEST(Quoted, ShortensLongTextAndNeverCutsACharacter_I14) {
  const std::string eighty(80, 'a');
  EXPECT_EQ(enablement::quote(eighty), '"' + eighty + '"');
  EXPECT_EQ(enablement::quote(eighty + 'a'), '"' + eighty + "\"…");
  EXPECT_EQ(enablement::quote(std::string(79, 'a') + "éz"), '"' + std::string(79, 'a') + "é\"…");
  for (std::size_t before = 70; before < 90; ++before)
    EXPECT_TRUE(isUtf8(enablement::quote(std::string(before, 'a') + "😀😀😀😀😀")));
  EXPECT_LT(enablement::quote(std::string(maxTextBytes, '\n')).size(), 100U);
}

TEST(Utf8, IsWellFormedWithoutOverlongFormsSurrogatesOrValuesTooLarge_I3) {
  for (const auto& good :
       {""s, "a"s, "\0"s, "\x7F"s, "\xC2\x80"s, "\xDF\xBF"s, "\xE0\xA0\x80"s, "\xED\x9F\xBF"s,
        "\xEE\x80\x80"s, "\xEF\xBF\xBF"s, "\xF0\x90\x80\x80"s, "\xF4\x8F\xBF\xBF"s, "aé€😀"s})
    EXPECT_TRUE(isUtf8(good)) << enablement::quote(good);
  for (const auto& bad :
       {"\x80"s, "\xBF"s, "\xC0\x80"s, "\xC1\xBF"s, "\xC2"s, "\xC2z"s, "\xC2\xC2"s, "\xE0\x9F\xBF"s,
        "\xE2\x82"s, "\xE2\x82z"s, "\xED\xA0\x80"s, "\xED\xBF\xBF"s, "\xF0\x8F\xBF\xBF"s,
        "\xF0\x9F\x98"s, "\xF4\x90\x80\x80"s, "\xF5\x80\x80\x80"s, "\xFF"s, "ok\xFE"s})
    EXPECT_FALSE(isUtf8(bad)) << enablement::quote(bad);
}

TEST(SessionName, IsOpaqueButNotEmptyBrokenOrTooLong_I3) {
  EXPECT_TRUE(checkSession("ahp://copilot/session-1"));
  EXPECT_TRUE(checkSession(" not a URI "));
  EXPECT_TRUE(checkSession(std::string(maxTextBytes, 's')));
  for (const auto& bad : {""s, "\xFF"s, std::string(maxTextBytes + 1, 's')}) {
    const auto checked = checkSession(bad);
    ASSERT_FALSE(checked) << enablement::quote(bad);
    EXPECT_EQ(checked.error().code, ErrorCode::invalidArgument);
  }
}

// --- Folders -------------------------------------------------------------------------------------

TEST(WorkingDirectory, NoneIsKnowledgeAndPendingIsNot_I6) {
  EXPECT_FALSE(WorkingDirectory::pending().isKnown());
  EXPECT_TRUE(WorkingDirectory::none().isKnown());
  EXPECT_EQ(WorkingDirectory::pending().uri(), nullptr);
  EXPECT_EQ(WorkingDirectory::none().uri(), nullptr);
  EXPECT_FALSE(WorkingDirectory::pending() == WorkingDirectory::none());
}

TEST(WorkingDirectory, AFolderIsCanonicalAndComparesAsText_I3) {
  const auto folder = WorkingDirectory::directory("FILE:///repo/.").value();
  EXPECT_EQ(folder.kind(), WorkingDirectory::Kind::directory);
  EXPECT_TRUE(folder.isKnown());
  ASSERT_NE(folder.uri(), nullptr);
  EXPECT_EQ(*folder.uri(), "file:///repo");
  EXPECT_EQ(folder, WorkingDirectory::directory("file://localhost/repo/").value());
  EXPECT_FALSE(folder == WorkingDirectory::directory("file:///Repo").value());
  EXPECT_FALSE(folder == WorkingDirectory::none());
  EXPECT_FALSE(folder == WorkingDirectory::pending());
}

TEST(WorkingDirectory, IsAlwaysAUriNeverAMarketplaceIdOrAPath_I3) {
  for (const auto& bad : {"acme/tools", "/repo", "C:\\repo", "", "file:///a?b"})
    EXPECT_EQ(WorkingDirectory::directory(bad).error().code, ErrorCode::invalidUri) << bad;
  const auto tooLong = WorkingDirectory::directory("foo:/" + std::string(maxTextBytes, 'a'));
  EXPECT_EQ(tooLong.error().code, ErrorCode::invalidArgument);
}

// --- Answers -------------------------------------------------------------------------------------

// Handling pending cannot be forgotten: no answer turns into a boolean.
static_assert(!std::is_convertible_v<Resolution, bool> &&
              !std::is_constructible_v<bool, Resolution>);
static_assert(!std::is_convertible_v<Pending, bool> && !std::is_constructible_v<bool, Pending>);
static_assert(!std::is_constructible_v<bool, Effective>);

Resolved resolved(const std::vector<Layer>& layers) {
  Resolved answer(WorkingDirectory::none());
  for (const auto& layer : layers) answer.append(layer);
  return answer;
}

TEST(Resolved, IsOnByDefaultWhenNothingDecides_I6) {
  const auto answer = resolved({});
  EXPECT_TRUE(answer.enabled());
  EXPECT_TRUE(answer.enablement().empty());
  EXPECT_EQ(answer.decidedBy(), std::nullopt);
}

TEST(Resolved, TheMostSpecificLayerDecidesWhateverTheWiderOnesSay_I6) {
  for (const bool wider : {false, true})
    for (const bool own : {false, true}) {
      const std::vector<Layer> layers = {
          {Scope::session, own}, {Scope::workspace, wider}, {Scope::global, wider}};
      for (std::size_t from = 0; from < layers.size(); ++from) {
        std::vector<Layer> list(layers.begin() + static_cast<std::ptrdiff_t>(from), layers.end());
        list.front().enabled = own;
        const auto answer = resolved(list);
        EXPECT_EQ(answer.enabled(), own);
        EXPECT_EQ(answer.decidedBy(), list.front().kind);
        const auto shown = answer.enablement();
        EXPECT_EQ(std::vector<Layer>(shown.begin(), shown.end()), list);
      }
    }
}

TEST(Resolved, CarriesTheFolderThatItWasComputedFor_I6) {
  const auto folder = WorkingDirectory::directory("file:///repo").value();
  EXPECT_EQ(Resolved(folder).workingDirectory(), folder);
}

TEST(Pending, SaysWhatItWaitsForInTheWordsOfTheContract_I6) {
  EXPECT_EQ(name(PendingReason::store), "store");
  EXPECT_EQ(name(PendingReason::session), "session");
  EXPECT_EQ(name(PendingReason::workingDirectory), "workingDirectory");
}

constexpr auto on = EffectiveState::enabled;
constexpr auto off = EffectiveState::disabled;
constexpr auto open = EffectiveState::pending;

struct OwnRow {
  Resolution own;
  EffectiveState state;
  std::string reason;
};

const std::vector<OwnRow>& ownRows() {
  static const std::vector<OwnRow> rows = {
      {resolved({}), on, "default"},
      {resolved({{Scope::session, true}, {Scope::global, false}}), on, "session"},
      {resolved({{Scope::session, false}, {Scope::global, true}}), off, "session"},
      {resolved({{Scope::workspace, true}}), on, "workspace"},
      {resolved({{Scope::workspace, false}}), off, "workspace"},
      {resolved({{Scope::global, true}}), on, "global"},
      {resolved({{Scope::global, false}}), off, "global"},
      {Pending{PendingReason::store}, open, "store"},
      {Pending{PendingReason::session}, open, "session"},
      {Pending{PendingReason::workingDirectory}, open, "workingDirectory"}};
  return rows;
}

TEST(Effective, TheOwnReasonIsTheDecidingScopeTheDefaultOrWhatIsPending_I9) {
  for (const auto& row : ownRows()) {
    EXPECT_EQ(ownAnswer(row.own).state, row.state) << row.reason;
    EXPECT_EQ(name(ownAnswer(row.own).reason), row.reason);
  }
}

TEST(Effective, OffBeatsPendingAndTheContainerIsAskedFirst_I9_I20) {
  for (const auto& row : ownRows()) {
    const auto own = ownAnswer(row.own);
    // Container off: off because of it, whatever the target says.
    EXPECT_EQ(masked(own, off), (Effective{off, EffectiveReason::container})) << row.reason;
    // Container on: the target's own word.
    EXPECT_EQ(masked(own, on), own) << row.reason;
    // Container pending: an own off, then an own pending, keep their reason; an on waits.
    const auto waiting = row.state == on ? Effective{open, EffectiveReason::container} : own;
    EXPECT_EQ(masked(own, open), waiting) << row.reason;
  }
}

TEST(Effective, StatesAndReasonsAreTheWordsOfTheContract_I9) {
  EXPECT_EQ(name(on), "enabled");
  EXPECT_EQ(name(off), "disabled");
  EXPECT_EQ(name(open), "pending");
  EXPECT_EQ(name(EffectiveReason::container), "container");
  EXPECT_EQ(name(EffectiveReason::byDefault), "default");
}

}  // namespace
}  // namespace enablement
