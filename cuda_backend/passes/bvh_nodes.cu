#include "kernels/chain.cuh"
#include "kernels/strided.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/bvh_leaves.h"
#include "proxel/passes/bvh_nodes.h"

namespace proxel::cuda {
namespace {

using passes::bvh_width;
using Parameters = passes::BvhNodesParameters;

__global__ void __launch_bounds__(1024) nodes(const Parameters p) {
  follow_previous_pass();
  const unsigned group_lines = 2 * p.dimensions;
  const std::uint64_t lines = std::uint64_t{(p.child_count - 1) / bvh_width + 1} * group_lines;
  for_each_strided(lines, [&](std::uint64_t i) {
    const auto group = static_cast<unsigned>(i / group_lines);
    const auto line = static_cast<unsigned>(i % group_lines);
    const float* bounds = reinterpret_cast<const float*>(p.children) + i * bvh_width;
    const unsigned count = min(bvh_width, p.child_count - group * bvh_width);
    float bound = bounds[0];
    for (unsigned child = 1; child < count; ++child) {
      const float value = bounds[child];
      if (line % 2 == 0 ? value < bound : value > bound) bound = value;
    }
    reinterpret_cast<float*>(
        p.boxes)[(std::uint64_t{group / bvh_width} * group_lines + line) * bvh_width + group % bvh_width] = bound;
  });
}

}  // namespace

PROXEL_KERNEL(bvh_nodes)(const Pass&) { return variant(nodes); }

}  // namespace proxel::cuda
