// decode_keys: keys become what the caller sees, indices and distances.
// The no-row key gives 0xFFFFFFFF and +infinity (-infinity for largest first);
// a NaN distance is written as 0x7FC00000. With root set the distance is the
// correctly rounded square root (l2).
// Constants: [0] workgroup size.
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
  PROXEL_UINT largest_first; // 1 for ip
  PROXEL_UINT root;          // 1 for l2
  PROXEL_UINT reserved;
};
PROXEL_PASS_END
#endif
