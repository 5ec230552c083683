// A warp answers a query: its lanes are the children of a node, or the rows of a leaf.

#include "kernels/bitonic_sort.cuh"
#include "kernels/canonical.cuh"
#include "kernels/chain.cuh"
#include "kernels/counted.cuh"
#include "kernels/decode.cuh"
#include "kernels/filter.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/bvh_search.h"

namespace proxel::cuda {
namespace {

using passes::bvh_most_dimensions;
using passes::bvh_most_levels;
using passes::bvh_width;
using Parameters = passes::BvhSearchParameters;

constexpr unsigned none = 0xFFFFFFFFu;  // no box's key
constexpr unsigned lane_bits = 5;
static_assert(bvh_width == 1u << lane_bits);

template <Metric metric, unsigned dimensions>
class Query {
 public:
  __device__ Query(const Parameters& parameters, std::uint32_t number, Key* pool)
      : p_(parameters), pool_(pool), after_(p_.after, 1, number), filter_(p_.filter_bits, p_.filter_stride, number) {
    const float* values = reinterpret_cast<const float*>(p_.queries) + std::uint64_t{number} * p_.query_stride;
#pragma unroll
    for (unsigned i = 0; i < dimensions; ++i) query_[i] = __ldg(values + i);
  }

  // Nearest first, on every level: what is found early lets most boxes be passed over.
  __device__ void visit_all() {
    unsigned last_level = 0;
    while (boxes_of(last_level) > bvh_width) ++last_level;
    unsigned waiting[bvh_most_levels];  // keys of the boxes that are left of the group at hand of each level
    unsigned level = last_level;
    unsigned group = 0;
    unsigned key = key_in_group(level, group);
    while (true) {
      const unsigned least = __reduce_min_sync(all_lanes, key);
      // No box has a NaN for its distance.
      if (least == none || least > static_cast<unsigned>(bound_ >> 32)) {
        if (level == last_level) return;
        ++level;
        group >>= lane_bits;
#pragma unroll
        for (unsigned i = 1; i < bvh_most_levels; ++i)
          if (i == level) key = waiting[i];
        continue;
      }
      const unsigned nearest = __ffs(__ballot_sync(all_lanes, key == least)) - 1;
      if (nearest == lane_) key = none;
      if (level == 0) {
        visit_leaf(group * bvh_width + nearest);
        continue;
      }
#pragma unroll
      for (unsigned i = 1; i < bvh_most_levels; ++i)
        if (i == level) waiting[i] = key;
      group = group * bvh_width + nearest;
      --level;
      key = key_in_group(level, group);
    }
  }

  __device__ void write(std::uint32_t number) {
    keep_nearest();
    const std::uint64_t first = std::uint64_t{number} * p_.k;
    for (unsigned i = lane_; i < p_.k; i += bvh_width) {
      const Key key = i < held_ ? pool_[i] : no_row;
      reinterpret_cast<std::uint32_t*>(p_.indices)[first + i] = decoded_index(key);
      reinterpret_cast<float*>(p_.distances)[first + i] = decoded_distance(key, false, p_.finish);
    }
  }

 private:
  // Boxes of a level; it exists.
  __device__ unsigned boxes_of(unsigned level) const { return ((p_.row_count - 1) >> (lane_bits * (level + 1))) + 1; }
  // The distance key of the point of this lane's box nearest to the query.
  __device__ unsigned box_key(unsigned level, unsigned group) const {
    std::uint64_t first_group = group;
    for (unsigned below = 0; below < level; ++below) first_group += boxes_of(below + 1);
    const float* bounds = reinterpret_cast<const float*>(p_.boxes) + first_group * (2 * dimensions * bvh_width) + lane_;
    float sum = 0;
#pragma unroll
    for (unsigned i = 0; i < dimensions; ++i) {
      const float below = __fsub_rn(__ldg(bounds + 2 * i * bvh_width), query_[i]);
      const float above = __fsub_rn(query_[i], __ldg(bounds + (2 * i + 1) * bvh_width));
      // The maximum drops NaN, of a query or of infinities: no reason to pass a box over.
      sum = step<metric>(sum, fmaxf(fmaxf(below, above), 0.0f), 0.0f);
    }
    return distance_key<metric>(sum);
  }

  // The same for a box of a group, `none` for one that does not exist.
  __device__ unsigned key_in_group(unsigned level, unsigned group) const {
    return group * bvh_width + lane_ < boxes_of(level) ? box_key(level, group) : none;
  }

  // Keeps the k smallest of the keys held, in order.
  __device__ void keep_nearest() {
    unsigned size = 1;
    while (size < held_) size *= 2;
    for (unsigned i = held_ + lane_; i < size; i += bvh_width) pool_[i] = no_row;
    __syncwarp();
    bitonic_sort(pool_, size);
    if (held_ >= p_.k) {
      held_ = p_.k;
      bound_ = pool_[p_.k - 1];
    }
    // The bound has been read before the pool is written again.
    __syncwarp();
  }

  __device__ void visit_leaf(unsigned leaf) {
    const std::uint64_t place = std::uint64_t{leaf} * bvh_width + lane_;
    const float* coordinates =
        reinterpret_cast<const float*>(p_.coordinates) + std::uint64_t{leaf} * (dimensions * bvh_width) + lane_;
    float sum = 0;
#pragma unroll
    for (unsigned i = 0; i < dimensions; ++i) sum = step<metric>(sum, query_[i], __ldg(coordinates + i * bvh_width));
    const unsigned nearness = distance_key<metric>(sum);
    Key key = no_row;
    if (place < p_.row_count && nearness <= static_cast<unsigned>(bound_ >> 32)) {
      const unsigned row = __ldg(reinterpret_cast<const unsigned*>(p_.order) + place);
      if (filter_.allows(row)) key = after_.filter(make_key(nearness, row));
    }
    const bool wanted = key < bound_;
    const unsigned all_wanted = __ballot_sync(all_lanes, wanted);
    if (all_wanted == 0) return;
    if (wanted) pool_[held_ + __popc(all_wanted & ((1u << lane_) - 1))] = key;
    held_ += __popc(all_wanted);
    if (held_ >= passes::bvh_pool(p_.k)) keep_nearest();
  }

  const Parameters& p_;
  Key* pool_;
  After after_;
  Filter filter_;
  float query_[dimensions];
  unsigned lane_ = threadIdx.x;
  unsigned held_ = 0;   // keys in the pool
  Key bound_ = no_row;  // no key at or above it is wanted
};

template <Metric metric, unsigned dimensions>
__global__ void __launch_bounds__(bvh_width, 32) bvh_search(const __grid_constant__ Parameters p) {
  follow_previous_pass();
  extern __shared__ Key pool[];
  const std::uint64_t number = std::uint64_t{blockIdx.y} * gridDim.x + blockIdx.x;
  if (number >= p.query_count || past_counted(p.counted, number)) return;
  Query<metric, dimensions> query(p, static_cast<std::uint32_t>(number), pool);
  query.visit_all();
  query.write(static_cast<std::uint32_t>(number));
}

template <Metric metric, unsigned dimensions = bvh_most_dimensions>
Kernel for_dimensions(std::uint32_t wanted, std::uint32_t shared_bytes) {
  if (wanted == dimensions) return variant(bvh_search<metric, dimensions>, shared_bytes);
  if constexpr (dimensions > 1) return for_dimensions<metric, dimensions - 1>(wanted, shared_bytes);
  return {};
}

}  // namespace

PROXEL_KERNEL(bvh_search)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::BvhSearchConstants>();
  if (pass.workgroup_size != bvh_width) return {};
  return for_metric(constants.metric, [&](auto metric) -> Kernel {
    constexpr Metric chosen = decltype(metric)::value;
    if constexpr (chosen == Metric::ip)
      return {};
    else
      return for_dimensions<chosen>(constants.dimensions, 8 * constants.capacity);
  });
}

}  // namespace proxel::cuda
