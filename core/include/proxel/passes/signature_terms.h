// signature_terms: S of every signature, its weighted similarities among its own centroids,
// summed as signature_distance sums C with the signature for query and object alike.
// Constants: [0] workgroup size, 128; [1] the similarity's kind (similarity_kind.h); [2] dimensions.
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
PROXEL_PASS_END
#endif
