// signature_terms: S of every signature, its weighted similarities among its own centroids,
// summed as signature_distance sums C with the signature for query and object alike.
// Workgroup size: 128.
// Constants: similarity, its kind (similarity_kind.h); dimensions.
// Grid: x strides over groups.
#ifndef PROXEL_PASSES_SIGNATURE_TERMS_H
#define PROXEL_PASSES_SIGNATURE_TERMS_H
#include "types.h"
PROXEL_PASS_BEGIN
struct SignatureTermsParameters {
  SignatureSet signatures;  // out: the first two of each one's terms
  PROXEL_ADDRESS groups;    // 32-bit [group_count + 1]
  PROXEL_UINT group_count;
  float alpha;
};
#define PROXEL_SIGNATURE_TERMS_CONSTANTS(constant) \
  constant(0, PROXEL_UINT, similarity, SIMILARITY, 0u) \
  constant(1, PROXEL_UINT, dimensions, DIMENSIONS, 1u)
PROXEL_CONSTANTS(SignatureTerms, PROXEL_SIGNATURE_TERMS_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<SignatureTermsParameters, SignatureTermsConstants> signature_terms;
/// @param kind  similarity_kind.h's
Pass make_signature_terms(const SignatureTermsParameters& parameters, int kind, std::uint32_t dimensions);
#endif
PROXEL_PASS_END
#endif
