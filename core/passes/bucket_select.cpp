#include <algorithm>

#include "passes/grids.hpp"
#include "passes/radix_keys.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/bucket_select.h"
#include "proxel/passes/selection.hpp"

namespace proxel {

Pass passes::make_bucket_select(const BucketSelectParameters& parameters, bool largest_first,
                                std::uint32_t workgroup_size) {
  const std::uint64_t tiles = divide_up(parameters.rows.columns, radix_tile(workgroup_size));
  const bool tells = parameters.round > bucket_rounds;
  // Counts of buckets beside the sums that radix passes have.
  return make_pass(bucket_select, parameters, {.largest_first = largest_first},
                   {tells ? 1 : strided_groups(tiles), parameters.rows.rows, 1}, workgroup_size,
                   radix_shared_bytes(1) + bucket_count * 4);
}

namespace {

// The keys among which the k-th is.
struct BucketRange {
  std::uint32_t low, high;
  std::uint32_t rank;  // of the k-th among them, counted from 1

  std::uint32_t width() const { return (high - low) / passes::bucket_count + 1; }

  // @param buckets  counts of the rounds before
  BucketRange(const std::uint32_t* range, const std::uint32_t* buckets, std::uint32_t rounds, std::uint32_t k)
      : low(range[0]), high(~range[1]), rank(k) {
    for (std::uint32_t round = 0; round < rounds && low != high; ++round, buckets += passes::bucket_count) {
      std::uint32_t bucket = 0;
      for (; bucket < passes::bucket_count - 1 && rank > buckets[bucket]; ++bucket) rank -= buckets[bucket];
      const std::uint32_t wide = width();
      low += bucket * wide;
      high = low + std::min(high - low, wide - 1);
    }
  }
};

}  // namespace

PROXEL_PASS(bucket_select)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<BucketSelectParameters>();
  const bool largest_first = pass.constants_as<BucketSelectConstants>().largest_first != 0;
  for (std::uint64_t row = 0; row < parameters.rows.rows; ++row) {
    auto* range = at<std::uint32_t>(parameters.ranges) + row * 2;
    auto* buckets = at<std::uint32_t>(parameters.buckets) + row * bucket_rounds * bucket_count;
    const float* values = row_values(parameters.rows, row);
    if (parameters.round == 0) {
      for (std::uint32_t column = 0; column < parameters.rows.columns; ++column) {
        const std::uint32_t key = distance_key(values[column], largest_first);
        range[0] = std::min(range[0], key);
        range[1] = std::min(range[1], ~key);
      }
      continue;
    }
    const BucketRange now(range, buckets, parameters.round - 1, parameters.k);
    if (parameters.round > bucket_rounds) {
      auto* histograms = at<std::uint32_t>(parameters.histograms) + row * radix_rounds * radix_digits;
      for (std::uint32_t i = 0; i < radix_rounds; ++i)
        histograms[i * radix_digits + (now.low >> (24 - 8 * i) & (radix_digits - 1))] = UINT32_MAX;
      continue;
    }
    if (now.low == now.high) continue;
    for (std::uint32_t column = 0; column < parameters.rows.columns; ++column) {
      const std::uint32_t key = distance_key(values[column], largest_first);
      if (key >= now.low && key <= now.high)
        ++buckets[(parameters.round - 1) * bucket_count + (key - now.low) / now.width()];
    }
  }
}

}  // namespace proxel
