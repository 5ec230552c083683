// Sorts keys in shared memory. Included where `pool`, an array of keys, stands.
#ifndef PROXEL_BITONIC_SORT_GLSL
#define PROXEL_BITONIC_SORT_GLSL

// Sorts the first `count` keys, a power of two, ascending. All invocations call
// it after a barrier; the keys are in order when it returns.
void sort_pool(uint count) {
  for (uint size = 2u; size <= count; size <<= 1)
    for (uint stride = size >> 1; stride != 0u; stride >>= 1) {
      for (uint i = gl_LocalInvocationID.x; i < count / 2u; i += WORKGROUP_SIZE) {
        const uint low = 2u * i - (i & (stride - 1u));
        const uint high = low + stride;
        const bool ascending = (low & size) == 0u;
        const uvec2 a = pool[low];
        const uvec2 b = pool[high];
        if (key_less(b, a) == ascending) {
          pool[low] = b;
          pool[high] = a;
        }
      }
      barrier();
    }
}

#endif
