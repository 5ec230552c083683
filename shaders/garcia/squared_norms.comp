#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "workgroup.glsl"
#include "proxel/passes/squared_norms.h"

layout(push_constant, std430) uniform Push { SquaredNormsParameters p; };

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Largest { uint value; };
shared uint largest;  // of this workgroup's rows

void main() {
  if (gl_LocalInvocationID.x == 0u) largest = 0u;
  barrier();
  const uint stride = gl_NumWorkGroups.x * WORKGROUP_SIZE;
  for (uint i = gl_GlobalInvocationID.x; i < p.row_count; i += stride) {
    const uint row = p.first_row + i;
    FloatsIn values = FloatsIn(tile_address(p.rows, row / tile_rows));
    uint at = (row % tile_rows) * p.rows.row_stride;
    precise float norm = 0.0;
    for (uint j = 0u; j < p.dimensions; ++j, at += p.rows.dimension_stride) {
      precise float square = values.values[at] * values.values[at];
      norm = norm + square;
    }
    const uint bits = floatBitsToUint(norm);
    const bool number = bits <= 0x7F800000u;
    UintsOut(p.norms).values[i] = number ? bits : 0x7FC00000u;
    if (number) atomicMax(largest, bits);
  }
  if (is_null(p.largest)) return;
  barrier();
  if (gl_LocalInvocationID.x == 0u) atomicMax(Largest(p.largest).value, largest);
}
