#include "kernels/chain.cuh"
#include "kernels/variant.cuh"
#include "proxel/arithmetic/layout_force.h"
#include "proxel/passes/layout_step.h"

namespace proxel::cuda {
namespace {

using namespace arithmetic;
using Parameters = passes::LayoutStepParameters;

template <int dimensions>
struct Vertex {
  float own[dimensions], force[dimensions];

  // Adds what another vertex exerts.
  template <bool away>
  __device__ __forceinline__ void add(const Parameters& p, unsigned other) {
    const float* position = reinterpret_cast<const float*>(p.from) + std::size_t{other} * dimensions;
    float difference[dimensions];
    float square = 0;
#pragma unroll
    for (int d = 0; d < dimensions; ++d) {
      difference[d] = away ? own[d] - position[d] : position[d] - own[d];
      square = square + difference[d] * difference[d];
    }
    const float weight = away ? repulsion_of(square, p.repulsion) : attraction_of(square);
#pragma unroll
    for (int d = 0; d < dimensions; ++d) force[d] = force[d] + limited_force(difference[d] * weight);
  }
};

template <int dimensions>
__global__ void move(const Parameters p) {
  follow_previous_pass();
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t row = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; row < p.rows; row += stride) {
    const auto number = static_cast<unsigned>(row);
    Vertex<dimensions> vertex;
#pragma unroll
    for (int d = 0; d < dimensions; ++d) {
      vertex.own[d] = reinterpret_cast<const float*>(p.from)[row * dimensions + d];
      vertex.force[d] = 0;
    }
    const auto* list = reinterpret_cast<const unsigned*>(p.indices) + row * p.neighbors;
    for (unsigned slot = 0; slot < p.neighbors; ++slot) {
      const unsigned other = list[slot];
      if (other < p.rows && other != number) vertex.template add<false>(p, other);
    }
    for (unsigned draw = 0; draw < p.draws; ++draw) {
      const unsigned other = drawn_vertex(number, p.step, draw, p.rows);
      if (other != number) vertex.template add<true>(p, other);
    }
#pragma unroll
    for (int d = 0; d < dimensions; ++d)
      reinterpret_cast<float*>(p.to)[row * dimensions + d] = placed(vertex.own[d] + p.rate * vertex.force[d]);
  }
}

}  // namespace

PROXEL_KERNEL(layout_step)(const Pass& pass) {
  switch (pass.constants_as<passes::LayoutStepConstants>().dimensions) {
    case 1:
      return variant(move<1>);
    case 2:
      return variant(move<2>);
    case 3:
      return variant(move<3>);
    default:
      return {};
  }
}

}  // namespace proxel::cuda
