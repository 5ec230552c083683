// screen_canonical: as screen_tiles, with canonical distances instead of
// half-precision products: for any metric, and without an error to allow for.
// The score of a row is its distance, negated for all metrics but ip, so that
// larger is nearer. Rows whose distance is NaN, or that the filter leaves out, have no score and never appear.
// Sampling writes 16 groups per tile; collecting takes every row whose score is at
// least the query's threshold.
// With `selected`, slot i stands for the query whose number is selected[4 + i]
// (screen_refine's list of undecided queries) and slots from selected[0] on
// for none; thresholds, lists and counts are those of slots.
// Constants: width, of the square of threads, as in tile_distance; metric, accumulated; collects,
// purpose: 0 sampling, 1 collecting.
// Grid: x = splits, y strides over tiles of 8*width slots.
#ifndef PROXEL_PASSES_SCREEN_CANONICAL_H
#define PROXEL_PASSES_SCREEN_CANONICAL_H
#include "screen_tiles.h"
PROXEL_PASS_BEGIN
PROXEL_CONSTANT screen_canonical_groups = 16u;
struct ScreenCanonicalParameters {
  Rows rows;
  PROXEL_ADDRESS queries;      // binary32 [queries x dimensions], row-major
  PROXEL_ADDRESS selected;     // 0: every query has its own slot
  PROXEL_ADDRESS thresholds;   // collecting: binary32 per slot
  PROXEL_ADDRESS found;        // out: as in screen_tiles
  PROXEL_ADDRESS counts;       // collecting, in and out: as in screen_tiles
  PROXEL_ADDRESS filter_bits;  // allow-bitset over the indices of rows, that of query 0; 0: every row may be found
  PROXEL_UINT dimensions;
  PROXEL_UINT query_stride;    // elements between queries
  PROXEL_UINT first_selected;  // entry of `selected` that slot 0 stands for
  PROXEL_UINT slots;
  PROXEL_UINT first_tile;
  PROXEL_UINT tile_step;
  PROXEL_UINT tile_count;
  PROXEL_UINT splits;
  PROXEL_UINT capacity;
  PROXEL_UINT first_index;     // index of row 0
  PROXEL_UINT filter_stride;   // words between the filters of queries; 0: shared
  PROXEL_UINT reserved;
};
#define PROXEL_SCREEN_CANONICAL_CONSTANTS(constant) \
  constant(0, PROXEL_UINT, width, WIDTH, 8u) \
  constant(1, PROXEL_METRIC, metric, METRIC, 0u) \
  constant(2, PROXEL_UINT, collects, COLLECTS, 0u)
PROXEL_CONSTANTS(ScreenCanonical, PROXEL_SCREEN_CANONICAL_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<ScreenCanonicalParameters, ScreenCanonicalConstants> screen_canonical;
/// @param width  16: side of the square of threads
/// @param few    of the slots as a rule few stand for a query: few workgroups stride over them
Pass make_screen_canonical(const ScreenCanonicalParameters& parameters, Metric metric, ScreenPurpose purpose,
                           std::uint32_t width, bool few = false);
#endif
PROXEL_PASS_END
#endif
