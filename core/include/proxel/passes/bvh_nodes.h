// bvh_nodes: the boxes of a level of a bounding volume hierarchy, each around a
// group of 32 boxes of the level below (bvh_search.h).
// Grid: x strides over the lines of the groups below.
#ifndef PROXEL_PASSES_BVH_NODES_H
#define PROXEL_PASSES_BVH_NODES_H
#include "types.h"
PROXEL_PASS_BEGIN
struct BvhNodesParameters {
  PROXEL_ADDRESS children;  // binary32 [ceil(child_count / 32) x 2 dimensions x 32]
  PROXEL_ADDRESS boxes;     // out: one per group of children, in groups of 32 themselves
  PROXEL_UINT child_count;
  PROXEL_UINT dimensions;
};
#ifdef __cplusplus
extern const PassKindOf<BvhNodesParameters> bvh_nodes;
Pass make_bvh_nodes(const BvhNodesParameters& parameters);
#endif
PROXEL_PASS_END
#endif
