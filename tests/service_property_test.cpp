// Whatever is done in whatever order: what the service answers is what is stored and stated, a
// write stays in its scopes, history explains every row, and events name exactly those they should.
#include <array>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>

#include "service_fixture.h"
#include "service_model.h"

namespace enablement::test {

RC_GTEST_PROP(ServiceProperty, AnswersRowsHistoryAndEventsAlwaysAgree_I6_I7_I10_I11_I12_I13_I17,
              ()) {
  const auto ops = *rc::gen::scale(4.0, rc::gen::container<std::vector<Op>>(anyOp()));
  World world;
  Model model(world);
  for (const Op& op : ops) model.play(op);
}

RC_GTEST_PROP(ServiceProperty, TwoOnOneFileAgreeAndTellOfEachOthersCommitsAsOfTheirOwn_I18, ()) {
  const auto ops = *rc::gen::container<std::vector<std::pair<bool, Op>>>(
      rc::gen::pair(rc::gen::arbitrary<bool>(), anyOp()));
  std::array<World, 2> worlds;
  worlds[1].options.path = worlds[0].options.path;
  worlds[1].restart();
  std::array models = {Model(worlds[0]), Model(worlds[1])};
  for (const auto& [which, op] : ops) {
    models[which].play(op);
    // The other one may apply what was queued, and that has to be read in turn.
    for (bool wrote = true; wrote;) {
      wrote = models[!which].refresh();
      wrote |= models[which].refresh();
    }
  }
}

}  // namespace enablement::test
