// sample_select: the k smallest or largest values of each row, of those that sample_list has listed; one workgroup for each part of a
// row. A part's list is put in order as that of screen_runs, and written behind the parts before it, as far as the k-th.
// Or the workgroup lists its row by itself, which has one part then: up to a key that has about the rank sample_rank in a sample
// (sample_bound.h says of what), found by counting.
// Where a row has fewer than k keys listed, or more in a part than there was room for, the k-th key of the whole row is found by counting
// by one workgroup, and those up to it are listed and put in order.
// Constants: largest_first; run, keys that are sorted at once, a power of two of at least 128.
// Grid: x = parts; (y, z) is row z * grid.y + y; those past the rows do nothing.
#ifndef PROXEL_PASSES_SAMPLE_SELECT_H
#define PROXEL_PASSES_SAMPLE_SELECT_H
#include "sample_bound.h"
PROXEL_PASS_BEGIN
// How much finer than the rank a bound is found by counting: of a rank within a sixteenth a level of counting less is needed.
PROXEL_CONSTANT sampled_per_slack = 16u;
struct SampleSelectParameters {
  SelectionRows rows;
  SelectionResult result;    // k at most the columns of a row, and 2^30
  PROXEL_ADDRESS counters;   // 32-bit [rows x parts]: keys of a part that are listed, or were to be; 0: nothing is listed, and
                             // there is one part
  PROXEL_ADDRESS lists;      // clobbered: keys [rows x 2 x parts x room], the lists first
  PROXEL_UINT parts;         // 1 ... most_sample_parts
  PROXEL_UINT room;          // keys of a part; of all parts at least k
  PROXEL_UINT sample_step;   // where nothing is listed: at least 1
  PROXEL_UINT sample_rank;   // and at least 1
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
