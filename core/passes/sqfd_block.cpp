#include <array>

#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/negative_power.hpp"
#include "passes/reference.hpp"
#include "passes/sqfd_pair.hpp"
#include "proxel/passes/sqfd_block_double.h"

namespace proxel {

using namespace passes;

Pass passes::make_sqfd_block(const SqfdBlockParameters& parameters, SqfdPrecision precision) {
  const bool single = precision == SqfdPrecision::float32;
  const std::uint32_t sums = sqfd_workgroup * (single ? 4 : 8);
  return make_pass(single ? sqfd_block : sqfd_block_double, parameters, {}, row_grid(parameters.count), sqfd_workgroup,
                   sqfd_shared_values * 4 + sums);
}

namespace {

template <typename Real>
float distance(const SqfdBlockParameters& p, std::uint64_t place) {
  const SqfdPairView pair(p, place);
  const auto scale = sqfd_scale<Real>(p);
  const std::uint32_t length = pair.length();
  std::array<Real, sqfd_workgroup> sums{};
  for (std::uint32_t t = 0; t < length * length; ++t) {
    const std::uint32_t row = t / length, column = t % length;
    Real squared = 0;
    for (std::uint32_t i = 0; i < p.dimensions; ++i) {
      const Real difference = Real(pair.centroid(row)[i]) - Real(pair.centroid(column)[i]);
      squared = squared + difference * difference;
    }
    const Real weights = Real(pair.weight(row)) * Real(pair.weight(column));
    Real& sum = sums[t % sqfd_workgroup];
    sum = sum + weights * negative_power(scale * squared);
  }
  return sqfd_root(sums);
}

template <typename Real>
void distances(const Pass& pass) {
  const auto p = pass.as<SqfdBlockParameters>();
  for (std::uint64_t place = 0; place < p.count; ++place) at<float>(p.distances)[place] = distance<Real>(p, place);
}

}  // namespace

PROXEL_THREADED_PASS(sqfd_block)(const Pass& pass) { distances<float>(pass); }
PROXEL_THREADED_PASS(sqfd_block_double)(const Pass& pass) { distances<double>(pass); }

}  // namespace proxel
