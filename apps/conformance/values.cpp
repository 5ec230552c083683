#include "values.hpp"

#include <bit>
#include <iterator>
#include <limits>

#include "random.hpp"

namespace proxel::conformance {
namespace {

float any_nan(Random& random) {
  // Quiet, of either sign, with any payload.
  const auto payload = static_cast<std::uint32_t>(random.bits());
  return std::bit_cast<float>(0x7FC00000u | (payload & 0x803FFFFFu));
}

float huge(Random& random) {
  // Exponents 2^60 … 2^127: squares and sums are finite for some, inf for others.
  const auto exponent = static_cast<std::uint32_t>(127 + 60 + random.below(68));
  const auto rest = static_cast<std::uint32_t>(random.bits()) & 0x807FFFFFu;
  return std::bit_cast<float>(rest | exponent << 23);
}

float denormal(Random& random) {
  const auto rest = static_cast<std::uint32_t>(random.bits()) & 0x807FFFFFu;
  // One in four is normal, 2^-126 … 2^-115: large enough to order the rows
  // whatever is flushed, small enough for its differences to be denormal.
  const auto exponent = static_cast<std::uint32_t>(random.one_in(4) ? 1 + random.below(12) : 0);
  return std::bit_cast<float>(rest | exponent << 23);
}

// The largest half and what rounds to it or past it, the smallest normal half and
// below: where half precision saturates, and where it flushes.
float near_half_limit(Random& random) {
  constexpr float magnitudes[] = {65503.0f, 65504.0f,      65505.0f, 65519.0f, 65520.0f,
                                  65536.0f, 6.1035156e-5f, 6.1e-5f,  3.0e-8f};
  const float magnitude = magnitudes[random.below(std::size(magnitudes))];
  return random.one_in(2) ? magnitude : -magnitude;
}

float byte(Random& random) {
  if (random.one_in(4)) return random.one_in(2) ? 255.0f : 0.0f;
  return static_cast<float>(random.below(256));
}

// A value of every so manieth row becomes one that is no byte, if hardly.
void leave_bytes(Matrix<float>& matrix, std::uint64_t every) {
  constexpr float others[] = {127.5f, 256.0f, 3 + 0x1p-22f, -0x1p-20f, 1e-7f, 255 - 0x1p-16f, -1e-7f, 64 + 0x1p-17f};
  for (std::uint64_t row = 1, number = 0; row < matrix.rows(); row += every)
    matrix(row, row % matrix.columns()) = others[number++ % std::size(others)];
}

float value(Kind kind, std::uint64_t column, Random& random) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float signed_units[] = {-0.0f, 0.0f, 1.0f, -1.0f};
  switch (kind) {
    case Kind::gaussian:
      return random.normal();
    case Kind::integers:
      return static_cast<float>(static_cast<int>(random.below(7)) - 3);
    case Kind::infinity:
      if (random.one_in(12)) return random.one_in(2) ? infinity : -infinity;
      return random.symmetric();
    case Kind::zeros:
      return signed_units[random.below(4)];
    case Kind::offset:
      return 1e6f + random.symmetric();
    case Kind::overflow:
      return huge(random);
    case Kind::denormals:
      return denormal(random);
    case Kind::dominated:
      return random.symmetric() * (column == 0 ? 1e6f : 1.0f);
    case Kind::large:
      return random.normal() * 3e18f;
    case Kind::half_limit:
      return near_half_limit(random);
    case Kind::brink:
      if (column != 0) return random.normal() * 1e36f;
      return random.one_in(10) ? random.normal() * 1e36f - 2.9e38f : random.normal() * 1.5e37f + 1e38f;
    case Kind::tied:
      return static_cast<float>(random.below(2));
    case Kind::bytes:
    case Kind::nearly_bytes:
    case Kind::beside_bytes:
      return byte(random);
    case Kind::signed_bytes:
      return byte(random) - 128;
    case Kind::opposite:
      return random.one_in(50) ? -1.0f : 1.0f;
    case Kind::uniform:
    case Kind::nan:
    case Kind::duplicates:
    case Kind::constant:
      break;
  }
  return random.symmetric();
}

Matrix<float> independent_rows(Kind kind, std::uint64_t rows, std::uint64_t columns, Random& random) {
  Matrix<float> matrix(rows, columns);
  for (std::uint64_t row = 0; row < rows; ++row)
    for (std::uint64_t column = 0; column < columns; ++column) matrix(row, column) = value(kind, column, random);
  for (std::uint64_t row = 1; kind == Kind::opposite && row < rows; row += 2)
    for (std::uint64_t column = 0; column < columns; ++column) matrix(row, column) *= -1;
  return matrix;
}

Matrix<float> repeated_rows(const Matrix<float>& originals, std::uint64_t rows, Random& random) {
  Matrix<float> matrix(rows, originals.columns());
  for (std::uint64_t row = 0; row < rows; ++row) {
    const std::uint64_t original = random.below(originals.rows());
    for (std::uint64_t column = 0; column < originals.columns(); ++column)
      matrix(row, column) = originals(original, column);
  }
  return matrix;
}

void spoil_rows(Matrix<float>& matrix, std::uint64_t one_row_in, Random& random) {
  for (std::uint64_t row = 0; row < matrix.rows(); ++row)
    if (random.one_in(one_row_in)) matrix(row, random.below(matrix.columns())) = any_nan(random);
}

}  // namespace

std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::uniform:
      return "uniform";
    case Kind::gaussian:
      return "gaussian";
    case Kind::integers:
      return "integers";
    case Kind::duplicates:
      return "duplicates";
    case Kind::constant:
      return "constant";
    case Kind::nan:
      return "nan";
    case Kind::infinity:
      return "infinity";
    case Kind::zeros:
      return "zeros";
    case Kind::offset:
      return "offset";
    case Kind::overflow:
      return "overflow";
    case Kind::denormals:
      return "denormals";
    case Kind::dominated:
      return "dominated";
    case Kind::large:
      return "large";
    case Kind::half_limit:
      return "half_limit";
    case Kind::brink:
      return "brink";
    case Kind::tied:
      return "tied";
    case Kind::opposite:
      return "opposite";
    case Kind::bytes:
      return "bytes";
    case Kind::signed_bytes:
      return "signed_bytes";
    case Kind::nearly_bytes:
      return "nearly_bytes";
    case Kind::beside_bytes:
      return "beside_bytes";
  }
  return "unknown";
}

Data make_data(Kind kind, std::uint64_t n, std::uint64_t d, std::uint64_t q, std::uint64_t seed) {
  Random random(seed);
  if (kind == Kind::duplicates) {
    const Matrix<float> originals = independent_rows(kind, 3, d, random);
    return {repeated_rows(originals, n, random), repeated_rows(originals, q, random)};
  }
  if (kind == Kind::constant) {
    Data data{Matrix<float>(n, d), Matrix<float>(q, d)};
    for (std::uint64_t i = 0; i < n * d; ++i) data.database.data()[i] = 0.75f;
    // Every other query lies on the rows, the rest beside them.
    for (std::uint64_t row = 0; row < q; ++row)
      for (std::uint64_t column = 0; column < d; ++column) data.queries(row, column) = row % 2 == 0 ? 0.75f : -0.5f;
    return data;
  }
  Data data{independent_rows(kind, n, d, random), independent_rows(kind, q, d, random)};
  if (kind == Kind::nan) {
    spoil_rows(data.database, 3, random);
    spoil_rows(data.queries, 8, random);
  }
  if (kind == Kind::brink)
    for (std::uint64_t row = 0; row < q; ++row) data.queries(row, 0) = -1.4e38f + 5e36f * static_cast<float>(row % 4);
  if (kind == Kind::nearly_bytes) leave_bytes(data.queries, 3);
  if (kind == Kind::beside_bytes) leave_bytes(data.database, 100);
  return data;
}

}  // namespace proxel::conformance
