// The k-th smallest of many 32-bit keys, by one workgroup that counts how many begin with which bits. The keys may
// lie anywhere: they are read once for every level, of which there are three at most.
//   counting_begin();
//   do {
//     counting_next();
//     counting_add(key) with every key
//   } while (!counting_narrow(k, slack));
// leaves in counting_key a key that at least k keys do not exceed, and more than k + slack only where keys are equal;
// all ones where there are fewer than k. All calls but counting_add() are made by the whole workgroup together.
//
// Included where COUNTING_BINS is defined: counting_bins, or 1 where nothing is counted.
#ifndef PROXEL_KTH_BY_COUNTING_GLSL
#define PROXEL_KTH_BY_COUNTING_GLSL
#include "sums.glsl"
#include "proxel/passes/screen_survivors.h"

shared uint counted[COUNTING_BINS];
shared uint counting_bin;   // that the k-th key is in
shared uint counting_held;  // keys in bins before it
uint counting_low;    // the k-th key is not below it,
uint counting_less;   // and so many are
uint counting_shift;
uint counting_key;

void counting_begin() {
  counting_low = counting_less = 0u;
  counting_shift = 21u;
}

void counting_next() {
  for (uint i = gl_LocalInvocationID.x; i < counting_bins; i += WORKGROUP_SIZE) counted[i] = 0u;
  barrier();
}

// Of keys behind the level's range those that are counted change nothing: they come after the k-th.
void counting_add(uint key) {
  const uint bin = (key - counting_low) >> counting_shift;
  if (key >= counting_low && bin < counting_bins) atomicAdd(counted[bin], 1u);
}

bool counting_narrow(uint k, uint slack) {
  barrier();
  const uint place = place_in_order();
  const uint own = counting_bins / WORKGROUP_SIZE;
  const uint first_bin = place * own;
  uint sum = 0u;
  // Each begins elsewhere, so that neighbours read other banks.
  for (uint i = 0u; i < own; ++i) sum += counted[first_bin + (i + place) % own];
  uint held = counting_less + sums_of(sum, 0u).x;
  // Where there are fewer than k keys, the last bin is theirs.
  if (held < k && (held + sum >= k || place + 1u == WORKGROUP_SIZE)) {
    uint bin = first_bin;
    while (bin + 1u < first_bin + own && held + counted[bin] < k) held += counted[bin++];
    counting_bin = bin;
    counting_held = held;
  }
  barrier();
  const uint bin = counting_bin;
  counting_less = counting_held;
  counting_low += bin << counting_shift;
  const uint reached = counting_less + counted[bin];
  counting_key = counting_low + ((1u << counting_shift) - 1u);
  const bool found = counting_shift == 0u || reached <= k + slack;
  counting_shift = counting_shift == 21u ? 10u : 0u;
  // Everybody has read what the next level, or the next count, overwrites.
  barrier();
  return found;
}

#endif
