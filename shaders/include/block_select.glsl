// Selection of the smallest keys by one workgroup, any subgroup size.
//
// List length 1: every invocation keeps its best; one reduction at the end.
// Otherwise a pool in shared memory holds the best k so far, ascending, and
// behind them candidates below the k-th. When candidates no longer fit, the
// pool is sorted and cut back to k. After the first few hundred rows almost
// nothing passes the threshold, so that sorting is rare.
//
// All calls are made by the whole workgroup together.
#ifndef PROXEL_BLOCK_SELECT_GLSL
#define PROXEL_BLOCK_SELECT_GLSL
#include "workgroup.glsl"
#include "order.glsl"

// A pass may choose the pool itself: a power of two above k.
#ifdef PROXEL_POOL_LENGTH
const uint POOL = PROXEL_POOL_LENGTH;
#else
const uint LONGER = LIST_LENGTH > WORKGROUP_SIZE ? LIST_LENGTH : WORKGROUP_SIZE;
const uint POOL = LIST_LENGTH == 1u ? WORKGROUP_SIZE : 2u * LONGER;
#endif
shared uvec2 pool[POOL];
shared uint pool_count;
#include "bitonic_sort.glsl"

uint select_k;
uvec2 select_threshold = no_row;  // the k-th best so far
uint select_held = 0u;            // keys in the pool after the latest call
uvec2 select_best = no_row;       // list length 1 only

void select_begin(uint k) {
  select_k = k;
  select_threshold = select_best = no_row;
  select_held = 0u;
  if (LIST_LENGTH == 1u) return;
  if (gl_LocalInvocationID.x == 0u) pool_count = 0u;
  barrier();
}

// Sorts the pool and keeps the first k.
void select_compact() {
  const uint filled = min(pool_count, POOL);
  // No more is sorted than the power of two that holds what there is, and k.
  uint length = POOL;
  while (length / 2u >= max(filled, select_k)) length /= 2u;
  for (uint i = gl_LocalInvocationID.x; i < length; i += WORKGROUP_SIZE)
    if (i >= filled) pool[i] = no_row;
  barrier();
  sort_pool(length);
  if (gl_LocalInvocationID.x == 0u) pool_count = select_k;
  select_held = select_k;
  select_threshold = pool[select_k - 1u];
  barrier();
}

// Offers up to four keys of each invocation; no_row offers nothing.
// Returns whether any invocation's key was taken (list length 1: always false).
bool select_offer(uvec2 keys[4]) {
  if (LIST_LENGTH == 1u) {
    [[unroll]] for (uint i = 0u; i < 4u; ++i) select_best = key_min(select_best, keys[i]);
    return false;
  }
  bool taken = false;
  for (;;) {
    [[unroll]] for (uint i = 0u; i < 4u; ++i)
      if (key_less(keys[i], select_threshold)) {
        const uint slot = atomicAdd(pool_count, 1u);
        if (slot < POOL) {
          pool[slot] = keys[i];
          keys[i] = no_row;
        }
      }
    barrier();
    const uint wanted = pool_count;
    taken = taken || wanted > select_held;
    barrier();
    if (wanted <= POOL) {
      select_held = wanted;
      return taken;
    }
    select_compact();
  }
}

// Leaves the k smallest, ascending, in pool[0 … k-1].
void select_finish() {
  if (LIST_LENGTH != 1u) {
    select_compact();
    return;
  }
  pool[gl_LocalInvocationID.x] = select_best;
  barrier();
  for (uint count = WORKGROUP_SIZE; count > 1u;) {
    const uint upper = (count + 1u) / 2u;
    if (gl_LocalInvocationID.x + upper < count)
      pool[gl_LocalInvocationID.x] =
          key_min(pool[gl_LocalInvocationID.x], pool[gl_LocalInvocationID.x + upper]);
    count = upper;
    barrier();
  }
}

#endif
