// The permutation index over signatures: what it refuses, and how it picks a fraction. Its answers are the conformance
// harness's.
#include <cmath>
#include <limits>
#include <random>

#include <doctest/doctest.h>

#include "proxel/signature_permutation.hpp"
#include "refused.hpp"

using namespace proxel;
using proxel::unit::check_refused;

namespace {

Signatures random_signatures(std::uint64_t count, std::uint32_t seed, std::uint32_t dimensions = 3) {
  std::mt19937 random(seed);
  Signatures signatures(dimensions);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::vector<float> weights(1 + random() % 6), centroids(weights.size() * dimensions);
    for (float& value : weights) value = static_cast<float>(1 + random() % 100) / 100;
    for (float& value : centroids) value = static_cast<float>(random() % 1000) / 100;
    signatures.add(centroids, weights);
  }
  return signatures;
}

// Squares of such weights leave the range of binary32.
Signatures heavy_signatures() {
  Signatures signatures(3);
  const std::vector<float> centroid = {0, 0, 0}, weights(30000, 1e15f), centroids(90000, 1.0f);
  for (int i = 0; i < 3; ++i) signatures.add(centroids, weights);
  return signatures;
}

}  // namespace

TEST_CASE("a signature permutation index refuses what it cannot be made of") {
  const auto device = open_device("cpu");
  const Signatures known = random_signatures(30, 1);
  const auto refused = [&](const Signatures& signatures, const SimilarityFunction& similarity,
                           const PermutationOptions& options, const char* subject) {
    check_refused([&] { SignaturePermutationIndex(*device, signatures, similarity, options); }, subject);
  };
  refused(Signatures(3), {}, {}, "signatures");
  refused(known, {static_cast<Similarity>(9), 1}, {}, "similarity");
  refused(known, {}, {.permutants = 0}, "permutants");
  refused(known, {}, {.permutants = 257}, "permutants");
  refused(known, {}, {.chosen = {3, 30}}, "permutant");
  refused(known, {}, {.prefix = 257}, "prefix");
  refused(known, {}, {.scratch_limit = 1000}, "scratch limit");
}

TEST_CASE("a signature permutation index refuses weights that cannot be screened, and says what serves them") {
  const auto device = open_device("cpu");
  const Signatures heavy = heavy_signatures();
  CHECK_THROWS_WITH_AS(SignaturePermutationIndex(*device, heavy), doctest::Contains("a signature index does"), Error);
  SignaturePermutationIndex index(*device, random_signatures(30, 1));
  CHECK_THROWS_WITH_AS(index.search(heavy, 1, 1), doctest::Contains("a signature index does"), Error);
}

TEST_CASE("a signature permutation index refuses searches before it starts them") {
  const auto device = open_device("cpu");
  const Signatures known = random_signatures(30, 1), asked = random_signatures(2, 2), wide = random_signatures(2, 3, 4);
  SignaturePermutationIndex index(*device, known, {}, {.chosen = {4, 9, 4}});
  CHECK(index.size() == 30);
  CHECK(index.dimensions() == 3);
  CHECK(index.similarity() == SimilarityFunction());
  CHECK(std::vector<std::uint32_t>(index.permutants().begin(), index.permutants().end()) ==
        std::vector<std::uint32_t>{4, 9, 4});
  const float not_a_number = std::numeric_limits<float>::quiet_NaN();
  check_refused([&] { index.search(wide, 1, 1); }, "queries");
  check_refused([&] { index.search(asked, 0, 1); }, "k");
  for (const double fraction : {0.0, -1.0, 1.01, std::nan("")}) {
    check_refused([&] { index.search(asked, 1, fraction); }, "fraction");
    check_refused([&] { index.range_search(asked, 1, fraction); }, "fraction");
    check_refused([&] { index.plan(1, 5, 1, fraction); }, "fraction");
  }
  check_refused([&] { index.range_search(asked, not_a_number, 1); }, "radius");
  check_refused([&] { index.plan_range(1, 5, not_a_number, 1); }, "radius");
  check_refused([&] { index.plan(0, 5, 1, 1); }, "queries");
  check_refused([&] { index.plan(1, 0, 1, 1); }, "query length");
  check_refused([&] { index.choose_fraction(0, 1, Signatures(3)); }, "recall");
  check_refused([&] { index.choose_fraction(0.5, 0, Signatures(3)); }, "k");
  check_refused([&] { index.choose_fraction(0.5, 1, wide); }, "queries");
  // None of that has harmed it.
  CHECK(index.search(Signatures(3), 3, 1).indices.rows() == 0);
  CHECK(index.range_search(Signatures(3), 3, 1).offsets == std::vector<std::uint64_t>{0});
  CHECK(index.search(asked, 31, 0.1).indices(0, 30) == no_neighbor);
  CHECK(index.search(asked, 31, 0.1).indices(0, 29) != no_neighbor);
  CHECK(index.candidates(2, 0.1) == 3);
  CHECK(index.candidates(50, 0.1) == 30);
}

TEST_CASE("who is told of the making of a signature permutation index may end it") {
  const auto device = open_device("cpu");
  std::uint64_t told = 0;
  CHECK_THROWS_AS(SignaturePermutationIndex(*device, random_signatures(30, 1), {}, {},
                                            [&](std::uint64_t done, std::uint64_t total) {
    CHECK(total == 30);
    told = done;
    if (done == 30) throw 1;
  }),
                  int);
  CHECK(told == 30);
}

TEST_CASE("the fraction that is chosen reaches the recall, and reports what was compared") {
  const auto device = open_device("cpu");
  const Signatures known = random_signatures(400, 1);
  SignaturePermutationIndex index(*device, known, {}, {.permutants = 24});
  for (const double recall : {0.5, 0.9, 1.0}) {
    const FractionChoice choice = index.choose_fraction(recall, 5, Signatures(3));
    CHECK(choice.recall >= recall);
    CHECK(choice.fraction <= 1);
    CHECK(choice.queries == 400);
  }
  const Neighbors found = index.search(random_signatures(7, 5), 5, 0.1);
  CHECK(found.report.method == "permutations");
  CHECK(found.report.compared == 7 * 40);
  CHECK(found.report.evaluated >= 7 * 5);
}
