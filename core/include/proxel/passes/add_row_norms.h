// add_row_norms: adds the i-th norm to every element of row i of the matrix
// (step 4 of Garcia 2010, section 2.3), in place. What is left are the distance
// keys (types.h) of the sums, so that what follows orders them as integers.
// Grid: x strides over the elements.
#ifndef PROXEL_PASSES_ADD_ROW_NORMS_H
#define PROXEL_PASSES_ADD_ROW_NORMS_H
#include "types.h"
PROXEL_PASS_BEGIN
struct AddRowNormsParameters {
  // In: binary32; out: 32-bit distance keys; [row_count x query_count], row i at
  // matrix + 4 * i * row_pitch. At most 2^31 elements.
  PROXEL_ADDRESS matrix;
  PROXEL_ADDRESS norms;     // binary32, [row_count]
  PROXEL_UINT query_count;
  PROXEL_UINT row_count;
  PROXEL_UINT row_pitch;    // elements between rows
  PROXEL_UINT reserved;
};
#ifdef __cplusplus
extern const PassKindOf<AddRowNormsParameters> add_row_norms;
Pass make_add_row_norms(const AddRowNormsParameters& parameters);
#endif
PROXEL_PASS_END
#endif
