#pragma once

// The kernel of sqfd_block and sqfd_block_double.

#include <cstdint>

#include "kernels/chain.cuh"
#include "kernels/sqfd_arithmetic.cuh"

namespace proxel::cuda {

using SqfdParameters = passes::SqfdBlockParameters;

template <typename Real>
__device__ __forceinline__ Real scale_of(const SqfdParameters& p) {
  if constexpr (sizeof(Real) == 4)
    return __uint_as_float(p.scale);
  else
    return __longlong_as_double(static_cast<long long>(p.scale_double));
}

/// The concatenation of two signatures where they are: coordinates, then weights.
struct DistantPair {
  const float *query, *query_weights, *object, *object_weights;
  unsigned query_length;
  unsigned dimensions;

  __device__ const float* centroid(unsigned i) const {
    return i < query_length ? query + std::uint64_t{i} * dimensions
                            : object + std::uint64_t{i - query_length} * dimensions;
  }
  __device__ float weight(unsigned i) const {
    return i < query_length ? query_weights[i] : -object_weights[i - query_length];
  }
};

/// The same in shared memory, each weight behind its coordinates.
struct SharedPair {
  const float* values;
  unsigned dimensions;
  unsigned stride;

  __device__ const float* centroid(unsigned i) const { return values + i * stride; }
  __device__ float weight(unsigned i) const { return values[i * stride + dimensions]; }
};

/// Coalesced, by all threads of the block.
__device__ __forceinline__ void load_signature(const float* centroids, const float* weights, unsigned count,
                                               unsigned dimensions, float sign, float* to) {
  const unsigned stride = passes::sqfd_centroid_stride(dimensions);
  for (unsigned i = threadIdx.x; i < count * dimensions; i += blockDim.x)
    to[i / dimensions * stride + i % dimensions] = centroids[i];
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) to[i * stride + dimensions] = sign * weights[i];
}

/// The items of this thread: t, t + threads, and so on; rows and columns go on by as much.
template <typename Real, typename Pair>
__device__ Real sum_of_items(const Pair& pair, unsigned length, unsigned dimensions, Real scale) {
  const unsigned step_rows = blockDim.x / length, step_columns = blockDim.x % length;
  unsigned row = threadIdx.x / length, column = threadIdx.x % length;
  Real sum = 0;
  while (row < length) {
    const float* a = pair.centroid(row);
    const float* b = pair.centroid(column);
    Real squared = 0;
    for (unsigned i = 0; i < dimensions; ++i) {
      const Real difference = subtract(Real(a[i]), Real(b[i]));
      squared = add(squared, multiply(difference, difference));
    }
    const Real weights = multiply(Real(pair.weight(row)), Real(pair.weight(column)));
    sum = add(sum, multiply(weights, negative_power(multiply(scale, squared))));
    row += step_rows;
    column += step_columns;
    if (column >= length) {
      column -= length;
      ++row;
    }
  }
  return sum;
}

template <typename Real>
__global__ void __launch_bounds__(passes::sqfd_workgroup) sqfd_distances(const SqfdParameters p) {
  follow_previous_pass();
  __shared__ float values[passes::sqfd_shared_values];
  __shared__ Real sums[passes::sqfd_workgroup];
  const unsigned place = blockIdx.y * gridDim.x + blockIdx.x;
  if (place >= p.count) return;
  const unsigned number = p.objects == 0 ? p.first_object + place : reinterpret_cast<const unsigned*>(p.objects)[place];
  const auto* offsets = reinterpret_cast<const unsigned*>(p.offsets) + number;
  const unsigned first = offsets[0], object_length = offsets[1] - first;
  const unsigned length = p.query_length + object_length;
  const DistantPair pair{reinterpret_cast<const float*>(p.query_centroids),
                         reinterpret_cast<const float*>(p.query_weights),
                         reinterpret_cast<const float*>(p.centroids) + std::uint64_t{first} * p.dimensions,
                         reinterpret_cast<const float*>(p.weights) + first,
                         p.query_length,
                         p.dimensions};
  const unsigned stride = passes::sqfd_centroid_stride(p.dimensions);
  const Real scale = scale_of<Real>(p);
  // 65,535 centroids of 65,536 dimensions are just below 2^32.
  if (length * stride <= passes::sqfd_shared_values) {
    load_signature(pair.query, pair.query_weights, p.query_length, p.dimensions, 1, values);
    load_signature(pair.object, pair.object_weights, object_length, p.dimensions, -1, values + p.query_length * stride);
    __syncthreads();
    sums[threadIdx.x] = sum_of_items(SharedPair{values, p.dimensions, stride}, length, p.dimensions, scale);
  } else {
    sums[threadIdx.x] = sum_of_items(pair, length, p.dimensions, scale);
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  Real total = 0;
#pragma unroll 16
  for (unsigned i = 0; i < passes::sqfd_workgroup; ++i) total = add(total, sums[i]);
  const float smallest_normal = __uint_as_float(0x00800000u);
  reinterpret_cast<float*>(p.distances)[place] = total < Real(smallest_normal) ? 0.0f : __fsqrt_rn(to_single(total));
}

}  // namespace proxel::cuda
