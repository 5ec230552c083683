// group_minima: the smallest key of each group of columns of every row.
// A row is cut into pieces of 8 values: piece i begins i * 32 bytes after the
// row's start rounded down to 16 bytes. Its pieces go round the groups, `merge`
// neighbouring pieces at a time: group g has the pieces
// s * groups * merge + g * merge + i with i < merge and s < steps. Every group
// has at least one piece, every piece at least one value of the row.
// Constants: merge, 1, 2, 4 or 8; largest_first.
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
#define PROXEL_GROUP_MINIMA_CONSTANTS(constant) \
  constant(0, PROXEL_UINT, merge, MERGE, 1u) \
  constant(1, PROXEL_BOOL, largest_first, LARGEST_FIRST, false)
PROXEL_CONSTANTS(GroupMinima, PROXEL_GROUP_MINIMA_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<GroupMinimaParameters, GroupMinimaConstants> group_minima;
/// @param workgroup_size  a power of two, 32…256
/// @param merge           1, 2, 4 or 8
Pass make_group_minima(const GroupMinimaParameters& parameters, bool largest_first, std::uint32_t workgroup_size,
                       std::uint32_t merge);
#endif
PROXEL_PASS_END
#endif
