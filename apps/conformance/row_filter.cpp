#include "row_filter.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "random.hpp"

namespace proxel::conformance {
namespace {

bool allows(FilterPattern pattern, std::uint64_t row, std::uint64_t n, Random& random) {
  switch (pattern) {
    case FilterPattern::all:
      return true;
    case FilterPattern::none:
      return false;
    case FilterPattern::alternating:
      return row % 2 == 0;
    case FilterPattern::half:
      return random.one_in(2);
    case FilterPattern::sparse:
      return random.one_in(50);
    case FilterPattern::last:
      return row + 1 == n;
    case FilterPattern::counted:
      break;  // is of numbers of rows
  }
  return true;
}

}  // namespace

std::string_view to_string(FilterPattern pattern) {
  switch (pattern) {
    case FilterPattern::all:
      return "all";
    case FilterPattern::none:
      return "none";
    case FilterPattern::alternating:
      return "alternating";
    case FilterPattern::half:
      return "half";
    case FilterPattern::sparse:
      return "sparse";
    case FilterPattern::last:
      return "last";
    case FilterPattern::counted:
      return "counted";
  }
  return "unknown";
}

namespace {

// As many rows as are wanted, from anywhere.
void allow_counted(std::uint64_t wanted, std::uint64_t n, Random& random, std::uint8_t* allowed) {
  std::uint64_t left = std::min(wanted, n);
  for (std::uint64_t row = 0; row < n; ++row)
    if (left != 0 && random.below(n - row) < left) allowed[row] = 1, --left;
}

}  // namespace

std::string FilterChoice::name() const {
  if (!given) return {};
  return fmt::format(",filter{}={}", per_query ? "s" : "", to_string(pattern));
}

Matrix<std::uint8_t> make_filter(const FilterChoice& choice, std::uint64_t n, std::uint64_t q, std::uint64_t seed) {
  if (!choice.given) return {};
  Random random(seed);
  Matrix<std::uint8_t> filter(choice.per_query ? q : 1, n);
  for (std::uint64_t query = 0; query < filter.rows(); ++query) {
    if (choice.pattern == FilterPattern::counted) {
      const std::uint64_t counts[] = {0, 1, choice.k - 1, choice.k, n, n / 2};
      allow_counted(counts[query % std::size(counts)], n, random, &filter(query, 0));
      continue;
    }
    for (std::uint64_t row = 0; row < n; ++row)
      filter(query, row) = allows(choice.pattern, row + query, n, random) ? 1 : 0;
  }
  return filter;
}

std::vector<std::uint32_t> words_of(const Matrix<std::uint8_t>& filter, std::uint64_t first_index) {
  const std::uint64_t words = (first_index + filter.columns() + 31) / 32;
  std::vector<std::uint32_t> bits(filter.rows() * words, 0xFFFFFFFFu);
  for (std::uint64_t query = 0; query < filter.rows(); ++query)
    for (std::uint64_t row = 0; row < filter.columns(); ++row) {
      const std::uint64_t bit = first_index + row;
      if (filter(query, row) == 0) bits[query * words + bit / 32] &= ~(1u << bit % 32);
    }
  return bits;
}

}  // namespace proxel::conformance
