// signature_pairs: squared distances as signature_screen finds them, of each query to the objects
// of a list. A team of 32 invocations per pair, one per centroid of the object.
// Constants: [0] workgroup size, 128; [1] the similarity's kind (similarity_kind.h); [2] dimensions.
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
PROXEL_PASS_END
#endif
