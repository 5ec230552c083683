// screen_tiles on matrix units for operands of up to screen_most_shallow_steps, of HALVES or INTEGERS; FEW queries or many. With
// HALF_SUMS, of many queries, for up to screen_most_half_sum_steps.
#ifndef PROXEL_SCREEN_MATRIX_SHALLOW_GLSL
#define PROXEL_SCREEN_MATRIX_SHALLOW_GLSL
#include "screen_lists.glsl"

// Queries stay in registers: 32 of each of four subgroups, or of FEW queries 16 of each of two. Rows come 32 at a time, through
// one buffer in shared memory: those of the next turn travel in registers while these are multiplied. STEPS is known when the
// pipeline is made, so that each step has its matrices: arrays of these are as long as they may be, and what is specialised is where
// loops over them end.
#ifdef FEW
const uint threads = screen_few_shallow_workgroup;
const uint query_matrices = 1u;
#else
const uint threads = 128u;
const uint query_matrices = 2u;
#endif
const uint workgroup_queries = 16u * query_matrices * threads / 32u;

// A row's chunks, and 16 bytes more, so that eight rows lie in different banks.
#define ROW_PITCH (2u * STEPS + 1u)
// Queries pass through here as well, a step at a time.
const uint query_pitch = 3u;
// Scores are staged in 64 chunks of each subgroup, which is less.
#define QUERY_SLICES (query_pitch * threads)
#define ROW_SLICES (32u * ROW_PITCH > QUERY_SLICES ? 32u * ROW_PITCH : QUERY_SLICES)
#include "screen_matrix.glsl"

#ifdef HALF_SUMS
const uint most_steps = screen_most_half_sum_steps;
#else
const uint most_steps = screen_most_shallow_steps;
#endif
const uint turns_per_tile = tile_rows / pair_rows;

Left own_queries[query_matrices * most_steps];
Scores scores[query_matrices * 2u];

uint first_query_of_subgroup() { return 16u * query_matrices * gl_SubgroupID; }

void load_queries() {
  Uint4sIn queries = Uint4sIn(operand_tile(p.queries, gl_WorkGroupID.y, p.depth_blocks));
  [[unroll]] for (uint step = 0u; step < most_steps; ++step) {
    if (step >= STEPS) break;
    barrier();
    for (uint item = gl_LocalInvocationID.x; item < workgroup_queries * step_chunks; item += threads) {
      const uint query = item / step_chunks, chunk = item % step_chunks;
      row_slices[query * query_pitch + chunk] = queries.values[operand_chunk(query, step_chunks * step + chunk)];
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < query_matrices; ++i)
      coopMatLoad(own_queries[i * most_steps + step], row_slices, (first_query_of_subgroup() + 16u * i) * query_pitch, query_pitch,
                  gl_CooperativeMatrixLayoutRowMajor);
  }
  barrier();
}

// What an invocation carries of a turn's rows. Of one step there may be fewer chunks than invocations: some read one of others.
const uint most_carried = pair_rows * step_chunks * most_steps / threads;
uvec4 next_rows[most_carried];
// And of a tile.
const uint biases_carried = tile_rows / threads;
Score next_biases[biases_carried], next_asked;
#define TURN_CHUNKS (pair_rows * step_chunks * STEPS)
#define CARRIED ((TURN_CHUNKS + threads - 1u) / threads)
uint carried_chunk(uint i) { return gl_LocalInvocationID.x + i * threads; }
// Where in the operand of a tile.
uint find_carried(uint i) {
  const uint item = carried_chunk(i) % TURN_CHUNKS;
  return operand_chunk(item / (step_chunks * STEPS), item % (step_chunks * STEPS));
}
#ifdef FEW
// An invocation carries twice as many, and has no registers for this.
uint carried_from(uint i) { return find_carried(i); }
void find_all_carried() {}
#else
uint carried_places[most_carried];
uint carried_from(uint i) { return carried_places[i]; }
void find_all_carried() {
  [[unroll]] for (uint i = 0u; i < most_carried; ++i) {
    if (i >= CARRIED) break;
    carried_places[i] = find_carried(i);
  }
}
#endif

// The rows of the tile that is fetched.
uvec2 tile_operand;
void fetch_turn(uint turn, Asker asker, uint first_query) {
  const uint first_row = turn % turns_per_tile * pair_rows;
  if (first_row == 0u) {
    const uint tile = tile_number(own_tile(turn / turns_per_tile));
    tile_operand = operand_tile(p.rows, tile, p.depth_blocks);
    ScoresIn biases_of_tile = ScoresIn(advance(p.biases, tile, 4u * tile_rows));
    [[unroll]] for (uint i = 0u; i < biases_carried; ++i)
      next_biases[i] = biases_of_tile.values[gl_LocalInvocationID.x + i * threads];
    next_asked = asked_of_tile(asker, tile);
    fetch_allowed(first_query, tile);
  }
  // Rows of a turn begin at a multiple of eight, so that their chunks are exchanged as those of the first are.
  Uint4sIn rows = Uint4sIn(tile_operand);
  [[unroll]] for (uint i = 0u; i < most_carried; ++i) {
    if (i >= CARRIED) break;
    next_rows[i] = rows.values[carried_from(i) + 8u * first_row];
  }
}

void store_turn(uint turn) {
  [[unroll]] for (uint i = 0u; i < most_carried; ++i) {
    if (i >= CARRIED) break;
    const uint item = carried_chunk(i);
    if (item < TURN_CHUNKS)
      row_slices[item / (step_chunks * STEPS) * ROW_PITCH + item % (step_chunks * STEPS)] = next_rows[i];
  }
  if (turn % turns_per_tile != 0u) return;
  const uint thread = gl_LocalInvocationID.x;
  [[unroll]] for (uint i = 0u; i < biases_carried; ++i) store_bias(thread + i * threads, next_biases[i]);
  store_asked(thread, next_asked);
  store_allowed();
}

// @param part  of the tile's rows
void multiply(uint part) {
  [[unroll]] for (uint j = 0u; j < 2u; ++j) {
#ifdef HALF_SUMS
    const Scores start = Scores(Sum(0.0));
#else
    // Sums start at the biases of their rows.
    Scores start;
    coopMatLoad(start, biases, pair_rows * part + 16u * j, 0u, gl_CooperativeMatrixLayoutRowMajor);
#endif
    [[unroll]] for (uint i = 0u; i < query_matrices; ++i) scores[2u * i + j] = start;
  }
  [[unroll]] for (uint step = 0u; step < most_steps; ++step) {
    if (step >= STEPS) break;
    [[unroll]] for (uint j = 0u; j < 2u; ++j) {
      Right right;
      coopMatLoad(right, row_slices, 16u * j * ROW_PITCH + step_chunks * step, ROW_PITCH, gl_CooperativeMatrixLayoutColumnMajor);
      [[unroll]] for (uint i = 0u; i < query_matrices; ++i)
        scores[2u * i + j] = coopMatMulAdd(own_queries[i * most_steps + step], right, scores[2u * i + j]);
    }
  }
}

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const uint first_query = workgroup_queries * gl_WorkGroupID.y;
  Asker asker;
  if (!begin_workgroup(first_query, asker)) return;
  load_queries();
  find_all_carried();

  const uint turns = own_tiles() * turns_per_tile;
  for (uint turn = 0u; turn <= turns; ++turn) {
    if (turn < turns) fetch_turn(turn, asker, first_query);
    if (turn != 0u) {
      const uint own = own_tile((turn - 1u) / turns_per_tile), part = (turn - 1u) % turns_per_tile;
      multiply(part);
      await_staging();
#ifdef FEW
      use_pair(scores[0], scores[1], first_query, first_query_of_subgroup(), own, part);
#else
      use_pairs(scores[0], scores[1], scores[2], scores[3], first_query, first_query_of_subgroup(), own, part, uvec2(16u, 0u));
#endif
      barrier();
    }
    store_turn(turn);
    barrier();
  }
  end_lists(first_query, thread);
}

#endif
