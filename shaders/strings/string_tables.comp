#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "workgroup.glsl"
#include "proxel/passes/string_tables.h"

layout(push_constant, std430) uniform Push { StringTablesParameters p; };

// An invocation makes whole words, so that nothing is written twice.
void main() {
  const uint number = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  if (number >= p.query_count) return;
  const uint query = min(number, p.query_count - 1u);
  UintsIn offsets = UintsIn(advance(p.offsets, query, 4u));
  const uint first = offsets.values[0];
  const uint length = offsets.values[1] - first;
  UintsIn symbols = UintsIn(advance(p.symbols, first, 4u));
  UintsOut table = UintsOut(advance_elements(p.tables, query, p.words * p.alphabet));
  for (uint word = 0u; word < p.words; ++word) {
    const uint bits = length > 32u * word ? min(32u, length - 32u * word) : 0u;
    for (uint symbol = gl_LocalInvocationID.x; symbol < p.alphabet; symbol += WORKGROUP_SIZE) {
      uint mask = 0u;
      for (uint i = 0u; i < bits; ++i)
        if (symbols.values[32u * word + i] == symbol) mask |= 1u << i;
      table.values[word * p.alphabet + symbol] = mask;
    }
  }
}
