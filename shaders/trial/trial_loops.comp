#version 460
#extension GL_GOOGLE_include_directive : require
#include "trial.glsl"

// Goes round two loops, one within the other, as often as the first two numbers say. The results are how often it
// went round the outer and the inner one.
void main() {
  UintsIn wanted = UintsIn(p.numbers);
  uint outer = 0u, inner = 0u;
  for (uint i = 0u; i < wanted.values[0]; ++i) {
    ++outer;
    for (uint j = 0u; j < wanted.values[1]; ++j) ++inner;
  }
  UintsOut(p.results).values[0] = outer;
  UintsOut(p.results).values[1] = inner;
}
