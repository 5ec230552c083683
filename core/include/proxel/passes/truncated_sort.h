// truncated_sort: one level of the truncated bitonic sort of Sismanis et al. 2012. Of each tile of 2,048 keys the
// `list` smallest are found, in order: lists of that length are sorted by Batcher's bitonic network, every second one
// descending; then, pair by pair, the smaller key of each place is kept, which are the smallest of both, and merged
// bitonically, until one list is left. Lists of a level before are sorted, ascending, already.
// A tile that the row does not fill is padded with the no-row key.
// Constants: largest_first.
// Grid: workgroup (x, y, z) takes tile z * grid.x + x of row y; those past the tiles do nothing.
#ifndef PROXEL_PASSES_TRUNCATED_SORT_H
#define PROXEL_PASSES_TRUNCATED_SORT_H
#include "types.h"
PROXEL_PASS_BEGIN
PROXEL_CONSTANT truncated_tile = 2048u;
struct TruncatedSortParameters {
  SelectionRows rows;
  SelectionResult result;  // written where target is 0, for which there is one tile; padded past the list
  PROXEL_ADDRESS source;   // lists of the level before, keys [rows x count]; 0: the values of the rows
  PROXEL_ADDRESS target;   // out: keys, [rows x tiles x list]; 0 for the result
  PROXEL_UINT count;       // keys of a row, at least 1; with a source a multiple of `list`
  PROXEL_UINT list;        // a power of two, at most 1,024
};
#define PROXEL_TRUNCATED_SORT_CONSTANTS(constant) constant(0, PROXEL_BOOL, largest_first, LARGEST_FIRST, false)
PROXEL_CONSTANTS(TruncatedSort, PROXEL_TRUNCATED_SORT_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<TruncatedSortParameters, TruncatedSortConstants> truncated_sort;
Pass make_truncated_sort(const TruncatedSortParameters& parameters, bool largest_first, std::uint32_t workgroup_size);
#endif
PROXEL_PASS_END
#endif
