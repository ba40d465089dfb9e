#include <cctype>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <enablement/bench/cases.h>
#include <enablement/bench/found.h>
#include <enablement/bench/handles.h>
#include <enablement/bench/must.h>
#include <enablement/bench/peers/integer_maps.h>
#include <enablement/bench/peers/lmdb.h>
#include <enablement/bench/peers/node.h>
#include <enablement/bench/peers/sqlite.h>
#include <enablement/bench/peers/string_maps.h>

namespace enablement::bench {
namespace {

constexpr std::size_t fastBatch = 1024;
constexpr std::size_t slowBatch = 128;

// A look-up with all that somebody who asks has at hand.
struct Question {
  const std::string& session;
  const std::string& folder;
  const std::string& key;
  const Target& target;
};

std::vector<Question> questionsOf(const DataSet& data, const std::vector<Target>& targets) {
  std::vector<Question> questions;
  questions.reserve(data.lookups().size());
  for (const Lookup& lookup : data.lookups())
    questions.push_back({data.sessions()[lookup.session], data.folderOf(lookup.session),
                         data.names()[lookup.target].printed, targets[lookup.target]});
  return questions;
}

// The same plugins spelled as a person might: the scheme in capitals, a dot segment.
std::vector<std::string> otherSpellings(const DataSet& data) {
  std::vector<std::string> spelled;
  for (const Name& name : data.names())
    spelled.push_back("FILE:///home/user/./" + name.plugin.substr(sizeof "file:///home/user/" - 1));
  return spelled;
}

// The contenders of one data set, and what each of them answers.
class Table {
 public:
  explicit Table(const DataSet& data) : count_(data.lookups().size()) {}

  // ask(i) looks up the i-th question; answerOf makes its answer a Found.
  template <typename Ask, typename AnswerOf>
  void add(std::string name, std::size_t batch, Ask ask, AnswerOf answerOf) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < count_; ++i) sum += std::uint64_t{answerOf(ask(i))} * (i + 1);
    must(contenders_.empty() || sum == sum_, name + " answers otherwise than the service");
    sum_ = sum;
    addUnchecked(std::move(name), batch, std::move(ask));
  }
  // For answers that are less than the three decisions.
  template <typename Ask>
  void addUnchecked(std::string name, std::size_t batch, Ask ask) {
    contenders_.push_back(
        contender(std::move(name), batch,
                  [ask, mask = count_ - 1](std::size_t i) mutable { return ask(i & mask); }));
  }

  [[nodiscard]] std::uint64_t sum() const { return sum_; }

  void run(Section& section, const DataSet& data, std::size_t rounds) {
    const auto figures = measure(contenders_, rounds);
    for (std::size_t i = 0; i < figures.size(); ++i)
      section.lines.push_back({contenders_[i].name, std::string(data.size().name), figures[i]});
  }

 private:
  std::size_t count_;
  std::uint64_t sum_ = 0;
  std::vector<Contender> contenders_;
};

const Found& asItIs(const Found& answer) {
  return answer;
}

constexpr const char* strings = "resolve, strings";
constexpr const char* handles = "resolve, handles";
constexpr const char* stateOfStrings = "state alone, strings";
constexpr const char* stateOfHandles = "state alone, handles";
constexpr const char* textCanonical = "resolve, TargetText, canonical";
constexpr const char* textOther = "resolve, TargetText, other spelling";
constexpr const char* effectiveAnswer = "effective, strings";
constexpr const char* bareStrings = "peer: bare maps, string keys";
constexpr const char* bareIntegers = "peer: bare maps, integer keys";
constexpr const char* sqliteRaw = "peer: SQLite, C interface";
constexpr const char* sqliteWrapped = "peer: SQLite, SQLiteCpp";
constexpr const char* lmdb = "peer: LMDB, three gets";
constexpr const char* node = "peer: node, one Map";

template <typename Service>
void addService(Table& table, Service& service, const DataSet& data,
                const std::vector<Target>& targets, const std::vector<Question>& questions,
                const std::vector<std::string>& spelled) {
  table.add(
      strings, fastBatch,
      [&](std::size_t i) { return service.resolve(questions[i].session, questions[i].target); },
      foundIn);
  if constexpr (StatesAlone<Service>)
    table.addUnchecked(stateOfStrings, fastBatch, [&](std::size_t i) {
      return service.ownState(questions[i].session, questions[i].target);
    });
  if constexpr (Interns<Service>) {
    const auto interned = std::make_shared<decltype(internedLookups(service, data, targets))>(
        internedLookups(service, data, targets));
    const auto ask = [&service, interned](std::size_t i) {
      return service.resolve((*interned)[i].first, (*interned)[i].second);
    };
    table.add(handles, fastBatch, ask, foundIn);
    if constexpr (StatesAlone<Service>)
      table.addUnchecked(stateOfHandles, fastBatch, [&service, interned](std::size_t i) {
        return service.ownState((*interned)[i].first, (*interned)[i].second);
      });
  }
  table.addUnchecked(effectiveAnswer, fastBatch, [&](std::size_t i) {
    return service.effective(questions[i].session, questions[i].target);
  });
  const auto ofResult = [](const Result<Resolution>& answer) { return foundIn(answer.value()); };
  table.add(
      textCanonical, fastBatch,
      [&](std::size_t i) {
        return service.resolve(questions[i].session,
                               textOf(data.names()[data.lookups()[i].target]));
      },
      ofResult);
  table.add(
      textOther, fastBatch,
      [&](std::size_t i) {
        const std::uint32_t target = data.lookups()[i].target;
        TargetText text = textOf(data.names()[target]);
        (text.type == TargetType::plugin ? text.uri : *text.owningPlugin) = spelled[target];
        return service.resolve(questions[i].session, text);
      },
      ofResult);
}

const Figures* figuresOf(const Section& section, const DataSet& data, std::string_view name) {
  for (const Line& line : section.lines)
    if (line.name == name && line.data == data.size().name) return &line.figures;
  return nullptr;
}

// How many times `over` takes of what `under` takes.
void compare(Section& section, const DataSet& data, std::string_view over, std::string_view under,
             std::optional<Goal> goal) {
  const Figures* above = figuresOf(section, data, over);
  const Figures* below = figuresOf(section, data, under);
  if (!above || !below) return;
  section.comparisons.push_back({std::string(over) + " / " + std::string(under),
                                 std::string(data.size().name), above->median / below->median, "×",
                                 goal});
}

void judge(Section& section, const DataSet& data) {
  const bool isA = data.size().name == sizeA.name;
  const auto onA = [isA](Goal goal) { return isA ? std::optional(goal) : std::nullopt; };
  compare(section, data, strings, bareStrings, atMost(1.5));
  compare(section, data, stateOfStrings, bareStrings, std::nullopt);
  compare(section, data, handles, bareIntegers, atMost(2.5));
  compare(section, data, stateOfHandles, bareIntegers, std::nullopt);
  for (const char* sqlite : {sqliteRaw, sqliteWrapped}) {
    compare(section, data, sqlite, strings, onA(atLeast(50)));
    compare(section, data, sqlite, handles, onA(atLeast(150)));
  }
  compare(section, data, lmdb, strings, atLeast(3));
  compare(section, data, lmdb, handles, atLeast(10));
  compare(section, data, node, strings, atLeast(isA ? 5 : 3.5));
  compare(section, data, textCanonical, strings, std::nullopt);
  compare(section, data, textOther, textCanonical, std::nullopt);
  for (const char* free : {strings, handles, stateOfStrings, stateOfHandles})
    if (const Figures* figures = figuresOf(section, data, free))
      section.comparisons.push_back(
          {free, std::string(data.size().name), figures->allocations, "allocations", atMost(0)});
}

void addNode(Section& section, const Settings& settings, const DataSet& data, std::uint64_t sum) {
  const auto figures = runNode(settings.folder, data, settings.scaled(1000, 200));
  if (!figures) {
    section.notes.emplace_back("node is not installed: its maps were skipped.");
    return;
  }
  must(figures->sum == sum, "node answers otherwise than the service");
  section.lines.push_back({node, std::string(data.size().name), {.median = figures->median}});
  section.notes.push_back("node is " + figures->version + "; it cannot time a single look-up.");
}

}  // namespace

void lookUpCases(Report& report, const Settings& settings, const DataSet& data) {
  const auto targets = targetsOf(data);
  const auto questions = questionsOf(data, targets);
  const auto spelled = otherSpellings(data);
  const auto& lookups = data.lookups();
  const auto service = inMemory(data);
  const StringMaps byString(data);
  const IntegerMaps byInteger(data);
  const std::filesystem::path folder = settings.folder;
  const auto file = folder / ("peer-" + std::string(data.size().name) + ".db");
  writeSqlite(file, data);
  const RawSqlite raw(file);
  const WrappedSqlite wrapped(file);
  Lmdb pages(folder / ("lmdb-" + std::string(data.size().name)), data);

  Table table(data);
  addService(table, *service, data, targets, questions, spelled);
  const auto add = [&](const char* name, std::size_t batch, auto ask) {
    table.add(name, batch, std::move(ask), asItIs);
  };
  add(bareStrings, fastBatch,
      [&](std::size_t i) { return byString.find(questions[i].session, questions[i].key); });
  add(bareIntegers, fastBatch,
      [&](std::size_t i) { return byInteger.find(lookups[i].session, lookups[i].target); });
  add(sqliteRaw, slowBatch, [&](std::size_t i) {
    return raw.find(questions[i].session, questions[i].folder, questions[i].key);
  });
  add(sqliteWrapped, slowBatch, [&](std::size_t i) {
    return wrapped.find(questions[i].session, questions[i].folder, questions[i].key);
  });
  add(lmdb, slowBatch, [&](std::size_t i) {
    return pages.find(questions[i].session, questions[i].folder, questions[i].key);
  });

  Section& section = report.section("Look-ups, " + std::string(data.size().name));
  table.run(section, data, settings.scaled(100, 8));
  addNode(section, settings, data, table.sum());
  judge(section, data);
}

}  // namespace enablement::bench
