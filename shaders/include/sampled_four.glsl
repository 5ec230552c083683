// The four of a row that a sample takes of every `step` of them (sample_bound.h).
#ifndef PROXEL_SAMPLED_FOUR_GLSL
#define PROXEL_SAMPLED_FOUR_GLSL
#include "proxel/passes/sample_bound.h"

// @param sampled  how many fours the sample has; past the last one, a four that no row has
uint sampled_four(uint number, uint sampled, uint step) {
  uint hash, part, rest;
  PROXEL_SAMPLE_HASH(hash, number);
  umulExtended(hash, step, part, rest);
  return number < sampled ? number * step + part : 0xFFFFFFFFu;
}

// How many fours of a row a sample has.
uint fours_of_sample(uint vectors, uint step) { return (vectors - 1u) / step + 1u; }

#endif
