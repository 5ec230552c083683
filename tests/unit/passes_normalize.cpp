#include <algorithm>
#include <bit>
#include <cmath>

#include "proxel/passes/normalize_rows.h"
#include "support.hpp"

using namespace proxel;
using namespace proxel::passes;
using namespace proxel::unit;

namespace {

std::vector<float> normalized(const std::vector<float>& row, bool centre) {
  std::vector<float> result(row.size());
  const auto d = static_cast<std::uint32_t>(row.size());
  reference::run(make_normalize_rows(row_major_rows(address_of(row.data()), 1, d),
                                     row_major_rows(address_of(result.data()), 1, d), d, centre));
  return result;
}

// What four roundings may do to a value; the bound of metric.hpp counts on it.
void check_against_double(const std::vector<float>& row, bool centre) {
  std::vector<long double> exact(row.begin(), row.end());
  long double sum = 0, squares = 0;
  for (const long double value : exact) sum += value;
  for (long double& value : exact) {
    if (centre) value -= sum / static_cast<long double>(exact.size());
    squares += value * value;
  }
  const std::vector<float> found = normalized(row, centre);
  for (std::size_t i = 0; i < row.size(); ++i) {
    CAPTURE(i);
    const auto wanted = static_cast<double>(exact[i] / std::sqrt(squares));
    // Centring loses what its own rounding loses of the largest deviation.
    const double allowed =
        centre ? 6 * 0x1p-24 * std::max(std::fabs(wanted), 0.25) : 4 * 0x1p-24 * std::fabs(wanted) + 0x1p-40;
    REQUIRE(std::fabs(found[i] - wanted) <= allowed);
  }
}

}  // namespace

TEST_CASE("normalised values lie within four roundings of the real ones") {
  std::mt19937 generator(5);
  std::normal_distribution<float> normal;
  for (const std::size_t d : {2, 3, 16, 100, 1000, 5000})
    for (const float scale : {1.0f, 0x1p-140f, 0x1p-120f, 0x1p120f}) {
      CAPTURE(d);
      CAPTURE(scale);
      std::vector<float> row(d);
      for (float& value : row) value = normal(generator) * scale;
      check_against_double(row, false);
      check_against_double(row, true);
    }
}

TEST_CASE("a large common offset does not spoil the correlation") {
  std::mt19937 generator(6);
  std::normal_distribution<float> normal;
  std::vector<float> row(300);
  for (float& value : row) value = 1e6f + normal(generator);
  check_against_double(row, true);
}

TEST_CASE("rows that have no direction") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> zeros(5, 0.0f);
  CHECK(normalized({0, -0.0f, 0, 0, 0}, false) == zeros);
  CHECK(normalized({0, 0, 0, 0, 0}, true) == zeros);
  CHECK(normalized(std::vector<float>(5, 0.1f), true) == zeros);
  CHECK(normalized(std::vector<float>(5, -3e38f), true) == zeros);
  CHECK(normalized({7}, true) == std::vector<float>{0});
  CHECK(normalized({-7}, false) == std::vector<float>{-1});
  for (const float value : {infinity, -infinity, std::nanf("")})
    for (const bool centre : {false, true})
      for (const float found : normalized({1, 2, value, 4}, centre))
        CHECK(std::bit_cast<std::uint32_t>(found) == 0x7FC00000u);
}

TEST_CASE("the rows behind the last of a tile become zeros, in place or not") {
  const std::uint32_t d = 3, n = 130;
  std::vector<float> values(256 * d, 5.0f);
  const Rows rows = tiled_rows(address_of(values.data()), n, d);
  reference::run(make_normalize_rows(rows, rows, d, false));
  for (std::uint32_t row = 0; row < 256; ++row)
    for (std::uint32_t i = 0; i < d; ++i) {
      const float found = values[row / 128 * 128 * d + i * 128 + row % 128];
      CHECK(found == doctest::Approx(row < n ? 1 / std::sqrt(3.0) : 0.0).epsilon(1e-6));
    }
}

TEST_CASE("threads write what the reference writes") {
  // Several parts, the last of them of one row or whole.
  for (const std::uint64_t n : {1u, 128u, 129u, 385u})
    for (const Temper temper : all_tempers)
      for (const bool centre : {false, true}) {
        CAPTURE(n);
        const Matrix<float> values = make_values(n, 5, temper, 11);
        for (const Layout layout : all_layouts) {
          const Database database(values, layout);
          std::vector<float> tiles((n + 127) / 128 * 128 * 5, 7.0f);
          expect_same(make_normalize_rows(database.rows, tiled_rows(address_of(tiles.data()), n, 5), 5, centre), tiles);
          std::vector<float> plain(n * 5, 7.0f);
          expect_same(make_normalize_rows(database.rows, row_major_rows(address_of(plain.data()), n, 5), 5, centre),
                      plain);
        }
      }
}
