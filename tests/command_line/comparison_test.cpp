// No device gives a wrong answer on demand, so what `proxel compare` does with
// one is tested here, below the command line.

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "compare/comparison.hpp"
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
