// sample_list: lists the keys of each row that do not exceed the row's bound (sample_bound.h), part by part, in any order. Several
// workgroups share a row. A key is of the first part whose bound it does not exceed.
// Constants: largest_first.
// Grid: x = segments of a row; (y, z) is row z * grid.y + y; those past the rows do nothing.
#ifndef PROXEL_PASSES_SAMPLE_LIST_H
#define PROXEL_PASSES_SAMPLE_LIST_H
#include "sample_bound.h"
PROXEL_PASS_BEGIN
// Fours that each invocation reads at once, and keys that a workgroup gathers before it appends them; those beyond are appended one by one.
PROXEL_CONSTANT listed_fours = 4u;
PROXEL_CONSTANT listed_at_once = 1024u;
struct SampleListParameters {
  SelectionRows rows;
  PROXEL_ADDRESS bounds;       // keys [rows x parts], not descending
  PROXEL_ADDRESS counters;     // 32-bit [rows x parts], 0: what a part has listed is added, also what there was no room for
  PROXEL_ADDRESS lists;        // out: keys [rows x 2 x parts x room]; the first half of a row's
  PROXEL_UINT parts;           // 1 ... most_sample_parts
  PROXEL_UINT room;            // keys of a part
  PROXEL_UINT segment_fours;   // a multiple of workgroup size x listed_fours
  PROXEL_UINT reserved;
};
#define PROXEL_SAMPLE_LIST_CONSTANTS(constant) \
  constant(0, PROXEL_BOOL, largest_first, LARGEST_FIRST, false)
PROXEL_CONSTANTS(SampleList, PROXEL_SAMPLE_LIST_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<SampleListParameters, SampleListConstants> sample_list;
/// @param workgroup_size  a power of two, 64 … 256
Pass make_sample_list(const SampleListParameters& parameters, bool largest_first, std::uint32_t workgroup_size);
#endif
PROXEL_PASS_END
#endif
