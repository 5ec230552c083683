// signature_bounds: lower bounds of the squared distances between queries and objects, by the
// distances of both to pivots: the largest of |d(q,p) - d(o,p)| over pivots p and of
// (d(q,s) d(o,p) - d(q,p) d(o,s)) / d(p,s) over pairs of them (Ptolemy's inequality), rounded down.
// True distances lie in intervals: those to objects in `low` and `high`, those of a
// query in what signature_interval's formula makes of its canonical distance a and the error e of
// the square: root(max(a a - a a / 2^20 - e, 0)) less a 2^20th of it, root(a a + a a / 2^20 + e) and a 2^20th more.
// Workgroup size: 128.
// Grid: x strides over tiles of 128 objects, y = queries.
#ifndef PROXEL_PASSES_SIGNATURE_BOUNDS_H
#define PROXEL_PASSES_SIGNATURE_BOUNDS_H
#include "types.h"
PROXEL_PASS_BEGIN
// Pivots, fewer of them made up with ones that tell nothing: all their numbers are 0.
PROXEL_CONSTANT signature_pivots = 32u;
struct SignatureBoundsParameters {
  PROXEL_ADDRESS query_distances;  // binary32 [queries x signature_pivots], canonical
  PROXEL_ADDRESS query_errors;     // binary32 [queries]
  PROXEL_ADDRESS low;              // binary32 [signature_pivots x object_stride]
  PROXEL_ADDRESS high;             // binary32 [signature_pivots x object_stride]
  // binary32 [signature_pivots x signature_pivots]: at most and at least 1 / d(p,s), with 2^-19 of
  // it to spare; 0 where d(p,s) may be 0.
  PROXEL_ADDRESS inverse_low;
  PROXEL_ADDRESS inverse_high;
  PROXEL_ADDRESS bounds;           // out: binary32 [queries x objects], bound_stride apart
  PROXEL_UINT pivots;              // 1 … signature_pivots, that query_distances have
  PROXEL_UINT objects;
  PROXEL_UINT object_stride;
  PROXEL_UINT bound_stride;
};
#ifdef __cplusplus
extern const PassKindOf<SignatureBoundsParameters> signature_bounds;
/// @param groups  workgroups that share the objects of a query, as of the two others
Pass make_signature_bounds(const SignatureBoundsParameters& parameters, std::uint32_t groups,
                           std::uint32_t query_count);
#endif
PROXEL_PASS_END
#endif
