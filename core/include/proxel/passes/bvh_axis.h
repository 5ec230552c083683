// bvh_axis: one dimension of all rows of a database, one value after another,
// copied bit for bit.
// Grid: x strides over rows.
#ifndef PROXEL_PASSES_BVH_AXIS_H
#define PROXEL_PASSES_BVH_AXIS_H
#include "types.h"
PROXEL_PASS_BEGIN
struct BvhAxisParameters {
  Rows rows;
  PROXEL_ADDRESS values;  // out: binary32 [rows.count]
  PROXEL_UINT dimension;
  PROXEL_UINT reserved;
};
#ifdef __cplusplus
extern const PassKindOf<BvhAxisParameters> bvh_axis;
Pass make_bvh_axis(const BvhAxisParameters& parameters);
#endif
PROXEL_PASS_END
#endif
