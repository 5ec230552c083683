// Searches whose number of queries the device alone knows.
#ifndef PROXEL_COUNTED_GLSL
#define PROXEL_COUNTED_GLSL
#include "address.glsl"

// Whether there is no query of that number. @param counted  an address, 0: every query is there
bool past_counted(uvec2 counted, uint query) {
  return !is_null(counted) && query >= UintsIn(counted).values[0];
}
#endif
