#include <bit>
#include <cmath>

#include "proxel/passes/decode_keys.h"
#include "support.hpp"

using namespace proxel;
using namespace proxel::passes;
using namespace proxel::unit;

namespace {

struct Decoded {
  std::vector<std::uint32_t> indices;
  std::vector<float> distances;
};

Decoded decode(const std::vector<std::uint64_t>& keys, bool largest_first, std::uint32_t finish) {
  Decoded result{std::vector<std::uint32_t>(keys.size()), std::vector<float>(keys.size())};
  DecodeKeysParameters parameters{};
  parameters.keys = address_of(keys.data());
  parameters.indices = address_of(result.indices.data());
  parameters.distances = address_of(result.distances.data());
  parameters.count = static_cast<std::uint32_t>(keys.size());
  parameters.largest_first = largest_first;
  parameters.finish = finish;
  reference::run(make_decode_keys(parameters));
  return result;
}

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

constexpr float infinity = std::numeric_limits<float>::infinity();

}  // namespace

TEST_CASE("keys become indices and distances; padding is infinite") {
  const auto smallest = decode({key(2.5f, 7), key(std::nanf(""), 3), no_row_key}, false, finish_none);
  CHECK(smallest.indices == std::vector<std::uint32_t>{7, 3, 0xFFFFFFFFu});
  CHECK(smallest.distances[0] == 2.5f);
  CHECK(bits(smallest.distances[1]) == 0x7FC00000u);
  CHECK(smallest.distances[2] == infinity);

  const auto largest = decode({key(-2.5f, 7, true), key(-std::nanf(""), 3, true), no_row_key}, true, finish_none);
  CHECK(largest.distances[0] == -2.5f);
  CHECK(bits(largest.distances[1]) == 0x7FC00000u);
  CHECK(largest.distances[2] == -infinity);
}

TEST_CASE("roots are correctly rounded") {
  std::vector<float> squares = {0,
                                1,
                                2,
                                4,
                                infinity,
                                std::numeric_limits<float>::max(),
                                std::numeric_limits<float>::min(),
                                std::numeric_limits<float>::denorm_min()};
  std::mt19937 generator(3);
  for (int i = 0; i < 100000; ++i)
    squares.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(generator() % 0x7F800000u)));
  std::vector<std::uint64_t> keys;
  for (const float square : squares) keys.push_back(key(square, 0));
  const auto roots = decode(keys, false, finish_root);
  for (std::size_t i = 0; i < squares.size(); ++i) {
    // A square root in double, rounded once more, is correctly rounded: 53 >= 2 * 24 + 2.
    const auto exact = static_cast<float>(std::sqrt(static_cast<double>(squares[i])));
    REQUIRE(bits(roots.distances[i]) == bits(exact));
    REQUIRE(bits(roots.distances[i]) == bits(std::sqrt(squares[i])));
  }
  const auto special = decode({key(std::nanf(""), 1), no_row_key}, false, finish_root);
  CHECK(bits(special.distances[0]) == 0x7FC00000u);
  CHECK(special.distances[1] == infinity);
}

TEST_CASE("an inner product of normalised values becomes a distance") {
  const auto found =
      decode({key(1.0f, 4, true), key(0.25f, 2, true), key(-1.0f, 9, true), key(std::nanf(""), 1, true), no_row_key},
             true, finish_complement);
  CHECK(found.distances[0] == 0.0f);
  CHECK(!std::signbit(found.distances[0]));
  CHECK(found.distances[1] == 0.75f);
  CHECK(found.distances[2] == 2.0f);
  CHECK(bits(found.distances[3]) == 0x7FC00000u);
  CHECK(found.distances[4] == infinity);
}
