// sample_select: the k smallest or largest values of each row, one workgroup per row, for a k whose keys do not fit shared
// memory. After the randomised selection of Monroe et al. 2011 (Randomized Selection on the GPU), but that what is sampled
// stands at equal distances.
// Every sample_step-th four of the row's values are sampled, and a value found that is about the sample_rank-th of them.
// What is not beyond it is listed in one reading of the row. Where that is fewer than k values, or more than there is room
// for, the k-th value of the row and the last column that has it are found by counting, and exactly k are listed. The list is
// put in order as that of screen_runs, and the k smallest keys written.
// Constants: largest_first; run, keys that are sorted at once, a power of two of at least 128.
// Grid: workgroup (x, y) takes row y * grid.x + x; those past the rows do nothing.
#ifndef PROXEL_PASSES_SAMPLE_SELECT_H
#define PROXEL_PASSES_SAMPLE_SELECT_H
#include "types.h"
PROXEL_PASS_BEGIN
struct SampleSelectParameters {
  SelectionRows rows;
  SelectionResult result;    // k at most the columns of a row
  PROXEL_ADDRESS lists;      // clobbered: keys [rows x 2 x room]
  PROXEL_UINT room;          // keys, at least k
  PROXEL_UINT sample_step;   // fours of values from one that is sampled to the next, at least 1
  PROXEL_UINT sample_rank;   // at least 1
  PROXEL_UINT reserved;
};
#define PROXEL_SAMPLE_SELECT_CONSTANTS(constant) \
  constant(0, PROXEL_BOOL, largest_first, LARGEST_FIRST, false) \
  constant(1, PROXEL_UINT, run, RUN, 1024u)
PROXEL_CONSTANTS(SampleSelect, PROXEL_SAMPLE_SELECT_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<SampleSelectParameters, SampleSelectConstants> sample_select;
/// @param run             as above
/// @param workgroup_size  a power of two, 64 … 512
Pass make_sample_select(const SampleSelectParameters& parameters, bool largest_first, std::uint32_t run,
                        std::uint32_t workgroup_size);
/// Shared memory of sample_select, bytes.
std::uint32_t sample_select_shared_bytes(std::uint32_t run);
#endif
PROXEL_PASS_END
#endif
