// screen_runs: a query's k nearest, in order, from the keys that screen_survivors left.
// Keys go to buckets by where their distances lie, and each is compared with those of its bucket. Where a bucket has too many,
// runs of keys are sorted in shared memory, and pairs of runs merged, of which the k smallest keys go on, until one
// run is left. The k smallest keys are written as decode_keys would. Of a query without survivors nothing is written.
// A query whose k-th distance is not finite is undecided: that of a row that was dropped may have overflowed too. Its
// results are left alone, and its number is appended to `undecided`.
// With `selected`, results and what is appended go by the numbers that it gives, as in screen_refine.
// Constants: largest_first; run, keys that are sorted at once, a power of two of at least 128.
// Grid: x strides over the queries of the lists.
#ifndef PROXEL_PASSES_SCREEN_RUNS_H
#define PROXEL_PASSES_SCREEN_RUNS_H
#include "types.h"
PROXEL_PASS_BEGIN
// Neighbouring keys of a merged run that one invocation writes.
PROXEL_CONSTANT run_items = 16u;
struct ScreenRunsParameters {
  PROXEL_ADDRESS survivors;        // keys [queries x room], no two of a query equal; clobbered
  PROXEL_ADDRESS survivor_counts;  // 32-bit [queries], each 0 or k … room
  PROXEL_ADDRESS spare;            // clobbered: keys [queries x spare_stride]
  PROXEL_ADDRESS selected;         // 0: the queries of the lists are 0, 1, 2, …
  PROXEL_ADDRESS indices;          // out: 32-bit [queries x k]
  PROXEL_ADDRESS distances;        // out: binary32 [queries x k]
  PROXEL_ADDRESS undecided;        // in and out: as in screen_refine
  PROXEL_UINT room;
  PROXEL_UINT spare_stride;        // keys between queries, at least room
  PROXEL_UINT k;
  PROXEL_UINT finish;              // as in decode_keys
  PROXEL_UINT first_query;         // number of query 0 in `undecided`; with `selected`: 0
  PROXEL_UINT first_selected;
  PROXEL_UINT query_count;         // of the lists
  PROXEL_UINT reserved;
};
#define PROXEL_SCREEN_RUNS_CONSTANTS(constant) \
  constant(0, PROXEL_BOOL, largest_first, LARGEST_FIRST, false) \
  constant(1, PROXEL_UINT, run, RUN, 1024u)
PROXEL_CONSTANTS(ScreenRuns, PROXEL_SCREEN_RUNS_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<ScreenRunsParameters, ScreenRunsConstants> screen_runs;
/// @param run             as above
/// @param workgroup_size  a power of two, 64 … 512
/// @param few             as in screen_survivors
Pass make_screen_runs(const ScreenRunsParameters& parameters, Metric metric, std::uint32_t run,
                      std::uint32_t workgroup_size, bool few = false);
#endif
PROXEL_PASS_END
#endif
