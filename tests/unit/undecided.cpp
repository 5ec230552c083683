// What half precision leaves undecided: few queries are scanned, and only those behind them have canonical thresholds.
#include <cstdint>

#include <doctest/doctest.h>

#include "proxel/index.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::unit;

namespace {

// Clusters so far apart, beside what they are wide, that half precision tells none of their rows from another.
Matrix<float> clusters(std::uint64_t rows, std::uint64_t columns, std::uint32_t seed) {
  Matrix<float> values = make_values(rows, columns, Temper::uniform, seed);
  for (std::uint64_t row = 0; row < rows; ++row)
    for (std::uint64_t i = 0; i < columns; ++i) values(row, i) += (row / 2 + i) % 2 == 0 ? 3000.0f : -3000.0f;
  return values;
}

}  // namespace

TEST_CASE(
    "few queries that half precision leaves undecided are scanned, and the first of many, of which the others have "
    "thresholds") {
  const auto device = open_device("cpu");
  const Matrix<float> database = clusters(4000, 20, 1), queries = clusters(260, 20, 2);
  Index scan(*device, database.view(), {.method = Method::scan});
  const auto by_fused = [&](std::uint64_t count, std::uint64_t k) {
    Index fused(*device, database.view(), {.method = Method::fused});
    const MatrixView<float> asked = queries.view().slice(0, count);
    Neighbors found = fused.search(asked, k, Metric::l2sq);
    check_same(found, scan.search(asked, k, Metric::l2sq));
    return decided(found.report);
  };
  CHECK(by_fused(5, 3) == "canonical scan 5");
  CHECK(by_fused(127, 3) == "canonical scan 127");
  CHECK(by_fused(128, 3) == "canonical scan 128");
  CHECK(by_fused(129, 3) == "canonical threshold 97, canonical scan 32");
  CHECK(by_fused(260, 3) == "canonical threshold 228, canonical scan 32");
}
