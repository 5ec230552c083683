#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "workgroup.glsl"
#include "proxel/passes/bvh_leaves.h"

layout(push_constant, std430) uniform Push { BvhLeavesParameters p; };

const uint leaves_at_once = 4u;
shared float staged[leaves_at_once * bvh_most_dimensions * bvh_width];

// In integers: a driver may take a zero for the other.
uint bits_of_bound(float bound) {
  const uint bits = floatBitsToUint(bound);
  return bits == 0x80000000u ? 0u : bits;
}

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const uint line_values = p.dimensions * bvh_width;
  const uint leaves = (p.rows.count - 1u) / bvh_width + 1u;
  for (uint first = gl_WorkGroupID.x * leaves_at_once; first < leaves;
       first += gl_NumWorkGroups.x * leaves_at_once) {
    const uint count = min(leaves_at_once, leaves - first);
    // A thread has a row; the last place of the largest database does not wrap.
    const uint leaf = thread / bvh_width;
    if (leaf < count) {
      const uint place = (first + leaf) * bvh_width + thread % bvh_width;
      const bool exists = place < p.rows.count;
      const uint row = exists ? UintsIn(advance(p.order, place, 4u)).values[0] : 0u;
      UintsIn values = UintsIn(tile_address(p.rows, row / tile_rows));
      UintsOut to = UintsOut(advance(p.coordinates, first + leaf, 4u * line_values));
      for (uint i = 0u; i < p.dimensions; ++i) {
        const uint bits = exists ? values.values[i * p.rows.dimension_stride +
                                                 (row % tile_rows) * p.rows.row_stride]
                                 : 0x7FC00000u;
        to.values[i * bvh_width + thread % bvh_width] = bits;
        staged[leaf * line_values + i * bvh_width + thread % bvh_width] = uintBitsToFloat(bits);
      }
    }
    barrier();
    if (thread < count * p.dimensions) {
      const uint of_leaf = thread / p.dimensions;
      const uint dimension = thread % p.dimensions;
      float lower = uintBitsToFloat(0x7F800000u);
      float upper = uintBitsToFloat(0xFF800000u);
      for (uint i = 0u; i < bvh_width; ++i) {
        const float value = staged[of_leaf * line_values + dimension * bvh_width + i];
        // NaN is neither; which zero a compiler's minimum takes is its own.
        if (value < lower) lower = value;
        if (value > upper) upper = value;
      }
      const uint box = first + of_leaf;
      UintsOut group = UintsOut(advance(p.boxes, box / bvh_width, 8u * line_values));
      group.values[2u * dimension * bvh_width + box % bvh_width] = bits_of_bound(lower);
      group.values[(2u * dimension + 1u) * bvh_width + box % bvh_width] = bits_of_bound(upper);
    }
    barrier();
  }
}
