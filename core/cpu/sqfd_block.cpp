// Objects of the block are shared among threads; the items of a pair are vectors.

#include <algorithm>
#include <array>
#include <vector>

#include "cpu/machine.hpp"
#include "passes/sqfd_pair.hpp"

namespace proxel::cpu {
namespace {

using passes::SqfdBlockParameters;

void compute(const Kernels& kernels, const SqfdPair<float>& pair) { kernels.sqfd_float32(pair); }
void compute(const Kernels& kernels, const SqfdPair<double>& pair) { kernels.sqfd_float64(pair); }

template <typename Real>
void distances(const SqfdBlockParameters& p, std::uint64_t first, std::uint64_t count, const Kernels& kernels) {
  std::vector<Real> coordinates, weights;
  std::array<Real, passes::sqfd_workgroup> sums;
  SqfdPair<Real> pair;
  pair.dimensions = p.dimensions;
  pair.scale = passes::sqfd_scale<Real>(p);
  pair.sums = sums.data();
  for (std::uint64_t place = first; place < first + count; ++place) {
    const passes::SqfdPairView view(p, place);
    pair.length = view.length();
    coordinates.resize(std::size_t{pair.length} * p.dimensions);
    weights.resize(pair.length);
    for (std::uint32_t c = 0; c < pair.length; ++c) {
      const float* centroid = view.centroid(c);
      for (std::uint32_t i = 0; i < p.dimensions; ++i)
        coordinates[std::size_t{i} * pair.length + c] = Real(centroid[i]);
      weights[c] = Real(view.weight(c));
    }
    pair.coordinates = coordinates.data();
    pair.weights = weights.data();
    compute(kernels, pair);
    passes::at<float>(p.distances)[place] = passes::sqfd_root(sums);
  }
}

template <typename Real>
void share(const Pass& pass, Machine& machine) {
  const auto p = pass.as<SqfdBlockParameters>();
  // Objects that a thread takes at a time.
  constexpr std::uint64_t part = 16;
  machine.workers.for_each((p.count + part - 1) / part, [&](std::uint64_t item) {
    distances<Real>(p, item * part, std::min<std::uint64_t>(part, p.count - item * part), machine.kernels);
  });
}

}  // namespace

void sqfd_block(const Pass& pass, Machine& machine) { share<float>(pass, machine); }
void sqfd_block_double(const Pass& pass, Machine& machine) { share<double>(pass, machine); }

}  // namespace proxel::cpu
