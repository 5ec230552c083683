// radix_scatter: keys to their places in the order of their digits, keys of one
// digit in the order in which they stood. Places that the target does not have are
// dropped.
// The digits are radix_count's.
// Constants: largest_first; subgroups, of a workgroup.
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
#define PROXEL_RADIX_SCATTER_CONSTANTS(constant) \
  constant(0, PROXEL_BOOL, largest_first, LARGEST_FIRST, false) \
  constant(1, PROXEL_UINT, subgroups, SUBGROUPS, 4u)
PROXEL_CONSTANTS(RadixScatter, PROXEL_RADIX_SCATTER_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<RadixScatterParameters, RadixScatterConstants> radix_scatter;
/// @param subgroups  of a workgroup on the device that it is for
Pass make_radix_scatter(const RadixScatterParameters& parameters, bool largest_first, std::uint32_t workgroup_size,
                        std::uint32_t subgroups);
#endif
PROXEL_PASS_END
#endif
