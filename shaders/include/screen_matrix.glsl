// What the kernels of screen_tiles on matrix units do with scores, of HALVES or INTEGERS. A pair of cooperative matrices has those of
// 16 queries and 32 rows. Define ROW_SLICES before, as many chunks of 16 bytes as the kernel stages of rows, at least 64
// for each subgroup.
//
// A driver may give a multiprocessor no more shared memory in all than it gives one workgroup (NVIDIA's: 48 KiB,
// docs/drivers.md). So these kernels stage little, in one buffer and not in two, that two workgroups and more run at a time.
#ifndef PROXEL_SCREEN_MATRIX_GLSL
#define PROXEL_SCREEN_MATRIX_GLSL
#include "screen_scores.glsl"
#include "workgroup.glsl"

#ifdef INTEGERS
#define Left coopmat<int8_t, gl_ScopeSubgroup, 16, 32, gl_MatrixUseA>
#define Right coopmat<int8_t, gl_ScopeSubgroup, 32, 16, gl_MatrixUseB>
#else
#define Left coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>
#define Right coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB>
#endif
#define Scores coopmat<Score, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

// Chunks of a row that one product takes: 16 halves or 32 integers.
const uint step_chunks = 2u;
const uint pair_rows = 32u;

shared uvec4 row_slices[ROW_SLICES];
// Of queries: collecting, the least score that is wanted; sampling, the bits of what scores err by.
shared Score asked[tile_rows];

// The eight scores that an invocation has of a matrix.
struct Eight {
  Score4 low, high;
};

// Collecting, they are those that the device gives it, where it gives eight.
bool compares_in_place() {
  Scores any;
  return COLLECTS != 0u && any.length() == 8;
}

// Otherwise they go through where slices of rows were, and are eight rows of query gl_SubgroupInvocationID / 2.
Eight staged(Scores matrix) {
  const uint first = 64u * gl_SubgroupID;
  subgroupBarrier();
  coopMatStore(matrix, row_slices, first, 4u, gl_CooperativeMatrixLayoutRowMajor);
  subgroupBarrier();
  const uint own = first + 2u * gl_SubgroupInvocationID;
  return Eight(score_of_bits(row_slices[own]), score_of_bits(row_slices[own + 1u]));
}

Eight eight_of(Scores a) {
  if (!compares_in_place()) return staged(a);
  return Eight(Score4(a[0], a[1], a[2], a[3]), Score4(a[4], a[5], a[6], a[7]));
}

// Which place of a matrix each of the eight has: 16 * query + row, a byte each. That is the device's business; a matrix of numbers
// tells.
uvec2 places;
void find_places() {
  const uint first = 64u * gl_SubgroupID;
  const uint own = first + 2u * gl_SubgroupInvocationID;
  const uvec4 numbers = uvec4(8u * gl_SubgroupInvocationID) + uvec4(0u, 1u, 2u, 3u);
  row_slices[own] = bits_of_score(Score4(numbers));
  row_slices[own + 1u] = bits_of_score(Score4(numbers + uvec4(4u)));
  subgroupBarrier();
  Scores numbered;
  coopMatLoad(numbered, row_slices, first, 4u, gl_CooperativeMatrixLayoutRowMajor);
  const Eight own_numbers = eight_of(numbered);
  const uvec4 low = uvec4(own_numbers.low) << uvec4(0u, 8u, 16u, 24u), high = uvec4(own_numbers.high) << uvec4(0u, 8u, 16u, 24u);
  places = uvec2(low.x | low.y | low.z | low.w, high.x | high.y | high.z | high.w);
}

uint passing_of(Eight scores, Eight wanted) {
  uint passing = 0u;
  [[unroll]] for (uint i = 0u; i < 4u; ++i) passing |= scores.low[i] >= wanted.low[i] ? 1u << i : 0u;
  [[unroll]] for (uint i = 0u; i < 4u; ++i) passing |= scores.high[i] >= wanted.high[i] ? 16u << i : 0u;
  return passing;
}
// One of eight. Registers have no addresses.
Score score_at(Eight scores, uint i) {
  const bool odd = (i & 1u) != 0u;
  const Score of_low = (i & 2u) != 0u ? (odd ? scores.low.w : scores.low.z) : (odd ? scores.low.y : scores.low.x);
  const Score of_high = (i & 2u) != 0u ? (odd ? scores.high.w : scores.high.z) : (odd ? scores.high.y : scores.high.x);
  return (i & 4u) != 0u ? of_high : of_low;
}

// Which rows of a pair are wanted: bits 0 to 7 of one matrix, 8 to 15 of the other.
uint wanted_of(Eight first_rows, Eight second_rows, uint in_tile) {
  Scores wanted;
  coopMatLoad(wanted, asked, in_tile, 0u, gl_CooperativeMatrixLayoutColumnMajor);
  const Eight least = eight_of(wanted);
  return passing_of(first_rows, least) | passing_of(second_rows, least) << 8u;
}

// Appends the rows that are wanted of a pair, and of another that is so many queries and rows further. Most have none. The two share
// their rounds: a round is what costs, and there are as many as the invocation with the most rows needs.
void append_wanted(uint wanted, Eight first_rows, Eight second_rows, Eight other_first, Eight other_second, uint first_query, uint in_tile,
                   uint first_row, uvec2 apart) {
  while (wanted != 0u) {
    const uint bit = findLSB(wanted);
    wanted &= wanted - 1u;
    const bool other = bit >= 16u;
    const uint place = ((bit & 4u) == 0u ? places.x : places.y) >> (8u * (bit % 4u)) & 255u;
    const Score of_pair = (bit & 8u) == 0u ? score_at(first_rows, bit) : score_at(second_rows, bit);
    const Score of_other = (bit & 8u) == 0u ? score_at(other_first, bit) : score_at(other_second, bit);
    collect(first_query, in_tile + (other ? apart.x : 0u) + place / 16u, value_of_score(other ? of_other : of_pair),
            first_row + (other ? apart.y : 0u) + place % 16u + 2u * (bit & 8u));
  }
}

// Eight rows of a query, less those that its filter leaves out.
Eight allowed_of(Eight scores, uint bits) {
  if (!FILTERED) return scores;
  return Eight(allowed_scores(scores.low, bits), allowed_scores(scores.high, bits >> 4u));
}

// The best of each two neighbours.
Score4 best_of_two(Eight scores) {
  return max(Score4(scores.low.xz, scores.high.xz), Score4(scores.low.yw, scores.high.yw));
}

// Writes the lower bounds of a pair's groups, of neighbouring rows: two, eight, or all 32. Of two neighbours a filter that takes turns
// leaves one.
void sample_pair(Scores a, Scores b, uint first_query, uint in_tile, uint own, uint part) {
  const uint half_of_rows = gl_SubgroupInvocationID % 2u;
  const uint in_workgroup = in_tile + gl_SubgroupInvocationID / 2u;
  const uint query = first_query + in_workgroup;
  uint allowed = ~0u;
  if (FILTERED) allowed = rows_allowed(query, tile_number(own) * (tile_rows / pair_rows) + part) >> (8u * half_of_rows);
  const Eight first_rows = allowed_of(staged(a), allowed);
  const Eight second_rows = allowed_of(staged(b), allowed >> 16u);
  const Score best_first = max(best_of(first_rows.low), best_of(first_rows.high));
  const Score best_second = max(best_of(second_rows.low), best_of(second_rows.high));
  Score best = max(best_first, best_second);
  if (GROUPS_PER_TILE == 4u) best = max(best, score_of_bits(subgroupShuffleXor(bits_of_score(Score4(best)).x, 1u)));
  if (query < query_count) {
    const float error = error_of_bits(asked[in_workgroup]);
    // An invocation has the groups of half the rows of each of the two matrices, so many.
    const uint groups = GROUPS_PER_TILE / 16u;
    FloatsOut bounds = FloatsOut(advance(groups_of(query, own), part * (GROUPS_PER_TILE / 4u) + half_of_rows * groups, 4u));
    if (GROUPS_PER_TILE == 64u) {
      const Score4 of_first = best_of_two(first_rows), of_second = best_of_two(second_rows);
      [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        bounds.values[i] = value_of_score(of_first[i]) - error;
        bounds.values[2u * groups + i] = value_of_score(of_second[i]) - error;
      }
    } else if (GROUPS_PER_TILE == 16u) {
      bounds.values[0] = value_of_score(best_first) - error;
      bounds.values[2u * groups] = value_of_score(best_second) - error;
    } else if (half_of_rows == 0u) {
      bounds.values[0] = value_of_score(best) - error;
    }
  }
}

// Takes the scores of a pair: of the workgroup's queries in_tile … in_tile + 15 and rows 32 * part … of its tile number `own`.
// Call await_staging() before the first of a turn.
void use_pair(Scores a, Scores b, uint first_query, uint in_tile, uint own, uint part) {
  if (COLLECTS == 0u) {
    sample_pair(a, b, first_query, in_tile, own, part);
    return;
  }
  const Eight first_rows = eight_of(a), second_rows = eight_of(b);
  // No bit says that there is another.
  append_wanted(wanted_of(first_rows, second_rows, in_tile), first_rows, second_rows, first_rows, second_rows, first_query, in_tile,
                tile_number(own) * tile_rows + pair_rows * part, uvec2(0u));
}
// Those of two, of which the other is so many queries and rows further.
void use_pairs(Scores a, Scores b, Scores c, Scores d, uint first_query, uint in_tile, uint own, uint part, uvec2 apart) {
  if (COLLECTS == 0u) {
    sample_pair(a, b, first_query, in_tile, own, part);
    sample_pair(c, d, first_query, in_tile + apart.x, own, part + apart.y / pair_rows);
    return;
  }
  const Eight first_rows = eight_of(a), second_rows = eight_of(b), other_first = eight_of(c), other_second = eight_of(d);
  const uint wanted = wanted_of(first_rows, second_rows, in_tile) | wanted_of(other_first, other_second, in_tile + apart.x) << 16u;
  append_wanted(wanted, first_rows, second_rows, other_first, other_second, first_query, in_tile,
                tile_number(own) * tile_rows + pair_rows * part, apart);
}
// What begin() does, and what scores need. Await it before slices are stored.
bool begin_workgroup(uint first_query, out Asker asker) {
  if (!begin(first_query, asker)) return false;
  if (COLLECTS != 0u) find_places();
  return true;
}
// Scores may be staged where others still read slices.
void await_staging() {
  if (!compares_in_place()) barrier();
}

#endif
