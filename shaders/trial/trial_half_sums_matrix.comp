#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#include "trial.glsl"

// A subgroup of 32 multiplies two matrices of 16 x 16 halves and adds a third. The results are the sums, row by row: two halves in each
// word. All products and their sum with what they are added to are exact in binary32, and lose some bits as a half.
shared uvec4 factors[64], sums[32];

const uint chunks = 2u;  // of 8 halves, that a row has

float left(uint row, uint column) { return (float((5u * row + 3u * column) % 15u) - 7.0) / 8.0; }
float right(uint row, uint column) { return (float((7u * row + 11u * column) % 13u) - 6.0) / 8.0; }
float added(uint row, uint column) {
  const float magnitude = float(544u + (29u * row + 17u * column) % 384u);
  return (row + column) % 2u == 0u ? magnitude : -magnitude;
}

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const uint row = thread / chunks, first = thread % chunks * 8u;
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    const uint column = first + 2u * i;
    factors[thread][i] = packFloat2x16(f16vec2(left(row, column), left(row, column + 1u)));
    factors[32u + thread][i] = packFloat2x16(f16vec2(right(row, column), right(row, column + 1u)));
    sums[thread][i] = packFloat2x16(f16vec2(added(row, column), added(row, column + 1u)));
  }
  barrier();
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> a;
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> b;
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> c;
  coopMatLoad(a, factors, 0u, chunks, gl_CooperativeMatrixLayoutRowMajor);
  coopMatLoad(b, factors, 32u, chunks, gl_CooperativeMatrixLayoutRowMajor);
  coopMatLoad(c, sums, 0u, chunks, gl_CooperativeMatrixLayoutRowMajor);
  c = coopMatMulAdd(a, b, c);
  barrier();
  coopMatStore(c, sums, 0u, chunks, gl_CooperativeMatrixLayoutRowMajor);
  barrier();
  [[unroll]] for (uint i = 0u; i < 4u; ++i) UintsOut(p.results).values[4u * thread + i] = sums[thread][i];
}
