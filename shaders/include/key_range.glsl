// The range of distance keys that the one of a rank lies in, narrowed by counting.
#ifndef PROXEL_KEY_RANGE_GLSL
#define PROXEL_KEY_RANGE_GLSL

// Where values lie evenly their keys do not: so the next key to count up to is that of the value where the rank is expected to be. Where
// that has taken away less than half of the range, the range is halved next. Values at the end of a tail do not lie evenly: of what
// screening collects halving finds the rank sooner.
struct KeyRange {
  uint low, high;  // the key of that rank is one of these, and of those between
  uint reached;    // how many keys are not above `high`
  bool even;       // whether values lie evenly, more or less; else the range is always halved
  uint below;      // how many are below `low`
  bool halve;
};

// @param reached  how many keys there are
KeyRange key_range(uint low, uint high, uint reached, bool even) {
  return KeyRange(low, high, reached, even, 0u, !even);
}

// Of keys that have the largest values first the negative value, which lies as evenly.
float value_of_key(uint key) { return uintBitsToFloat((key & 0x80000000u) != 0u ? key ^ 0x80000000u : ~key); }

// From `low` to high - 1.
// @param rank  below + 1 … reached
uint key_range_middle(KeyRange range, uint rank) {
  const float first = value_of_key(range.low), last = value_of_key(range.high);
  const float share = float(rank - range.below) / float(range.reached - range.below);
  const uint bits = floatBitsToUint(first + (last - first) * share);
  const uint key = bits ^ ((bits >> 31) != 0u ? 0xFFFFFFFFu : 0x80000000u);
  const bool halve = range.halve || key < range.low || key >= range.high;
  return halve ? range.low + (range.high - range.low) / 2u : key;
}

// @param key    from key_range_middle()
// @param count  how many keys are not above it
// @param least  the rank
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
