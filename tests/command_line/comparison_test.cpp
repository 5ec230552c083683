// No device gives a wrong answer on demand, so what `proxel compare` does with
// one is tested here, below the command line, on searches whose answers are made.

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "compare/all_comparisons.hpp"
#include "exit_code.hpp"

using namespace proxel;
using namespace proxel::tool;
using Outcome = Measured::Outcome;

namespace {

Neighbors answer() {
  Neighbors found{Matrix<std::uint32_t>(3, 2), Matrix<float>(3, 2)};
  for (std::uint64_t query = 0; query < 3; ++query)
    for (std::uint64_t slot = 0; slot < 2; ++slot) {
      found.indices(query, slot) = static_cast<std::uint32_t>(10 * query + slot);
      found.distances(query, slot) = static_cast<float>(slot);
    }
  return found;
}

RangeNeighbors lists() { return {{0, 2, 2, 5}, {7, 8, 1, 2, 3}, {0, 1, 0.5f, 0.5f, 2}}; }

// A search that gives one answer after another, whatever it runs on.
class MadeTask : public Task {
 public:
  explicit MadeTask(std::vector<Answer> answers) : answers_(std::move(answers)) { description_.what = "made"; }

  const Description& description() const override { return description_; }
  double terms() const override { return 0; }
  std::vector<std::string> methods() const override { return {"scan", "other"}; }
  ReadySearch prepare(Device&, const Preparation&, const Progress&) const override {
    return {.search = [this](const Progress&) { return answers_.at(next_++); }};
  }
  std::optional<double> recall(const Answer&) const override { return recall_; }

  std::optional<double> recall_;

 private:
  std::vector<Answer> answers_;
  Description description_;
  mutable std::size_t next_ = 0;
};

Comparison compare_made(std::vector<Answer> answers, const Effort& effort = {.repeats = 1, .seconds = 0}) {
  const MadeTask task(std::move(answers));
  return compare(task, {{"cpu", "scan"}, {"cpu", "other"}}, effort, {[](const std::string&) {}, {}});
}

Measured measured(Outcome outcome) {
  Measured row;
  row.device.id = "cpu";
  row.outcome = outcome;
  row.total = 2;
  if (outcome == Outcome::different) row.difference = Difference{};
  return row;
}

}  // namespace

TEST_CASE("an answer is identical to itself") { CHECK_FALSE(first_difference(answer(), answer()).has_value()); }

TEST_CASE("a wrong index is found, with its place and both values") {
  Neighbors wrong = answer();
  wrong.indices(1, 1) = 77;
  wrong.indices(2, 0) = 78;
  const auto difference = first_difference(answer(), wrong);
  REQUIRE(difference.has_value());
  CHECK(difference->query == 1);
  CHECK(difference->slot == 1);
  CHECK(difference->expected_index == 11);
  CHECK(difference->index == 77);
  CHECK(difference->slots == 2);
  CHECK(difference->text().find("query 1, slot 1: row 77") != std::string::npos);
}

TEST_CASE("one bit of a distance is a difference, and so is the sign of zero") {
  Neighbors wrong = answer();
  wrong.distances(2, 1) = std::nextafter(1.0f, 2.0f);
  REQUIRE(first_difference(answer(), wrong).has_value());
  CHECK(first_difference(answer(), wrong)->query == 2);
  wrong = answer();
  wrong.distances(0, 0) = -0.0f;
  CHECK(first_difference(answer(), wrong).has_value());
}

TEST_CASE("equal NaN bits are identical") {
  Neighbors one = answer();
  one.distances(0, 0) = std::numeric_limits<float>::quiet_NaN();
  CHECK_FALSE(first_difference(one, one).has_value());
}

TEST_CASE("lists of any length: an index, a bit and a count are differences") {
  CHECK_FALSE(first_difference(lists(), lists()).has_value());
  RangeNeighbors wrong = lists();
  wrong.indices[3] = 9;
  REQUIRE(first_difference(lists(), wrong).has_value());
  CHECK(first_difference(lists(), wrong)->query == 2);
  CHECK(first_difference(lists(), wrong)->slot == 1);
  wrong = lists();
  wrong.distances[2] = std::nextafter(0.5f, 0.0f);
  CHECK(first_difference(lists(), wrong)->slots == 1);

  // One of query 1 that nobody expects: what follows is as it was.
  wrong = {{0, 2, 3, 6}, {7, 8, 4, 1, 2, 3}, {0, 1, 3, 0.5f, 0.5f, 2}};
  auto difference = first_difference(lists(), wrong);
  REQUIRE(difference.has_value());
  CHECK(difference->query == 1);
  CHECK(difference->slots == 1);
  CHECK(difference->text().find("row 4 at 3 (0x40400000) where nothing is expected; 1 found where 0 are expected") !=
        std::string::npos);
  difference = first_difference(wrong, lists());
  CHECK(difference->index == no_neighbor);
  CHECK(difference->text().find("nothing where row 4 at 3") != std::string::npos);
}

TEST_CASE("answers to other queries cannot be compared") {
  CHECK_THROWS_AS(first_difference(lists(), RangeNeighbors{{0, 2}, {7, 8}, {0, 1}}), std::logic_error);
}

TEST_CASE("whatever is searched, an answer that differs is caught") {
  Neighbors index = answer(), bit = answer();
  index.indices(0, 1) = 2;
  bit.distances(2, 1) = std::nextafter(1.0f, 2.0f);
  RangeNeighbors count = lists();
  count.offsets.back() = 4;
  count.indices.pop_back();
  count.distances.pop_back();
  CHECK(compare_made({answer(), answer()}).good());
  CHECK(compare_made({lists(), lists()}).good());
  for (const auto& [right, wrong] : {std::pair<Answer, Answer>{answer(), index}, {answer(), bit}, {lists(), count}}) {
    const Comparison comparison = compare_made({right, wrong});
    CHECK(comparison.exit_code() == exit_answer_is_no);
    CHECK(comparison.verdict() == "1 of 1 answers differ from the reference");
    CHECK(comparison.measured[1].outcome == Outcome::different);
    CHECK(comparison.json()["identical"] == false);
    CHECK(comparison.json()["answers"][1]["difference"]["slots"] == 1);
  }
  const auto difference = compare_made({lists(), count}).json()["answers"][1]["difference"];
  CHECK(difference["expected_count"] == 3);
  CHECK(difference["count"] == 2);
}

TEST_CASE("an answer that changes from one repeat to the next is caught") {
  Neighbors wrong = answer();
  wrong.indices(1, 0) = 5;
  const Effort twice{.repeats = 2, .seconds = 60};
  CHECK(compare_made({answer(), answer(), answer(), answer(), answer(), answer()}, twice).good());
  const Comparison other = compare_made({answer(), answer(), answer(), answer(), wrong, answer()}, twice);
  CHECK(other.measured[1].outcome == Outcome::different);
  // The reference, too.
  const Comparison same = compare_made({answer(), answer(), wrong, answer(), answer(), answer()}, twice);
  CHECK(same.measured[0].outcome == Outcome::different);
  CHECK(same.exit_code() == exit_answer_is_no);
}

TEST_CASE("a recall is told with the answers that have it") {
  MadeTask task({answer(), answer()});
  task.recall_ = 0.25;
  const Comparison comparison =
      compare(task, {{"cpu", "scan"}, {"cpu", "other"}}, {.repeats = 1, .seconds = 0}, {[](const std::string&) {}, {}});
  CHECK(comparison.verdict() == "all 2 answers are identical to the bit; recall 25 %");
  CHECK(comparison.json()["answers"][1]["recall"] == 0.25);
  CHECK(table_of(comparison).columns().size() == table_of(compare_made({answer(), answer()})).columns().size() + 1);
}

TEST_CASE("several searches have one verdict and the worst exit code") {
  Neighbors wrong = answer();
  wrong.indices(1, 0) = 5;
  const Comparison good = compare_made({answer(), answer()}), bad = compare_made({answer(), wrong});
  Comparison failing = good;
  failing.measured.push_back(measured(Outcome::failed));
  AllComparisons all{{good, good}};
  CHECK(all.verdict() == "all 4 answers to 2 searches are identical to the bit");
  CHECK(all.exit_code() == exit_success);
  CHECK(all.json()["identical"] == true);
  CHECK(all.table().rows().size() == 4);

  all.of = {good, failing};
  CHECK(all.exit_code() == exit_device_failure);
  CHECK_FALSE(all.good());
  for (const auto& order : {std::vector{failing, bad, good}, std::vector{bad, good, failing}}) {
    all.of = order;
    CHECK(all.exit_code() == exit_answer_is_no);
    CHECK(all.verdict() == "1 of 3 answers differ from the reference; 1 failed");
    CHECK(all.json()["identical"] == false);
    CHECK(all.json()["compared"] == 3);
  }
  Comparison alone = good;
  alone.measured.pop_back();
  all.of = {good, alone};
  CHECK_FALSE(all.good());
  CHECK(all.verdict() == "1 of 2 searches were not compared: fewer than two answers");
  CHECK(all.exit_code() == exit_bad_input);
  all.of = {alone, failing};
  CHECK(all.exit_code() == exit_device_failure);
}

TEST_CASE("the exit code tells different from failed from good") {
  Comparison comparison;
  comparison.queries = 4;
  comparison.measured = {measured(Outcome::reference), measured(Outcome::identical)};
  CHECK(comparison.exit_code() == exit_success);
  CHECK(comparison.good());
  CHECK(comparison.verdict() == "all 2 answers are identical to the bit");

  comparison.measured.push_back(measured(Outcome::not_supported));
  CHECK(comparison.exit_code() == exit_success);
  CHECK(comparison.verdict() == "all 2 answers are identical to the bit; 1 not supported");

  comparison.measured.push_back(measured(Outcome::failed));
  CHECK(comparison.exit_code() == exit_device_failure);
  CHECK_FALSE(comparison.good());

  comparison.measured.push_back(measured(Outcome::different));
  CHECK(comparison.exit_code() == exit_answer_is_no);
  CHECK(comparison.verdict().find("1 of 2 answers differ") == 0);
  CHECK(comparison.json()["identical"] == false);
}

TEST_CASE("a single answer is not called identical") {
  Comparison comparison;
  comparison.measured = {measured(Outcome::reference)};
  CHECK_FALSE(comparison.good());
  CHECK(comparison.verdict() == "nothing was compared: there is only one answer");
}

TEST_CASE("labels: the majority wins, and of a tie the nearest") {
  Neighbors found{Matrix<std::uint32_t>(3, 4), Matrix<float>(3, 4)};
  const std::vector<std::uint32_t> indices = {0, 1,           2,           3,  // labels 5 5 7 5
                                              2, 0,           4,           1,  // labels 7 5 7 5
                                              3, no_neighbor, no_neighbor, no_neighbor};
  std::copy(indices.begin(), indices.end(), found.indices.data());
  const Classification result = classify(found, {"5", "5", "7", "5", "7"}, {"5", "7", "10"});
  // By value: as texts, "10" would come first.
  CHECK(result.classes == std::vector<std::string>{"5", "7", "10"});
  CHECK(result.correct == 2);
  CHECK(result.confusion[0][0] == 1);
  CHECK(result.confusion[1][1] == 1);
  CHECK(result.confusion[2][0] == 1);
  CHECK(result.accuracy() == doctest::Approx(2.0 / 3));
}

TEST_CASE("labels that are texts are classes as they are, numbers by their value") {
  std::vector<std::string> rows = {"1", "1.0", "2e0"}, queries = {"2"};
  make_classes({&rows, &queries});
  CHECK(rows == std::vector<std::string>{"1", "1", "2"});
  queries = {"two"};
  rows = {"1", "1.0"};
  make_classes({&rows, &queries});
  CHECK(rows == std::vector<std::string>{"1", "1.0"});
  queries = {""};
  CHECK_THROWS_AS(make_classes({&queries}), Error);
  queries = {"nan"};
  CHECK_THROWS_AS(make_classes({&queries}), Error);
}
