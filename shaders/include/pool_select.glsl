// Selection of the k smallest keys by one workgroup out of very many, any
// subgroup size.
//
// A pool in shared memory holds the keys that may still be among the k; keys
// beyond the bound are passed over, which costs a comparison. Where the pool
// fills, it is narrowed: the bound becomes a key that at least k and not many
// more keys do not pass, found by counting, and the keys beyond it are dropped.
//
// All calls are made by the whole workgroup together. The file that includes
// this one defines CAPACITY (a power of two of at least 2 * k and 4 * workgroup
// size), LARGEST_FIRST, CHUNK (keys an invocation offers at once, a multiple of
// 4), the array chunk_keys of them, order_key's results, chunk_index(j), the j-th
// key's index or 0xFFFFFFFF, chosen_index(j), the same where the key is a number's, ASCENDING, whether no index offered before is above
// those of a chunk, and chunk_begin, the lowest index of the chunk. It may define WRITE_SLOT, what is done with a key in its place.
#ifndef PROXEL_POOL_SELECT_GLSL
#define PROXEL_POOL_SELECT_GLSL
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#include "proxel/passes/distribution.h"
#include "selection_rows.glsl"

#ifndef WRITE_SLOT
#define WRITE_SLOT(result, rows, row, slot, key) write_selected(result, rows, row, slot, key, LARGEST_FIRST)
#endif

shared uvec2 pool[CAPACITY];
const bool POOL_DISTRIBUTES = CAPACITY > largest_sorted_pool;
const uint POOL_BUCKETS = POOL_DISTRIBUTES ? CAPACITY / pool_keys_per_bucket : 2u;
shared uint pool_buckets[POOL_BUCKETS / 2u + 1u];
#include "bitonic_sort.glsl"
#define BUCKETS POOL_BUCKETS
#define BUCKET_WORD(i) pool_buckets[i]
#define DISTRIBUTED_KEY(i) pool[i]
#include "distribution.glsl"
#include "key_range.glsl"
#include "reductions.glsl"

uint pool_k;
uint pool_held = 0u;                                // keys in the pool
bool pool_guessed = false;                           // the bound is a guess
uvec2 pool_bound = uvec2(0xFFFFFFFFu, 0xFFFFFFFEu);  // keys beyond are not among the k

// The distance key, of an order key or of a distance key. That of a number: key_of_number().
uint exact_key(uint key) {
  const uint ascending = LARGEST_FIRST ? ~key : key;
  if (ascending > 0xFF800000u || ascending < 0x007FFFFFu) return 0xFFFFFFFFu;
  if (ascending == 0x7FFFFFFFu) return LARGEST_FIRST ? 0x7FFFFFFFu : 0x80000000u;
  return key;
}

uvec2 chunk_key(uint j) { return uvec2(exact_key(chunk_keys[j]), chunk_index(j)); }
bool within(uvec2 key, uvec2 bound) { return !key_less(bound, key); }

void pool_begin(uint k) {
  pool_k = k;
  reductions_begin();
}

// Forgets the keys, not the bound.
void pool_clear() {
  pool_held = 0u;
  barrier();
}

// Forgets both.
void pool_restart() {
  pool_bound = uvec2(0xFFFFFFFFu, 0xFFFFFFFEu);
  pool_guessed = false;
  pool_clear();
}

// Whether the k smallest are held, where all keys have been offered.
bool pool_complete() { return !pool_guessed || pool_held >= pool_k; }

// What is counted.
const uint count_minima = 0u;   // minima of groups of the chunk at or below `middle`
const uint count_words = 1u;    // distance keys of the pool at or below `middle`
const uint count_indices = 2u;  // keys of the pool at or below (word, middle)
uint minima[CHUNK];

uint count_reached(const uint what, uint minima_count, uint middle, uint word) {
  uint count = 0u;
  if (what == count_minima) {
    if (minima_count == 1u) {
      count = uint(minima[0] <= middle);
    } else if (minima_count == 4u) {
      [[unroll]] for (uint g = 0u; g < 4u; ++g) count += uint(minima[g] <= middle);
    } else {
      [[unroll]] for (uint g = 0u; g < CHUNK; ++g) count += uint(minima[g] <= middle);
    }
  } else {
    for (uint i = gl_LocalInvocationID.x; i < pool_held; i += WORKGROUP_SIZE)
      count += uint(what == count_words ? pool[i].x <= middle : within(pool[i], uvec2(word, middle)));
  }
  return count;
}

// A key of a range that at least `least` of what is counted do not pass, and no more than `most` unless keys are equal.
// Returns the key, and how many do not pass it.
uvec2 key_of_rank(const uint what, uint minima_count, KeyRange range, uint least, uint most, uint word) {
  const uint rank = least + (most - least) / 2u;
  while (range.low < range.high) {
    const uint middle = key_range_middle(range, min(rank, range.reached));
    const uint reached = workgroup_total(count_reached(what, minima_count, middle, word));
    key_range_narrow(range, middle, reached, least);
    if (reached >= least && reached <= most) break;
  }
  return uvec2(range.high, range.reached);
}

// Sets the bound to one of the minima, of 1, 4 or CHUNK groups, that at least `least` of them do not pass, and `most` as a rule.
void bound_by_minima(uint groups, uint least, uint most) {
  uint low = minima[0];
  uint high = minima[0];
  if (groups != 1u) {
    [[unroll]] for (uint g = 1u; g < CHUNK; ++g)
      if (g < groups) {
        low = min(low, minima[g]);
        high = max(high, minima[g]);
      }
  }
  const uvec2 range = workgroup_range(low, high);
  const KeyRange keys = key_range(range.x, range.y, groups * WORKGROUP_SIZE, true);
  pool_bound = uvec2(key_of_rank(count_minima, groups, keys, least, most, 0u).x, 0xFFFFFFFEu);
}

// Sets a first bound from the chunk: the k-th smallest of the minima of groups
// of its values is one. Where there are fewer, nothing is passed over.
void pool_prime() {
  uint groups = CHUNK;
  if (2u * pool_k <= WORKGROUP_SIZE)
    groups = 1u;
  else if (2u * pool_k <= 4u * WORKGROUP_SIZE)
    groups = 4u;
  else if (pool_k > CHUNK * WORKGROUP_SIZE)
    return;
  [[unroll]] for (uint j = 0u; j < CHUNK; ++j) minima[j] = exact_key(chunk_keys[j]);
  if (groups <= 4u) {
    [[unroll]] for (uint g = 0u; g < 4u; ++g) {
      uint least = minima[g * (CHUNK / 4u)];
      [[unroll]] for (uint j = 1u; j < CHUNK / 4u; ++j)
        least = min(least, minima[g * (CHUNK / 4u) + j]);
      minima[g] = least;
    }
    if (groups == 1u) minima[0] = min(min(minima[0], minima[1]), min(minima[2], minima[3]));
  }
  bound_by_minima(groups, pool_k, pool_k + pool_k / 4u);
}

// The rank of a value of a sample that k of all values do not exceed, as a rule: how many of these the sample has varies as a Poisson
// variable does, and the rank is three deviations above what is expected. 0 where the minima of pool_prime() say as much.
uint rank_of_sample(uint columns) {
  const uint sampled = CHUNK * WORKGROUP_SIZE;
  if (columns / 2u < sampled) return 0u;
  const float mean = float(pool_k) * (float(sampled) / float(columns));
  const uint rank = uint(mean + 3.0 * sqrt(mean)) + 3u;
  return rank < pool_k ? rank : 0u;
}

// Sets a first bound that is a guess: of the chunk, a sample of all values, the value of such a rank. Where fewer than k keys are held
// in the end, after all have been offered, it was too low: pool_restart(), and offer them again.
void pool_guess(uint rank) {
  [[unroll]] for (uint j = 0u; j < CHUNK; ++j) minima[j] = exact_key(chunk_keys[j]);
  bound_by_minima(CHUNK, rank, rank + rank / 8u);
  pool_guessed = true;
}

void drop_beyond_bound() {
  uint kept = 0u;
  for (uint first = 0u; first < pool_held; first += WORKGROUP_SIZE) {
    const uint i = first + gl_LocalInvocationID.x;
    uvec2 key = no_row;
    if (i < pool_held) key = pool[i];
    const bool keep = within(key, pool_bound);
    const uvec4 lanes = subgroupBallot(keep);
    uint place = 0u;
    if (subgroupElect()) place = atomicAdd(reduced_sum[reduction_turn], subgroupBallotBitCount(lanes));
    place = subgroupBroadcastFirst(place) + subgroupBallotExclusiveBitCount(lanes);
    const uint added = end_of_turn();
    // No more keys are kept than were read: these places have been read by all.
    if (keep) pool[kept + place] = key;
    kept += added;
  }
  pool_held = kept;
  barrier();
}

// Leaves at least k and at most `most` keys, if more than `most` are held.
void pool_narrow(uint most) {
  if (pool_held <= most) return;
  uint low = 0xFFFFFFFFu;
  uint high = 0u;
  for (uint i = gl_LocalInvocationID.x; i < pool_held; i += WORKGROUP_SIZE) {
    low = min(low, pool[i].x);
    high = max(high, pool[i].x);
  }
  const uvec2 range = workgroup_range(low, high);
  const uvec2 words = key_of_rank(count_words, 0u, key_range(range.x, range.y, pool_held, true), pool_k, most, 0u);
  pool_bound = uvec2(words.x, 0xFFFFFFFEu);
  // Where too many values equal the k-th, the lowest indices among them decide.
  if (words.y > most)
    pool_bound.y =
        key_of_rank(count_indices, 0u, key_range(0u, 0xFFFFFFFEu, pool_held, false), pool_k, most, words.x).x;
  drop_beyond_bound();
}

// Few more than k: a tighter bound costs more than it saves.
uint pool_loose() { return min(pool_k + pool_k / 4u + 16u, CAPACITY / 2u); }

// A bit for each key of the chunk that is not beyond the bound, and some for keys
// that are. The bound's distance key is not that of NaN.
uint chosen_of_chunk() {
  // Between the key of the last number and that of NaN there is no value.
  uint word = min(pool_bound.x, 0xFF800000u);
  // Where the bound is an index before the chunk, its equals here are beyond it.
  if (ASCENDING && pool_bound.y < chunk_begin) --word;
  // The order key of -0 stands beside the distance key of zeros.
  if (word == 0x7FFFFFFFu) word = LARGEST_FIRST ? 0x80000000u : 0x7FFFFFFEu;
  const uint limit = word - first_number;
  uint least = chunk_keys[0] - first_number;
  [[unroll]] for (uint j = 1u; j < CHUNK; ++j) least = min(least, chunk_keys[j] - first_number);
  if (least > limit) return 0u;
  uint bits = 0u;
  [[unroll]] for (uint j = 0u; j < CHUNK; ++j) bits |= uint(chunk_keys[j] - first_number <= limit) << j;
  return bits;
}

// Offers the chunk's keys.
void pool_offer() {
  const bool bounded = pool_bound.x != 0xFFFFFFFFu;
  uint chosen = 0u;
  if (bounded) chosen = chosen_of_chunk();
  if (chosen != 0u) {
    uint place = pool_held + atomicAdd(reduced_sum[reduction_turn], uint(bitCount(chosen)));
    [[unroll]] for (uint j = 0u; j < CHUNK; ++j)
      if ((chosen >> j & 1u) != 0u) {
        if (place < CAPACITY) pool[place] = uvec2(key_of_number(chunk_keys[j]), chosen_index(j));
        ++place;
      }
  }
  const uint added = end_of_turn();
  uint next = CHUNK;
  uvec2 keys[CHUNK];
  if (bounded && pool_held + added <= CAPACITY) {
    pool_held += added;
  } else {
    // One key of each invocation at a time, narrowing where they might not fit.
    next = 0u;
    [[unroll]] for (uint j = 0u; j < CHUNK; ++j) keys[j] = chunk_key(j);
  }
  [[dont_unroll]] for (;;) {
    // Few of a chunk pass a guess: nothing is narrowed before it must be.
    const uint spare = pool_guessed ? min(2u * added, CAPACITY / 2u) : CAPACITY / 2u;
    const uint room = CAPACITY - (next == CHUNK ? spare : WORKGROUP_SIZE);
    if (pool_held > room) pool_narrow(pool_loose());
    if (next == CHUNK) break;
    if (within(keys[next], pool_bound))
      pool[pool_held + atomicAdd(reduced_sum[reduction_turn], 1u)] = keys[next];
    pool_held += end_of_turn();
    ++next;
  }
}

// Keys that are sorted by comparisons: a few more than k are found sooner; many more take longer to sort.
uint pool_sorted_at_once() {
  const uint many = 200u;
  uint count = 2u;
  while (count < (pool_k < many ? pool_k + pool_k / 8u : pool_k)) count *= 2u;
  return min(count, CAPACITY);
}

// Puts the keys in order by comparisons.
void pool_sort() {
  uint count = 2u;
  while (count < pool_held) count *= 2u;
  for (uint i = pool_held + gl_LocalInvocationID.x; i < count; i += WORKGROUP_SIZE) pool[i] = no_row;
  barrier();
  sort_pool(count);
}

// Puts the keys, of which there are at most distributed_at_once for each invocation, where the distribution has places for them. Returns
// false, and has moved none, where values lie unevenly.
bool pool_distribute() {
  // While keys change their places they are in registers.
  uvec2 keys[distributed_at_once];
  uint low = 0xFFFFFFFFu;
  uint high = 0u;
  [[unroll]] for (uint j = 0u; j < distributed_at_once; ++j) {
    const uint i = j * WORKGROUP_SIZE + gl_LocalInvocationID.x;
    if (i < pool_held) {
      keys[j] = pool[i];
      low = min(low, keys[j].x);
      high = max(high, keys[j].x);
    }
  }
  if (!distribution_begin(low, high)) return false;
  [[unroll]] for (uint j = 0u; j < distributed_at_once; ++j)
    if (j * WORKGROUP_SIZE + gl_LocalInvocationID.x < pool_held) distribution_count(keys[j]);
  if (!distribution_end()) return false;
  [[unroll]] for (uint j = 0u; j < distributed_at_once; ++j)
    if (j * WORKGROUP_SIZE + gl_LocalInvocationID.x < pool_held) pool[place_of(keys[j])] = keys[j];
  barrier();
  return true;
}

// Writes one row of a result: the k smallest, ascending where that is asked for. The pool is clobbered.
void pool_write(SelectionResult result, SelectionRows rows, uint row) {
  const uint thread = gl_LocalInvocationID.x;
  const bool sorted = result.sorted != 0u;
  bool distributes = POOL_DISTRIBUTES && sorted && pool_k >= least_distributed && pool_k <= distributed_at_once * WORKGROUP_SIZE;
  bool distributed = false;
  // A loop, so that there is one call of pool_narrow(): with another, group_select gave wrong answers in NVIDIA's driver 580.
  [[dont_unroll]] for (;;) {
    pool_narrow(!sorted ? pool_k : distributes ? distributed_at_once * WORKGROUP_SIZE : pool_sorted_at_once());
    if (!distributes) break;
    distributed = pool_distribute();
    if (distributed) break;
    distributes = false;
  }
  const uint found = min(pool_held, pool_k);
  if (distributed) {
    const uint end = distributed_end(found);
    for (uint i = thread; i < end; i += WORKGROUP_SIZE) {
      const uvec2 key = pool[i];
      const uint rank = rank_of(key);
      if (rank < found) WRITE_SLOT(result, rows, row, rank, key);
    }
  } else if (sorted) {
    pool_sort();
  }
  for (uint i = (distributed ? found : 0u) + thread; i < result.k; i += WORKGROUP_SIZE)
    WRITE_SLOT(result, rows, row, i, i < found ? pool[i] : no_row);
}

#endif
