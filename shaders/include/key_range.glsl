// The range of distance keys that the one of a rank lies in, narrowed by counting.
#ifndef PROXEL_KEY_RANGE_GLSL
#define PROXEL_KEY_RANGE_GLSL
#include "order.glsl"

// Where values lie evenly their keys do not: so the next key to count up to is that of the value where the rank is expected to be. Where
// that has taken away less than half of the range, the range is halved next. Values at the end of a tail do not lie evenly: of what
// screening collects halving finds the rank sooner.
struct KeyRange {
  uint low, high;  // the key of that rank is one of these, and of those between
  uint reached;    // at most so many keys are not above `high`
  bool even;       // whether values lie evenly, more or less; else the range is always halved
  uint below;      // how many are below `low`
  bool halve;
};

// @param reached  how many keys there are
KeyRange key_range(uint low, uint high, uint reached, bool even) {
  return KeyRange(low, high, reached, even, 0u, !even);
}

// From `low` to high - 1.
// @param rank  below + 1 … reached
uint key_range_middle(KeyRange range, uint rank) {
  // Of keys that have the largest values first these are the negative ones, which lie as evenly.
  const float first = ascending_value(range.low), last = ascending_value(range.high);
  const float share = float(rank - range.below) / float(range.reached - range.below);
  const uint key = ascending_bits(floatBitsToUint(first + (last - first) * share));
  const bool halve = range.halve || key < range.low || key >= range.high;
  return halve ? range.low + (range.high - range.low) / 2u : key;
}

// @param key    from key_range_middle()
// @param count  how many keys are not above it
// @param least  the least rank that will do
void key_range_narrow(inout KeyRange range, uint key, uint count, uint least) {
  const uint width = range.high - range.low;
  if (count < least) {
    range.low = key + 1u;
    range.below = count;
  } else {
    range.high = key;
    range.reached = count;
  }
  range.halve = !range.even || range.high - range.low > width / 2u;
}

#endif
