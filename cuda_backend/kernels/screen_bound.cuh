#pragma once

// What bounds the scores of a screened search; see docs/proofs/screened.md.

#include "kernels/order.cuh"
#include "proxel/passes/screen_bound.h"

namespace proxel::cuda {

/// A query's bounds as screen_pack wrote them.
struct QueryBounds {
  float4 error;  // A, B, C, which is the factor of codes, certifiable
  float4 slack;  // half_norm, relative_slack, fixed_slack, an estimated threshold

  /// @param address  0 where scores are exact
  __device__ QueryBounds(std::uint64_t address, std::uint64_t query)
      : error(make_float4(0, 0, 0, 1)), slack(make_float4(0, 0, 0, 0)) {
    if (address == 0) return;
    error = reinterpret_cast<const float4*>(address)[2 * query];
    slack = reinterpret_cast<const float4*>(address)[2 * query + 1];
  }

  __device__ bool certifiable() const { return error.w != 0.0f; }
  /// Whether its threshold came from a known distance (screen_bound).
  __device__ bool bounded() const { return error.w == passes::screen_bounded; }

  /// Whether what was collected bears out the query's threshold, where that is an estimate (screen_threshold).
  /// @param least  threshold() of what was collected
  __device__ bool borne_out(float least) const { return error.w != passes::screen_estimated || least >= slack.w; }

  /// What a score to a row of a tile may err by.
  __device__ float error_in(const float4& tile) const {
    return error.x * tile.x + error.y * tile.y + error.z * tile.z + tile.w;
  }

  /// Whether a threshold may be drawn from this lower bound: rows whose squared
  /// norm overflows, and are not screened, score less.
  static __device__ bool certifies(float least) { return least >= -0x1p120f; }

  /// The true score below which no row is among the nearest, given that as many
  /// rows score at least `least` truly.
  __device__ float threshold(float least) const {
    const float rounding = 0x1p-20f * (fabsf(least) + slack.x);
    return least - slack.y * fmaxf(slack.x - least, 0.0f) - slack.z - rounding;
  }
};

/// The value whose ordered_key<true> this is.
__device__ __forceinline__ float lower_bound_of_key(std::uint32_t key) { return ascending_value(~key); }

}  // namespace proxel::cuda
