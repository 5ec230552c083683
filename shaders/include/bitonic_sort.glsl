// Sorts keys in shared memory. Included where `pool`, an array of keys, stands.
#ifndef PROXEL_BITONIC_SORT_GLSL
#define PROXEL_BITONIC_SORT_GLSL

void order_keys(inout uvec2 low, inout uvec2 high, bool ascending) {
  if (key_less(high, low) != ascending) return;
  const uvec2 key = low;
  low = high;
  high = key;
}

// One stage: keys `stride` apart.
void order_pairs(uint count, uint size, uint stride) {
  for (uint i = gl_LocalInvocationID.x; i < count / 2u; i += WORKGROUP_SIZE) {
    const uint low = 2u * i - (i & (stride - 1u));
    uvec2 a = pool[low];
    uvec2 b = pool[low + stride];
    order_keys(a, b, (low & size) == 0u);
    pool[low] = a;
    pool[low + stride] = b;
  }
  barrier();
}

// Two stages in one: keys 2 * stride apart, then `stride`.
void order_fours(uint count, uint size, uint stride) {
  for (uint i = gl_LocalInvocationID.x; i < count / 4u; i += WORKGROUP_SIZE) {
    const uint low = 4u * i - 3u * (i & (stride - 1u));
    const bool ascending = (low & size) == 0u;
    uvec2 a = pool[low];
    uvec2 b = pool[low + stride];
    uvec2 c = pool[low + 2u * stride];
    uvec2 d = pool[low + 3u * stride];
    order_keys(a, c, ascending);
    order_keys(b, d, ascending);
    order_keys(a, b, ascending);
    order_keys(c, d, ascending);
    pool[low] = a;
    pool[low + stride] = b;
    pool[low + 2u * stride] = c;
    pool[low + 3u * stride] = d;
  }
  barrier();
}

// Sorts the first `count` keys, a power of two, ascending. All invocations call
// it after a barrier; the keys are in order when it returns.
void sort_pool(uint count) {
  for (uint size = 2u; size <= count; size <<= 1) {
    uint stride = size >> 1;
    // An odd number of stages leaves one over.
    if ((findMSB(size) & 1) != 0) {
      order_pairs(count, size, stride);
      stride >>= 1;
    }
    for (; stride != 0u; stride >>= 2) order_fours(count, size, stride >> 1);
  }
}

#endif
