#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/bucket_select.h"
PROXEL_BUCKET_SELECT_CONSTANTS(PROXEL_SPECIALISED)
#include "radix.glsl"

layout(push_constant, std430) uniform Push { BucketSelectParameters p; };

// Buckets whose counts are summed as one digit's.
const uint TOGETHER = bucket_count / DIGITS;

shared uint bucket_counts[bucket_count];
shared uint smallest;
shared uint largest_complement;

// The keys among which the k-th is, and its rank among them.
uint low, high, rank;

uint bucket_width() { return (high - low) / bucket_count + 1u; }

// All invocations call it.
void narrow(uvec2 buckets) {
  UintsIn counts = UintsIn(buckets);
  for (uint d = gl_LocalInvocationID.x; d < DIGITS; d += WORKGROUP_SIZE) {
    uint sum = 0u;
    for (uint i = 0u; i < TOGETHER; ++i) sum += counts.values[d * TOGETHER + i];
    digit_sums[0][d] = sum;
  }
  barrier();
  const uint sums = sum_digits();
  for (uint d = gl_LocalInvocationID.x; d < DIGITS; d += WORKGROUP_SIZE) {
    uint before = d == 0u ? 0u : digit_sums[sums][d - 1u];
    if (before >= rank || rank > digit_sums[sums][d]) continue;
    uint bucket = d * TOGETHER;
    for (uint i = 1u; i < TOGETHER; ++i) {
      const uint count = counts.values[bucket];
      if (rank - before <= count) break;
      before += count;
      ++bucket;
    }
    found_digit = bucket;
    found_rank = rank - before;
  }
  barrier();
  const uint wide = bucket_width();
  low += found_digit * wide;
  high = low + min(high - low, wide - 1u);
  rank = found_rank;
  barrier();
}

// Calls for the key of every column that the workgroup strides over.
void take_key(uint key) {
  if (p.round == 0u) {
    low = min(low, key);
    high = max(high, key);
  } else if (key >= low && key <= high) {
    atomicAdd(bucket_counts[(key - low) / bucket_width()], 1u);
  }
}

void take_row(uint row) {
  const uvec2 values = advance_elements(p.rows.values, row, p.rows.row_stride);
  const uint tiles = p.rows.columns / TILE + uint(p.rows.columns % TILE != 0u);
  for (uint tile = gl_WorkGroupID.x; tile < tiles; tile += gl_NumWorkGroups.x) {
    const uint count = min(TILE, p.rows.columns - tile * TILE);
    FloatsIn of_tile = FloatsIn(advance(values, tile, 4u * TILE));
    float read[ITEMS];
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
      const uint item = i * WORKGROUP_SIZE + gl_LocalInvocationID.x;
      if (item < count) read[i] = of_tile.values[item];
    }
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i)
      if (i * WORKGROUP_SIZE + gl_LocalInvocationID.x < count) take_key(distance_key(read[i], LARGEST_FIRST));
  }
}

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const uint row = gl_WorkGroupID.y;
  const uvec2 range = advance(p.ranges, row, 8u);
  if (p.round == 0u) {
    low = 0xFFFFFFFFu;
    high = 0u;
    if (thread == 0u) smallest = largest_complement = 0xFFFFFFFFu;
    barrier();
    take_row(row);
    atomicMin(smallest, low);
    atomicMin(largest_complement, ~high);
    barrier();
    if (thread == 0u) {
      atomicMin(Counts(range).values[0], smallest);
      atomicMin(Counts(range).values[1], largest_complement);
    }
    return;
  }
  low = UintsIn(range).values[0];
  high = ~UintsIn(range).values[1];
  rank = p.k;
  const uvec2 buckets = advance(p.buckets, row, 4u * bucket_rounds * bucket_count);
  for (uint round = 1u; round < p.round && low != high; ++round)
    narrow(advance(buckets, round - 1u, 4u * bucket_count));
  if (p.round > bucket_rounds) {
    if (thread < 4u)
      UintsOut(row_histograms(p.histograms, row)).values[thread * DIGITS + (low >> (24u - 8u * thread) & (DIGITS - 1u))] =
          0xFFFFFFFFu;
    return;
  }
  if (low == high) return;
  for (uint b = thread; b < bucket_count; b += WORKGROUP_SIZE) bucket_counts[b] = 0u;
  barrier();
  take_row(row);
  barrier();
  Counts counts = Counts(advance(buckets, p.round - 1u, 4u * bucket_count));
  for (uint b = thread; b < bucket_count; b += WORKGROUP_SIZE)
    if (bucket_counts[b] != 0u) atomicAdd(counts.values[b], bucket_counts[b]);
}
