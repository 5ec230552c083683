#pragma once

// Keys of a workgroup in order by where their values lie: buckets share out evenly what is between the least value and the largest,
// each key goes to its bucket's places, and those of its bucket that come before it are counted. That takes a few steps for each key,
// where sorting by comparisons takes one for each stage, if values lie more or less evenly.

#include "kernels/order.cuh"
#include "kernels/warp_sum.cuh"
#include "proxel/passes/distribution.h"

namespace proxel::cuda {

/// All threads of the workgroup make every call but those with a key.
class Distribution {
 public:
  /// Shared memory, bytes.
  static __host__ __device__ constexpr unsigned shared_bytes(unsigned buckets) {
    return 2 * buckets + 4 + static_cast<unsigned>(sizeof(Warps));
  }

  /// @param shared   shared_bytes(buckets), for 32-bit words
  /// @param buckets  an even number
  __device__ Distribution(void* shared, unsigned buckets)
      : warps_(static_cast<Warps*>(shared)), words_(reinterpret_cast<unsigned*>(warps_ + 1)), buckets_(buckets) {}

  /// Begins to count. Returns whether there is a bucket for every key: not where all their values are nearly equal, nor where one is an
  /// infinity or NaN.
  /// @param low, high  the least and the largest word of this thread's keys; all ones and 0 where it has none
  __device__ __forceinline__ bool begin(std::uint32_t low, std::uint32_t high) {
    const unsigned lane = threadIdx.x % 32;
    low = __reduce_min_sync(all_lanes, low);
    high = __reduce_max_sync(all_lanes, high);
    if (lane == 0) {
      warps_->low[threadIdx.x / 32] = low;
      warps_->high[threadIdx.x / 32] = high;
    }
    for (unsigned i = threadIdx.x; i < buckets_ / 2; i += blockDim.x) words_[i] = 0;
    __syncthreads();
    const bool warp = lane < blockDim.x / 32;
    low = __reduce_min_sync(all_lanes, warp ? warps_->low[lane] : ~0u);
    high = __reduce_max_sync(all_lanes, warp ? warps_->high[lane] : 0);
    if (low < passes::least_number_key || high > passes::largest_number_key) return false;
    first_ = ascending_value(low);
    const float width = ascending_value(high) - first_;
    scale_ = static_cast<float>(buckets_) / width;
    return width >= passes::least_width && width <= passes::largest_width;
  }

  __device__ __forceinline__ void count(Key key) {
    const unsigned own = bucket(key);
    atomicAdd(&words_[own / 2], 1u << own % 2 * 16);
  }

  /// Ends the count. Returns whether no bucket is crowded.
  __device__ __forceinline__ bool end() {
    __syncthreads();
    const unsigned words = buckets_ / 2;
    const unsigned own = (words - 1) / blockDim.x + 1;
    const unsigned begin = min(threadIdx.x * own, words), end = min(begin + own, words);
    unsigned sum = 0, most = 0;
    for (unsigned i = begin; i < end; ++i) {
      const unsigned first = words_[i] & 0xFFFF, second = words_[i] >> 16;
      sum += first + second;
      most = max(most, max(first, second));
    }
    if (__syncthreads_or(most > passes::crowded_bucket)) return false;
    unsigned before = sum_before(sum, warps_->sum);
    for (unsigned i = begin; i < end; ++i) {
      const unsigned first = before + (words_[i] & 0xFFFF);
      before = first + (words_[i] >> 16);
      words_[i] = first | before << 16;
    }
    if (threadIdx.x + 1 == blockDim.x) words_[words] = before;
    __syncthreads();
    return true;
  }

  /// A place for a key that was counted: those of a bucket are given away from the last to the first.
  __device__ __forceinline__ unsigned place(Key key) {
    const unsigned own = bucket(key);
    const unsigned shift = own % 2 * 16;
    return (atomicSub(&words_[own / 2], 1u << shift) >> shift & 0xFFFF) - 1;
  }

  /// Where all keys stand at their places: of the first k of them, and those of the last's bucket, calls use(rank, key) of this thread's.
  template <typename Use>
  __device__ __forceinline__ void each_of(const Key* keys, unsigned k, const Use& use) const {
    const unsigned listed = start(bucket(keys[k - 1]) + 1);
    for (unsigned i = threadIdx.x; i < listed; i += blockDim.x) {
      const Key key = keys[i];
      const unsigned own = bucket(key);
      const unsigned end = start(own + 1);
      unsigned rank = start(own);
      for (unsigned other = rank; other < end; ++other) rank += keys[other] < key;
      if (rank < k) use(rank, key);
    }
  }

 private:
  struct Warps {
    unsigned low[32], high[32], sum[32];
  };

  // No key's bucket is before that of a smaller one.
  __device__ __forceinline__ unsigned bucket(Key key) const {
    const float share = (ascending_value(static_cast<std::uint32_t>(key >> 32)) - first_) * scale_;
    return min(static_cast<unsigned>(share), buckets_ - 1);
  }

  // The first place of a bucket, where all places are given away.
  __device__ __forceinline__ unsigned start(unsigned bucket) const {
    return reinterpret_cast<const std::uint16_t*>(words_)[bucket];
  }

  Warps* warps_;
  unsigned* words_;  // two buckets' counts in each, later the ends of their places, and the number of all keys
  unsigned buckets_;
  float first_ = 0, scale_ = 0;
};

}  // namespace proxel::cuda
