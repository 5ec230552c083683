// Quick multi-select of one row by a team: a subgroup or a workgroup
// (Komarov 2013; proxel/passes/quick_multi_select_subgroup.h says how).
//
// A shader that includes this defines, before it, TEAMS (rows in work at once
// in a workgroup), and
//   team_index, team_lane, team_width   of this invocation
//   void team_barrier()                 shared and device memory of the team
//   uvec2 team_place(bool left[SEGMENTS], bool right[SEGMENTS], out uint slots[SEGMENTS])
//     places every key among the team's: left keys from 0 on, right keys from
//     0 on too; returns how many there are of each.
// All invocations of a team call every function together.
#ifndef PROXEL_QUICK_MULTI_SELECT_GLSL
#define PROXEL_QUICK_MULTI_SELECT_GLSL

// Coherent, because invocations of a team read what others of it wrote.
layout(buffer_reference, std430, buffer_reference_align = 8) coherent buffer TeamKeys { uvec2 values[]; };

const uint TEAM_KEYS = quick_multi_select_sorted * WORKGROUP_SIZE / TEAMS;
shared uvec2 team_keys[quick_multi_select_sorted * WORKGROUP_SIZE];
shared uvec2 team_stack[TEAMS * quick_multi_select_stack];  // first key and count

// The array that a partition lies in.
const uint IN_VALUES = 0u;
const uint IN_FIRST_ARRAY = 1u;
const uint IN_SECOND_ARRAY = 2u;

struct Row {
  uvec2 values;
  uvec2 arrays;  // two of p.columns keys
  uint number;
};

uvec2 array_address(Row row, uint array, uint first) {
  return advance(array == IN_FIRST_ARRAY ? row.arrays : advance(row.arrays, p.columns, 8u), first,
                 8u);
}

uvec2 key_of(float value, float offset, uint place) {
  precise const float sum = value + offset;
  return uvec2(distance_key(sum, p.largest_first != 0u), place);
}

// A key of an array, in registers: (distance key, column).
uvec2 row_key(Row row, uint array, uint place) {
  if (array != IN_VALUES) return TeamKeys(array_address(row, array, place)).values[0].yx;
  float offset = 0.0;
  if (!is_null(p.offsets)) offset = FloatsIn(advance(p.offsets, place, 4u)).values[0];
  return key_of(FloatsIn(advance(row.values, place, 4u)).values[0], offset, place);
}

// Keys first … of an array, one of each segment; those past `rest` are any.
// All reads are under way before the first is used.
void read_keys(Row row, uint array, uint first, uint rest, out uvec2 keys[SEGMENTS]) {
  uint places[SEGMENTS];
  [[unroll]] for (uint j = 0u; j < SEGMENTS; ++j)
    places[j] = min(j * team_width + team_lane, rest - 1u);
  if (array != IN_VALUES) {
    TeamKeys from = TeamKeys(array_address(row, array, first));
    [[unroll]] for (uint j = 0u; j < SEGMENTS; ++j) keys[j] = from.values[places[j]].yx;
    return;
  }
  FloatsIn from = FloatsIn(advance(row.values, first, 4u));
  float values[SEGMENTS];
  float added[SEGMENTS];
  [[unroll]] for (uint j = 0u; j < SEGMENTS; ++j) {
    values[j] = from.values[places[j]];
    added[j] = 0.0;
  }
  if (!is_null(p.offsets)) {
    FloatsIn offsets = FloatsIn(advance(p.offsets, first, 4u));
    [[unroll]] for (uint j = 0u; j < SEGMENTS; ++j) added[j] = offsets.values[places[j]];
  }
  [[unroll]] for (uint j = 0u; j < SEGMENTS; ++j)
    keys[j] = key_of(values[j], added[j], first + places[j]);
}

uint scrambled(uint x) {
  x = (x ^ (x >> 16)) * 0x7FEB352Du;
  x = (x ^ (x >> 15)) * 0x846CA68Bu;
  return x ^ (x >> 16);
}

// Sorts the first `size` keys of the team's shared memory; a power of two.
void team_sort(uint size) {
  const uint base = team_index * TEAM_KEYS;
  for (uint run = 2u; run <= size; run <<= 1)
    for (uint stride = run >> 1; stride != 0u; stride >>= 1) {
      for (uint i = team_lane; i < size / 2u; i += team_width) {
        const uint low = base + 2u * i - (i & (stride - 1u));
        const uint high = low + stride;
        const uvec2 a = team_keys[low];
        const uvec2 b = team_keys[high];
        if (key_less(b, a) == (((low - base) & run) == 0u)) {
          team_keys[low] = b;
          team_keys[high] = a;
        }
      }
      team_barrier();
    }
}

// Smallest power of two of at least `count`, 1 … 2^31.
uint enclosing_power(uint count) { return count <= 1u ? 1u : 2u << findMSB(count - 1u); }

// A key that about `wanted` of the partition's lie at or below, and not its
// last: one of a sorted sample, chosen two standard deviations to the right,
// because a pivot left of the k-th key costs a second look at all the others.
// Where most keys are wanted, the middle one.
uvec2 pivot_of(Row row, uint array, uint first, uint count, uint wanted) {
  const uint size = clamp(enclosing_power(count / 16u), min(32u, TEAM_KEYS), TEAM_KEYS);
  const uint share = count / size;  // at least 1: partitions are longer than TEAM_KEYS
  for (uint i = team_lane; i < size; i += team_width)
    team_keys[team_index * TEAM_KEYS + i] =
        row_key(row, array, first + i * share + scrambled(row.number + first + i) % share);
  team_barrier();
  team_sort(size);
  const float expected = float(wanted) / float(count) * float(size);
  const float reach = ceil(expected + 2.0 * sqrt(expected));
  const uint rank = reach < 0.5 * float(size) ? uint(reach) : size / 2u - 1u;
  const uvec2 pivot = team_keys[team_index * TEAM_KEYS + rank];
  team_barrier();
  return pivot;
}

// Writes the partition's keys to the same places of another array: those at
// or below the pivot to its left end, the others to its right end. Returns how
// many went left.
uint split(Row row, uint from, uint to, uint first, uint count, uvec2 pivot) {
  const uint base = team_index * TEAM_KEYS;
  const uint held = SEGMENTS * team_width;
  uint lefts = 0u;
  for (uint done = 0u; done < count;) {
    const uint rest = count - done;
    uvec2 keys[SEGMENTS];
    read_keys(row, from, first + done, rest, keys);
    bool left[SEGMENTS];
    bool right[SEGMENTS];
    uint slots[SEGMENTS];
    [[unroll]] for (uint j = 0u; j < SEGMENTS; ++j) {
      const bool read = j * team_width + team_lane < rest;
      left[j] = read && !key_less(pivot, keys[j]);
      right[j] = read && !left[j];
    }
    const uvec2 counts = team_place(left, right, slots);
    [[unroll]] for (uint j = 0u; j < SEGMENTS; ++j) {
      if (left[j]) team_keys[base + slots[j]] = keys[j];
      if (right[j]) team_keys[base + held - 1u - slots[j]] = keys[j];
    }
    team_barrier();
    // The right side grows downwards; what is staged last stands rightmost.
    TeamKeys to_left = TeamKeys(array_address(row, to, first + lefts));
    TeamKeys to_right =
        TeamKeys(array_address(row, to, first + count - (done - lefts) - counts.y));
    [[unroll]] for (uint j = 0u; j < SEGMENTS; ++j) {
      const uint slot = j * team_width + team_lane;
      if (slot < counts.x)
        to_left.values[slot] = team_keys[base + slot].yx;
      else if (slot >= held - counts.y)
        to_right.values[slot - (held - counts.y)] = team_keys[base + slot].yx;
    }
    team_barrier();
    lefts += counts.x;
    done += min(rest, held);
  }
  return lefts;
}

// Sorts a short partition and writes what it has of the row's k smallest.
void finish_partition(Row row, uint array, uint first, uint count, uint wanted) {
  const uint base = team_index * TEAM_KEYS;
  const uint size = enclosing_power(count);
  for (uint i = team_lane; i < size; i += team_width) {
    team_keys[base + i] = no_row;
    if (i < count) team_keys[base + i] = row_key(row, array, first + i);
  }
  team_barrier();
  team_sort(size);
  const uvec2 payload = advance_elements(p.payload, row.number, p.row_stride);
  UintsOut indices = UintsOut(
      advance(advance_elements(p.indices, row.number, p.selected_stride), first, 4u));
  UintsOut selected = UintsOut(
      advance(advance_elements(p.selected, row.number, p.selected_stride), first, 4u));
  for (uint i = team_lane; i < min(count, wanted); i += team_width) {
    const uvec2 key = team_keys[base + i];
    uint index = p.first_index + key.y;
    if (!is_null(p.payload)) index = UintsIn(advance(payload, key.y, 4u)).values[0];
    indices.values[i] = index;
    selected.values[i] = p.as_keys != 0u
                             ? key.x
                             : floatBitsToUint(distance_of_key(key.x, p.largest_first != 0u));
  }
  team_barrier();
}

// @param worker  whose arrays of auxiliary memory are used
void select_row(uint number, uint worker) {
  Row row;
  row.number = number;
  row.values = advance_elements(p.values, number, p.row_stride);
  row.arrays = advance_keys(advance_keys(p.auxiliary, worker, p.columns), worker, p.columns);
  const uint found = min(p.k, p.columns);

  uint first = 0u;
  uint count = p.columns;
  uint array = IN_VALUES;
  uint depth = 0u;
  uint second_arrays = 0u;  // a bit for each partition on the stack
  const uint stack = team_index * quick_multi_select_stack;
  for (;;) {
    if (count > TEAM_KEYS) {
      const uvec2 pivot = pivot_of(row, array, first, count, found - first);
      const uint to = array == IN_FIRST_ARRAY ? IN_SECOND_ARRAY : IN_FIRST_ARRAY;
      const uint lefts = split(row, array, to, first, count, pivot);
      array = to;
      if (first + lefts >= found) {
        count = lefts;
        continue;
      }
      // Both sides have some of the k smallest: the longer one waits.
      const bool right_waits = count - lefts > lefts;
      const uvec2 waiting = right_waits ? uvec2(first + lefts, count - lefts) : uvec2(first, lefts);
      if (team_lane == 0u) team_stack[stack + depth] = waiting;
      second_arrays = bitfieldInsert(second_arrays, to == IN_SECOND_ARRAY ? 1u : 0u, int(depth), 1);
      ++depth;
      if (!right_waits) first += lefts;
      count = right_waits ? lefts : count - lefts;
      continue;
    }
    finish_partition(row, array, first, count, found - first);
    if (depth == 0u) break;
    --depth;
    first = team_stack[stack + depth].x;
    count = team_stack[stack + depth].y;
    array = bitfieldExtract(second_arrays, int(depth), 1) != 0u ? IN_SECOND_ARRAY : IN_FIRST_ARRAY;
  }

  UintsOut indices = UintsOut(advance_elements(p.indices, number, p.selected_stride));
  UintsOut selected = UintsOut(advance_elements(p.selected, number, p.selected_stride));
  const uint padding = p.largest_first != 0u ? 0xFF800000u : 0x7F800000u;
  for (uint i = found + team_lane; i < p.k; i += team_width) {
    indices.values[i] = no_row.y;
    selected.values[i] = p.as_keys != 0u ? no_row.x : padding;
  }
  // The next row overwrites the stack and the arrays.
  team_barrier();
}

#endif
