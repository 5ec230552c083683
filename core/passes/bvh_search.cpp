#include "passes/canonical.hpp"
#include "passes/counted.hpp"
#include "passes/decoded_distance.hpp"
#include "passes/filter.hpp"
#include "passes/grids.hpp"
#include "passes/reference.hpp"
#include "passes/smallest.hpp"
#include "proxel/passes/bvh_search.h"
#include "proxel/passes/selection.hpp"

namespace proxel {

Pass passes::make_bvh_search(const BvhSearchParameters& parameters, Metric metric, std::uint32_t dimensions) {
  const std::uint32_t capacity = list_length(std::uint64_t{bvh_pool(parameters.k)} + bvh_width);
  return make_pass(bvh_search, parameters,
                   {.metric = accumulated(metric), .dimensions = dimensions, .capacity = capacity},
                   row_grid(parameters.query_count), bvh_width, 8 * capacity + 16);
}

// Asks every row and no box: which boxes can be passed over is for kernels to know.
PROXEL_THREADED_PASS(bvh_search)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<BvhSearchParameters>();
  const auto constants = pass.constants_as<BvhSearchConstants>();
  const auto metric = constants.metric;
  const std::uint32_t dimensions = constants.dimensions;
  std::vector<std::uint64_t> keys;
  std::vector<std::uint64_t> nearest(parameters.k);
  for (std::uint64_t query = 0; query < counted_queries(parameters.counted, parameters.query_count); ++query) {
    const float* values = at<const float>(parameters.queries) + query * parameters.query_stride;
    const After after(parameters.after, query, 1);
    const Filter filter(parameters.filter_bits, query, parameters.filter_stride);
    keys.clear();
    for (std::uint64_t place = 0; place < parameters.row_count; ++place) {
      const float* leaf =
          at<const float>(parameters.coordinates) + place / bvh_width * dimensions * bvh_width + place % bvh_width;
      float distance = 0;
      for (std::uint32_t i = 0; i < dimensions; ++i)
        distance = canonical_step(metric, distance, values[i], leaf[i * bvh_width]);
      const std::uint32_t row = at<const std::uint32_t>(parameters.order)[place];
      const std::uint64_t key = make_key(distance_key(distance, false), row);
      if (filter.allows(row) && after.admits(key)) keys.push_back(key);
    }
    write_smallest(keys, parameters.k, nearest.data());
    for (std::uint32_t i = 0; i < parameters.k; ++i) {
      at<std::uint32_t>(parameters.indices)[query * parameters.k + i] = index_of(nearest[i]);
      at<float>(parameters.distances)[query * parameters.k + i] =
          decoded_distance(nearest[i], false, parameters.finish);
    }
  }
}

}  // namespace proxel
