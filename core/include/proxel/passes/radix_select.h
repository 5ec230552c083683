// radix_select: one of four rounds that find the k-th smallest distance key of
// each row, eight bits at a time. Round i counts, by bits 24 - 8 i … 31 - 8 i, the
// keys whose higher bits are those of the k-th, which the rounds before tell.
// After four rounds the histograms tell the key, and how many are below it.
// Constants: [0] workgroup size, [1] 1 for largest first.
// Grid: (x strided over tiles of 16 * workgroup size columns, y = rows).
#ifndef PROXEL_PASSES_RADIX_SELECT_H
#define PROXEL_PASSES_RADIX_SELECT_H
#include "types.h"
PROXEL_PASS_BEGIN
struct RadixSelectParameters {
  SelectionRows rows;
  PROXEL_ADDRESS histograms;  // in and out: counts, [rows x 4 x 256], zero before the first round
  PROXEL_UINT k;              // at most columns
  PROXEL_UINT round;          // 0 … 3
};
PROXEL_PASS_END
#endif
