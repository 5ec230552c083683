// signature_survivors: of the objects whose bound (signature_bounds) is at most the query's limit
// a list, in no order; the others' bounds become NaN.
// The limit is given, or it is that of signature_limits for the largest of some squares.
// Workgroup size: 128.
// Grid: x strides over tiles of 128 objects, y = queries.
#ifndef PROXEL_PASSES_SIGNATURE_SURVIVORS_H
#define PROXEL_PASSES_SIGNATURE_SURVIVORS_H
#include "types.h"
PROXEL_PASS_BEGIN
struct SignatureSurvivorsParameters {
  PROXEL_ADDRESS bounds;    // in and out: binary32 [queries x objects], bound_stride apart
  PROXEL_ADDRESS squares;   // binary32 [queries x k]; address 0: limits are given
  PROXEL_ADDRESS limits;    // binary32 [queries]: limits, or with squares the margins added to the largest
  PROXEL_ADDRESS lists;     // out: 32-bit, numbers of objects [queries x objects], bound_stride apart
  PROXEL_ADDRESS counts;    // in and out: 32-bit [queries], grow by the objects listed
  PROXEL_UINT objects;
  PROXEL_UINT bound_stride;
  PROXEL_UINT k;
  PROXEL_UINT reserved;
};
#ifdef __cplusplus
extern const PassKindOf<SignatureSurvivorsParameters> signature_survivors;
Pass make_signature_survivors(const SignatureSurvivorsParameters& parameters, std::uint32_t groups,
                              std::uint32_t query_count);
#endif
PROXEL_PASS_END
#endif
