#pragma once

// The rows that screen_tiles or screen_canonical collected for a query, in its lists.

#include "kernels/rows.cuh"
#include "kernels/screen_bound.cuh"

namespace proxel::cuda {

/// What is known of a collected row.
struct Candidate {
  std::uint32_t lower;  // ordered_key<true> of the score less its error
  float upper;          // the score and its error
  std::uint32_t row;
};

/// @tparam Parameters  of screen_refine or screen_survivors
template <typename Parameters>
class CollectedLists {
 public:
  /// To be made by the whole workgroup together.
  __device__ CollectedLists(const Parameters& p, unsigned slot, const QueryBounds& bounds)
      : p_(p), bounds_(bounds), first_list_(std::uint64_t{slot} * p.splits) {
    __shared__ unsigned total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    unsigned own = 0;
    bool complete = true;
#pragma unroll 4
    for (unsigned split = threadIdx.x; split < p.splits; split += blockDim.x) {
      const unsigned count = length(split);
      complete = complete && count <= p.capacity;
      own += min(count, p.capacity);
    }
    own = __reduce_add_sync(all_lanes, own);
    if (threadIdx.x % 32 == 0) atomicAdd(&total, own);
    complete_ = __syncthreads_and(complete);
    held_ = total;
  }

  /// Calls `use` with this thread's share of the candidates.
  template <typename Use>
  __device__ __forceinline__ void each_listed(const Use& use) const {
    // Lists are many and short, or few and long.
    unsigned lanes = 1;
    if (p_.splits * 32 < blockDim.x) lanes = blockDim.x;
    while (lanes < 32 && lanes * p_.splits < held_) lanes *= 2;
    for (unsigned split = threadIdx.x / lanes; split < p_.splits; split += blockDim.x / lanes) {
      const unsigned count = length(split);
      for (unsigned i = threadIdx.x % lanes; i < count; i += lanes) use(listed(split, i));
    }
  }

  /// How many there are; none where a list overflowed.
  __device__ unsigned held() const { return complete_ ? held_ : 0; }
  /// Whether none overflowed.
  __device__ bool complete() const { return complete_; }

  /// Entries of a list.
  __device__ unsigned length(unsigned split) const {
    return __ldg(reinterpret_cast<const unsigned*>(p_.counts) + first_list_ + split);
  }

  /// One of them.
  __device__ __forceinline__ Candidate listed(unsigned split, unsigned i) const {
    const uint2 found = entry(split * p_.capacity + i);
    return candidate(found, error_of(found.y));
  }

 protected:
  /// The score and the row at a place.
  __device__ __forceinline__ uint2 entry(unsigned place) const {
    return __ldg(reinterpret_cast<const uint2*>(p_.found) + first_list_ * p_.capacity + place);
  }
  __device__ __forceinline__ float error_of(unsigned row) const {
    if (p_.row_bounds == 0) return 0;
    return bounds_.error_in(__ldg(reinterpret_cast<const float4*>(p_.row_bounds) + row / tile_rows));
  }
  static __device__ __forceinline__ Candidate candidate(const uint2& found, float error) {
    const float score = __uint_as_float(found.x);
    // Rows that have no score are no candidates, whatever the error.
    const bool scored = score != __int_as_float(0xFF800000u);
    return {ordered_key<true>(score - error), scored ? score + error : score, found.y};
  }

  const Parameters& p_;
  const QueryBounds& bounds_;
  std::uint64_t first_list_;
  unsigned held_ = 0;
  bool complete_ = true;
};

}  // namespace proxel::cuda
