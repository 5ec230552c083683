#include "kernels/chain.cuh"
#include "kernels/strided.cuh"
#include "kernels/variant.cuh"
#include "proxel/arithmetic/hilbert.h"
#include "proxel/passes/bvh_codes.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::BvhCodesParameters;

__global__ void __launch_bounds__(1024) codes(const Parameters p) {
  follow_previous_pass();
  for_each_strided(p.row_count, [&](std::uint64_t rank) {
    unsigned code = 0;
    unsigned place = p.axis;
    for (unsigned bits = static_cast<unsigned>(rank) >> p.shift; bits != 0; bits >>= 1, place += p.dimensions)
      code |= (bits & 1u) << place;
    unsigned& of_row = reinterpret_cast<unsigned*>(p.codes)[reinterpret_cast<const unsigned*>(p.order)[rank]];
    code += p.axis == 0 ? 0 : of_row - passes::bvh_code_base;
    if (p.axis + 1 == p.dimensions)
      code = arithmetic::hilbert_place(code, p.dimensions, passes::bvh_rank_bits(p.dimensions));
    of_row = passes::bvh_code_base + code;
  });
}

}  // namespace

PROXEL_KERNEL(bvh_codes)(const Pass&) { return variant(codes); }

}  // namespace proxel::cuda
