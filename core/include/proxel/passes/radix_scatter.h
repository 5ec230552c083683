// radix_scatter: keys to their places in the order of their digits, keys of one
// digit in the order in which they stood. Places that the target does not have are
// dropped.
// The digits are radix_count's.
// Constants: [0] workgroup size, [1] 1 for largest first, [2] subgroups of a workgroup.
// Grid: workgroup (x, y, z) takes tile z * grid.x + x of row y; those past the
// tiles do nothing.
#ifndef PROXEL_PASSES_RADIX_SCATTER_H
#define PROXEL_PASSES_RADIX_SCATTER_H
#include "types.h"
PROXEL_PASS_BEGIN
struct RadixScatterParameters {
  SelectionRows rows;
  SelectionResult result;  // written where target is 0; slots past the row are padded
  RadixSource source;
  PROXEL_ADDRESS counts;   // what radix_scan left
  PROXEL_ADDRESS totals;
  PROXEL_ADDRESS target;   // out: keys, [rows x target_stride]; 0 for the result
  PROXEL_UINT target_stride;
  PROXEL_UINT digits;
};
PROXEL_PASS_END
#endif
