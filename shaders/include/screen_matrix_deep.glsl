// screen_tiles on matrix units for operands of any depth, of HALVES or INTEGERS; FEW queries or many.
#ifndef PROXEL_SCREEN_MATRIX_DEEP_GLSL
#define PROXEL_SCREEN_MATRIX_DEEP_GLSL

// Four subgroups of 32 multiply 128 queries by a tile of 128 rows, 64 x 64 each. Both operands come in slices of two steps,
// through one buffer of each in shared memory: the next slice travels in registers while this one is multiplied.
// Of FEW queries, 32, each subgroup takes all, and 32 rows: fewer products and registers, so that more workgroups wait for
// memory at a time. These numbers are no constants of the pass: a compiler that learns them late puts matrices into memory.
const uint threads = 128u;
#ifdef FEW
const uint workgroup_queries = 32u;
const uint query_matrices = 2u;
const uint row_matrices = 2u;
uint first_query_of_subgroup() { return 0u; }
#else
const uint workgroup_queries = 128u;
const uint query_matrices = 4u;
const uint row_matrices = 4u;
uint first_query_of_subgroup() { return gl_SubgroupID / 2u * 64u; }
#endif
const uint slice_chunks = 4u;
// A row's slice and 16 bytes more, so that eight rows lie in different banks.
const uint pitch = slice_chunks + 1u;
#define ROW_SLICES (128u * pitch)
// What keeps queries apart has room for a query's words.
shared uvec4 query_slices[workgroup_queries * pitch];
#define ALLOWED_WORD(query, part) query_slices[(query) * pitch + slice_chunks][part]
#include "screen_matrix.glsl"

const uint subgroup_rows = 16u * row_matrices;
uint first_row_of_subgroup() { return gl_SubgroupID % (tile_rows / subgroup_rows) * subgroup_rows; }

Scores scores[query_matrices * row_matrices];

// What an invocation carries of a slice.
const uint carried = tile_rows * slice_chunks / threads;
const uint carried_of_queries = workgroup_queries * slice_chunks / threads;
uvec4 next_queries[carried_of_queries], next_rows[carried];
Score next_bias, next_asked;

// The row of what it carries, and the chunk: eight invocations that store together have rows four apart, in different banks.
uint carried_row(uint i) {
  const uint thread = gl_LocalInvocationID.x;
  return i * (threads / slice_chunks) + thread / 32u * 8u + thread / 8u % 4u + thread / 4u % 2u * 4u;
}
uint carried_chunk() { return gl_LocalInvocationID.x % slice_chunks; }
// Where the first of them is in the slice of that number of an operand. The rows of others are multiples of eight further, and their chunks
// are exchanged alike.
uint first_carried_from;
uint carried_from(uint slice) {
  return slice / 2u * (screen_block_bytes / 16u) + (first_carried_from ^ slice % 2u * slice_chunks);
}
uvec4 fetched(Uint4sIn operand, uint from, uint i) { return operand.values[from + i * (threads / slice_chunks) * 8u]; }
// Where in a slice.
uint stored_at(uint i) { return carried_row(i) * pitch + carried_chunk(); }

void multiply(uint steps) {
  // Two steps written out are a quarter faster than a loop over them.
  [[unroll]] for (uint step = 0u; step < 2u; ++step) {
    if (step >= steps) break;
    Left left[query_matrices];
    [[unroll]] for (uint i = 0u; i < query_matrices; ++i)
      coopMatLoad(left[i], query_slices, (first_query_of_subgroup() + 16u * i) * pitch + step_chunks * step, pitch,
                  gl_CooperativeMatrixLayoutRowMajor);
    [[unroll]] for (uint j = 0u; j < row_matrices; ++j) {
      Right right;
      coopMatLoad(right, row_slices, (first_row_of_subgroup() + 16u * j) * pitch + step_chunks * step, pitch,
                  gl_CooperativeMatrixLayoutColumnMajor);
      [[unroll]] for (uint i = 0u; i < query_matrices; ++i)
        scores[i * row_matrices + j] = coopMatMulAdd(left[i], right, scores[i * row_matrices + j]);
    }
  }
}

// Scores start at the biases of their rows.
void begin_scores() {
  [[unroll]] for (uint j = 0u; j < row_matrices; ++j) {
    Scores start;
    coopMatLoad(start, biases, first_row_of_subgroup() + 16u * j, 0u, gl_CooperativeMatrixLayoutRowMajor);
    [[unroll]] for (uint i = 0u; i < query_matrices; ++i) scores[i * row_matrices + j] = start;
  }
}

void use_scores(uint first_query, uint own) {
  await_staging();
  const uint in_tile = first_query_of_subgroup(), part = first_row_of_subgroup() / pair_rows;
#ifdef FEW
  use_pairs(scores[0], scores[1], scores[2], scores[3], first_query, in_tile, own, part, uvec2(16u, 0u));
#else
  [[unroll]] for (uint i = 0u; i < query_matrices; ++i)
    use_pairs(scores[4u * i], scores[4u * i + 1u], scores[4u * i + 2u], scores[4u * i + 3u], first_query, in_tile + 16u * i, own,
              part, uvec2(0u, pair_rows));
#endif
}

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const uint first_query = workgroup_queries * gl_WorkGroupID.y;
  Asker asker;
  if (!begin_workgroup(first_query, asker)) return;
  barrier();
  first_carried_from = operand_chunk(carried_row(0u), carried_chunk());

  const uint slices = (p.depth_steps + 1u) / 2u;
  const uint total = own_tiles() * slices;
  Uint4sIn queries = Uint4sIn(operand_tile(p.queries, gl_WorkGroupID.y, p.depth_blocks));

  // Turn t fetches slice t % slices of the workgroup's tile t / slices, and multiplies what turn t - 1 has fetched.
  uint own = 0u, slice = 0u;
  uint next_own = 0u, next_slice = 0u;
  for (uint turn = 0u; turn <= total; ++turn) {
    if (turn < total) {
      const uint tile = tile_number(own_tile(next_own));
      Uint4sIn rows = Uint4sIn(operand_tile(p.rows, tile, p.depth_blocks));
      const uint from = carried_from(next_slice);
      [[unroll]] for (uint i = 0u; i < carried; ++i) next_rows[i] = fetched(rows, from, i);
      [[unroll]] for (uint i = 0u; i < carried_of_queries; ++i) next_queries[i] = fetched(queries, from, i);
      if (next_slice == 0u) {
        next_bias = ScoresIn(advance(p.biases, tile, 4u * tile_rows)).values[thread];
        next_asked = asked_of_tile(asker, tile);
        fetch_allowed(first_query, tile);
      }
    }
    if (turn != 0u) {
      if (slice == 0u) begin_scores();
      multiply(min(2u, p.depth_steps - 2u * slice));
      if (++slice == slices) {
        use_scores(first_query, own_tile(own));
        slice = 0u;
        ++own;
      }
      barrier();
    }
    [[unroll]] for (uint i = 0u; i < carried; ++i) row_slices[stored_at(i)] = next_rows[i];
    [[unroll]] for (uint i = 0u; i < carried_of_queries; ++i) query_slices[stored_at(i)] = next_queries[i];
    if (next_slice == 0u) {
      store_bias(thread, next_bias);
      store_asked(thread, next_asked);
      store_allowed();
    }
    if (++next_slice == slices) {
      next_slice = 0u;
      ++next_own;
    }
    barrier();
  }
  end_lists(first_query, thread);
}

#endif
