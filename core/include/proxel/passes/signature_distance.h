// signature_distance: the canonical signature quadratic form distance of queries to signatures:
// C = sum over the object's centroids j of w_j (sum over the query's centroids i of w_i f_ij),
// both ascending, in float-float (proxel/arithmetic), and what signature_square() makes of it.
// With limits, distances hold squared distances that signature_screen found: of those above
// their query's limit the distance becomes a NaN and is not computed.
// Workgroup size: 128.
// Constants: similarity, its kind (similarity_kind.h); dimensions.
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
#define PROXEL_SIGNATURE_DISTANCE_CONSTANTS(constant) \
  constant(0, PROXEL_UINT, similarity, SIMILARITY, 0u) \
  constant(1, PROXEL_UINT, dimensions, DIMENSIONS, 1u)
PROXEL_CONSTANTS(SignatureDistance, PROXEL_SIGNATURE_DISTANCE_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<SignatureDistanceParameters, SignatureDistanceConstants> signature_distance;
/// @param groups  workgroups that share the objects of a query
Pass make_signature_distance(const SignatureDistanceParameters& parameters, int kind, std::uint32_t dimensions,
                             std::uint32_t groups, std::uint32_t query_count);
#endif
PROXEL_PASS_END
#endif
