// group_minima: the smallest key of each group of columns of every row.
// A row is cut into pieces of 8 values: piece i begins i * 32 bytes after the
// row's start rounded down to 16 bytes. Its pieces go round the groups, `merge`
// neighbouring pieces at a time: group g has the pieces
// s * groups * merge + g * merge + i with i < merge and s < steps. Every group
// has at least one piece, every piece at least one value of the row.
// Constants: [0] workgroup size, [1] merge: 1, 2, 4 or 8, [2] 1 for largest first.
// Grid: x = groups * merge / workgroup size; (y, z) is row z * grid.y + y.
#ifndef PROXEL_PASSES_GROUP_MINIMA_H
#define PROXEL_PASSES_GROUP_MINIMA_H
#include "types.h"
PROXEL_PASS_BEGIN
struct GroupMinimaParameters {
  SelectionRows rows;
  PROXEL_ADDRESS minima;  // out: keys, [rows x groups]
  PROXEL_UINT groups;     // a multiple of workgroup size / merge
  PROXEL_UINT steps;
};
PROXEL_PASS_END
#endif
