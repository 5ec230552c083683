#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#include "screen_lists.glsl"
#include "workgroup.glsl"

// screen_tiles with cooperative matrices: eight subgroups of 32 multiply 128
// queries by a tile of 128 rows, 32 x 64 each. Both operands come in slices of 32
// halves through two buffers in shared memory: the next slice travels in
// registers while this one is multiplied. Queries of at most two slices stay.
const uint threads = 256u;
const uint chunk_halves = 8u;       // in a uvec4
const uint slice_chunks = 4u;
// A row's slice and 16 bytes more, so that eight rows lie in different banks.
const uint pitch = slice_chunks + 1u;
const uint slice_size = tile_rows * pitch;
shared uvec4 query_slices[2u * slice_size];
shared uvec4 row_slices[2u * slice_size];
shared float biases[2u * tile_rows];
shared float asked[2u * tile_rows];
shared float positions[16u * 16u];

#define Left coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>
#define Right coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB>
#define Scores coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>
const uint query_matrices = 2u;
const uint row_matrices = 4u;
Scores scores[query_matrices * row_matrices];

// What an invocation carries of a slice.
const uint carried = tile_rows * slice_chunks / threads;
uvec4 next_queries[carried], next_rows[carried];
float next_bias, next_asked;

void fetch(Uint4sIn operand, uint slice, out uvec4 chunks[carried]) {
  [[unroll]] for (uint i = 0u; i < carried; ++i) {
    const uint item = gl_LocalInvocationID.x + i * threads;
    chunks[i] = operand.values[operand_chunk(item / slice_chunks,
                                             slice * slice_chunks + item % slice_chunks)];
  }
}
uint stored_at(uint buffer_index, uint i) {
  const uint item = gl_LocalInvocationID.x + i * threads;
  return buffer_index * slice_size + item / slice_chunks * pitch + item % slice_chunks;
}

void multiply(uint query_buffer, uint row_buffer, uint steps) {
  const uint first_query = gl_SubgroupID / 2u * 32u;
  const uint first_row = gl_SubgroupID % 2u * 64u;
  for (uint step = 0u; step < steps; ++step) {
    Left left[query_matrices];
    [[unroll]] for (uint i = 0u; i < query_matrices; ++i)
      coopMatLoad(left[i], query_slices,
                  query_buffer * slice_size + (first_query + 16u * i) * pitch + 2u * step, pitch,
                  gl_CooperativeMatrixLayoutRowMajor);
    [[unroll]] for (uint j = 0u; j < row_matrices; ++j) {
      Right right;
      coopMatLoad(right, row_slices,
                  row_buffer * slice_size + (first_row + 16u * j) * pitch + 2u * step, pitch,
                  gl_CooperativeMatrixLayoutColumnMajor);
      [[unroll]] for (uint i = 0u; i < query_matrices; ++i)
        scores[i * row_matrices + j] = coopMatMulAdd(left[i], right, scores[i * row_matrices + j]);
    }
  }
}

// Scores start at the biases of their rows.
void begin_scores(uint parity) {
  const uint first_row = gl_SubgroupID % 2u * 64u;
  [[unroll]] for (uint j = 0u; j < row_matrices; ++j) {
    Scores start;
    coopMatLoad(start, biases, parity * tile_rows + first_row + 16u * j, 0u,
                gl_CooperativeMatrixLayoutRowMajor);
    [[unroll]] for (uint i = 0u; i < query_matrices; ++i) scores[i * row_matrices + j] = start;
  }
}

void collect_rows(uint first_query, uint tile, uint parity, Scores position) {
  const uint own_query = gl_SubgroupID / 2u * 32u;
  const uint own_row = gl_SubgroupID % 2u * 64u;
  [[unroll]] for (uint i = 0u; i < query_matrices; ++i) {
    Scores least;
    coopMatLoad(least, asked, parity * tile_rows + own_query + 16u * i, 0u,
                gl_CooperativeMatrixLayoutColumnMajor);
    [[unroll]] for (uint j = 0u; j < row_matrices; ++j) {
      const Scores own = scores[i * row_matrices + j];
      bool any_passes = false;
      [[unroll]] for (uint e = 0u; e < uint(own.length()); ++e)
        any_passes = any_passes || own[e] >= least[e];
      if (!any_passes) continue;
      [[unroll]] for (uint e = 0u; e < uint(own.length()); ++e)
        if (own[e] >= least[e]) {
          const uint at = uint(position[e]);
          collect(first_query, own_query + 16u * i + at / 16u, own[e],
                  tile * tile_rows + own_row + 16u * j + at % 16u);
        }
    }
  }
}

Scores larger(Scores a, Scores b) {
  [[unroll]] for (uint e = 0u; e < uint(a.length()); ++e) a[e] = max(a[e], b[e]);
  return a;
}

// The lower bounds of this lane's eight maxima.
void write_groups(uvec2 address, uint round, vec4 a, vec4 b, float error) {
  FloatsOut groups = FloatsOut(address);
  const uint half_tile = gl_SubgroupID % 2u;
  const uint half_row = gl_SubgroupInvocationID % 2u;
  if (GROUPS_PER_TILE == 64u) {
    const uint first = 32u * half_tile + 16u * round + 8u * half_row;
    [[unroll]] for (uint g = 0u; g < 4u; ++g) {
      groups.values[first + g] = a[g] - error;
      groups.values[first + 4u + g] = b[g] - error;
    }
  } else if (GROUPS_PER_TILE == 16u) {
    const uint first = 8u * half_tile + 4u * half_row;
    groups.values[first] = max(a.x, a.y) - error;
    groups.values[first + 1u] = max(a.z, a.w) - error;
    groups.values[first + 2u] = max(b.x, b.y) - error;
    groups.values[first + 3u] = max(b.z, b.w) - error;
  } else {
    const vec4 best = max(a, b);
    groups.values[2u * half_tile + half_row] =
        max(max(best.x, best.y), max(best.z, best.w)) - error;
  }
}

// Maxima of a few rows are taken in registers, those of more rows in shared
// memory: 16 queries x 16 maxima of each subgroup at a time, in the slices of
// rows that have been multiplied.
void sample_groups(uint first_query, uint own, uint parity, uint row_buffer) {
  const uint maxima_pitch = 5u;  // uvec4
  const uint place = row_buffer * slice_size + gl_SubgroupID * 16u * maxima_pitch;
  const uint lane = gl_SubgroupInvocationID;
  const uint rounds = GROUPS_PER_TILE == 64u ? 2u : 1u;
  [[unroll]] for (uint i = 0u; i < query_matrices; ++i)
    [[unroll]] for (uint round = 0u; round < rounds; ++round) {
      Scores best = larger(scores[i * row_matrices + 2u * round],
                           scores[i * row_matrices + 2u * round + 1u]);
      if (rounds == 1u)
        best = larger(best, larger(scores[i * row_matrices + 2u], scores[i * row_matrices + 3u]));
      barrier();
      coopMatStore(best, row_slices, place, maxima_pitch, gl_CooperativeMatrixLayoutRowMajor);
      barrier();
      const uint in_tile = gl_SubgroupID / 2u * 32u + 16u * i + lane / 2u;
      if (first_query + in_tile < p.query_count) {
        const uint at = place + lane / 2u * maxima_pitch + lane % 2u * 2u;
        write_groups(groups_of(first_query + in_tile, own), round,
                     uintBitsToFloat(row_slices[at]), uintBitsToFloat(row_slices[at + 1u]),
                     asked[parity * tile_rows + in_tile]);
      }
    }
}

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const uint first_query = tile_rows * gl_WorkGroupID.y;
  const bool asks = thread < tile_rows;
  Asker asker = Asker(vec4(0.0), infinity);
  if (asks) asker = asker_of(first_query + thread);
  begin_lists(first_query, thread);
  if (thread < 256u) positions[thread] = float(thread);

  const uint slices = (p.depth_steps + 1u) / 2u;
  const bool resident = slices <= 2u;
  const uint count = own_tiles();
  const uint total = count * slices;
  Uint4sIn queries = Uint4sIn(operand_tile(p.queries, gl_WorkGroupID.y, p.depth_blocks));
  Scores position;

  // Turn t multiplies slice t % slices of tile t / slices, and stores that of turn t + 1.
  uint tile_index = 0u, slice = 0u;
  uint next_index = 0u, next_slice = 0u;
  for (uint turn = 0u; turn <= total; ++turn) {
    const bool fetches = turn < total;
    const bool fetches_queries = fetches && (!resident || turn < slices);
    // Turn 0 only fetches; its multiplication is that of turn 1, and so on.
    if (fetches) {
      const uint tile = tile_number(own_tile(next_index));
      fetch(Uint4sIn(operand_tile(p.rows, tile, p.depth_blocks)), next_slice, next_rows);
      if (fetches_queries) fetch(queries, next_slice, next_queries);
      if (next_slice == 0u && asks) {
        next_bias = FloatsIn(advance(p.biases, tile, 4u * tile_rows)).values[thread];
        next_asked = asked_of_tile(asker, bounds_of_tile(tile));
      }
    }
    if (turn != 0u) {
      const uint row_buffer = (turn - 1u) % 2u;
      const uint parity = tile_index % 2u;
      if (turn == 1u) coopMatLoad(position, positions, 0u, 16u, gl_CooperativeMatrixLayoutRowMajor);
      if (slice == 0u) begin_scores(parity);
      multiply(resident ? slice : row_buffer, row_buffer, min(2u, p.depth_steps - 2u * slice));
      if (++slice == slices) {
        const uint own = own_tile(tile_index);
        if (COLLECTS != 0u)
          collect_rows(first_query, tile_number(own), parity, position);
        else
          sample_groups(first_query, own, parity, row_buffer);
        slice = 0u;
        ++tile_index;
      }
    }
    if (!fetches) break;
    [[unroll]] for (uint i = 0u; i < carried; ++i) {
      row_slices[stored_at(turn % 2u, i)] = next_rows[i];
      if (fetches_queries)
        query_slices[stored_at(resident ? next_slice : turn % 2u, i)] = next_queries[i];
    }
    if (next_slice == 0u && asks) {
      biases[next_index % 2u * tile_rows + thread] = next_bias;
      asked[next_index % 2u * tile_rows + thread] = next_asked;
    }
    if (++next_slice == slices) {
      next_slice = 0u;
      ++next_index;
    }
    barrier();
  }
  barrier();
  end_lists(first_query, thread);
}
