#include "passes/grids.hpp"
#include "passes/reference.hpp"
#include "passes/signature_sums.hpp"
#include "proxel/passes.hpp"

namespace proxel {

Pass passes::make_signature_terms(const SignatureTermsParameters& parameters, int kind, std::uint32_t dimensions) {
  return make_pass("signature_terms", parameters, {signature_block, static_cast<std::uint32_t>(kind), dimensions},
                   {strided_groups(parameters.group_count), 1, 1}, signature_block, 20 * signature_block);
}

void reference::signature_terms(const Pass& pass) {
  using namespace passes;
  const auto p = pass.as<SignatureTermsParameters>();
  const auto* groups = at<const std::uint32_t>(p.groups);
  const SignaturesAt signatures(p.signatures, pass.constants[2]);
  for (std::uint64_t i = groups[0]; i < groups[p.group_count]; ++i) {
    const auto own = cross_sum(signatures, i, signatures, i, static_cast<int>(pass.constants[1]), p.alpha);
    at<float>(p.signatures.terms)[4 * i] = own.high;
    at<float>(p.signatures.terms)[4 * i + 1] = own.low;
  }
}

}  // namespace proxel
