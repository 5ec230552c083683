// certify_expansion: whether the rows that survived a selection by the expanded
// distance must contain the k nearest, query by query (docs/proofs/expansion.md).
// The survivors are those of smallest |r|^2 - 2 q.r as computed; with s the
// last survivor's value, Q the query's norm, R the largest row's norm and D the
// canonical distance of the k-th, no row that was dropped can be among the k where
//   s + Q - (d + 8) * 2^-21 * (R + Q) - d * 2^-120 > D
// and R + Q <= 2^120 and d <= 2^20. s is NaN where only rows with a NaN were
// dropped, which rank last. Other queries are appended to `undecided`, for
// scan_undecided.
// Grid: x strides over the queries.
#ifndef PROXEL_PASSES_CERTIFY_EXPANSION_H
#define PROXEL_PASSES_CERTIFY_EXPANSION_H
#include "types.h"
PROXEL_PASS_BEGIN
struct CertifyExpansionParameters {
  PROXEL_ADDRESS keys;         // canonical keys; the k-th of query i at keys + 8 * (i * keys_stride + k - 1)
  PROXEL_ADDRESS screened;     // 32-bit distance keys of the last survivor, query i's at screened + 4 * i * screened_pitch
  PROXEL_ADDRESS norms;        // binary32: squared norms of the queries, [query_count]
  PROXEL_ADDRESS largest;      // binary32: squared norm of the largest row
  // In and out: 32-bit: how many queries are undecided (added to), 3 words of
  // padding, then their numbers.
  PROXEL_ADDRESS undecided;
  PROXEL_UINT query_count;
  PROXEL_UINT k;
  PROXEL_UINT keys_stride;     // keys
  PROXEL_UINT dimensions;
  PROXEL_UINT first_query;     // number of query 0 in `undecided`
  PROXEL_UINT screened_pitch;  // 32-bit words
};
#ifdef __cplusplus
extern const PassKindOf<CertifyExpansionParameters> certify_expansion;
Pass make_certify_expansion(const CertifyExpansionParameters& parameters);
#endif
PROXEL_PASS_END
#endif
