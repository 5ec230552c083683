// What the kernels of screen_tiles on matrix units do with scores, of HALVES or INTEGERS. A pair of cooperative matrices has those of
// 16 queries and 32 rows. Define `threads` and `workgroup_queries` of a workgroup before, and ROW_SLICES, as many chunks of 16 bytes as
// the kernel stages of rows, at least 64 for each subgroup.
//
// With HALF_SUMS sums are halves, and half as many registers. They begin at 0, and biases are added when they are looked at, two
// at a time (docs/proofs/screened.md, "Sums in half precision").
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
#ifdef HALF_SUMS
#define Sum float16_t
#define Sum4 f16vec4
#else
#define Sum Score
#define Sum4 Score4
#endif
#define Scores coopmat<Sum, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

// Chunks of a row that one product takes: 16 halves or 32 integers.
const uint step_chunks = 2u;
const uint pair_rows = 32u;
// Chunks of 16 bytes that a matrix has of a query's sums.
#ifdef HALF_SUMS
const uint sum_chunks = 2u;
#else
const uint sum_chunks = 4u;
#endif

shared uvec4 row_slices[ROW_SLICES];
// Of queries: collecting, the least score that is wanted; sampling, the bits of what scores err by.
shared Score asked[tile_rows];
shared Score biases[tile_rows];
// Filtered: which rows of the tile each query is allowed, 32 of them in a word, which travels with what is asked. Neighbours carry the
// words of one query, which are neighbours in memory. A kernel that has another place for them defines ALLOWED_WORD.
const uint allowed_words = tile_rows / 32u;
const uint allowed_carried = workgroup_queries * allowed_words / threads;
uint next_allowed[allowed_carried];
#ifndef ALLOWED_WORD
shared uint allowed[FILTERED ? workgroup_queries * allowed_words : 1u];
#define ALLOWED_WORD(query, part) allowed[(query) * allowed_words + (part)]
#endif
// The query of what it carries, and the word.
uvec2 carried_word(uint i) {
  const uint item = gl_LocalInvocationID.x + i * threads;
  return uvec2(item / allowed_words, item % allowed_words);
}
void fetch_allowed(uint first_query, uint tile) {
  if (!FILTERED) return;
  [[unroll]] for (uint i = 0u; i < allowed_carried; ++i)
    next_allowed[i] = rows_allowed(first_query + carried_word(i).x, tile * allowed_words + carried_word(i).y);
}
void store_allowed() {
  if (!FILTERED) return;
  [[unroll]] for (uint i = 0u; i < allowed_carried; ++i) ALLOWED_WORD(carried_word(i).x, carried_word(i).y) = next_allowed[i];
}
uint allowed_pair(uint query, uint part) { return ALLOWED_WORD(query, part); }

#ifdef HALF_SUMS
#include "screen_half_sums.glsl"
#else
void store_asked(uint query, Score wanted) { asked[query] = wanted; }
void store_bias(uint row, Score bias) { biases[row] = bias; }
#endif

// The eight that an invocation has of a matrix: sums, of which scores become.
struct Eight {
  Sum4 low, high;
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
  coopMatStore(matrix, row_slices, first, sum_chunks, gl_CooperativeMatrixLayoutRowMajor);
  subgroupBarrier();
#ifdef HALF_SUMS
  const uvec4 own = row_slices[first + gl_SubgroupInvocationID];
  return Eight(halves_of(own.xy), halves_of(own.zw));
#else
  const uint own = first + 2u * gl_SubgroupInvocationID;
  return Eight(score_of_bits(row_slices[own]), score_of_bits(row_slices[own + 1u]));
#endif
}

Eight eight_of(Scores a) {
  if (!compares_in_place()) return staged(a);
  return Eight(Sum4(a[0], a[1], a[2], a[3]), Sum4(a[4], a[5], a[6], a[7]));
}

// Which place of a matrix each of the eight has: 16 * query + row, a byte each. That is the device's business; a matrix of numbers
// tells.
uvec2 places;
void find_places() {
  const uint first = 64u * gl_SubgroupID;
  const uvec4 numbers = uvec4(8u * gl_SubgroupInvocationID) + uvec4(0u, 1u, 2u, 3u);
#ifdef HALF_SUMS
  row_slices[first + gl_SubgroupInvocationID] = uvec4(bits_of_halves(numbers), bits_of_halves(numbers + uvec4(4u)));
#else
  const uint own = first + 2u * gl_SubgroupInvocationID;
  row_slices[own] = bits_of_score(Score4(numbers));
  row_slices[own + 1u] = bits_of_score(Score4(numbers + uvec4(4u)));
#endif
  subgroupBarrier();
  Scores numbered;
  coopMatLoad(numbered, row_slices, first, sum_chunks, gl_CooperativeMatrixLayoutRowMajor);
  const Eight own_numbers = eight_of(numbered);
  const uvec4 low = uvec4(own_numbers.low) << uvec4(0u, 8u, 16u, 24u), high = uvec4(own_numbers.high) << uvec4(0u, 8u, 16u, 24u);
  places = uvec2(low.x | low.y | low.z | low.w, high.x | high.y | high.z | high.w);
}

// Whether the eight are rows r, r + 1, r + 8 and r + 9 of a query, and of the query 8 further, as NVIDIA's are.
bool lies_in_twos() {
  return places == uvec2(places.x % 256u * 0x01010101u) + uvec2(0x09080100u, 0x89888180u);
}

// One of four. Registers have no addresses. Choices are made by mix(), as compilers of GLSL turn operands of ?: that are more than
// names into branches.
#define ONE_OF_FOUR(four, i)                                                                                    \
  mix(mix((four).x, (four).y, ((i) & 1u) != 0u), mix((four).z, (four).w, ((i) & 1u) != 0u), ((i) & 2u) != 0u)

// Which rows of a pair are wanted, as bits; other_wanted() makes room for them beside those of another pair.
#ifdef HALF_SUMS
// The signs of eight: of the first of two from bit 15 on downwards, of the second from bit 31.
uint signs_of(Scores differences, uint turn) {
  const Eight own = eight_of(differences);
  uint signs = (packFloat2x16(own.low.xy) & 0x80008000u) >> turn;
  signs |= (packFloat2x16(own.low.zw) & 0x80008000u) >> (turn + 1u);
  signs |= (packFloat2x16(own.high.xy) & 0x80008000u) >> (turn + 2u);
  return signs | (packFloat2x16(own.high.zw) & 0x80008000u) >> (turn + 3u);
}
// The biases of a pair, for each query the same. Two pairs that are looked at together are of the same rows.
Scores first_bias, second_bias;
void load_biases(uint first_row_of_tile) {
  coopMatLoad(first_bias, bias_halves, first_row_of_tile, 0u, gl_CooperativeMatrixLayoutRowMajor);
  coopMatLoad(second_bias, bias_halves, first_row_of_tile + 16u, 0u, gl_CooperativeMatrixLayoutRowMajor);
}
// Matrices are added as such: their elements lie two by two.
uint wanted_of(Scores a, Scores b, uint in_tile) {
  Scores least;
  coopMatLoad(least, least_halves, in_tile, 0u, gl_CooperativeMatrixLayoutColumnMajor);
  return ~(signs_of((a + first_bias) - least, 0u) | signs_of((b + second_bias) - least, 4u)) & 0xFF00FF00u;
}
uint other_wanted(uint wanted) { return wanted >> 8u; }
// The bits of rows 0, 1, 8, 9, 16, 17, 24, 25 of two queries whose eight lie in twos, where wanted_of() has theirs. A product takes
// bits 0, 8, 16 and 24 to 29, 28, 25 and 24, and those two further to two further; no two of its terms meet.
uint wanted_of_rows(uint rows, uint further_rows) {
  const uint first = (rows << 2u & 0x04040404u) | (further_rows & 0x01010101u);
  const uint second = (rows << 1u & 0x04040404u) | (further_rows >> 1u & 0x01010101u);
  return (first * 0x20100201u >> 16u & 0xFF00u) | (second * 0x20100201u & 0xFF000000u);
}
uint turn_of(uint bit) { return 15u - bit % 16u; }
uint element_of(uint bit) { return 2u * (turn_of(bit) % 4u) + bit / 16u; }
bool is_second(uint bit) { return (turn_of(bit) & 4u) != 0u; }
bool is_other(uint bit) { return (turn_of(bit) & 8u) != 0u; }
// Two sums are in a register, and there are half as many registers to choose from.
#define Choice uvec4
#define Chosen uint
uvec4 choice_of(Scores a) {
  const Eight own = eight_of(a);
  return uvec4(packFloat2x16(own.low.xy), packFloat2x16(own.low.zw), packFloat2x16(own.high.xy), packFloat2x16(own.high.zw));
}
uint chosen(uvec4 own, uint bit) { return ONE_OF_FOUR(own, turn_of(bit)); }
Sum sum_of(uint two, uint bit) { return unpackFloat2x16(two >> (bit & 16u)).x; }
// A sample's scores stay halves.
Scores sampled_first(Scores sums) { return sums + first_bias; }
Scores sampled_second(Scores sums) { return sums + second_bias; }
#else
uint passing_of(Eight scores, Eight wanted) {
  uint passing = 0u;
  [[unroll]] for (uint i = 0u; i < 4u; ++i) passing |= scores.low[i] >= wanted.low[i] ? 1u << i : 0u;
  [[unroll]] for (uint i = 0u; i < 4u; ++i) passing |= scores.high[i] >= wanted.high[i] ? 16u << i : 0u;
  return passing;
}
uint wanted_of(Scores a, Scores b, uint in_tile) {
  Scores wanted;
  coopMatLoad(wanted, asked, in_tile, 0u, gl_CooperativeMatrixLayoutColumnMajor);
  const Eight least = eight_of(wanted);
  return passing_of(eight_of(a), least) | passing_of(eight_of(b), least) << 8u;
}
// Sums have them.
void load_biases(uint first_row_of_tile) {}
uint other_wanted(uint wanted) { return wanted << 16u; }
// The bits of rows 0, 1, 8, 9, 16, 17, 24, 25 of two queries whose eight lie in twos, where wanted_of() has theirs.
uint wanted_of_rows(uint rows, uint further_rows) {
  const uint fours = (rows & 0x03030303u) | (further_rows << 4u & 0x30303030u);
  const uint eights = (fours | fours >> 6u) & 0x00FF00FFu;
  return (eights | eights >> 8u) & 0xFFFFu;
}
uint element_of(uint bit) { return bit % 8u; }
bool is_second(uint bit) { return (bit & 8u) != 0u; }
bool is_other(uint bit) { return bit >= 16u; }
#define Choice Eight
#define Chosen Sum
Eight choice_of(Scores a) { return eight_of(a); }
Sum sum_of(Sum sum, uint bit) { return sum; }
Sum chosen(Eight own, uint bit) { return mix(ONE_OF_FOUR(own.low, bit), ONE_OF_FOUR(own.high, bit), (bit & 4u) != 0u); }
// A sum is a score.
float value_of_sum(Sum sum, uint row_of_tile) { return value_of_score(sum); }
float below_of_score(Sum score) { return value_of_score(score); }
Scores sampled_first(Scores sums) { return sums; }
Scores sampled_second(Scores sums) { return sums; }
#endif

// Of what could be wanted of a pair, what its queries' filters allow, where the eight lie in twos.
uint allowed_of_pair(uint in_tile, uint part) {
  // Of eight in twos the first query is one of 8. Elsewhere the answer is not used, but both queries have to be there.
  const uint query = in_tile + places.x / 16u % 8u, row = places.x % 16u;
  return wanted_of_rows(allowed_pair(query, part) >> row, allowed_pair(query + 8u, part) >> row);
}
// And of another, that is so many queries and rows further; or all, where they lie otherwise.
uint allowed_of_pairs(uint in_tile, uint part, uvec2 apart) {
  const uint of_both = allowed_of_pair(in_tile, part) | other_wanted(allowed_of_pair(in_tile + apart.x, part + apart.y / pair_rows));
  return mix(~0u, of_both, lies_in_twos());
}

// Appends the rows that are wanted of a pair, and of another that is so many queries and rows further. Most have none. The two share
// their rounds: a round is what costs, and there are as many as the invocation with the most rows needs.
void append_wanted(uint wanted, Choice first_rows, Choice second_rows, Choice other_first, Choice other_second, uint first_query,
                   uint in_tile, uint first_row, uvec2 apart) {
  // Of a strong filter most of what passes is not allowed, and each would cost a round. Of a weak one this costs less than a branch.
  if (FILTERED) wanted &= allowed_of_pairs(in_tile, first_row % tile_rows / pair_rows, apart);
  while (wanted != 0u) {
    const uint bit = findLSB(wanted);
    wanted &= wanted - 1u;
    const uint element = element_of(bit);
    const bool other = is_other(bit), second = is_second(bit);
    const uint place = mix(places.x, places.y, (element & 4u) != 0u) >> (8u * (element % 4u)) & 255u;
    const uvec2 further = mix(uvec2(0u), apart, bvec2(other));
    const uint query = in_tile + further.x + place / 16u;
    const uint row = first_row + further.y + place % 16u + mix(0u, 16u, second);
    // Nothing has been masked where the eight lie otherwise.
    if (FILTERED && (allowed_pair(query, row % tile_rows / pair_rows) >> row % pair_rows & 1u) == 0u) continue;
    const Chosen of_pair = mix(chosen(first_rows, bit), chosen(second_rows, bit), second);
    const Chosen of_other = mix(chosen(other_first, bit), chosen(other_second, bit), second);
    const Sum sum = sum_of(mix(of_pair, of_other, other), bit);
    collect(first_query, query, value_of_sum(sum, row % tile_rows), row);
  }
}

// Eight rows of a query, less those that its filter leaves out.
Eight allowed_of(Eight scores, uint bits) {
  if (!FILTERED) return scores;
  return Eight(allowed_scores(scores.low, bits), allowed_scores(scores.high, bits >> 4u));
}

// The best of each two neighbours.
Sum4 best_of_two(Eight scores) {
  return max(Sum4(scores.low.xz, scores.high.xz), Sum4(scores.low.yw, scores.high.yw));
}

// Writes the lower bounds of a pair's groups, of neighbouring rows: two, eight, or all 32. Of two neighbours a filter that takes turns
// leaves one.
void sample_pair(Scores a, Scores b, uint first_query, uint in_tile, uint own, uint part) {
  const uint half_of_rows = gl_SubgroupInvocationID % 2u;
  const uint in_workgroup = in_tile + gl_SubgroupInvocationID / 2u;
  const uint query = first_query + in_workgroup;
  uint taken = ~0u;
  if (FILTERED) taken = allowed_pair(in_workgroup, part) >> (8u * half_of_rows);
  const Eight first_rows = allowed_of(staged(sampled_first(a)), taken);
  const Eight second_rows = allowed_of(staged(sampled_second(b)), taken >> 16u);
  const float best_first = below_of_score(best_of(max(first_rows.low, first_rows.high)));
  const float best_second = below_of_score(best_of(max(second_rows.low, second_rows.high)));
  float best = max(best_first, best_second);
  if (GROUPS_PER_TILE == 4u) best = max(best, subgroupShuffleXor(best, 1u));
  if (query < query_count) {
    const float error = error_of_bits(asked[in_workgroup]);
    // An invocation has the groups of half the rows of each of the two matrices, so many.
    const uint groups = GROUPS_PER_TILE / 16u;
    FloatsOut bounds = FloatsOut(advance(groups_of(query, own), part * (GROUPS_PER_TILE / 4u) + half_of_rows * groups, 4u));
    if (GROUPS_PER_TILE == 64u) {
      const Sum4 of_first = best_of_two(first_rows), of_second = best_of_two(second_rows);
      [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        bounds.values[i] = below_of_score(of_first[i]) - error;
        bounds.values[2u * groups + i] = below_of_score(of_second[i]) - error;
      }
    } else if (GROUPS_PER_TILE == 16u) {
      bounds.values[0] = best_first - error;
      bounds.values[2u * groups] = best_second - error;
    } else if (half_of_rows == 0u) {
      bounds.values[0] = best - error;
    }
  }
}

// Takes the scores of a pair: of the workgroup's queries in_tile … in_tile + 15 and rows 32 * part … of its tile number `own`.
// Call await_staging() before the first of a turn.
void use_pair(Scores a, Scores b, uint first_query, uint in_tile, uint own, uint part) {
  load_biases(pair_rows * part);
  if (COLLECTS == 0u) {
    sample_pair(a, b, first_query, in_tile, own, part);
    return;
  }
  // No bit says that there is another.
  append_wanted(wanted_of(a, b, in_tile), choice_of(a), choice_of(b), choice_of(a), choice_of(b), first_query, in_tile,
                tile_number(own) * tile_rows + pair_rows * part, uvec2(0u));
}
// Those of two, of which the other is so many queries and rows further.
void use_pairs(Scores a, Scores b, Scores c, Scores d, uint first_query, uint in_tile, uint own, uint part, uvec2 apart) {
  load_biases(pair_rows * part);
  if (COLLECTS == 0u) {
    sample_pair(a, b, first_query, in_tile, own, part);
    sample_pair(c, d, first_query, in_tile + apart.x, own, part + apart.y / pair_rows);
    return;
  }
  const uint wanted = wanted_of(a, b, in_tile) | other_wanted(wanted_of(c, d, in_tile + apart.x));
  append_wanted(wanted, choice_of(a), choice_of(b), choice_of(c), choice_of(d), first_query, in_tile,
                tile_number(own) * tile_rows + pair_rows * part, apart);
}
// What begin() does, and what scores need; false as well where there are no tiles. Await it before slices are stored.
bool begin_workgroup(uint first_query, out Asker asker) {
  // Nothing is asked of no tile.
  if (own_tiles() == 0u || !begin(first_query, asker)) return false;
  if (COLLECTS != 0u) find_places();
  return true;
}
// Scores may be staged where others still read slices.
void await_staging() {
  if (!compares_in_place()) barrier();
}

#endif
