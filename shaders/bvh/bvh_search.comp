#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/bvh_search.h"
PROXEL_BVH_SEARCH_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "after.glsl"
#include "canonical.glsl"
#include "counted.glsl"
#include "decode.glsl"
#include "filter.glsl"
#include "team.glsl"
#include "workgroup.glsl"

layout(push_constant, std430) uniform Push { BvhSearchParameters p; };

shared uvec2 pool[CAPACITY];
#include "bitonic_sort.glsl"

const uint lane_bits = 5u;  // of bvh_width
float query[bvh_most_dimensions];
uvec2 filter_bits;
uvec2 after;      // where p.after is given
uint held;        // keys in the pool
uvec2 bound;      // no key at or above it is wanted

// Boxes of a level; it exists.
uint boxes_of(uint level) { return ((p.row_count - 1u) >> (lane_bits * (level + 1u))) + 1u; }

// The distance key of the point of this invocation's box nearest to the query.
uint box_key(uint level, uint group) {
  const uint lane = gl_LocalInvocationID.x;
  uint first_group = group;
  for (uint below = 0u; below < level; ++below) first_group += boxes_of(below + 1u);
  FloatsIn bounds = FloatsIn(advance(p.boxes, first_group, 8u * DIMENSIONS * bvh_width));
  float s = 0.0;
  [[unroll]] for (uint i = 0u; i < bvh_most_dimensions; ++i)
    if (i < DIMENSIONS) {
      precise const float below = bounds.values[2u * i * bvh_width + lane] - query[i];
      precise const float above = query[i] - bounds.values[(2u * i + 1u) * bvh_width + lane];
      // A NaN, of a query or of infinities, is no reason to pass a box over.
      float gap = 0.0;
      if (below > gap) gap = below;
      if (above > gap) gap = above;
      s = canonical_step(s, gap, 0.0);
    }
  return sum_key(s);
}

// The same for a box of a group, `none` for one that does not exist.
const uint none = 0xFFFFFFFFu;
uint key_in_group(uint level, uint group) {
  const bool exists = group * bvh_width + gl_LocalInvocationID.x < boxes_of(level);
  return exists ? box_key(level, group) : none;
}

// Keeps the k smallest of the keys held, in order.
void keep_nearest() {
  uint size = 1u;
  while (size < held) size <<= 1;
  for (uint i = held + gl_LocalInvocationID.x; i < size; i += bvh_width) pool[i] = no_row;
  barrier();
  sort_pool(size);
  if (held >= p.k) {
    held = p.k;
    bound = pool[p.k - 1u];
  }
  // The bound has been read before the pool is written again.
  barrier();
}

void visit_leaf(uint leaf) {
  const uint lane = gl_LocalInvocationID.x;
  const uint place = leaf * bvh_width + lane;
  FloatsIn coordinates = FloatsIn(advance(p.coordinates, leaf, 4u * DIMENSIONS * bvh_width));
  float s = 0.0;
  [[unroll]] for (uint i = 0u; i < bvh_most_dimensions; ++i)
    if (i < DIMENSIONS) s = canonical_step(s, query[i], coordinates.values[i * bvh_width + lane]);
  uvec2 key = uvec2(sum_key(s), 0u);
  bool wanted = place < p.row_count && key.x <= bound.x;
  if (wanted) {
    key.y = UintsIn(advance(p.order, place, 4u)).values[0];
    wanted = key_less(key, bound) && (is_null(p.after) || key_less(after, key)) &&
             (is_null(p.filter_bits) || row_allowed(filter_bits, key.y));
  }
  const uint all_wanted = team_ballot(wanted);
  if (all_wanted == 0u) return;
  if (wanted) pool[held + bitCount(all_wanted & ((1u << lane) - 1u))] = key;
  held += bitCount(all_wanted);
  if (held >= bvh_pool(p.k)) keep_nearest();
}

// Nearest first, on every level: what is found early lets most boxes be passed over.
void visit_all() {
  uint last_level = 0u;
  while (boxes_of(last_level) > bvh_width) ++last_level;
  uint waiting[bvh_most_levels];  // keys of the boxes that are left of the group at hand of each level
  uint level = last_level;
  uint group = 0u;
  uint key = key_in_group(level, group);
  while (true) {
    const uint least = team_minimum(key);
    // No box has a NaN for its distance.
    if (least == none || least > bound.x) {
      if (level == last_level) return;
      ++level;
      group >>= lane_bits;
      [[unroll]] for (uint i = 1u; i < bvh_most_levels; ++i)
        if (i == level) key = waiting[i];
      continue;
    }
    const uint nearest = findLSB(team_ballot(key == least));
    if (nearest == gl_LocalInvocationID.x) key = none;
    if (level == 0u) {
      visit_leaf(group * bvh_width + nearest);
      continue;
    }
    [[unroll]] for (uint i = 1u; i < bvh_most_levels; ++i)
      if (i == level) waiting[i] = key;
    group = group * bvh_width + nearest;
    --level;
    key = key_in_group(level, group);
  }
}

void main() {
  const uint number = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  if (number >= p.query_count || past_counted(p.counted, number, p.queries)) return;
  team_begin();
  FloatsIn values = FloatsIn(advance_elements(p.queries, number, p.query_stride));
  [[unroll]] for (uint i = 0u; i < bvh_most_dimensions; ++i)
    if (i < DIMENSIONS) query[i] = values.values[i];
  filter_bits = filter_of_query(p.filter_bits, number, p.filter_stride);
  after = key_after(p.after, number, 1u, p.boxes);
  held = 0u;
  bound = no_row;
  visit_all();
  keep_nearest();
  UintsOut indices = UintsOut(advance_elements(p.indices, number, p.k));
  FloatsOut distances = FloatsOut(advance_elements(p.distances, number, p.k));
  for (uint i = gl_LocalInvocationID.x; i < p.k; i += bvh_width) {
    const uvec2 key = i < held ? pool[i] : no_row;
    indices.values[i] = key.y;
    distances.values[i] = decoded_distance(key, false, p.finish);
  }
}
