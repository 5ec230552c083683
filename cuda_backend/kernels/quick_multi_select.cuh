#pragma once

// Quick multi-select of one row by a team: a warp or a workgroup
// (Komarov 2013; proxel/passes/quick_multi_select_subgroup.h says how).
//
// A Team has index, lane and width() of its threads, keys and stack in shared
// memory, barrier() for its shared and device memory, and
//   counts = place(left, right, slots)
// which places every key among the team's: left keys from 0 on, right keys
// from 0 on too. All threads of a team call every function together.

#include "kernels/decode.cuh"
#include "proxel/passes/quick_multi_select_subgroup.h"

namespace proxel::cuda {

using QuickMultiSelectParameters = passes::QuickMultiSelectParameters;
constexpr unsigned team_segments = passes::quick_multi_select_segments;

/// Keys first … first + count - 1 of one of a row's arrays.
struct TeamPartition {
  enum Array : unsigned { values, first_array, second_array };
  unsigned first = 0;
  unsigned count = 0;
  unsigned array = values;
};

/// How many keys go to each side of a pivot.
struct TeamCounts {
  unsigned left = 0;
  unsigned right = 0;
};

__device__ __forceinline__ unsigned scrambled(unsigned x) {
  x = (x ^ (x >> 16)) * 0x7FEB352Du;
  x = (x ^ (x >> 15)) * 0x846CA68Bu;
  return x ^ (x >> 16);
}

/// The smallest power of two of at least `count`, 1 … 2^31.
__device__ __forceinline__ unsigned enclosing_power(unsigned count) {
  return count <= 1 ? 1 : 2u << (31 - __clz(count - 1));
}

template <typename Team>
class QuickMultiSelect {
 public:
  /// @param worker  whose arrays of auxiliary memory are used
  __device__ QuickMultiSelect(const QuickMultiSelectParameters& p, Team& team, unsigned worker)
      : p_(p), team_(team), arrays_(reinterpret_cast<Key*>(p.auxiliary) + std::uint64_t{worker} * 2 * p.columns) {}

  __device__ void select(unsigned row) {
    row_ = row;
    values_ = reinterpret_cast<const float*>(p_.values) + std::uint64_t{row} * p_.row_stride;
    indices_ = reinterpret_cast<std::uint32_t*>(p_.indices) + std::uint64_t{row} * p_.selected_stride;
    selected_ = reinterpret_cast<std::uint32_t*>(p_.selected) + std::uint64_t{row} * p_.selected_stride;
    const unsigned found = min(p_.k, p_.columns);

    TeamPartition part{0, p_.columns, TeamPartition::values};
    unsigned depth = 0;
    unsigned second_arrays = 0;  // a bit for each partition on the stack
    for (;;) {
      if (part.count > team_.sorted) {
        const Key pivot = pivot_of(part, found - part.first);
        const unsigned to =
            part.array == TeamPartition::first_array ? TeamPartition::second_array : TeamPartition::first_array;
        const unsigned lefts = split(part, to, pivot);
        const TeamPartition left{part.first, lefts, to};
        const TeamPartition right{part.first + lefts, part.count - lefts, to};
        part = left;
        if (right.first >= found) continue;
        // Both sides have some of the k smallest: the longer one waits.
        const bool right_waits = right.count > left.count;
        const TeamPartition waiting = right_waits ? right : left;
        if (!right_waits) part = right;
        if (team_.lane == 0) team_.stack[depth] = make_uint2(waiting.first, waiting.count);
        const unsigned bit = 1u << depth;
        second_arrays = to == TeamPartition::second_array ? second_arrays | bit : second_arrays & ~bit;
        ++depth;
        continue;
      }
      finish(part, found - part.first);
      if (depth == 0) break;
      --depth;
      part = {team_.stack[depth].x, team_.stack[depth].y,
              (second_arrays >> depth & 1) != 0 ? TeamPartition::second_array : TeamPartition::first_array};
    }
    for (unsigned i = found + team_.lane; i < p_.k; i += Team::width()) {
      indices_[i] = static_cast<std::uint32_t>(no_row);
      selected_[i] = p_.as_keys != 0 ? 0xFFFFFFFFu : p_.largest_first != 0 ? 0xFF800000u : 0x7F800000u;
    }
    // The next row overwrites the stack and the arrays.
    team_.barrier();
  }

 private:
  __device__ Key* array(unsigned which) const {
    return which == TeamPartition::first_array ? arrays_ : arrays_ + p_.columns;
  }

  __device__ __forceinline__ Key key(unsigned which, unsigned place) const {
    if (which != TeamPartition::values) return array(which)[place];
    const float offset = p_.offsets != 0 ? reinterpret_cast<const float*>(p_.offsets)[place] : 0.0f;
    return key_of(values_[place], offset, place);
  }

  __device__ __forceinline__ Key key_of(float value, float offset, unsigned place) const {
    value = __fadd_rn(value, offset);
    const std::uint32_t ascending = ordered_key<false>(value);
    const bool turned = p_.largest_first != 0 && value == value;
    return make_key(turned ? ~ascending : ascending, place);
  }

  // Keys first … of one of the arrays, one of each segment; those past `rest`
  // are no_row. All reads are under way before the first is used.
  __device__ __forceinline__ void read(unsigned which, unsigned first, unsigned rest,
                                       Key (&keys)[team_segments]) const {
    if (which != TeamPartition::values) {
      const Key* const from = array(which) + first;
#pragma unroll
      for (unsigned j = 0; j < team_segments; ++j) {
        const unsigned offset = j * Team::width() + team_.lane;
        keys[j] = offset < rest ? from[offset] : no_row;
      }
      return;
    }
    const float* const from = values_ + first;
    const auto* const offsets = reinterpret_cast<const float*>(p_.offsets) + first;
    float values[team_segments];
    float added[team_segments] = {};
#pragma unroll
    for (unsigned j = 0; j < team_segments; ++j) {
      const unsigned offset = j * Team::width() + team_.lane;
      values[j] = offset < rest ? __ldcs(from + offset) : 0.0f;
    }
    if (p_.offsets != 0) {
#pragma unroll
      for (unsigned j = 0; j < team_segments; ++j) {
        const unsigned offset = j * Team::width() + team_.lane;
        added[j] = offset < rest ? offsets[offset] : 0.0f;
      }
    }
#pragma unroll
    for (unsigned j = 0; j < team_segments; ++j)
      keys[j] = key_of(values[j], added[j], first + j * Team::width() + team_.lane);
  }

  // Sorts the first `size` keys in shared memory; a power of two.
  __device__ void sort(unsigned size) {
    for (unsigned run = 2; run <= size; run *= 2)
      for (unsigned stride = run / 2; stride != 0; stride /= 2) {
        for (unsigned i = team_.lane; i < size / 2; i += Team::width()) {
          const unsigned low = 2 * i - (i & (stride - 1));
          const unsigned high = low + stride;
          const Key a = team_.keys[low];
          const Key b = team_.keys[high];
          if ((b < a) == ((low & run) == 0)) {
            team_.keys[low] = b;
            team_.keys[high] = a;
          }
        }
        team_.barrier();
      }
  }

  // A key that about `wanted` of the partition's lie at or below, and not its
  // last: one of a sorted sample, chosen two standard deviations to the right,
  // because a pivot left of the k-th key costs a second look at all the others.
  // Where most keys are wanted, the middle one.
  __device__ Key pivot_of(const TeamPartition& part, unsigned wanted) {
    const unsigned size = max(32u, min(enclosing_power(part.count / 16), team_.sorted));
    const unsigned share = part.count / size;
    for (unsigned i = team_.lane; i < size; i += Team::width())
      team_.keys[i] = key(part.array, part.first + i * share + scrambled(row_ + part.first + i) % share);
    team_.barrier();
    sort(size);
    const float expected = static_cast<float>(wanted) / static_cast<float>(part.count) * static_cast<float>(size);
    const float reach = ceilf(expected + 2.0f * sqrtf(expected));
    const unsigned rank = reach < 0.5f * static_cast<float>(size) ? static_cast<unsigned>(reach) : size / 2 - 1;
    const Key pivot = team_.keys[rank];
    team_.barrier();
    return pivot;
  }

  // Writes the partition's keys to the same places of another array: those at
  // or below the pivot to its left end, the others to its right end. Returns
  // how many went left.
  __device__ unsigned split(const TeamPartition& part, unsigned to, Key pivot) {
    constexpr unsigned held = team_segments * Team::width();
    Key* const target = array(to) + part.first;
    unsigned lefts = 0;
    for (unsigned done = 0; done < part.count;) {
      const unsigned rest = part.count - done;
      Key keys[team_segments];
      bool left[team_segments];
      bool right[team_segments];
      unsigned slots[team_segments];
      read(part.array, part.first + done, rest, keys);
#pragma unroll
      for (unsigned j = 0; j < team_segments; ++j) {
        const bool read = j * Team::width() + team_.lane < rest;
        left[j] = read && keys[j] <= pivot;
        right[j] = read && !left[j];
      }
      const TeamCounts counts = team_.place(left, right, slots);
#pragma unroll
      for (unsigned j = 0; j < team_segments; ++j) {
        if (left[j]) team_.keys[slots[j]] = keys[j];
        if (right[j]) team_.keys[held - 1 - slots[j]] = keys[j];
      }
      team_.barrier();
      // The right side grows downwards; what is staged last stands rightmost.
      Key* const to_left = target + lefts;
      Key* const to_right = target + (part.count - (done - lefts) - counts.right);
#pragma unroll
      for (unsigned j = 0; j < team_segments; ++j) {
        const unsigned slot = j * Team::width() + team_.lane;
        if (slot < counts.left)
          to_left[slot] = team_.keys[slot];
        else if (slot >= held - counts.right)
          to_right[slot - (held - counts.right)] = team_.keys[slot];
      }
      team_.barrier();
      lefts += counts.left;
      done += min(rest, held);
    }
    return lefts;
  }

  // Sorts a short partition and writes what it has of the row's k smallest.
  __device__ void finish(const TeamPartition& part, unsigned wanted) {
    const unsigned size = enclosing_power(part.count);
    for (unsigned i = team_.lane; i < size; i += Team::width())
      team_.keys[i] = i < part.count ? key(part.array, part.first + i) : no_row;
    team_.barrier();
    sort(size);
    const auto* payload = reinterpret_cast<const std::uint32_t*>(p_.payload) + std::uint64_t{row_} * p_.row_stride;
    for (unsigned i = team_.lane; i < min(part.count, wanted); i += Team::width()) {
      const Key sorted = team_.keys[i];
      const auto column = static_cast<std::uint32_t>(sorted);
      indices_[part.first + i] = p_.payload != 0 ? payload[column] : p_.first_index + column;
      const auto distance_key = static_cast<std::uint32_t>(sorted >> 32);
      selected_[part.first + i] =
          p_.as_keys != 0 ? distance_key : __float_as_uint(value_of_key(distance_key, p_.largest_first != 0));
    }
    team_.barrier();
  }

  const QuickMultiSelectParameters& p_;
  Team& team_;
  Key* arrays_;
  const float* values_ = nullptr;
  std::uint32_t* indices_ = nullptr;
  std::uint32_t* selected_ = nullptr;
  unsigned row_ = 0;
};

}  // namespace proxel::cuda
