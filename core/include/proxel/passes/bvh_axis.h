// bvh_axis: one dimension of all rows of a database, one value after another,
// copied bit for bit.
// Constants: [0] workgroup size.
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
PROXEL_PASS_END
#endif
