// signature_screen: squared signature quadratic form distances in plain binary32, for a search
// to leave out what is too far away: (S_query + S_object) - 2 C without the float-float of
// signature_distance, in any order and with the device's own exponentials and roots.
// They are within SignatureScreenBound (core/signatures/screen_bound.hpp) of the canonical ones.
// A query's first place is a multiple of 4, and up to the next such multiple behind it, as
// behind the last object of a block, places have the weight 0.
// Workgroup size: 32.
// Constants: similarity, its kind (similarity_kind.h); dimensions.
// Grid: x strides over groups of objects, y = queries / signature_screen_queries, rounded up.
#ifndef PROXEL_PASSES_SIGNATURE_SCREEN_H
#define PROXEL_PASSES_SIGNATURE_SCREEN_H
#include "types.h"
PROXEL_PASS_BEGIN
PROXEL_CONSTANT signature_screen_queries = 4u;  // of a workgroup
struct SignatureScreenParameters {
  SignatureSet queries;
  SignatureSet objects;
  PROXEL_ADDRESS groups;     // of the objects, 32-bit [group_count + 1]
  PROXEL_ADDRESS distances;  // out: binary32 [query_count x objects], distance_stride apart
  PROXEL_UINT group_count;
  PROXEL_UINT distance_stride;
  PROXEL_UINT query_count;
  float factor;              // gaussian: -alpha / ln 2; otherwise alpha
  PROXEL_UINT unit;          // a signed number: signature_square()'s
  PROXEL_UINT reserved;
};
#define PROXEL_SIGNATURE_SCREEN_CONSTANTS(constant) \
  constant(0, PROXEL_UINT, similarity, SIMILARITY, 0u) \
  constant(1, PROXEL_UINT, dimensions, DIMENSIONS, 1u)
PROXEL_CONSTANTS(SignatureScreen, PROXEL_SIGNATURE_SCREEN_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<SignatureScreenParameters, SignatureScreenConstants> signature_screen;
/// @param groups  workgroups that share the objects of some queries
Pass make_signature_screen(const SignatureScreenParameters& parameters, int kind, std::uint32_t dimensions,
                           std::uint32_t groups);
#endif
PROXEL_PASS_END
#endif
