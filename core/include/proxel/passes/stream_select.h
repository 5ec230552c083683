// stream_select: the k smallest or largest values of each row, one workgroup
// per row, which reads the row once, as a rule.
// A pool of keys in shared memory holds what may still be among the k; values
// beyond the bound, which the pool's k-th key sets, are passed over. The first
// bound comes from a sample of the row; where too few values are below it, the row is
// read again, and the bound comes from the minima of groups of values read first, as it does
// where the row is less than two samples long.
// Constants: capacity, of the pool, a power of two of at least 2 * min(k, columns) and 4 *
// workgroup size; largest_first.
// Workgroups of 1,024, or smaller pools, gave wrong answers in NVIDIA's Vulkan driver
// 580 (docs/lab/selection.md).
// Grid: workgroup (x, y) takes row y * grid.x + x; those past the rows do nothing.
#ifndef PROXEL_PASSES_STREAM_SELECT_H
#define PROXEL_PASSES_STREAM_SELECT_H
#include "types.h"
PROXEL_PASS_BEGIN
struct StreamSelectParameters {
  SelectionRows rows;
  SelectionResult result;
};
#define PROXEL_STREAM_SELECT_CONSTANTS(constant) \
  constant(0, PROXEL_UINT, capacity, CAPACITY, 512u) \
  constant(1, PROXEL_BOOL, largest_first, LARGEST_FIRST, false)
PROXEL_CONSTANTS(StreamSelect, PROXEL_STREAM_SELECT_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<StreamSelectParameters, StreamSelectConstants> stream_select;
/// @param workgroup_size  a power of two, 32…512
/// @param capacity        see stream_select.h
Pass make_stream_select(const StreamSelectParameters& parameters, bool largest_first, std::uint32_t workgroup_size,
                        std::uint32_t capacity);
#endif
PROXEL_PASS_END
#endif
