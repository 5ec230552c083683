#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "proxel/arithmetic/hilbert.h"
#include "proxel/passes/bvh_codes.h"

namespace proxel {

Pass passes::make_bvh_codes(const BvhCodesParameters& parameters) {
  return make_pass(bvh_codes, parameters, {}, {strided_groups(divide_up(parameters.row_count, common_workgroup)), 1, 1},
                   common_workgroup);
}

PROXEL_PASS(bvh_codes)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<BvhCodesParameters>();
  for (std::uint32_t rank = 0; rank < parameters.row_count; ++rank) {
    std::uint32_t code = 0;
    for (std::uint32_t bit = 0; (rank >> parameters.shift) >> bit != 0; ++bit)
      code |= ((rank >> parameters.shift) >> bit & 1u) << (bit * parameters.dimensions + parameters.axis);
    std::uint32_t& of_row = at<std::uint32_t>(parameters.codes)[at<const std::uint32_t>(parameters.order)[rank]];
    code += parameters.axis == 0 ? 0 : of_row - bvh_code_base;
    if (parameters.axis + 1 == parameters.dimensions)
      code = arithmetic::hilbert_place(code, parameters.dimensions, bvh_rank_bits(parameters.dimensions));
    of_row = bvh_code_base + code;
  }
}

}  // namespace proxel
