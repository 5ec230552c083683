#include "kernels/chain.cuh"
#include "kernels/rows.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/screen_origin.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::ScreenOriginParameters;

__device__ __forceinline__ float finite_or_zero(float value) { return isfinite(value) ? value : 0.0f; }

__device__ __forceinline__ float sampled(const Parameters& p, unsigned sample, unsigned samples, unsigned dimension) {
  const auto row = static_cast<unsigned>(std::uint64_t{sample} * p.rows.count / samples);
  return finite_or_zero(row_address(p.rows, row)[std::size_t{dimension} * p.rows.dimension_stride]);
}

__device__ __forceinline__ float power_of_two(int exponent) {
  return __uint_as_float(static_cast<unsigned>(exponent + 127) << 23);
}

// A warp takes a dimension at a time, its lanes the samples.
__global__ void __launch_bounds__(1024) origin(const Parameters p, const Launch launch) {
  follow_previous_pass();
  __shared__ unsigned largest_bits;
  if (threadIdx.x == 0) largest_bits = 0;
  __syncthreads();
  auto* words = reinterpret_cast<unsigned*>(p.frame);
  auto* means = reinterpret_cast<float*>(words + passes::screen_frame_origin);
  const bool centre = launch.as<passes::ScreenOriginConstants>().at_zero == 0;
  const unsigned samples = p.samples;
  const unsigned lane = threadIdx.x % 32;
  float largest = 0;
  for (unsigned dimension = threadIdx.x / 32; dimension < p.dimensions; dimension += blockDim.x / 32) {
    float mean = 0;
    if (centre) {
#pragma unroll 8
      for (unsigned i = lane; i < samples; i += 32)
        mean += sampled(p, i, samples, dimension) / static_cast<float>(samples);
      for (unsigned distance = 16; distance != 0; distance /= 2) mean += __shfl_xor_sync(0xFFFFFFFFu, mean, distance);
      if (!(fabsf(mean) <= power_of_two(passes::screen_farthest_origin))) mean = 0;
    }
    if (lane == 0) means[dimension] = mean;
#pragma unroll 8
    for (unsigned i = lane; i < samples; i += 32)
      largest = fmaxf(largest, finite_or_zero(fabsf(sampled(p, i, samples, dimension) - mean)));
  }
  // Magnitudes order as their bits.
  atomicMax(&largest_bits, __float_as_uint(largest));
  __syncthreads();
  // Of the largest coordinate: squared norms leave sums in half precision room.
  const int wanted =
      5 - (p.dimensions > passes::screen_frame_most_at_32) - 2 * (p.dimensions > passes::screen_frame_most_at_16);
  int exponent = 0;
  if (largest_bits != 0) {
    // largest = m * 2^e with m in [1, 2); subnormals count as the least normal.
    const int e = max(static_cast<int>(largest_bits >> 23), 1) - 127;
    exponent = min(max(wanted - e, -60), 60);
  }
  const float to_grid = power_of_two(exponent + 10 - wanted);
  const float from_grid = power_of_two(wanted - 10 - exponent);
  for (unsigned dimension = threadIdx.x; dimension < p.dimensions; dimension += blockDim.x)
    means[dimension] = rintf(means[dimension] * to_grid) * from_grid;
  // Room for rows that lie farther out than the sample.
  const float farthest = __uint_as_float(largest_bits) * power_of_two(exponent);
  const float step = largest_bits == 0 ? 0.5f : fmaxf(1.25f / 127 * farthest, 0x1p-100f);
  if (threadIdx.x < passes::screen_frame_origin)
    words[threadIdx.x] = threadIdx.x == 0                           ? __float_as_uint(power_of_two(exponent))
                         : threadIdx.x == passes::screen_frame_step ? __float_as_uint(step)
                                                                    : 0;
}

}  // namespace

PROXEL_KERNEL(screen_origin)(const Pass&) {
  Kernel kernel = variant(origin);
  // The one workgroup that there is waits for memory, which more warps do at the same time.
  kernel.workgroup_size = 1024;
  return kernel;
}

}  // namespace proxel::cuda
