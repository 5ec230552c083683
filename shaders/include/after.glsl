// The key behind which a search goes on.
#ifndef PROXEL_AFTER_GLSL
#define PROXEL_AFTER_GLSL
#include "address.glsl"

// Of a query, as (distance key, index); anything where `after` is null.
// @param other  keys, or anything of 8 bytes that can be read
uvec2 key_after(uvec2 after, uint query, uint stride, uvec2 other) {
  return Keys(readable(!is_null(after), advance_keys(after, query, stride), other)).values[0].yx;
}

#endif
