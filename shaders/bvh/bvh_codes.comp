#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "workgroup.glsl"
#include "proxel/arithmetic/hilbert.h"
#include "proxel/passes/bvh_codes.h"

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Code { uint value; };
layout(push_constant, std430) uniform Push { BvhCodesParameters p; };

void main() {
  const uint tiles = (p.row_count - 1u) / WORKGROUP_SIZE + 1u;
  for (uint tile = gl_WorkGroupID.x; tile < tiles; tile += gl_NumWorkGroups.x) {
    const uint rank = tile * WORKGROUP_SIZE + gl_LocalInvocationID.x;
    if (rank >= p.row_count) continue;
    uint code = 0u;
    uint place = p.axis;
    for (uint bits = rank >> p.shift; bits != 0u; bits >>= 1, place += p.dimensions)
      code |= (bits & 1u) << place;
    Code of_row = Code(advance(p.codes, UintsIn(advance(p.order, rank, 4u)).values[0], 4u));
    if (p.axis != 0u) code += of_row.value - bvh_code_base;
    if (p.axis + 1u == p.dimensions) code = hilbert_place(code, p.dimensions, bvh_rank_bits(p.dimensions));
    of_row.value = bvh_code_base + code;
  }
}
