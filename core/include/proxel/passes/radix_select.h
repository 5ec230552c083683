// radix_select: one of four rounds that find the k-th smallest distance key of
// each row, eight bits at a time. Round i counts, by bits 24 - 8 i … 31 - 8 i, the
// keys whose higher bits are those of the k-th, which the rounds before tell.
// After four rounds the histograms tell the key, and how many are below it.
// Constants: largest_first.
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
#define PROXEL_RADIX_SELECT_CONSTANTS(constant) constant(0, PROXEL_BOOL, largest_first, LARGEST_FIRST, false)
PROXEL_CONSTANTS(RadixSelect, PROXEL_RADIX_SELECT_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<RadixSelectParameters, RadixSelectConstants> radix_select;
Pass make_radix_select(const RadixSelectParameters& parameters, bool largest_first, std::uint32_t workgroup_size);
#endif
PROXEL_PASS_END
#endif
