// decode_keys: keys become what the caller sees, indices and distances.
// The no-row key gives 0xFFFFFFFF and +infinity (-infinity where larger values
// are nearer and stay as they are); a NaN distance is written as 0x7FC00000.
// `finish` says what is done to the others (types.h).
// Grid: x strides over the keys.
#ifndef PROXEL_PASSES_DECODE_KEYS_H
#define PROXEL_PASSES_DECODE_KEYS_H
#include "types.h"
PROXEL_PASS_BEGIN
struct DecodeKeysParameters {
  PROXEL_ADDRESS keys;       // [count]
  PROXEL_ADDRESS indices;    // out: 32-bit, [count]
  PROXEL_ADDRESS distances;  // out: binary32, [count]
  PROXEL_UINT count;
  PROXEL_UINT largest_first; // 1 where ip was accumulated
  PROXEL_UINT finish;        // finish_none, finish_root or finish_complement
  PROXEL_UINT reserved;
};
#ifdef __cplusplus
extern const PassKindOf<DecodeKeysParameters> decode_keys;
Pass make_decode_keys(const DecodeKeysParameters& parameters);
#endif
PROXEL_PASS_END
#endif
