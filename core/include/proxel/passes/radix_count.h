// radix_count: how often each digit occurs in each tile of a row's keys.
// With histograms address 0 the digit of a key is bits shift … shift + 7 of its
// distance key. Otherwise they are radix_select's, and the digit is 0 for distance
// keys below the k-th, 1 for those equal to it, and others are not counted.
// Constants: largest_first.
// A tile is 16 * workgroup size keys.
// Grid: workgroup (x, y, z) takes tile z * grid.x + x of row y; those past the
// tiles do nothing.
#ifndef PROXEL_PASSES_RADIX_COUNT_H
#define PROXEL_PASSES_RADIX_COUNT_H
#include "types.h"
PROXEL_PASS_BEGIN
struct RadixCountParameters {
  SelectionRows rows;
  RadixSource source;
  PROXEL_ADDRESS counts;  // out: [rows x digits x tiles]
  PROXEL_UINT digits;     // 256, or 2 with histograms
  PROXEL_UINT reserved;
};
#define PROXEL_RADIX_COUNT_CONSTANTS(constant) constant(0, PROXEL_BOOL, largest_first, LARGEST_FIRST, false)
PROXEL_CONSTANTS(RadixCount, PROXEL_RADIX_COUNT_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<RadixCountParameters, RadixCountConstants> radix_count;
Pass make_radix_count(const RadixCountParameters& parameters, bool largest_first, std::uint32_t workgroup_size);
#endif
PROXEL_PASS_END
#endif
