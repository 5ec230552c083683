// Many keys of one workgroup in order: by where their values lie; where these lie unevenly, runs of RUN keys, a power of two, are sorted
// in shared memory, then merged in pairs between two buffers.
#ifndef PROXEL_RUNS_GLSL
#define PROXEL_RUNS_GLSL
// Included behind the constant RUN.
#include "address.glsl"
#include "order.glsl"
#include "workgroup.glsl"
#include "proxel/passes/distribution.h"
#include "proxel/passes/screen_runs.h"

shared uvec2 pool[RUN + 1u];  // or buckets, and a word
#include "bitonic_sort.glsl"

// Coherent, because invocations read what others have written. In memory a key is index first.
layout(buffer_reference, std430, buffer_reference_align = 8) coherent buffer CoherentKeys { uvec2 values[]; };

uvec2 distributed;  // where keys stand at their places
#define BUCKETS (buckets_per_run_key * RUN)
#define BUCKET_WORD(i) pool[(i) / 2u][(i) % 2u]
#define DISTRIBUTED_KEY(i) CoherentKeys(distributed).values[i].yx
#include "distribution.glsl"

// Sorts every run of the keys; only its k smallest are written back.
void sort_runs(CoherentKeys keys, uint count, uint k) {
  for (uint first = 0u; first < count; first += RUN) {
    const uint held = min(RUN, count - first);
    uint size = 2u;
    while (size < held) size *= 2u;
    for (uint i = gl_LocalInvocationID.x; i < size; i += WORKGROUP_SIZE)
      pool[i] = i < held ? keys.values[first + i].yx : no_row;
    barrier();
    sort_pool(size);
    for (uint i = gl_LocalInvocationID.x; i < min(held, k); i += WORKGROUP_SIZE) keys.values[first + i] = pool[i].yx;
    barrier();
  }
}

// Merges pairs of runs of `run` keys, each as far as its k smallest. An invocation takes run_items neighbouring places
// of a merged run at a time, and finds by bisection where in both runs their keys begin.
void merge_pairs(uvec2 from_address, uvec2 to_address, uint count, uint k, uint run) {
  CoherentKeys from = CoherentKeys(from_address);
  CoherentKeys to = CoherentKeys(to_address);
  for (uint chunk = gl_LocalInvocationID.x * run_items; chunk < count; chunk += WORKGROUP_SIZE * run_items) {
    const uint first = chunk / (2u * run) * (2u * run);
    const uint second = first + run;
    const uint place = chunk - first;
    const uint first_length = min(min(run, count - first), k);
    const uint second_length = count > second ? min(min(run, count - second), k) : 0u;
    const uint end = min(min(place + run_items, first_length + second_length), k);
    if (place >= end) continue;
    uint low = place > second_length ? place - second_length : 0u;
    uint high = min(place, first_length);
    while (low < high) {
      const uint middle = (low + high) / 2u;
      if (key_less(from.values[first + middle].yx, from.values[second + place - 1u - middle].yx))
        low = middle + 1u;
      else
        high = middle;
    }
    uint i = low;
    uint j = place - low;
    uvec2 a = no_row;
    uvec2 b = no_row;
    if (i < first_length) a = from.values[first + i].yx;
    if (j < second_length) b = from.values[second + j].yx;
    for (uint at = place; at < end; ++at) {
      if (key_less(a, b)) {
        to.values[first + at] = a.yx;
        ++i;
        a = no_row;
        if (i < first_length) a = from.values[first + i].yx;
      } else {
        to.values[first + at] = b.yx;
        ++j;
        b = no_row;
        if (j < second_length) b = from.values[second + j].yx;
      }
    }
  }
}

// What is done with a key that is read.
const uint to_find_range = 0u;
const uint to_count_keys = 1u;
const uint to_place = 2u;
uint least_word;
uint largest_word;

const uint keys_at_once = 8u;  // that are on their way
uvec2 keys_read[keys_at_once];

void read_keys(uvec2 keys, uint first, uint count) {
  [[unroll]] for (uint j = 0u; j < keys_at_once; ++j)
    keys_read[j] = CoherentKeys(keys).values[min(first + j * WORKGROUP_SIZE, count - 1u)].yx;
}

void use_each(uvec2 keys, uint count, uint use) {
  for (uint first = gl_LocalInvocationID.x; first < count; first += keys_at_once * WORKGROUP_SIZE) {
    // Where they are no more than that, they have been read.
    if (count > keys_at_once * WORKGROUP_SIZE) read_keys(keys, first, count);
    [[unroll]] for (uint j = 0u; j < keys_at_once; ++j) {
      if (first + j * WORKGROUP_SIZE < count) {
        if (use == to_find_range) {
          least_word = min(least_word, keys_read[j].x);
          largest_word = max(largest_word, keys_read[j].x);
        } else if (use == to_count_keys) {
          distribution_count(keys_read[j]);
        } else {
          CoherentKeys(distributed).values[place_of(keys_read[j])] = keys_read[j].yx;
        }
      }
    }
  }
}

// Brings the keys to the places of their buckets: DISTRIBUTED_KEY(i) for i below distributed_end(k) has a place in order of
// rank_of() it. Returns false, and has changed none, where the values lie unevenly; where it returns true all are finite. All invocations
// call it.
// @param spare  clobbered; as large
bool distribute(uvec2 keys, uvec2 spare, uint count) {
  if (count > most_distributed) return false;
  distributed = spare;
  least_word = 0xFFFFFFFFu;
  largest_word = 0u;
  reductions_begin();
  if (count <= keys_at_once * WORKGROUP_SIZE) read_keys(keys, gl_LocalInvocationID.x, count);
  use_each(keys, count, to_find_range);
  if (!distribution_begin(least_word, largest_word)) return false;
  use_each(keys, count, to_count_keys);
  if (!distribution_end()) return false;
  use_each(keys, count, to_place);
  memoryBarrierBuffer();
  barrier();
  return true;
}

// Where the k smallest of the keys then stand, ascending: at one of the two addresses, which are both clobbered. All
// invocations call it. Addresses, because SwiftShader does not compile variables that are references and change.
uvec2 sort_and_merge(uvec2 keys, uvec2 spare, uint count, uint k) {
  sort_runs(CoherentKeys(keys), count, k);
  memoryBarrierBuffer();
  barrier();
  for (uint run = RUN; run < count; run *= 2u) {
    merge_pairs(keys, spare, count, k, run);
    memoryBarrierBuffer();
    barrier();
    const uvec2 merged = spare;
    spare = keys;
    keys = merged;
  }
  return keys;
}

#endif
