// The actions' names, and who may dispatch them (S3).
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <enablement/session/action.h>

namespace enablement {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct Case {
  ActionType type;
  std::string name;
  bool byClients;
};

const std::vector<Case> cases{
    {ActionType::customizationsChanged, "session/customizationsChanged", false},
    {ActionType::customizationToggled, "session/customizationToggled", true},
    {ActionType::customizationUpdated, "session/customizationUpdated", false},
    {ActionType::customizationRemoved, "session/customizationRemoved", false},
    {ActionType::mcpServerStateChanged, "session/mcpServerStateChanged", false},
    {ActionType::mcpServerStartRequested, "session/mcpServerStartRequested", true},
    {ActionType::mcpServerStopRequested, "session/mcpServerStopRequested", true},
    {ActionType::activeClientSet, "session/activeClientSet", true},
    {ActionType::activeClientRemoved, "session/activeClientRemoved", true},
    {ActionType::workingDirectorySet, "session/workingDirectorySet", true},
    {ActionType::workingDirectoryRemoved, "session/workingDirectoryRemoved", true},
    {ActionType::workingDirectoryReplaced, "session/workingDirectoryReplaced", true},
};

TEST(ActionType, HasItsWireName_S2) {
  for (const Case& one : cases) {
    EXPECT_EQ(name(one.type), one.name);
    EXPECT_EQ(actionType(one.name), one.type);
  }
}

TEST(ActionType, IsNoneForOtherNames_S2) {
  for (const char* other : {"", "customizationToggled", "session/customizationtoggled",
                            "session/customizationToggled ", "session/titleChanged"})
    EXPECT_FALSE(actionType(other)) << other;
}

TEST(Clients, MayDispatchSomeActionsAndAreToldWhyNotTheOthers_S3) {
  for (const Case& one : cases) {
    const Status allowed = mayClientDispatch(one.name);
    EXPECT_EQ(allowed.has_value(), one.byClients) << one.name;
    if (allowed) continue;
    EXPECT_EQ(allowed.error().code, ErrorCode::invalidArgument);
    EXPECT_THAT(allowed.error().message, HasSubstr(one.name));
    EXPECT_THAT(allowed.error().message, HasSubstr("host"));
    EXPECT_THAT(allowed.error().hint, HasSubstr("session/"));
  }
}

TEST(Clients, MayNotDispatchAnActionOfUnknownType_S3) {
  for (const std::string& unknown : {std::string(), std::string("session/titleChanged"),
                                     std::string("\x1b[31m"), std::string(1 << 20, 'x')}) {
    const Status refused = mayClientDispatch(unknown);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalidArgument);
    EXPECT_THAT(refused.error().message, HasSubstr("not known"));
    EXPECT_THAT(refused.error().message, Not(HasSubstr("\x1b")));
    EXPECT_LT(refused.error().message.size(), 400U);
  }
}

}  // namespace
}  // namespace enablement
