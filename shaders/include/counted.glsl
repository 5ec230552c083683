// Searches whose number of queries the device alone knows.
#ifndef PROXEL_COUNTED_GLSL
#define PROXEL_COUNTED_GLSL
#include "address.glsl"

// Whether there is no query of that number.
// @param counted  an address, 0: every query is there
// @param other    an address that can be read
bool past_counted(uvec2 counted, uint query, uvec2 other) {
  const bool given = !is_null(counted);
  const uint count = UintsIn(readable(given, counted, other)).values[0];
  return given && query >= count;
}

// Queries that a pass answers, of those that it was made for; the rest as above.
uint counted_queries(uvec2 counted, uint queries, uvec2 other) {
  const bool given = !is_null(counted);
  const uint count = UintsIn(readable(given, counted, other)).values[0];
  return given ? min(queries, count) : queries;
}
#endif
