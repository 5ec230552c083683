// screen_tiles by plain arithmetic, of HALVES or INTEGERS.
#ifndef PROXEL_SCREEN_SCALAR_GLSL
#define PROXEL_SCREEN_SCALAR_GLSL
#include "screen_scores.glsl"
#include "workgroup.glsl"

// 128 invocations multiply 128 queries by half a tile of 64 rows, 8 by 8 each,
// from slices of 16 dimensions in shared memory. An invocation's rows are two
// runs of four, 32 apart, and its queries two runs of four, 64 apart, so that the
// shared loads of neighbours meet different banks. Products of integers are summed in
// binary32 as well, exactly: up to 1,024 dimensions no sum passes 2^24.
const uint slice = 16u;
const uint half_rows = 64u;
const uint query_pitch = tile_rows / 4u + 1u;
const uint row_pitch = half_rows / 4u + 1u;
shared vec4 query_slice[slice * query_pitch];
shared vec4 row_slice[slice * row_pitch];
// Of queries: collecting, the least score that is wanted; sampling, the bits of what scores err by.
shared Score asked[tile_rows];

// Of query j of this invocation and rows of run h, 2 * j + h: products, and scores.
vec4 sums[16];
Score4 scores[16];

// Query j, and row j, of an invocation.
uint own_query(uint line, uint j) { return j / 4u * 64u + 4u * line + j % 4u; }
uint own_row(uint column, uint j) { return j / 4u * 32u + 4u * column + j % 4u; }

// A slice is two chunks of halves or one of integers; a part is eight of its values.
#ifdef INTEGERS
const uint slices_per_step = 2u;
uint chunk_of(uint own_slice, uint part) { return own_slice; }
float value_in(uvec4 chunk, uint part, uint i) {
  return float(bitfieldExtract(int(chunk[2u * part + i / 4u]), int(8u * (i % 4u)), 8));
}
#else
const uint slices_per_step = 1u;
uint chunk_of(uint own_slice, uint part) { return 2u * own_slice + part; }
float value_in(uvec4 chunk, uint part, uint i) { return unpackHalf2x16(chunk[i / 2u])[i % 2u]; }
#endif

void stage_query(Uint4sIn operand, uint row, uint own_slice, uint part) {
  const uvec4 chunk = operand.values[operand_chunk(row, chunk_of(own_slice, part))];
  [[unroll]] for (uint i = 0u; i < 8u; ++i)
    query_slice[(8u * part + i) * query_pitch + row / 4u][row % 4u] = value_in(chunk, part, i);
}
void stage_row(Uint4sIn operand, uint first, uint row, uint own_slice, uint part) {
  const uvec4 chunk = operand.values[operand_chunk(first + row, chunk_of(own_slice, part))];
  [[unroll]] for (uint i = 0u; i < 8u; ++i)
    row_slice[(8u * part + i) * row_pitch + row / 4u][row % 4u] = value_in(chunk, part, i);
}

void multiply(Uint4sIn queries, Uint4sIn rows, uint first_row) {
  const uint thread = gl_LocalInvocationID.x;
  const uint column = thread % 8u;
  const uint line = thread / 8u;
  for (uint own_slice = 0u; own_slice < slices_per_step * p.depth_steps; ++own_slice) {
    [[unroll]] for (uint part = 0u; part < 2u; ++part) stage_query(queries, thread, own_slice, part);
    stage_row(rows, first_row, thread % half_rows, own_slice, thread / half_rows);
    barrier();
    [[unroll]] for (uint i = 0u; i < slice; ++i) {
      vec4 q[2], r[2];
      [[unroll]] for (uint h = 0u; h < 2u; ++h) {
        q[h] = query_slice[i * query_pitch + 16u * h + line];
        r[h] = row_slice[i * row_pitch + 8u * h + column];
      }
      [[unroll]] for (uint j = 0u; j < 8u; ++j)
        [[unroll]] for (uint h = 0u; h < 2u; ++h)
          sums[2u * j + h] += vec4(q[j / 4u][j % 4u]) * r[h];
    }
    barrier();
  }
}

// Sums of halves start at the biases; of integers those are added as such.
void begin_sums(Score4sIn biases, uint half_tile, uint column) {
  [[unroll]] for (uint j = 0u; j < 16u; ++j)
#ifdef INTEGERS
    sums[j] = vec4(0.0);
#else
    sums[j] = biases.values[16u * half_tile + 8u * (j % 2u) + column];
#endif
}
void end_sums(Score4sIn biases, uint half_tile, uint column) {
  [[unroll]] for (uint j = 0u; j < 16u; ++j)
#ifdef INTEGERS
    scores[j] = ivec4(sums[j]) + biases.values[16u * half_tile + 8u * (j % 2u) + column];
#else
    scores[j] = sums[j];
#endif
}

// Scores of rows that a query's filter leaves out become minus infinity.
void apply_filters(uint first_query, uint first_row) {
  const uint column = gl_LocalInvocationID.x % 8u;
  const uint line = gl_LocalInvocationID.x / 8u;
  [[unroll]] for (uint j = 0u; j < 8u; ++j)
    [[unroll]] for (uint h = 0u; h < 2u; ++h)
      scores[2u * j + h] = allowed_scores(
          scores[2u * j + h], rows_allowed(first_query + own_query(line, j), first_row / 32u + h) >> 4u * column);
}

void sample_groups(uint first_query, uint own, uint half_tile) {
  const uint thread = gl_LocalInvocationID.x;
  const uint column = thread % 8u;
  const uint line = thread / 8u;
  const uint half_groups = GROUPS_PER_TILE / 2u;
  [[unroll]] for (uint j = 0u; j < 8u; ++j) {
    const uint in_tile = own_query(line, j);
    const Score4 a = scores[2u * j], b = scores[2u * j + 1u];
    if (GROUPS_PER_TILE == 4u) {
      // 32 rows are those of four invocations.
      query_slice[(8u * in_tile + column) / 4u][column % 4u] = value_of_score(max(best_of(a), best_of(b)));
      continue;
    }
    if (first_query + in_tile >= query_count) continue;
    FloatsOut groups = FloatsOut(groups_of(first_query + in_tile, own));
    const uint first = half_tile * half_groups;
    const float error = error_of_bits(asked[in_tile]);
    if (GROUPS_PER_TILE == 16u) {
      groups.values[first + column] = value_of_score(max(best_of(a), best_of(b))) - error;
    } else {
      groups.values[first + 4u * column] = value_of_score(max(a.x, a.y)) - error;
      groups.values[first + 4u * column + 1u] = value_of_score(max(a.z, a.w)) - error;
      groups.values[first + 4u * column + 2u] = value_of_score(max(b.x, b.y)) - error;
      groups.values[first + 4u * column + 3u] = value_of_score(max(b.z, b.w)) - error;
    }
  }
  if (GROUPS_PER_TILE != 4u) return;
  barrier();
  if (first_query + thread < query_count) {
    FloatsOut groups = FloatsOut(groups_of(first_query + thread, own));
    [[unroll]] for (uint g = 0u; g < 2u; ++g) {
      const vec4 best = query_slice[2u * thread + g];
      groups.values[2u * half_tile + g] = max(max(best.x, best.y), max(best.z, best.w)) - error_of_bits(asked[thread]);
    }
  }
  barrier();
}

void collect_rows(uint first_query, uint first_row) {
  const uint column = gl_LocalInvocationID.x % 8u;
  const uint line = gl_LocalInvocationID.x / 8u;
  [[unroll]] for (uint j = 0u; j < 8u; ++j) {
    const uint in_tile = own_query(line, j);
    const Score wanted = asked[in_tile];
    [[unroll]] for (uint i = 0u; i < 8u; ++i) {
      const Score score = scores[2u * j + i / 4u][i % 4u];
      if (score >= wanted)
        collect(first_query, in_tile, value_of_score(score), first_row + own_row(column, i));
    }
  }
}

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const uint column = thread % 8u;
  const uint first_query = tile_rows * gl_WorkGroupID.y;
  Asker asker;
  if (!begin(first_query, asker)) return;

  Uint4sIn queries = Uint4sIn(operand_tile(p.queries, gl_WorkGroupID.y, p.depth_blocks));
  const uint count = own_tiles();
  for (uint i = 0u; i < count; ++i) {
    const uint own = own_tile(i);
    const uint tile = tile_number(own);
    Uint4sIn rows = Uint4sIn(operand_tile(p.rows, tile, p.depth_blocks));
    Score4sIn biases = Score4sIn(advance(p.biases, tile, 4u * tile_rows));
    asked[thread] = asked_of_tile(asker, tile);
    for (uint half_tile = 0u; half_tile < 2u; ++half_tile) {
      begin_sums(biases, half_tile, column);
      multiply(queries, rows, half_rows * half_tile);
      end_sums(biases, half_tile, column);
      if (FILTERED) apply_filters(first_query, tile * tile_rows + half_rows * half_tile);
      if (COLLECTS != 0u)
        collect_rows(first_query, tile * tile_rows + half_rows * half_tile);
      else
        sample_groups(first_query, own, half_tile);
    }
    barrier();
  }
  barrier();
  end_lists(first_query, thread);
}

#endif
