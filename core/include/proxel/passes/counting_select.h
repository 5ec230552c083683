// counting_select: the columns of the k smallest whole numbers of each row, ascending; of
// equal numbers the lowest columns. A workgroup counts how often each number occurs, or,
// where there are more numbers than counters, each range of them and then again within the
// range that holds the k-th; then it reads the row once more for the columns.
// Constants: [0] workgroup size; [1] bytes of a number, 2 or 4; [2] counters.
// Grid: (x, y) is row y * grid.x + x.
#ifndef PROXEL_PASSES_COUNTING_SELECT_H
#define PROXEL_PASSES_COUNTING_SELECT_H
#include "types.h"
PROXEL_PASS_BEGIN
struct CountingSelectParameters {
  PROXEL_ADDRESS numbers;  // [rows x columns], row_stride apart, rows 16-byte aligned
  PROXEL_ADDRESS columns_found;  // out: 32-bit [rows x k], found_stride apart
  PROXEL_UINT rows;
  PROXEL_UINT columns;
  PROXEL_UINT row_stride;    // numbers, a multiple of 16 bytes
  PROXEL_UINT found_stride;  // at least k
  PROXEL_UINT k;             // 1 … columns
  PROXEL_UINT largest;       // no number of a column is larger
};
PROXEL_PASS_END
#endif
