// screen_refine: a query's k nearest from the rows that screen_tiles collected,
// or the note that its lists do not decide.
// Per query: L is at most the k-th largest of (score - error) over the collected rows, and at least the one k/8 + 1 places behind; rows
// with score + error below L - relative_slack * max(half_norm - L, 0) - fixed_slack
// are dropped, as are rows that score -infinity (screen_mask); the others are evaluated canonically and the k smallest (distance,
// index) written as decode_keys would. The query is undecided, its results are
// left alone and its number is appended to `undecided`, where a list
// overflowed, where the query is not certifiable, where fewer than k rows were
// collected, or where more rows are left than the constants say.
// So is it where the k-th distance is not finite: that of a row that was dropped
// may have overflowed too; and where its threshold is an estimate (screen_threshold) and the one that L makes is below it: rows
// between the two were not collected.
// Of a query whose threshold came from a known distance (screen_bound) fewer than k rows may have been collected: all of them
// are evaluated, and what is missing is padded as decode_keys says.
// With `selected`, query i of the lists is the one whose number is
// selected[4 + first_selected + i], up to as many as selected[0] says, and results
// and what is appended to `undecided` go by that number.
// Constants: metric, accumulated; list_length, a power of two, at least max(k, 2), at most
// screen_most_survivors: more rows left leave the query undecided; pool, rows that a kernel may
// keep at hand, a multiple of 128, at most screen_most_collected. Where more were collected, it
// reads them anew each time it needs them; element, what rows are: element_float32, as Rows says, element_int8 or
// element_uint8, at rows.address an operand of screen_integers with an origin of 0 or 128.
// Grid: x strides over the queries of the lists.
#ifndef PROXEL_PASSES_SCREEN_REFINE_H
#define PROXEL_PASSES_SCREEN_REFINE_H
#include "types.h"
PROXEL_PASS_BEGIN
PROXEL_CONSTANT screen_most_survivors = 4096u;
PROXEL_CONSTANT screen_most_collected = 4096u;
// The largest workgroup, and the largest of those that take no more memory than every device has; beyond it a kernel may take so many bytes.
PROXEL_CONSTANT screen_most_refine_workgroup = 512u;
PROXEL_CONSTANT screen_usual_refine_workgroup = 256u;
PROXEL_CONSTANT screen_wide_refine_bytes = 140288u;
// Of more lists a kernel writes down where rows are before it reads any.
PROXEL_CONSTANT screen_few_lists = 8u;
// Where candidates were a shader has survivors in shared memory: so many dimensions at a time at least, of a query and of so many rows at least.
PROXEL_CONSTANT screen_staged_dimensions = 32u;
PROXEL_CONSTANT screen_staged_rows = 16u;
PROXEL_CONSTANT screen_staged_words = screen_staged_rows * (screen_staged_dimensions + 1u) + screen_staged_dimensions;
struct ScreenRefineParameters {
  Rows rows;                    // the database as it is evaluated canonically
  PROXEL_ADDRESS queries;       // binary32 [queries x dimensions], row-major
  PROXEL_ADDRESS selected;      // 0: the queries of the lists are 0, 1, 2, …
  PROXEL_ADDRESS row_bounds;    // four binary32 per tile of 128 rows; 0: scores are exact
  PROXEL_ADDRESS query_bounds;  // eight binary32 per query; 0: scores are exact
  PROXEL_ADDRESS found;         // (score, index) [queries x splits x capacity]
  PROXEL_ADDRESS counts;        // 32-bit [queries x splits]
  PROXEL_ADDRESS indices;       // out: 32-bit [queries x k]
  PROXEL_ADDRESS distances;     // out: binary32 [queries x k]
  // in and out: 32-bit: how many queries are undecided (added to), 3 words of
  // padding, then their numbers.
  PROXEL_ADDRESS undecided;
  PROXEL_UINT dimensions;
  PROXEL_UINT splits;
  PROXEL_UINT capacity;
  PROXEL_UINT k;
  PROXEL_UINT finish;           // as in decode_keys
  PROXEL_UINT first_query;      // number of query 0 in `undecided`; with `selected`: 0
  PROXEL_UINT first_selected;
  PROXEL_UINT query_count;      // of the lists
};
#define PROXEL_SCREEN_REFINE_CONSTANTS(constant) \
  constant(0, PROXEL_METRIC, metric, METRIC, 0u) \
  constant(1, PROXEL_UINT, list_length, LIST_LENGTH, 128u) \
  constant(2, PROXEL_UINT, pool, POOL_ROWS, 0u) \
  constant(3, PROXEL_UINT, element, ELEMENT, 0u)
PROXEL_CONSTANTS(ScreenRefine, PROXEL_SCREEN_REFINE_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<ScreenRefineParameters, ScreenRefineConstants> screen_refine;
/// How many rows a shader may keep at hand in so much shared memory: a multiple of 128, at most screen_most_collected, and no more than
/// hold `wanted`.
/// @param shared_memory_bytes  of a workgroup of the device
std::uint32_t screen_refine_pool(std::uint32_t shared_memory_bytes, std::uint32_t wanted, std::uint32_t k,
                                 std::uint32_t least_survivors = 128);
/// @param pool  rows that a kernel may keep at hand, a multiple of 128, at most screen_most_collected
/// @param few   as above
/// @param least_survivors  rows that may be left at least, a power of two, 128 … screen_most_survivors
/// @param element  element_float32, element_int8 or element_uint8
/// @param workgroup_size  32, 64, 128, 256 or screen_most_refine_workgroup. A query waits for memory most of the time: where queries are many
///                        less than 128 let more of them run at a time, for k of up to 64 as a rule; more than 128 are for queries that
///                        have a multiprocessor each, and most for those of codes, which leave many rows
Pass make_screen_refine(const ScreenRefineParameters& parameters, Metric metric, std::uint32_t pool, bool few = false,
                        std::uint32_t least_survivors = 128, std::uint32_t element = element_float32,
                        std::uint32_t workgroup_size = 128);
#endif
PROXEL_PASS_END
#endif
