// signature_distance: the canonical signature quadratic form distance of queries to signatures:
// C = sum over the object's centroids j of w_j (sum over the query's centroids i of w_i f_ij),
// both ascending, in float-float (proxel/arithmetic), and what signature_square() makes of it.
// With limits, distances hold squared distances that signature_screen found: of those above
// their query's limit the distance becomes a NaN and is not computed.
// Constants: [0] workgroup size, 128; [1] the similarity's kind (similarity_kind.h); [2] dimensions.
// Grid: x shares the groups of objects out, neighbouring ones together; y = queries.
#ifndef PROXEL_PASSES_SIGNATURE_DISTANCE_H
#define PROXEL_PASSES_SIGNATURE_DISTANCE_H
#include "types.h"
PROXEL_PASS_BEGIN
struct SignatureDistanceParameters {
  SignatureSet queries;
  SignatureSet objects;
  PROXEL_ADDRESS groups;      // of the objects, 32-bit [group_count + 1]
  PROXEL_ADDRESS distances;   // out, with limits in and out: binary32 [queries x objects], distance_stride apart
  PROXEL_ADDRESS limits;      // binary32 [queries]; address 0: none
  PROXEL_ADDRESS evaluated;   // in and out: 32-bit [queries], grows by the distances computed
  PROXEL_UINT group_count;
  PROXEL_UINT distance_stride;
  float alpha;
  PROXEL_UINT unit;           // a signed number: signature_square()'s
};
PROXEL_PASS_END
#endif
