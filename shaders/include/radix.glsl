// What the passes of a radix sort share: reading keys and digits, sums over
// digits. A tile is 16 keys for each invocation.
#ifndef PROXEL_RADIX_GLSL
#define PROXEL_RADIX_GLSL
#include "address.glsl"
#include "order.glsl"
#include "workgroup.glsl"

const uint ITEMS = 16u;
const uint TILE = ITEMS * WORKGROUP_SIZE;
const uint DIGITS = 256u;
const uint not_counted = 0xFFFFFFFFu;

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Counts { uint values[]; };

shared uint digit_sums[2][DIGITS];
shared uint found_digit;
shared uint found_rank;

// The sums of digit_sums[0] up to and with each digit; they are in the array of
// the number returned. All invocations call it, after a barrier; they are
// complete when it returns.
uint sum_digits() {
  uint from = 0u;
  for (uint distance = 1u; distance < DIGITS; distance *= 2u) {
    for (uint d = gl_LocalInvocationID.x; d < DIGITS; d += WORKGROUP_SIZE)
      digit_sums[1u - from][d] =
          digit_sums[from][d] + (d >= distance ? digit_sums[from][d - distance] : 0u);
    from = 1u - from;
    barrier();
  }
  return from;
}

// Counts digits in shared memory. Equal digits in a row, of which the highest
// bits of numbers have many, are added at once: invocations that add to one
// counter wait for each other. A digit of not_counted at the end adds the last ones.
// For the passes that define RADIX_COUNTS.
#ifdef RADIX_COUNTS
shared uint counts[DIGITS];
uint counted_digit = not_counted;
uint counted_run = 0u;

void count_digit(uint digit) {
  if (digit != counted_digit) {
    if (counted_digit != not_counted) atomicAdd(counts[counted_digit], counted_run);
    counted_digit = digit;
    counted_run = 0u;
  }
  ++counted_run;
}
#endif

// The histograms of a row, or null.
uvec2 row_histograms(uvec2 histograms, uint row) {
  return is_null(histograms) ? histograms : advance(histograms, row, 4u * 4u * DIGITS);
}

// The high bits of a row's k-th smallest distance key, from the histograms of
// `rounds` rounds of radix_select. All invocations call it.
uint radix_prefix(uvec2 histograms, uint rounds, uint k) {
  uint prefix = 0u;
  for (uint round = 0u; round < rounds; ++round) {
    for (uint d = gl_LocalInvocationID.x; d < DIGITS; d += WORKGROUP_SIZE)
      digit_sums[0][d] = UintsIn(histograms).values[round * DIGITS + d];
    barrier();
    const uint sums = sum_digits();
    for (uint d = gl_LocalInvocationID.x; d < DIGITS; d += WORKGROUP_SIZE) {
      const uint before = d == 0u ? 0u : digit_sums[sums][d - 1u];
      if (before < k && k <= digit_sums[sums][d]) {
        found_digit = d;
        found_rank = k - before;
      }
    }
    barrier();
    prefix = prefix << 8 | found_digit;
    k = found_rank;
    barrier();
  }
  return prefix;
}

// One row of a radix sort's source.
uvec2 source_values;
uvec2 source_keys;
uint source_shift;
uint source_wanted;
bool source_selects;

// All invocations call it.
void open_source(SelectionRows rows, RadixSource source, uint row) {
  source_values = advance_elements(rows.values, row, rows.row_stride);
  source_keys = is_null(source.keys) ? source.keys : advance_keys(source.keys, row, source.stride);
  source_shift = source.shift;
  source_selects = !is_null(source.histograms);
  if (source_selects)
    source_wanted = radix_prefix(row_histograms(source.histograms, row), 4u, source.k);
}

uvec2 source_key(uint i, bool largest_first) {
  if (!is_null(source_keys)) return Keys(advance(source_keys, i, 8u)).values[0].yx;
  return uvec2(distance_key(FloatsIn(advance(source_values, i, 4u)).values[0], largest_first), i);
}

uint source_digit(uvec2 key) {
  if (!source_selects) return key.x >> source_shift & (DIGITS - 1u);
  return key.x > source_wanted ? not_counted : uint(key.x == source_wanted);
}

uint tile_count(RadixSource source) { return source.count / TILE + uint(source.count % TILE != 0u); }
uint tile_of_workgroup() { return gl_WorkGroupID.z * gl_NumWorkGroups.x + gl_WorkGroupID.x; }

#endif
