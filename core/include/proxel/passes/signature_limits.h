// signature_limits: from the k-th smallest screened squared distance of each query to the
// largest that may belong to one of its k nearest, with v = max(value, 0): (v + v / 2^20) + margin.
// Grid: x strides over queries.
#ifndef PROXEL_PASSES_SIGNATURE_LIMITS_H
#define PROXEL_PASSES_SIGNATURE_LIMITS_H
#include "types.h"
PROXEL_PASS_BEGIN
struct SignatureLimitsParameters {
  PROXEL_ADDRESS selected;  // binary32 [query_count x k], ascending
  PROXEL_ADDRESS margins;   // binary32 [query_count]
  PROXEL_ADDRESS limits;    // out: binary32 [query_count]
  PROXEL_UINT query_count;
  PROXEL_UINT k;
};
#ifdef __cplusplus
extern const PassKindOf<SignatureLimitsParameters> signature_limits;
Pass make_signature_limits(const SignatureLimitsParameters& parameters);
#endif
PROXEL_PASS_END
#endif
