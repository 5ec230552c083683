#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/texel_minimum.h"
PROXEL_TEXEL_MINIMUM_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "filter.glsl"
#include "order.glsl"
#include "texel.glsl"

layout(push_constant, std430) uniform Push { TexelMinimumParameters p; };
layout(set = 0, binding = 0, rgba32f) uniform readonly image2DArray accumulated;
layout(set = 1, binding = 0, rgba32ui) uniform writeonly uimage2DArray candidates;

void main() {
  const uvec2 at = texel_position();
  if (at.x >= p.width || at.y >= p.height) return;
  const uint query = gl_WorkGroupID.z;
  const bool continues = CONTINUES != 0u;
  uvec2 after = uvec2(0u);
  if (continues) after = Keys(advance_keys(p.after, query, p.after_stride)).values[0].yx;

  const bool filtered = !is_null(p.filter_bits);
  const uvec2 filter_words = filter_of_query(p.filter_bits, query, p.filter_stride);

  const vec4 distances = imageLoad(accumulated, ivec3(at, query));
  uvec2 smallest = no_row;
  [[unroll]] for (uint channel = 0u; channel < 4u; ++channel) {
    const uint row = (at.y * p.width + at.x) * 4u + channel;
    const uvec2 key = uvec2(distance_key(distances[channel], LARGEST_FIRST != 0u),
                            p.first_index + row);
    if (row < p.rows && (!continues || key_less(after, key)) &&
        (!filtered || row_allowed(filter_words, p.first_index + row)))
      smallest = key_min(smallest, key);
  }
  imageStore(candidates, ivec3(at, query), uvec4(smallest, 0u, 0u));
}
