#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "passes/order.hpp"

using namespace proxel::passes;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float denormal = std::numeric_limits<float>::denorm_min();
constexpr float smallest_normal = std::numeric_limits<float>::min();
constexpr float largest = std::numeric_limits<float>::max();

// Ascending, no two equal.
const std::vector<float> ladder = {
    -infinity,    -largest,        -1.0f, -smallest_normal,           -2 * denormal, -denormal, 0.0f, denormal,
    2 * denormal, smallest_normal, 1.0f,  std::nextafter(1.0f, 2.0f), largest,       infinity};

float from_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }

float any_float(std::mt19937& generator) { return from_bits(static_cast<std::uint32_t>(generator())); }

}  // namespace

TEST_CASE("distance keys ascend with the value, or descend where the largest come first") {
  for (std::size_t i = 1; i < ladder.size(); ++i) {
    CAPTURE(ladder[i]);
    CHECK(distance_key(ladder[i - 1], false) < distance_key(ladder[i], false));
    CHECK(distance_key(ladder[i - 1], true) > distance_key(ladder[i], true));
  }
}

TEST_CASE("distance keys are the ones written down in types.h") {
  CHECK(distance_key(0.0f, false) == 0x80000000u);
  CHECK(distance_key(1.0f, false) == 0xBF800000u);
  CHECK(distance_key(-1.0f, false) == 0x407FFFFFu);
  CHECK(distance_key(infinity, false) == 0xFF800000u);
  CHECK(distance_key(-infinity, false) == 0x007FFFFFu);
  CHECK(distance_key(0.0f, true) == 0x7FFFFFFFu);
  CHECK(distance_key(1.0f, true) == 0x407FFFFFu);
  CHECK(distance_key(infinity, true) == 0x007FFFFFu);
  CHECK(distance_key(-infinity, true) == 0xFF800000u);
}

TEST_CASE("negative zero is zero") {
  for (const bool largest_first : {false, true})
    CHECK(distance_key(-0.0f, largest_first) == distance_key(0.0f, largest_first));
}

TEST_CASE("every NaN has one key, behind every number and before no row") {
  for (const std::uint32_t bits : {0x7FC00000u, 0xFFC00000u, 0x7F800001u, 0xFF800001u, 0x7FFFFFFFu, 0xFFFFFFFFu}) {
    for (const bool largest_first : {false, true}) {
      CHECK(distance_key(from_bits(bits), largest_first) == 0xFFFFFFFFu);
      for (const float value : ladder)
        CHECK(distance_key(value, largest_first) < distance_key(from_bits(bits), largest_first));
    }
  }
  CHECK(make_key(nan_distance_key, 0xFFFFFFFDu) < no_row_key);
}

TEST_CASE("a key gives its value back") {
  std::mt19937 generator(7);
  for (int i = 0; i < 200000; ++i) {
    const float value = any_float(generator);
    for (const bool largest_first : {false, true}) {
      const float back = value_of_distance_key(distance_key(value, largest_first), largest_first);
      const std::uint32_t expected = std::isnan(value) ? 0x7FC00000u
                                     : value == 0      ? 0u
                                                       : std::bit_cast<std::uint32_t>(value);
      REQUIRE(std::bit_cast<std::uint32_t>(back) == expected);
    }
  }
  for (const float value : ladder) CHECK(value_of_distance_key(distance_key(value, false), false) == value);
}

TEST_CASE("keys order any two values as numbers do") {
  std::mt19937 generator(11);
  for (int i = 0; i < 200000; ++i) {
    const float a = any_float(generator);
    const float b = any_float(generator);
    if (std::isnan(a) || std::isnan(b)) continue;
    REQUIRE((a < b) == (distance_key(a, false) < distance_key(b, false)));
    REQUIRE((a > b) == (distance_key(a, true) < distance_key(b, true)));
  }
}

TEST_CASE("keys order by distance first, then by index") {
  const std::uint32_t near = distance_key(1.0f, false);
  const std::uint32_t far = distance_key(2.0f, false);
  std::vector<std::uint64_t> keys = {make_key(far, 0), make_key(near, 9), no_row_key, make_key(near, 3),
                                     make_key(nan_distance_key, 1)};
  std::sort(keys.begin(), keys.end());
  const std::vector<std::uint64_t> expected = {make_key(near, 3), make_key(near, 9), make_key(far, 0),
                                               make_key(nan_distance_key, 1), no_row_key};
  CHECK(keys == expected);
  CHECK(index_of(keys[1]) == 9);
  CHECK(distance_key_of(keys[1]) == near);
}
