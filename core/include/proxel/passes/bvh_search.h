// bvh_search: the k nearest rows of each query, through a bounding volume
// hierarchy of 32 children a node (bvh_leaves.h, bvh_nodes.h).
// Level 0 has a box per leaf, level i + 1 one per group of 32 boxes of level i,
// the last is the first level of at most 32 boxes. Group g of a level is 2
// dimensions lines of 32 values: the lower bounds of dimension 0 of boxes 32 g …
// 32 g + 31, their upper bounds, those of dimension 1, …; the groups of level 0
// come first, those of the last level last.
// A box is passed over where the canonical distance to its point nearest to the
// query is greater than that of the k-th nearest row so far. Each operation of the
// canonical distance rounds monotonically in |query - row| of every dimension, so that
// no row of the box is nearer, and the answer is the scan's whatever the order
// of the rows and whatever boxes are passed over.
// Rows that the filter leaves out, and keys at or below `after`, are passed over.
// Results of queries past those that there are stay as they are.
// Results as decode_keys writes them, ascending by key.
// Workgroup size: bvh_width.
// Constants: metric, accumulated, and not ip; dimensions, 1 … bvh_most_dimensions; capacity, keys
// that fit the shared memory: a power of two, at least bvh_pool(k) + bvh_width.
// Grid: (x, y) is query y * grid.x + x.
#ifndef PROXEL_PASSES_BVH_SEARCH_H
#define PROXEL_PASSES_BVH_SEARCH_H
#include "bvh_leaves.h"
PROXEL_PASS_BEGIN
// Levels of the largest database.
PROXEL_CONSTANT bvh_most_levels = 6u;
// Keys at which a search keeps the k smallest and goes on with their k-th.
PROXEL_FUNCTION PROXEL_UINT bvh_pool(PROXEL_UINT k) { return k + (k > 64u ? k / 2u : 32u); }
struct BvhSearchParameters {
  PROXEL_ADDRESS queries;      // binary32, row-major
  PROXEL_ADDRESS coordinates;  // bvh_leaves'
  PROXEL_ADDRESS order;        // 32-bit [row_count]: the row at each place
  PROXEL_ADDRESS boxes;        // of all levels
  PROXEL_ADDRESS after;        // keys [query_count]; address 0: none
  PROXEL_ADDRESS filter_bits;  // filter_stride words between queries; address 0: none
  PROXEL_ADDRESS indices;      // out: 32-bit [query_count x k]
  PROXEL_ADDRESS distances;    // out: binary32 [query_count x k]
  PROXEL_ADDRESS counted;      // 32-bit: queries there are, of which no more than query_count are answered; address 0: those
  PROXEL_UINT row_count;
  PROXEL_UINT query_count;
  PROXEL_UINT query_stride;    // elements between queries
  PROXEL_UINT k;
  PROXEL_UINT finish;          // as in decode_keys
  PROXEL_UINT filter_stride;
};
#define PROXEL_BVH_SEARCH_CONSTANTS(constant) \
  constant(0, PROXEL_METRIC, metric, METRIC, 0u) \
  constant(1, PROXEL_UINT, dimensions, DIMENSIONS, 1u) \
  constant(2, PROXEL_UINT, capacity, CAPACITY, 128u)
PROXEL_CONSTANTS(BvhSearch, PROXEL_BVH_SEARCH_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<BvhSearchParameters, BvhSearchConstants> bvh_search;
Pass make_bvh_search(const BvhSearchParameters& parameters, Metric metric, std::uint32_t dimensions);
#endif
PROXEL_PASS_END
#endif
