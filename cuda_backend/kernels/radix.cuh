#pragma once

// What the passes of a radix sort share: reading keys and digits, sums over digits.
// Workgroups have radix_threads threads; a tile is 16 keys for each.

#include "kernels/order.cuh"
#include "kernels/warp_sum.cuh"
#include "proxel/passes/types.h"

namespace proxel::cuda {

constexpr unsigned radix_threads = 256;
constexpr unsigned radix_items = 16;
constexpr unsigned radix_tile = radix_threads * radix_items;
constexpr unsigned radix_digits = 256;
constexpr unsigned not_counted = 0xFFFFFFFFu;

/// Counts digits in shared memory. Equal digits in a row, of which the highest
/// bits of numbers have many, are added at once: threads that add to one counter wait for
/// each other.
class DigitCounter {
 public:
  __device__ explicit DigitCounter(unsigned* counts) : counts_(counts) {}
  __device__ __forceinline__ void count(unsigned digit) {
    if (digit != digit_) flush();
    digit_ = digit;
    ++run_;
  }
  __device__ __forceinline__ void flush() {
    if (run_ != 0 && digit_ != not_counted) atomicAdd(&counts_[digit_], run_);
    run_ = 0;
  }

 private:
  unsigned* counts_;
  unsigned digit_ = not_counted;
  unsigned run_ = 0;
};

/// The high bits of a row's k-th smallest distance key, from the histograms of
/// `rounds` rounds of radix_select. All threads call it.
__device__ inline unsigned radix_prefix(const unsigned* histograms, unsigned rounds, unsigned k) {
  __shared__ unsigned shared[radix_threads / 32];
  __shared__ unsigned digit;
  __shared__ unsigned rank;
  unsigned prefix = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    const unsigned count = histograms[round * radix_digits + threadIdx.x];
    const unsigned before = sum_before(count, shared);
    if (before < k && k - before <= count) {
      digit = threadIdx.x;
      rank = k - before;
    }
    __syncthreads();
    prefix = prefix << 8 | digit;
    k = rank;
    __syncthreads();
  }
  return prefix;
}

/// One row of a radix sort's source.
template <bool largest_first>
struct RadixKeys {
  const float* values;
  const Key* keys;
  unsigned shift;
  unsigned wanted;
  bool selects;

  /// All threads call it.
  __device__ RadixKeys(const passes::SelectionRows& rows, const passes::RadixSource& source, std::uint64_t row)
      : values(reinterpret_cast<const float*>(rows.values) + row * rows.row_stride),
        keys(source.keys ? reinterpret_cast<const Key*>(source.keys) + row * source.stride : nullptr),
        shift(source.shift),
        wanted(0),
        selects(source.histograms != 0) {
    if (selects)
      wanted = radix_prefix(reinterpret_cast<const unsigned*>(source.histograms) + row * 4 * radix_digits, 4, source.k);
  }

  __device__ __forceinline__ Key key(unsigned i) const {
    return keys ? keys[i] : make_key(ordered_key<largest_first>(values[i]), i);
  }
  __device__ __forceinline__ unsigned digit(Key key) const {
    const auto word = static_cast<unsigned>(key >> 32);
    if (!selects) return word >> shift & (radix_digits - 1);
    return word > wanted ? not_counted : word == wanted;
  }
};

}  // namespace proxel::cuda
