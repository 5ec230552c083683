// radix_scan: counts become sums of the counts of the tiles before, for each
// digit by itself.
// Grid: (x = digits, y = rows), a workgroup per digit; with few tiles (x = 1, y = rows), an
// invocation per digit.
#ifndef PROXEL_PASSES_RADIX_SCAN_H
#define PROXEL_PASSES_RADIX_SCAN_H
#include "types.h"
PROXEL_PASS_BEGIN
struct RadixScanParameters {
  PROXEL_ADDRESS counts;  // in and out: [rows x digits x tiles]
  PROXEL_ADDRESS totals;  // out: [rows x digits]
  PROXEL_UINT digits;
  PROXEL_UINT tiles;
};
#ifdef __cplusplus
extern const PassKindOf<RadixScanParameters> radix_scan;
Pass make_radix_scan(const RadixScanParameters& parameters, std::uint32_t row_count, std::uint32_t workgroup_size);
#endif
PROXEL_PASS_END
#endif
