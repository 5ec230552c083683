#pragma once

// Selection of the k smallest keys by one workgroup.
//
// Shared memory holds the best keys so far, ascending, and behind them the
// candidates that came below the k-th. When the next ones would not fit, all
// are sorted and cut back to k. After the first few hundred rows almost
// nothing passes the threshold, so that sorting is rare.
//
// Every call is made by all threads of the workgroup, whose size is a power of
// two and a multiple of 32.

#include "kernels/bitonic_sort.cuh"
#include "kernels/order.cuh"

namespace proxel::cuda {

class BlockSelect {
 public:
  /// @param shared       2 * max(list_length, workgroup size) keys and 16 bytes
  /// @param list_length  a power of two, at least k
  __device__ BlockSelect(void* shared, unsigned list_length, unsigned k)
      : pool_(static_cast<Key*>(shared)), capacity_(2 * max(list_length, blockDim.x)), k_(k) {
    counter_ = reinterpret_cast<unsigned*>(pool_ + capacity_);
    restart();
  }

  /// Forgets every key. Nothing reads shared memory any more.
  __device__ void restart() {
    if (threadIdx.x == 0) *counter_ = 0;
    held_ = 0;
    threshold_ = no_row;
  }

  /// Begins with k ascending keys.
  __device__ void resume(const Key* list) {
    for (unsigned i = threadIdx.x; i < k_; i += blockDim.x) pool_[i] = list[i];
    if (threadIdx.x == 0) *counter_ = k_;
    held_ = k_;
    threshold_ = list[k_ - 1];
  }

  /// Offers `count` keys of each thread; no_row offers nothing.
  /// Returns whether any key of any thread was taken.
  template <unsigned count>
  __device__ bool offer(const Key (&keys)[count]) {
    if constexpr (count > 1) {
      Key smallest = keys[0];
#pragma unroll
      for (unsigned i = 1; i < count; ++i) smallest = smaller(smallest, keys[i]);
      if (!__syncthreads_or(smallest < threshold_)) return false;
    }
    bool taken = false;
#pragma unroll
    for (unsigned i = 0; i < count; ++i) taken |= offer_one(keys[i]);
    return taken;
  }

  /// Leaves the k smallest, ascending, padded with no_row, for operator[].
  __device__ void finish() {
    __syncthreads();
    compact();
  }
  __device__ Key operator[](unsigned rank) const { return pool_[rank]; }

  /// Finishes and writes the k smallest.
  __device__ void write(Key* list) {
    finish();
    for (unsigned i = threadIdx.x; i < k_; i += blockDim.x) list[i] = pool_[i];
  }

 private:
  __device__ bool offer_one(Key key) {
    bool accepted = key < threshold_;
    // This barrier also completes the appends of the offer before.
    const unsigned offered = __syncthreads_count(accepted);
    if (offered == 0) return false;
    if (held_ + offered > capacity_) compact();
    const unsigned lanes = __ballot_sync(all_lanes, accepted);
    if (lanes != 0) {
      const unsigned lane = threadIdx.x % 32;
      unsigned first = 0;
      if (lane == 0) first = atomicAdd(counter_, __popc(lanes));
      first = __shfl_sync(all_lanes, first, 0);
      if (accepted) pool_[first + __popc(lanes & ((1u << lane) - 1))] = key;
    }
    held_ += offered;
    return true;
  }

  // Sorts what is held and keeps the first k. Earlier appends are complete.
  __device__ void compact() {
    // The smallest power of two that holds all, and k.
    unsigned size = 2;
    while (size < held_ || size < k_) size *= 2;
    for (unsigned i = held_ + threadIdx.x; i < size; i += blockDim.x) pool_[i] = no_row;
    __syncthreads();
    bitonic_sort(pool_, size);
    held_ = k_;
    threshold_ = pool_[k_ - 1];
    if (threadIdx.x == 0) *counter_ = k_;
    __syncthreads();
  }

  Key* pool_;
  unsigned* counter_;  // keys in the pool, while threads append
  unsigned capacity_;
  unsigned k_;
  unsigned held_ = 0;       // the same number, known to every thread
  Key threshold_ = no_row;  // the k-th best so far
};

}  // namespace proxel::cuda
