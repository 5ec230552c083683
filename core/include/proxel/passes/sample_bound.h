// sample_bound: keys of a sample of each row by which the row's smallest are parted; one workgroup per row. After the randomised
// selection of Monroe et al. 2011 (Randomized Selection on the GPU) and sample sort (Leischner et al. 2010, GPU Sample Sort).
// The row's fours of values are taken `sample_step` at a time, and one of each is sampled, which one a hash of their number says: what
// is in order, or comes again and again, misleads a sample at equal distances. The bound of part i is the sample's key number
// (i + 1) * sample_rank / parts in ascending order, counted from 1; all ones where the sample has fewer.
// Constants: capacity, of the pool that the sample's keys are selected in, a power of two of at least 2 * sample_rank and 4 *
// workgroup size; largest_first.
// Grid: workgroup (x, y) takes row y * grid.x + x; those past the rows do nothing.
#ifndef PROXEL_PASSES_SAMPLE_BOUND_H
#define PROXEL_PASSES_SAMPLE_BOUND_H
#include "types.h"
PROXEL_PASS_BEGIN
PROXEL_CONSTANT most_sample_parts = 32u;
// What is sampled of the fours from number * sample_step on: the upper half of hash * sample_step, counted from there.
#define PROXEL_SAMPLE_HASH(hash, number)    \
  hash = (number) * 0x9E3779B1u;            \
  hash = (hash ^ hash >> 15) * 0x85EBCA77u; \
  hash ^= hash >> 13
struct SampleBoundParameters {
  SelectionRows rows;
  PROXEL_ADDRESS bounds;     // out: keys [rows x parts], the last that may belong to a part
  PROXEL_ADDRESS counters;   // out: 32-bit [rows x parts], all 0: what sample_list counts
  PROXEL_UINT sample_step;   // at least 1
  PROXEL_UINT sample_rank;   // at least `parts`
  PROXEL_UINT parts;         // 1 ... most_sample_parts
  PROXEL_UINT reserved;
};
#define PROXEL_SAMPLE_BOUND_CONSTANTS(constant) \
  constant(0, PROXEL_UINT, capacity, CAPACITY, 512u) \
  constant(1, PROXEL_BOOL, largest_first, LARGEST_FIRST, false)
PROXEL_CONSTANTS(SampleBound, PROXEL_SAMPLE_BOUND_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<SampleBoundParameters, SampleBoundConstants> sample_bound;
/// @param workgroup_size  a power of two, 32 ... 512
/// @param capacity        as above
Pass make_sample_bound(const SampleBoundParameters& parameters, bool largest_first, std::uint32_t workgroup_size,
                       std::uint32_t capacity);
#endif
PROXEL_PASS_END
#endif
