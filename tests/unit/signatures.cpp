#include "proxel/signatures.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <string>

#include <doctest/doctest.h>

#include "proxel/error.hpp"

using namespace proxel;

namespace {

constexpr std::array<float, 4> two = {1, 2, 3, 4};
constexpr std::array<float, 2> weights = {0.25f, 0.75f};

// What refusing it says; empty where it is not refused.
std::string refusal(Signatures& signatures, std::span<const float> centroids, std::span<const float> of) {
  try {
    signatures.add(centroids, of);
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::invalid_argument);
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("signatures are kept one after another") {
  Signatures signatures(2);
  signatures.add(two, weights);
  signatures.add({two.data(), 2}, {weights.data(), 1});
  CHECK(signatures.size() == 2);
  CHECK(signatures.longest() == 2);
  CHECK(signatures.length(0) == 2);
  CHECK(signatures.length(1) == 1);
  CHECK(signatures.centroids(1).size() == 2);
  CHECK(signatures.centroids(1)[1] == 2);
  CHECK(signatures.weights(1)[0] == 0.25f);
  CHECK(signatures.offsets().back() == 3);
  CHECK(signatures.centroids().size() == 6);
}

TEST_CASE("signatures that say nothing are refused, and change nothing") {
  Signatures signatures(2);
  signatures.add(two, weights);
  const Signatures before = signatures;
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  CHECK(refusal(signatures, {}, {}).find("centroids of a signature") != std::string::npos);
  CHECK(refusal(signatures, {two.data(), 3}, weights).find("3 coordinates") != std::string::npos);
  for (const float bad : {nan, infinity, -infinity, 2e15f}) {
    std::array<float, 4> centroids = two;
    centroids[2] = bad;
    CHECK(refusal(signatures, centroids, weights).find("centroid 1 of signature 1") != std::string::npos);
  }
  for (const float bad : {nan, infinity, -0.5f, 2e15f}) {
    std::array<float, 2> of = weights;
    of[1] = bad;
    CHECK(refusal(signatures, two, of).find("centroid 1 of signature 1 has the weight") != std::string::npos);
  }
  CHECK(signatures == before);
  CHECK_THROWS_AS(Signatures(0), Error);
  CHECK_THROWS_AS(Signatures(65537), Error);
}
