// signature_pairs: squared distances as signature_screen finds them, of each query to the objects
// of a list. A team of 32 invocations per pair, one per centroid of the object.
// Workgroup size: 128.
// Constants: similarity, its kind (similarity_kind.h); dimensions.
// Grid: x strides over four objects of the list at a time, y = queries.
#ifndef PROXEL_PASSES_SIGNATURE_PAIRS_H
#define PROXEL_PASSES_SIGNATURE_PAIRS_H
#include "types.h"
PROXEL_PASS_BEGIN
struct SignaturePairsParameters {
  SignatureSet queries;
  SignatureSet objects;
  PROXEL_ADDRESS lists;    // 32-bit, numbers of objects, list_stride from one query to the next
  PROXEL_ADDRESS counts;   // 32-bit [queries]; address 0: `count` of each
  // Out: binary32, square_stride from one query to the next; at the object's number, or
  // without counts at its place in the list.
  PROXEL_ADDRESS squares;
  PROXEL_UINT count;
  PROXEL_UINT list_stride;
  PROXEL_UINT square_stride;
  float factor;            // as signature_screen has it
  PROXEL_UINT unit;        // a signed number: signature_square()'s
  PROXEL_UINT reserved;
};
#define PROXEL_SIGNATURE_PAIRS_CONSTANTS(constant) \
  constant(0, PROXEL_UINT, similarity, SIMILARITY, 0u) \
  constant(1, PROXEL_UINT, dimensions, DIMENSIONS, 1u)
PROXEL_CONSTANTS(SignaturePairs, PROXEL_SIGNATURE_PAIRS_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<SignaturePairsParameters, SignaturePairsConstants> signature_pairs;
Pass make_signature_pairs(const SignaturePairsParameters& parameters, int kind, std::uint32_t dimensions,
                          std::uint32_t groups, std::uint32_t query_count);
#endif
PROXEL_PASS_END
#endif
