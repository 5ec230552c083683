#include <bit>
#include <cmath>

#include "index/narrow.hpp"
#include "passes/elements.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::passes;

namespace {

float through_half(float value) {
  std::uint16_t half = 0;
  index::narrow(MatrixView<float>(&value, 1, 1), ElementType::float16, 0, &half);
  return element_value(&half, element_float16, 0);
}

template <typename Integer>
bool storable(float value, ElementType type) {
  Integer stored = 0;
  try {
    index::narrow(MatrixView<float>(&value, 1, 1), type, 41, &stored);
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::invalid_argument);
    CHECK(std::string(error.what()).find("row 41, dimension 0") != std::string::npos);
    return false;
  }
  CHECK(static_cast<float>(stored) == value);
  return true;
}

}  // namespace

TEST_CASE("every half survives being widened and narrowed") {
  for (std::uint32_t bits = 0; bits < 0x10000u; ++bits) {
    const float value = half_value(bits);
    if (std::isnan(value)) {
      CHECK(((bits & 0x7C00u) == 0x7C00u && (bits & 0x3FFu) != 0));
      continue;
    }
    std::uint16_t half = 0;
    index::narrow(MatrixView<float>(&value, 1, 1), ElementType::float16, 0, &half);
    REQUIRE(half == bits);
  }
}

TEST_CASE("to half it rounds to nearest, ties to even") {
  CHECK(half_value(0x3C01) == 1.0f + 0x1p-10f);
  CHECK(half_value(0x0001) == 0x1p-24f);
  CHECK(half_value(0x7BFF) == 65504.0f);
  CHECK(through_half(1.0f + 0x1p-11f) == 1.0f);
  CHECK(through_half(1.0f + 0x1p-11f + 0x1p-23f) == 1.0f + 0x1p-10f);
  CHECK(through_half(1.0f + 3 * 0x1p-11f) == 1.0f + 0x1p-9f);
  CHECK(through_half(-0x1p-25f) == 0.0f);
  CHECK(through_half(0x1.8p-24f) == 0x1p-23f);
  CHECK(through_half(0x1.ffcp-15f + 0x1p-26f) == 0x1p-14f);
  CHECK(through_half(65519.0f) == 65504.0f);
  CHECK(std::isinf(through_half(std::numeric_limits<float>::infinity())));
  CHECK(std::isnan(through_half(std::nanf(""))));
  CHECK_THROWS_AS(through_half(65520.0f), Error);
  CHECK_THROWS_AS(through_half(-1e30f), Error);
}

TEST_CASE("bytes take integers of their range alone") {
  CHECK(storable<std::int8_t>(-128, ElementType::int8));
  CHECK(storable<std::int8_t>(127, ElementType::int8));
  CHECK(!storable<std::int8_t>(128, ElementType::int8));
  CHECK(!storable<std::int8_t>(0.5f, ElementType::int8));
  CHECK(storable<std::uint8_t>(255, ElementType::uint8));
  CHECK(!storable<std::uint8_t>(-1, ElementType::uint8));
  CHECK(!storable<std::uint8_t>(std::nanf(""), ElementType::uint8));
  CHECK(!storable<std::uint8_t>(256, ElementType::uint8));
}
