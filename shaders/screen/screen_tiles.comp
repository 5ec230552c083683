#version 460
#extension GL_GOOGLE_include_directive : require
#include "screen_lists.glsl"
#include "workgroup.glsl"

// 128 invocations multiply 128 queries by half a tile of 64 rows, 8 by 8 each,
// from slices of 16 dimensions in shared memory. An invocation's rows are two
// runs of four, 32 apart, and its queries two runs of four, 64 apart, so that the
// shared loads of neighbours meet different banks.
const uint slice = 16u;
const uint half_rows = 64u;
const uint query_pitch = tile_rows / 4u + 1u;
const uint row_pitch = half_rows / 4u + 1u;
shared vec4 query_slice[slice * query_pitch];
shared vec4 row_slice[slice * row_pitch];
shared float asked[tile_rows];

// scores[2 * j + h]: query j of this invocation, rows of run h.
vec4 scores[16];

// Query j, and row j, of an invocation.
uint own_query(uint line, uint j) { return j / 4u * 64u + 4u * line + j % 4u; }
uint own_row(uint column, uint j) { return j / 4u * 32u + 4u * column + j % 4u; }

void stage_query(Uint4sIn operand, uint row, uint chunk, uint part) {
  const uvec4 halves = operand.values[operand_chunk(row, chunk)];
  [[unroll]] for (uint i = 0u; i < 8u; ++i)
    query_slice[(8u * part + i) * query_pitch + row / 4u][row % 4u] =
        unpackHalf2x16(halves[i / 2u])[i % 2u];
}
void stage_row(Uint4sIn operand, uint first, uint row, uint chunk, uint part) {
  const uvec4 halves = operand.values[operand_chunk(first + row, chunk)];
  [[unroll]] for (uint i = 0u; i < 8u; ++i)
    row_slice[(8u * part + i) * row_pitch + row / 4u][row % 4u] =
        unpackHalf2x16(halves[i / 2u])[i % 2u];
}

void multiply(Uint4sIn queries, Uint4sIn rows, uint first_row) {
  const uint thread = gl_LocalInvocationID.x;
  const uint column = thread % 8u;
  const uint line = thread / 8u;
  for (uint step = 0u; step < p.depth_steps; ++step) {
    [[unroll]] for (uint part = 0u; part < 2u; ++part)
      stage_query(queries, thread, 2u * step + part, part);
    stage_row(rows, first_row, thread % half_rows, 2u * step + thread / half_rows,
              thread / half_rows);
    barrier();
    [[unroll]] for (uint i = 0u; i < slice; ++i) {
      vec4 q[2], r[2];
      [[unroll]] for (uint h = 0u; h < 2u; ++h) {
        q[h] = query_slice[i * query_pitch + 16u * h + line];
        r[h] = row_slice[i * row_pitch + 8u * h + column];
      }
      [[unroll]] for (uint j = 0u; j < 8u; ++j)
        [[unroll]] for (uint h = 0u; h < 2u; ++h)
          scores[2u * j + h] += vec4(q[j / 4u][j % 4u]) * r[h];
    }
    barrier();
  }
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

float best_of(vec4 a) { return max(max(a.x, a.y), max(a.z, a.w)); }

void sample_groups(uint first_query, uint own, uint half_tile) {
  const uint thread = gl_LocalInvocationID.x;
  const uint column = thread % 8u;
  const uint line = thread / 8u;
  const uint half_groups = GROUPS_PER_TILE / 2u;
  [[unroll]] for (uint j = 0u; j < 8u; ++j) {
    const uint in_tile = own_query(line, j);
    const vec4 a = scores[2u * j], b = scores[2u * j + 1u];
    if (GROUPS_PER_TILE == 4u) {
      // 32 rows are those of four invocations.
      query_slice[(8u * in_tile + column) / 4u][column % 4u] = max(best_of(a), best_of(b));
      continue;
    }
    if (first_query + in_tile >= query_count) continue;
    FloatsOut groups = FloatsOut(groups_of(first_query + in_tile, own));
    const uint first = half_tile * half_groups;
    const float error = asked[in_tile];
    if (GROUPS_PER_TILE == 16u) {
      groups.values[first + column] = max(best_of(a), best_of(b)) - error;
    } else {
      groups.values[first + 4u * column] = max(a.x, a.y) - error;
      groups.values[first + 4u * column + 1u] = max(a.z, a.w) - error;
      groups.values[first + 4u * column + 2u] = max(b.x, b.y) - error;
      groups.values[first + 4u * column + 3u] = max(b.z, b.w) - error;
    }
  }
  if (GROUPS_PER_TILE != 4u) return;
  barrier();
  if (first_query + thread < query_count) {
    FloatsOut groups = FloatsOut(groups_of(first_query + thread, own));
    [[unroll]] for (uint g = 0u; g < 2u; ++g)
      groups.values[2u * half_tile + g] = best_of(query_slice[2u * thread + g]) - asked[thread];
  }
  barrier();
}

void collect_rows(uint first_query, uint first_row) {
  const uint column = gl_LocalInvocationID.x % 8u;
  const uint line = gl_LocalInvocationID.x / 8u;
  [[unroll]] for (uint j = 0u; j < 8u; ++j) {
    const uint in_tile = own_query(line, j);
    const float least = asked[in_tile];
    [[unroll]] for (uint i = 0u; i < 8u; ++i) {
      const float score = scores[2u * j + i / 4u][i % 4u];
      if (score >= least) collect(first_query, in_tile, score, first_row + own_row(column, i));
    }
  }
}

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const uint column = thread % 8u;
  const uint first_query = tile_rows * gl_WorkGroupID.y;
  count_queries();
  if (first_query >= query_count) return;
  const Asker asker = asker_of(first_query + thread);
  begin_lists(first_query, thread);

  Uint4sIn queries = Uint4sIn(operand_tile(p.queries, gl_WorkGroupID.y, p.depth_blocks));
  const uint count = own_tiles();
  for (uint i = 0u; i < count; ++i) {
    const uint own = own_tile(i);
    const uint tile = tile_number(own);
    Uint4sIn rows = Uint4sIn(operand_tile(p.rows, tile, p.depth_blocks));
    Float4sIn biases = Float4sIn(advance(p.biases, tile, 4u * tile_rows));
    asked[thread] = asked_of_tile(asker, bounds_of_tile(tile));
    for (uint half_tile = 0u; half_tile < 2u; ++half_tile) {
      [[unroll]] for (uint j = 0u; j < 16u; ++j)
        scores[j] = biases.values[16u * half_tile + 8u * (j % 2u) + column];
      multiply(queries, rows, half_rows * half_tile);
      if (COLLECTS != 0u)
        collect_rows(first_query, tile * tile_rows + half_rows * half_tile);
      else {
        if (FILTERED) apply_filters(first_query, tile * tile_rows + half_rows * half_tile);
        sample_groups(first_query, own, half_tile);
      }
    }
    barrier();
  }
  barrier();
  end_lists(first_query, thread);
}
