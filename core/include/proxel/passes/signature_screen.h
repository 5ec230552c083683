// signature_screen: squared signature quadratic form distances in plain binary32, for a search
// to leave out what is too far away: (S_query + S_object) - 2 C without the float-float of
// signature_distance, in any order and with the device's own exponentials and roots.
// They are within SignatureScreenBound (core/signatures/screen_bound.hpp) of the canonical ones.
// A query's first place is a multiple of 4, and up to the next such multiple behind it, as
// behind the last object of a block, places have the weight 0.
// Constants: [0] workgroup size, 32; [1] the similarity's kind (similarity_kind.h); [2] dimensions.
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
PROXEL_PASS_END
#endif
