// The k-th smallest of many 32-bit keys, by one workgroup, any subgroup size.
// Runs of KTH_RUN keys (a power of two, at least k) are sorted, then merged in
// pairs of which the smaller half is kept, so that later steps have less to do.
//
// All calls are made by the whole workgroup together.
#ifndef PROXEL_KTH_SMALLEST_GLSL
#define PROXEL_KTH_SMALLEST_GLSL
#include "workgroup.glsl"

const uint KTH_ROOM = 2u * KTH_RUN > 512u ? 2u * KTH_RUN : 512u;
shared uint kth_keys[KTH_ROOM];

// Compares keys `stride` apart in the first `count`, and sorts each pair.
void kth_exchange(uint count, uint stride, uint run) {
  for (uint i = gl_LocalInvocationID.x; i < count / 2u; i += WORKGROUP_SIZE) {
    const uint low = 2u * i - (i & (stride - 1u));
    const uint a = kth_keys[low];
    const uint b = kth_keys[low + stride];
    // Runs shorter than KTH_RUN alternate, so that two of them are bitonic.
    const bool ascending = run == KTH_RUN || (low & run) == 0u;
    kth_keys[low] = ascending ? min(a, b) : max(a, b);
    kth_keys[low + stride] = ascending ? max(a, b) : min(a, b);
  }
  barrier();
}

// Leaves the KTH_RUN smallest of the first `filled` keys, ascending, in front.
// The keys have been stored by whichever invocations.
void kth_reduce(uint filled) {
  uint count = KTH_RUN;
  while (count < filled) count *= 2u;
  for (uint i = filled + gl_LocalInvocationID.x; i < count; i += WORKGROUP_SIZE)
    kth_keys[i] = 0xFFFFFFFFu;
  barrier();
  for (uint run = 2u; run <= KTH_RUN; run *= 2u)
    for (uint stride = run / 2u; stride != 0u; stride /= 2u) kth_exchange(count, stride, run);
  for (count /= 2u; count >= KTH_RUN; count /= 2u) {
    for (uint i = gl_LocalInvocationID.x; i < count; i += WORKGROUP_SIZE)
      kth_keys[i] = min(kth_keys[i], kth_keys[count + (i ^ (KTH_RUN - 1u))]);
    barrier();
    for (uint stride = KTH_RUN / 2u; stride != 0u; stride /= 2u)
      kth_exchange(count, stride, KTH_RUN);
  }
}

#endif
