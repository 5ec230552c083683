// range_offsets: where each query's matches begin, when they follow each other:
// offset i is the sum of the counters before i, and the last the sum of all; offset 0
// is 0, or what stands there, for the first of some queries that follow others.
// Grid: one workgroup.
#ifndef PROXEL_PASSES_RANGE_OFFSETS_H
#define PROXEL_PASSES_RANGE_OFFSETS_H
#include "types.h"
PROXEL_PASS_BEGIN
struct RangeOffsetsParameters {
  PROXEL_ADDRESS counters;  // 32-bit, [queries]
  PROXEL_ADDRESS offsets;   // out: 64-bit, [queries + 1]; the first also in where continues is 1
  PROXEL_UINT queries;
  PROXEL_UINT continues;    // 0 or 1
};
#ifdef __cplusplus
extern const PassKindOf<RangeOffsetsParameters> range_offsets;
Pass make_range_offsets(const RangeOffsetsParameters& parameters);
#endif
PROXEL_PASS_END
#endif
