#include "passes/grids.hpp"
#include "passes/reference.hpp"
#include "passes/signature_sums.hpp"
#include "proxel/passes/signature_terms.h"

namespace proxel {

Pass passes::make_signature_terms(const SignatureTermsParameters& parameters, int kind, std::uint32_t dimensions) {
  return make_pass(signature_terms, parameters,
                   {.similarity = static_cast<std::uint32_t>(kind), .dimensions = dimensions},
                   {strided_groups(parameters.group_count), 1, 1}, signature_block, 20 * signature_block);
}

PROXEL_THREADED_PASS(signature_terms)(const Pass& pass) {
  using namespace passes;
  const auto p = pass.as<SignatureTermsParameters>();
  const auto constants = pass.constants_as<SignatureTermsConstants>();
  const auto* groups = at<const std::uint32_t>(p.groups);
  const SignaturesAt signatures(p.signatures, constants.dimensions);
  for (std::uint64_t i = groups[0]; i < groups[p.group_count]; ++i) {
    const auto own = cross_sum(signatures, i, signatures, i, static_cast<int>(constants.similarity), p.alpha);
    at<float>(p.signatures.terms)[4 * i] = own.high;
    at<float>(p.signatures.terms)[4 * i + 1] = own.low;
  }
}

}  // namespace proxel
