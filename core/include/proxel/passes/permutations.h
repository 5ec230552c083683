// permutations: the order in which each object sees the permutants (Chavez, Figueroa,
// Navarro 2005): position i of an object is how many permutants are nearer to it than
// permutant i, or as near and numbered lower; `kept` for all that are not among the
// nearest `kept` permutants (prefixes of permutations).
// Positions are bytes, four to a word, lowest permutant lowest; bytes past the last
// permutant are 0. Objects stand in blocks of 32: word w of object o is at
// ((o / 32) * ceil(permutants / 4) + w) * 32 + o % 32.
// Grid: x strides over (block of 32 objects, word) pairs, four at a time.
#ifndef PROXEL_PASSES_PERMUTATIONS_H
#define PROXEL_PASSES_PERMUTATIONS_H
#include "types.h"
PROXEL_PASS_BEGIN
PROXEL_CONSTANT permutation_block = 32u;  // objects of a block
PROXEL_CONSTANT most_permutants = 256u;
struct PermutationsParameters {
  // 32-bit, compared as integers, of object first_object: distance keys (types.h), so that
  // a NaN is behind all numbers; or binary32 that are neither negative nor -0.
  PROXEL_ADDRESS distances;
  PROXEL_ADDRESS positions;  // out: 32-bit, of object 0, blocks of 32 objects
  PROXEL_UINT objects;
  PROXEL_UINT permutants;        // 1 … most_permutants
  PROXEL_UINT object_stride;     // elements of `distances` between objects
  PROXEL_UINT permutant_stride;  // and between permutants
  PROXEL_UINT first_object;      // objects first_object … first_object + objects - 1 are written
  PROXEL_UINT kept;              // 1 … permutants
};
#ifdef __cplusplus
extern const PassKindOf<PermutationsParameters> permutations;
Pass make_permutations(const PermutationsParameters& parameters);
#endif
PROXEL_PASS_END
#endif
