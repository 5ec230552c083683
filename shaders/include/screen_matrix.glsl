// screen_tiles on matrix units, of HALVES or INTEGERS; FEW queries or many.
#ifndef PROXEL_SCREEN_MATRIX_GLSL
#define PROXEL_SCREEN_MATRIX_GLSL
#include "screen_scores.glsl"
#include "workgroup.glsl"

// Cooperative matrices: four subgroups of 32 multiply 128
// queries by a tile of 128 rows, 64 x 64 each. Both operands come in slices of 32
// halves, or 64 integers, through two buffers in shared memory: the next slice travels in
// registers while this one is multiplied. Queries of at most two slices stay.
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
const uint subgroup_rows = 16u * row_matrices;
uint first_row_of_subgroup() { return gl_SubgroupID % (tile_rows / subgroup_rows) * subgroup_rows; }
const uint slice_chunks = 4u;  // of 8 halves or 16 integers
// A row's slice and 16 bytes more, so that eight rows lie in different banks.
const uint pitch = slice_chunks + 1u;
const uint slice_size = tile_rows * pitch;
const uint query_slice_size = workgroup_queries * pitch;
shared uvec4 query_slices[2u * query_slice_size];
shared uvec4 row_slices[2u * slice_size];
shared Score biases[2u * tile_rows];
// Of queries: collecting, the least score that is wanted; sampling, the bits of what scores err by.
shared Score asked[2u * tile_rows];
// Where an invocation puts its scores of a matrix, to find one by a number.
const uint own_scores = 8u;
shared uvec4 own_stage[2u * threads];

#ifdef INTEGERS
#define Left coopmat<int8_t, gl_ScopeSubgroup, 16, 32, gl_MatrixUseA>
#define Right coopmat<int8_t, gl_ScopeSubgroup, 32, 16, gl_MatrixUseB>
#else
#define Left coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>
#define Right coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB>
#endif
#define Scores coopmat<Score, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>
Scores scores[query_matrices * row_matrices];

// What an invocation carries of a slice.
const uint carried = tile_rows * slice_chunks / threads;
const uint carried_of_queries = workgroup_queries * slice_chunks / threads;
uvec4 next_queries[carried], next_rows[carried];
Score next_bias, next_asked;

uvec4 fetched(Uint4sIn operand, uint slice, uint i) {
  const uint item = gl_LocalInvocationID.x + i * threads;
  return operand.values[operand_chunk(item / slice_chunks, slice * slice_chunks + item % slice_chunks)];
}
// Where in a slice.
uint stored_at(uint i) {
  const uint item = gl_LocalInvocationID.x + i * threads;
  return item / slice_chunks * pitch + item % slice_chunks;
}

void multiply(uint query_buffer, uint row_buffer, uint steps) {
  const uint first_query = first_query_of_subgroup();
  const uint first_row = first_row_of_subgroup();
  // Two steps written out are a quarter faster than a loop over them.
  [[unroll]] for (uint step = 0u; step < 2u; ++step) {
    if (step >= steps) break;
    Left left[query_matrices];
    [[unroll]] for (uint i = 0u; i < query_matrices; ++i)
      coopMatLoad(left[i], query_slices,
                  query_buffer * query_slice_size + (first_query + 16u * i) * pitch + 2u * step, pitch,
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
  const uint first_row = first_row_of_subgroup();
  [[unroll]] for (uint j = 0u; j < row_matrices; ++j) {
    Scores start;
    coopMatLoad(start, biases, parity * tile_rows + first_row + 16u * j, 0u,
                gl_CooperativeMatrixLayoutRowMajor);
    [[unroll]] for (uint i = 0u; i < query_matrices; ++i) scores[i * row_matrices + j] = start;
  }
}

// Scores are looked at in shared memory, where their places are known: each
// subgroup puts 16 queries and all its rows at a time into what held the slices of rows.
// An invocation reads every other four rows of one query.
const uint staged_pitch = 18u;  // uvec4; two more than 64 scores keep the banks apart
uint staged_at() { return gl_SubgroupID * 16u * staged_pitch; }

#ifdef FEW
void stage_scores(Scores a, Scores b) {
#else
void stage_scores(Scores a, Scores b, Scores c, Scores d) {
#endif
  const uint at = staged_at();
  subgroupBarrier();
  coopMatStore(a, row_slices, at, staged_pitch, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStore(b, row_slices, at + 4u, staged_pitch, gl_CooperativeMatrixLayoutRowMajor);
#ifndef FEW
  coopMatStore(c, row_slices, at + 8u, staged_pitch, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStore(d, row_slices, at + 12u, staged_pitch, gl_CooperativeMatrixLayoutRowMajor);
#endif
  subgroupBarrier();
}

// What an invocation reads of the staged scores: fours 0 … 7, or 0 … 3.
const uint own_fours = 2u * row_matrices;
uint own_at() {
  return staged_at() + gl_SubgroupInvocationID / 2u * staged_pitch + gl_SubgroupInvocationID % 2u;
}
Score4 own_four(uint at, uint i) { return score_of_bits(row_slices[at + 2u * i]); }

void collect_staged(uint first_query, uint in_tile, uint first_row, Score wanted) {
  const uint at = own_at();
  uint passing = 0u;
  [[unroll]] for (uint i = 0u; i < own_fours; ++i) {
    const Score4 four = own_four(at, i);
    [[unroll]] for (uint c = 0u; c < 4u; ++c)
      if (four[c] >= wanted) passing |= 1u << (4u * i + c);
  }
  while (passing != 0u) {
    const uint bit = findLSB(passing);
    passing &= passing - 1u;
    const Score score = score_of_bits(row_slices[at + 2u * (bit / 4u)][bit % 4u]);
    collect(first_query, in_tile, value_of_score(score),
            first_row + 8u * (bit / 4u) + 4u * (gl_SubgroupInvocationID % 2u) + bit % 4u);
  }
}

void sample_staged(uint query, uint own, float error) {
  if (query >= query_count) return;
  const uint at = own_at();
  const uint first_word = tile_number(own) * (tile_rows / 32u) + first_row_of_subgroup() / 32u;
  // The groups of this invocation's rows.
  const uint groups = GROUPS_PER_TILE * own_fours / (tile_rows / 4u);
  FloatsOut bounds =
      FloatsOut(advance(groups_of(query, own), first_row_of_subgroup() * GROUPS_PER_TILE / tile_rows +
                                                   gl_SubgroupInvocationID % 2u * groups, 4u));
  Score best = no_score;
  [[unroll]] for (uint i = 0u; i < own_fours; ++i) {
    Score4 four = own_four(at, i);
    if (FILTERED)
      four = allowed_scores(four, rows_allowed(query, first_word + i / 4u) >> (8u * (i % 4u) + 4u * (gl_SubgroupInvocationID % 2u)));
    if (GROUPS_PER_TILE == 64u) {
      bounds.values[2u * i] = value_of_score(max(four.x, four.y)) - error;
      bounds.values[2u * i + 1u] = value_of_score(max(four.z, four.w)) - error;
      continue;
    }
    best = max(best, best_of(four));
    if (GROUPS_PER_TILE == 16u && i % 2u == 1u) {
      bounds.values[i / 2u] = value_of_score(best) - error;
      best = no_score;
    }
  }
  if (GROUPS_PER_TILE != 4u) return;
#ifdef FEW
  // One group of two invocations.
  best = max(best, score_of_bits(subgroupShuffleXor(bits_of_score(Score4(best)).x, 1u)));
  if (gl_SubgroupInvocationID % 2u != 0u) return;
#endif
  bounds.values[0] = value_of_score(best) - error;
}

void use_staged(uint i, uint first_query, uint own, uint parity) {
  const uint in_tile = first_query_of_subgroup() + 16u * i + gl_SubgroupInvocationID / 2u;
  const uint of_query = parity * tile_rows + in_tile;
  if (COLLECTS != 0u)
    collect_staged(first_query, in_tile, tile_number(own) * tile_rows + first_row_of_subgroup(), asked[of_query]);
  else
    sample_staged(first_query + in_tile, own, error_of_bits(asked[of_query]));
}

// Collecting, scores are compared where they are: most matrices have none that passes. Which place of a matrix an
// invocation's elements are is the device's business; a matrix of numbers tells. A byte each.
uvec2 places;
void find_places() {
  const uint at = gl_SubgroupID * 64u + 2u * gl_SubgroupInvocationID;
  const uvec4 first = uvec4(8u * gl_SubgroupInvocationID) + uvec4(0u, 1u, 2u, 3u);
  own_stage[at] = bits_of_score(Score4(first));
  own_stage[at + 1u] = bits_of_score(Score4(first + uvec4(4u)));
  subgroupBarrier();
  Scores numbers;
  coopMatLoad(numbers, own_stage, gl_SubgroupID * 64u, 4u, gl_CooperativeMatrixLayoutRowMajor);
  places.x = uint(numbers[0]) | uint(numbers[1]) << 8u | uint(numbers[2]) << 16u | uint(numbers[3]) << 24u;
  places.y = uint(numbers[4]) | uint(numbers[5]) << 8u | uint(numbers[6]) << 16u | uint(numbers[7]) << 24u;
  subgroupBarrier();
}
// Elsewhere an invocation may have more or fewer.
bool compares_in_place() { return COLLECTS != 0u && scores[0].length() == own_scores; }

void collect_matrix(Scores a, Scores wanted, uint first_query, uint i, uint first_row) {
  uint passing = 0u;
  passing |= a[0] >= wanted[0] ? 1u : 0u;
  passing |= a[1] >= wanted[1] ? 2u : 0u;
  passing |= a[2] >= wanted[2] ? 4u : 0u;
  passing |= a[3] >= wanted[3] ? 8u : 0u;
  passing |= a[4] >= wanted[4] ? 16u : 0u;
  passing |= a[5] >= wanted[5] ? 32u : 0u;
  passing |= a[6] >= wanted[6] ? 64u : 0u;
  passing |= a[7] >= wanted[7] ? 128u : 0u;
  if (passing == 0u) return;
  const uint own = gl_LocalInvocationID.x;
  own_stage[own] = bits_of_score(Score4(a[0], a[1], a[2], a[3]));
  own_stage[own + threads] = bits_of_score(Score4(a[4], a[5], a[6], a[7]));
  while (passing != 0u) {
    const uint bit = findLSB(passing);
    passing &= passing - 1u;
    const Score score = score_of_bits(own_stage[own + bit / 4u * threads][bit % 4u]);
    const uint place = (bit < 4u ? places.x : places.y) >> (8u * (bit % 4u)) & 255u;
    collect(first_query, first_query_of_subgroup() + 16u * i + place / 16u, value_of_score(score),
            first_row + place % 16u);
  }
}

#ifdef FEW
void collect_strip(Scores a, Scores b, uint first_query, uint i, uint parity, uint first_row) {
#else
void collect_strip(Scores a, Scores b, Scores c, Scores d, uint first_query, uint i, uint parity, uint first_row) {
#endif
  Scores wanted;
  coopMatLoad(wanted, asked, parity * tile_rows + first_query_of_subgroup() + 16u * i, 0u,
              gl_CooperativeMatrixLayoutColumnMajor);
  collect_matrix(a, wanted, first_query, i, first_row);
  collect_matrix(b, wanted, first_query, i, first_row + 16u);
#ifndef FEW
  collect_matrix(c, wanted, first_query, i, first_row + 32u);
  collect_matrix(d, wanted, first_query, i, first_row + 48u);
#endif
}

// Matrices are named by constants: an index that is not known when compiling
// would move all scores to memory, also while they are summed.
#ifdef FEW
#define SCORES_OF(i) scores[2u * i], scores[2u * i + 1u]
#else
#define SCORES_OF(i) scores[4u * i], scores[4u * i + 1u], scores[4u * i + 2u], scores[4u * i + 3u]
#endif
#define USE_STAGED(i) \
  stage_scores(SCORES_OF(i)); \
  use_staged(i, first_query, own, parity)

void use_scores(uint first_query, uint own, uint parity) {
  if (compares_in_place()) {
    const uint first_row = tile_number(own) * tile_rows + first_row_of_subgroup();
    collect_strip(SCORES_OF(0u), first_query, 0u, parity, first_row);
    collect_strip(SCORES_OF(1u), first_query, 1u, parity, first_row);
#ifndef FEW
    collect_strip(SCORES_OF(2u), first_query, 2u, parity, first_row);
    collect_strip(SCORES_OF(3u), first_query, 3u, parity, first_row);
#endif
    return;
  }
  barrier();
  USE_STAGED(0u);
  USE_STAGED(1u);
#ifndef FEW
  USE_STAGED(2u);
  USE_STAGED(3u);
#endif
  barrier();
}

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const uint first_query = workgroup_queries * gl_WorkGroupID.y;
  count_queries();
  if (first_query >= query_count) return;
  const Asker asker = asker_of(first_query + thread);
  begin_lists(first_query, thread);
  if (compares_in_place()) find_places();

  const uint slices = (p.depth_steps + 1u) / 2u;
  const bool resident = slices <= 2u;
  const uint count = own_tiles();
  const uint total = count * slices;
  Uint4sIn queries = Uint4sIn(operand_tile(p.queries, gl_WorkGroupID.y, p.depth_blocks));

  // Turn t multiplies slice t % slices of tile t / slices, and stores that of turn t + 1.
  uint tile_index = 0u, slice = 0u;
  uint next_index = 0u, next_slice = 0u;
  for (uint turn = 0u; turn <= total; ++turn) {
    const bool fetches = turn < total;
    const bool fetches_queries = fetches && (!resident || turn < slices);
    // Turn 0 only fetches; its multiplication is that of turn 1, and so on.
    if (fetches) {
      const uint tile = tile_number(own_tile(next_index));
      Uint4sIn rows = Uint4sIn(operand_tile(p.rows, tile, p.depth_blocks));
      [[unroll]] for (uint i = 0u; i < carried; ++i) next_rows[i] = fetched(rows, next_slice, i);
      if (fetches_queries)
        [[unroll]] for (uint i = 0u; i < carried_of_queries; ++i) next_queries[i] = fetched(queries, next_slice, i);
      if (next_slice == 0u) {
        next_bias = ScoresIn(advance(p.biases, tile, 4u * tile_rows)).values[thread];
        next_asked = asked_of_tile(asker, tile);
      }
    }
    if (turn != 0u) {
      const uint row_buffer = (turn - 1u) % 2u;
      const uint parity = tile_index % 2u;
      if (slice == 0u) begin_scores(parity);
      multiply(resident ? slice : row_buffer, row_buffer, min(2u, p.depth_steps - 2u * slice));
      if (++slice == slices) {
        use_scores(first_query, own_tile(tile_index), parity);
        slice = 0u;
        ++tile_index;
      }
    }
    if (!fetches) break;
    [[unroll]] for (uint i = 0u; i < carried; ++i) {
      row_slices[turn % 2u * slice_size + stored_at(i)] = next_rows[i];
      if (fetches_queries && i < carried_of_queries)
        query_slices[(resident ? next_slice : turn % 2u) * query_slice_size + stored_at(i)] = next_queries[i];
    }
    if (next_slice == 0u) {
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

#endif
