// quick_sort_local: the first stage of GPU-Qsort, Local-Qsort (Lopresti 2013,
// section 4.2). A row is cut into parts of a given length, the last one maybe
// shorter; each workgroup sorts one part by iterative quicksort in shared memory.
//   The pivot is the median of a subsequence's first, middle and last key. All
//   invocations place their keys left or right of it; an atomic counter says where
//   a subgroup's begin. Of two sides that are still long the longer one is put on
//   a stack. Subsequences of fewer than eight keys are sorted sequentially, at the
//   end and one by each invocation, so that nobody waits for them.
//   Subsequences that one subgroup can hold are left to single subgroups, which go
//   on in the same way, each with a stack of its own.
// Keys of a row differ, so that their order is unique whatever the placing.
// Of every part its k smallest keys are written; no later ones are among the row's.
// Constants: largest_first; part, keys of a part, a multiple of four workgroup sizes.
// Grid: workgroup (x, y, z) takes part z * grid.x + x of row y; those past the
// parts do nothing.
#ifndef PROXEL_PASSES_QUICK_SORT_LOCAL_H
#define PROXEL_PASSES_QUICK_SORT_LOCAL_H
#include "types.h"
PROXEL_PASS_BEGIN
// Subsequences of fewer keys are sorted sequentially.
PROXEL_CONSTANT quick_sort_short = 8u;
// Keys for each invocation of a subgroup up to which it works on its own.
PROXEL_CONSTANT quick_sort_alone = 4u;
// The shorter side is sorted first: 2^16 keys would need as many entries.
PROXEL_CONSTANT quick_sort_stack = 16u;
struct QuickSortLocalParameters {
  SelectionRows rows;
  SelectionResult result;  // written where target is 0, for which there is one part; padded past the row
  PROXEL_ADDRESS target;   // out: keys, [rows x columns], each part's from its first column on
};
#define PROXEL_QUICK_SORT_LOCAL_CONSTANTS(constant) \
  constant(0, PROXEL_BOOL, largest_first, LARGEST_FIRST, false) \
  constant(1, PROXEL_UINT, part, PART, 1024u)
PROXEL_CONSTANTS(QuickSortLocal, PROXEL_QUICK_SORT_LOCAL_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<QuickSortLocalParameters, QuickSortLocalConstants> quick_sort_local;
/// Shared memory of quick_sort_local, bytes.
std::uint32_t quick_sort_shared_bytes(std::uint32_t part, std::uint32_t workgroup_size);
/// @param workgroup_size  128 or 256; 256 on CUDA
/// @param part            keys of a part: 1,024, 2,048 or 4,096
Pass make_quick_sort_local(const QuickSortLocalParameters& parameters, bool largest_first, std::uint32_t workgroup_size,
                           std::uint32_t part);
#endif
PROXEL_PASS_END
#endif
