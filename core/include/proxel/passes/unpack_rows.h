// unpack_rows: copies rows of a database, in whatever layout, to row-major
// values, as queries are laid out. Values are copied bit for bit.
// Grid: x strides over (tile, dimension chunk) pairs.
#ifndef PROXEL_PASSES_UNPACK_ROWS_H
#define PROXEL_PASSES_UNPACK_ROWS_H
#include "types.h"
PROXEL_PASS_BEGIN
struct UnpackRowsParameters {
  Rows rows;
  PROXEL_ADDRESS destination;  // out: binary32, [row_count x dimensions], row-major
  PROXEL_UINT dimensions;
  PROXEL_UINT first_row;       // rows first_row … first_row + row_count - 1, all below rows.count
  PROXEL_UINT row_count;
  PROXEL_UINT row_stride;      // of the destination: values from one row to the next; 0: dimensions
};
#ifdef __cplusplus
extern const PassKindOf<UnpackRowsParameters> unpack_rows;
Pass make_unpack_rows(UnpackRowsParameters parameters);
#endif
PROXEL_PASS_END
#endif
