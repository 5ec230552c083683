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
  __device__ CollectedLists(const Parameters& p, unsigned slot, const QueryBounds& bounds)
      : p_(p), bounds_(bounds), first_list_(std::uint64_t{slot} * p.splits) {
    for (unsigned split = 0; split < p.splits; ++split) {
      const unsigned count = length(split);
      complete_ = complete_ && count <= p.capacity;
      held_ += count;
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
    const uint2 found = __ldg(reinterpret_cast<const uint2*>(p_.found) + (first_list_ + split) * p_.capacity + i);
    const float score = __uint_as_float(found.x);
    const float error =
        p_.row_bounds == 0
            ? 0.0f
            : bounds_.error_in(__ldg(reinterpret_cast<const float4*>(p_.row_bounds) + found.y / tile_rows));
    // Rows that have no score are no candidates, whatever the error.
    const bool scored = score != __int_as_float(0xFF800000u);
    return {ordered_key<true>(score - error), scored ? score + error : score, found.y};
  }

 protected:
  const Parameters& p_;
  const QueryBounds& bounds_;
  std::uint64_t first_list_;
  unsigned held_ = 0;
  bool complete_ = true;
};

}  // namespace proxel::cuda
