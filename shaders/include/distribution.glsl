// Keys of a workgroup in order by where their values lie, any subgroup size: buckets share out evenly what is between the least value and
// the largest, each key goes to its bucket's places, and those of its bucket that come before it are counted. That takes a few steps for
// each key, where sorting by comparisons takes one for each stage, if values lie more or less evenly.
//
// All invocations of the workgroup make every call but those with a key. The file that includes this one defines BUCKETS, an even number,
// BUCKET_WORD(i), one of BUCKETS / 2 + 1 words of shared memory, and DISTRIBUTED_KEY(i), the key that stands at a place.
#ifndef PROXEL_DISTRIBUTION_GLSL
#define PROXEL_DISTRIBUTION_GLSL
#include "order.glsl"
#include "reductions.glsl"
#include "sums.glsl"
#include "proxel/passes/distribution.h"

float distribution_first;
float distribution_scale;

// No key's bucket is before that of a smaller one.
uint bucket_of(uvec2 key) {
  precise const float share = (ascending_value(key.x) - distribution_first) * distribution_scale;
  return min(uint(share), BUCKETS - 1u);
}

// Begins to count; reductions_begin() has been called. Returns whether there is a bucket for every key: not where all their values are
// nearly equal, nor where one is an infinity or NaN.
// @param low, high  the least and the largest word of this invocation's keys; all ones and 0 where it has none
bool distribution_begin(uint low, uint high) {
  for (uint i = gl_LocalInvocationID.x; i < BUCKETS / 2u; i += WORKGROUP_SIZE) BUCKET_WORD(i) = 0u;
  const uvec2 range = workgroup_range(low, high);
  if (range.x < least_number_key || range.y > largest_number_key) return false;
  distribution_first = ascending_value(range.x);
  const float width = ascending_value(range.y) - distribution_first;
  if (!(width >= least_width && width <= largest_width)) return false;
  distribution_scale = float(BUCKETS) / width;
  return true;
}

void distribution_count(uvec2 key) {
  const uint own = bucket_of(key);
  atomicAdd(BUCKET_WORD(own / 2u), 1u << own % 2u * 16u);
}

// Ends the count. Returns whether no bucket is crowded.
bool distribution_end() {
  barrier();
  const uint words = BUCKETS / 2u;
  const uint own = (words - 1u) / WORKGROUP_SIZE + 1u;
  const uint first_word = min(place_in_order() * own, words);
  const uint end_word = min(first_word + own, words);
  uint sum = 0u;
  uint most = 0u;
  for (uint i = first_word; i < end_word; ++i) {
    const uint counts = BUCKET_WORD(i);
    sum += (counts & 0xFFFFu) + (counts >> 16);
    most = max(most, max(counts & 0xFFFFu, counts >> 16));
  }
  if (workgroup_range(0u, most).y > crowded_bucket) return false;
  const uvec2 sums = sums_of(sum, 0u);
  uint before = sums.x;
  for (uint i = first_word; i < end_word; ++i) {
    const uint counts = BUCKET_WORD(i);
    const uint first = before + (counts & 0xFFFFu);
    before = first + (counts >> 16);
    BUCKET_WORD(i) = first | before << 16;
  }
  if (gl_LocalInvocationID.x == 0u) BUCKET_WORD(words) = sums.y;
  barrier();
  return true;
}

// A place for a key that was counted: those of a bucket are given away from the last to the first.
uint place_of(uvec2 key) {
  const uint own = bucket_of(key);
  const uint shift = own % 2u * 16u;
  return (atomicAdd(BUCKET_WORD(own / 2u), 0u - (1u << shift)) >> shift & 0xFFFFu) - 1u;
}

// The first place of a bucket, where all places are given away.
uint start_of(uint bucket) { return BUCKET_WORD(bucket / 2u) >> bucket % 2u * 16u & 0xFFFFu; }

// Where all keys stand at their places: the end of those that may be among the k smallest.
uint distributed_end(uint k) { return start_of(bucket_of(DISTRIBUTED_KEY(k - 1u)) + 1u); }

// How many come before one of them.
uint rank_of(uvec2 key) {
  const uint own = bucket_of(key);
  const uint end = start_of(own + 1u);
  uint rank = start_of(own);
  for (uint other = rank; other < end; ++other) rank += uint(key_less(DISTRIBUTED_KEY(other), key));
  return rank;
}

#endif
