// Depth first: what a query has found so far decides which boxes it still enters.

#include <algorithm>
#include <array>

#include "cpu/machine.hpp"
#include "cpu/smallest_keys.hpp"
#include "passes/bvh_boxes.hpp"
#include "passes/canonical.hpp"
#include "passes/counted.hpp"
#include "passes/decoded_distance.hpp"
#include "passes/grids.hpp"

namespace proxel::cpu {
namespace {

using passes::bvh_width;

// Queries that a thread takes at a time: for some milliseconds, and as many for each thread.
std::uint64_t queries_at_a_time(std::uint64_t queries, std::uint64_t k, std::uint64_t threads) {
  constexpr std::uint64_t most = 64, most_neighbors = 8192, turns = 4;
  return std::clamp<std::uint64_t>(queries / (turns * threads), 1,
                                   std::clamp<std::uint64_t>(most_neighbors / k, 1, most));
}

template <Metric metric, std::uint32_t dimensions>
class Query {
 public:
  Query(const passes::BvhSearchParameters& parameters, std::uint64_t number)
      : p_(parameters),
        query_(passes::at<const float>(p_.queries) + number * p_.query_stride),
        nearest_(std::min(p_.k, p_.row_count), passes::After(p_.after, number, 1),
                 passes::Filter(p_.filter_bits, number, p_.filter_stride)) {}

  void visit_all() { visit_group(passes::bvh_levels(p_.row_count) - 1, 0); }

  void write(std::uint64_t number) {
    std::vector<std::uint64_t> keys(p_.k, passes::no_row_key);
    nearest_.write(keys.data());
    for (std::uint64_t i = 0; i < p_.k; ++i) {
      passes::at<std::uint32_t>(p_.indices)[number * p_.k + i] = passes::index_of(keys[i]);
      passes::at<float>(p_.distances)[number * p_.k + i] = passes::decoded_distance(keys[i], false, p_.finish);
    }
  }

 private:
  using Keys = std::array<std::uint32_t, bvh_width>;

  static Keys keys_of(const std::array<float, bvh_width>& sums) {
    Keys keys;
    for (std::uint32_t i = 0; i < bvh_width; ++i) keys[i] = passes::distance_key(sums[i], false);
    return keys;
  }

  // The distance keys of the points of a group's boxes that are nearest to the query.
  Keys box_keys(std::uint32_t level, std::uint64_t group) const {
    const float* bounds = passes::at<const float>(p_.boxes) +
                          (passes::bvh_first_group(p_.row_count, level) + group) * 2 * dimensions * bvh_width;
    std::array<float, bvh_width> sums{};
    for (std::uint32_t dimension = 0; dimension < dimensions; ++dimension)
      for (std::uint32_t i = 0; i < bvh_width; ++i) {
        const float below = bounds[2 * dimension * bvh_width + i] - query_[dimension];
        const float above = query_[dimension] - bounds[(2 * dimension + 1) * bvh_width + i];
        // A NaN, of a query or of infinities, is no reason to pass a box over.
        float gap = below > 0 ? below : 0.0f;
        gap = above > gap ? above : gap;
        sums[i] = passes::canonical_step(metric, sums[i], gap, 0.0f);
      }
    return keys_of(sums);
  }

  // Nearest first: what is found early lets most boxes be passed over.
  void visit_group(std::uint32_t level, std::uint64_t group) {
    const Keys keys = box_keys(level, group);
    const std::uint64_t boxes = passes::bvh_boxes(p_.row_count, level);
    std::array<std::uint64_t, bvh_width> near;  // key and number in the group
    std::size_t count = 0;
    for (std::uint64_t i = 0; i < bvh_width && group * bvh_width + i < boxes; ++i)
      if (keys[i] <= passes::distance_key_of(nearest_.limit())) near[count++] = std::uint64_t{keys[i]} << 32 | i;
    std::sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(count));
    for (std::size_t i = 0; i < count && near[i] >> 32 <= nearest_.limit() >> 32; ++i) {
      const std::uint64_t box = group * bvh_width + static_cast<std::uint32_t>(near[i]);
      if (level != 0)
        visit_group(level - 1, box);
      else
        visit_leaf(box);
    }
  }

  void visit_leaf(std::uint64_t leaf) {
    const float* coordinates = passes::at<const float>(p_.coordinates) + leaf * dimensions * bvh_width;
    std::array<float, bvh_width> sums{};
    for (std::uint32_t dimension = 0; dimension < dimensions; ++dimension)
      for (std::uint32_t i = 0; i < bvh_width; ++i)
        sums[i] = passes::canonical_step(metric, sums[i], query_[dimension], coordinates[dimension * bvh_width + i]);
    const Keys keys = keys_of(sums);
    const std::uint32_t* rows = passes::at<const std::uint32_t>(p_.order) + leaf * bvh_width;
    const std::uint64_t count = std::min<std::uint64_t>(bvh_width, p_.row_count - leaf * bvh_width);
    for (std::uint64_t i = 0; i < count; ++i)
      if (keys[i] <= passes::distance_key_of(nearest_.limit())) nearest_.offer(passes::make_key(keys[i], rows[i]));
  }

  const passes::BvhSearchParameters& p_;
  const float* query_;
  SmallestKeys nearest_;
};

template <Metric metric, std::uint32_t dimensions>
void answer(const passes::BvhSearchParameters& parameters, Machine& machine) {
  const std::uint32_t queries = passes::counted_queries(parameters.counted, parameters.query_count);
  const std::uint64_t at_a_time = queries_at_a_time(queries, parameters.k, machine.workers.thread_count());
  machine.workers.for_each(passes::divide_up(queries, at_a_time), [&](std::uint64_t block) {
    const std::uint64_t first = block * at_a_time;
    const std::uint64_t end = std::min<std::uint64_t>(first + at_a_time, queries);
    for (std::uint64_t number = first; number < end; ++number) {
      Workers::look();
      Query<metric, dimensions> query(parameters, number);
      query.visit_all();
      query.write(number);
    }
  });
}

template <Metric metric, std::uint32_t dimensions = passes::bvh_most_dimensions>
void answer_for(std::uint32_t wanted, const passes::BvhSearchParameters& parameters, Machine& machine) {
  if (wanted == dimensions) return answer<metric, dimensions>(parameters, machine);
  if constexpr (dimensions > 1) answer_for<metric, dimensions - 1>(wanted, parameters, machine);
}

}  // namespace

void bvh_search(const Pass& pass, Machine& machine) {
  const auto parameters = pass.as<passes::BvhSearchParameters>();
  const auto constants = pass.constants_as<passes::BvhSearchConstants>();
  const std::uint32_t dimensions = constants.dimensions;
  switch (constants.metric) {
    case Metric::l1:
      return answer_for<Metric::l1>(dimensions, parameters, machine);
    case Metric::l2:
    case Metric::l2sq:
      return answer_for<Metric::l2sq>(dimensions, parameters, machine);
    case Metric::linf:
      return answer_for<Metric::linf>(dimensions, parameters, machine);
    case Metric::ip:
    case Metric::cosine:
    case Metric::pearson:
      break;  // of which BvhPlan makes no pass
  }
}

}  // namespace proxel::cpu
