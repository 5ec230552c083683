#version 460
#extension GL_GOOGLE_include_directive : require
#include "trial.glsl"

// An invocation takes a row of four numbers, and puts its results in such a row: their
// difference, product and product with a sum, each rounded once, and of the invocation's own
// number and one that is not there the former.
void main() {
  const uint thread = gl_LocalInvocationID.x;
  FloatsIn row = FloatsIn(advance(p.numbers, thread, 16u));
  UintsOut results = UintsOut(advance(p.results, thread, 16u));
  precise float difference = row.values[0] - row.values[1];
  precise float product = row.values[0] * row.values[2];
  precise float sum = product + row.values[3];
  results.values[0] = floatBitsToUint(difference);
  results.values[1] = floatBitsToUint(product);
  results.values[2] = floatBitsToUint(sum);
  const bool given = !is_null(p.missing);
  const uint other = UintsIn(readable(given, p.missing, p.numbers)).values[0];
  results.values[3] = given ? other : thread;
}
