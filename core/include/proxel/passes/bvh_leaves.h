// bvh_leaves: the leaves of a bounding volume hierarchy, and their boxes.
// Leaf i holds the rows at places 32 i … 32 i + 31 of `order`. Its coordinates are
// `dimensions` lines of 32 binary32, copied bit for bit, NaN where there is no
// row. Its box is, per dimension, the least and the greatest of its
// coordinates that are not NaN, +infinity and -infinity where there are none;
// a zero is +0.
// A level's boxes stand in groups of 32 (bvh_search.h).
// Grid: x strides over groups of four leaves.
#ifndef PROXEL_PASSES_BVH_LEAVES_H
#define PROXEL_PASSES_BVH_LEAVES_H
#include "types.h"
PROXEL_PASS_BEGIN
PROXEL_CONSTANT bvh_width = 32u;  // rows of a leaf, and children of a node
PROXEL_CONSTANT bvh_most_dimensions = 8u;
struct BvhLeavesParameters {
  Rows rows;
  PROXEL_ADDRESS order;        // 32-bit [rows.count], a permutation of the rows
  PROXEL_ADDRESS coordinates;  // out: binary32 [leaves x dimensions x 32]
  PROXEL_ADDRESS boxes;        // out: binary32 [ceil(leaves / 32) x 2 dimensions x 32]
  PROXEL_UINT dimensions;      // 1 … bvh_most_dimensions
  PROXEL_UINT reserved;
};
#ifdef __cplusplus
extern const PassKindOf<BvhLeavesParameters> bvh_leaves;
Pass make_bvh_leaves(const BvhLeavesParameters& parameters);
#endif
PROXEL_PASS_END
#endif
