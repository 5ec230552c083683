#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "order.glsl"
#include "workgroup.glsl"
#include "proxel/passes/add_row_norms.h"

layout(push_constant, std430) uniform Push { AddRowNormsParameters p; };

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Elements { uint values[]; };

void main() {
  const uint stride = gl_NumWorkGroups.x * WORKGROUP_SIZE;
  const uint count = p.row_count * p.query_count;
  for (uint i = gl_GlobalInvocationID.x; i < count; i += stride) {
    const uint row = i / p.query_count;
    const uint query = i % p.query_count;
    Elements elements = Elements(advance_elements(p.matrix, row, p.row_pitch));
    precise float sum =
        uintBitsToFloat(elements.values[query]) + FloatsIn(p.norms).values[row];
    elements.values[query] = distance_key(sum, false);
  }
}
