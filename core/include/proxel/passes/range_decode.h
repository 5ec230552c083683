// range_decode: the distance keys of matches become distances, in place.
// Queries whose matches do not all lie below `capacity` are left alone.
// Grid: x workgroups share the matches of a query, y = queries.
#ifndef PROXEL_PASSES_RANGE_DECODE_H
#define PROXEL_PASSES_RANGE_DECODE_H
#include "types.h"
PROXEL_PASS_BEGIN
struct RangeDecodeParameters {
  PROXEL_ADDRESS offsets;     // 64-bit, [queries + 1] (range_offsets.h)
  PROXEL_ADDRESS distances;   // in: 32-bit distance keys, out: binary32, [capacity]
  PROXEL_ADDRESS capacity;    // a 64-bit number
  PROXEL_UINT largest_first;  // 1 where ip was accumulated
  PROXEL_UINT finish;         // as in decode_keys
};
#ifdef __cplusplus
extern const PassKindOf<RangeDecodeParameters> range_decode;
Pass make_range_decode(const RangeDecodeParameters& parameters, std::uint32_t groups, std::uint32_t query_count);
#endif
PROXEL_PASS_END
#endif
