#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "workgroup.glsl"
#include "proxel/passes/bvh_leaves.h"
#include "proxel/passes/bvh_nodes.h"

layout(push_constant, std430) uniform Push { BvhNodesParameters p; };

void main() {
  const uint group_lines = 2u * p.dimensions;
  const uint lines = ((p.child_count - 1u) / bvh_width + 1u) * group_lines;
  for (uint i = gl_GlobalInvocationID.x; i < lines; i += gl_NumWorkGroups.x * WORKGROUP_SIZE) {
    const uint group = i / group_lines;
    const uint line = i % group_lines;
    FloatsIn bounds = FloatsIn(advance(p.children, i, 4u * bvh_width));
    const uint count = min(bvh_width, p.child_count - group * bvh_width);
    float bound = bounds.values[0];
    for (uint child = 1u; child < count; ++child) {
      const float value = bounds.values[child];
      if (line % 2u == 0u ? value < bound : value > bound) bound = value;
    }
    FloatsOut(advance(p.boxes, group / bvh_width, 4u * bvh_width * group_lines))
        .values[line * bvh_width + group % bvh_width] = bound;
  }
}
