// group_select: the k smallest or largest values of each row, found with the
// group minima that group_minima has left. No value beyond the k-th smallest
// minimum is among them, so only the groups whose minimum is not beyond it are
// read again.
// Constants: capacity, of the pool, a power of two of at least 2 * min(k, columns) and 4 *
// workgroup size; largest_first.
// Workgroups of 1,024, or smaller pools, gave wrong answers in NVIDIA's Vulkan driver
// 580 (docs/lab/selection.md).
// Grid: workgroup (x, y) takes row y * grid.x + x; those past the rows do nothing.
#ifndef PROXEL_PASSES_GROUP_SELECT_H
#define PROXEL_PASSES_GROUP_SELECT_H
#include "types.h"
PROXEL_PASS_BEGIN
struct GroupSelectParameters {
  SelectionRows rows;
  SelectionResult result;
  PROXEL_ADDRESS minima;  // keys, [rows x groups]
  PROXEL_UINT groups;     // at least k; laid out as group_minima says
  PROXEL_UINT steps;
  PROXEL_UINT merge;
  PROXEL_UINT reserved;
};
#define PROXEL_GROUP_SELECT_CONSTANTS(constant) \
  constant(0, PROXEL_UINT, capacity, CAPACITY, 512u) \
  constant(1, PROXEL_BOOL, largest_first, LARGEST_FIRST, false)
PROXEL_CONSTANTS(GroupSelect, PROXEL_GROUP_SELECT_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<GroupSelectParameters, GroupSelectConstants> group_select;
/// @param workgroup_size  a power of two, 32…512; 1,024 on CUDA
/// @param capacity        see group_select.h
Pass make_group_select(const GroupSelectParameters& parameters, bool largest_first, std::uint32_t workgroup_size,
                       std::uint32_t capacity);
#endif
PROXEL_PASS_END
#endif
