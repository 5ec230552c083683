// reevaluate: the canonical distances of a few rows per query, and the k
// nearest of them in the contract's order. This is how a method whose own
// arithmetic is not canonical turns what it found into an answer.
// Candidate j of query i is the 32-bit row index at
//   candidates + 4 * (i * query_pitch + j * rank_pitch).
// Indices outside of first_index … first_index + rows.count - 1 (0xFFFFFFFF is
// one) are passed over, and so are rows whose keys are at or below `after`; no
// query names a row twice.
// Constants: metric, accumulated; list_length, 1, or a power of two of at least max(k, 2).
// Grid: x = queries.
#ifndef PROXEL_PASSES_REEVALUATE_H
#define PROXEL_PASSES_REEVALUATE_H
#include "types.h"
PROXEL_PASS_BEGIN
struct ReevaluateParameters {
  Rows rows;
  PROXEL_ADDRESS queries;     // binary32, [queries x dimensions], row-major
  PROXEL_ADDRESS candidates;  // 32-bit, see above
  PROXEL_ADDRESS keys;        // out: k keys per query, ascending, padded with all ones
  PROXEL_ADDRESS after;       // one key per query, after_stride keys apart; address 0: none
  PROXEL_UINT dimensions;
  PROXEL_UINT query_stride;   // elements between queries
  PROXEL_UINT count;          // candidates per query
  PROXEL_UINT query_pitch;    // elements between the candidates of neighbouring queries
  PROXEL_UINT rank_pitch;     // elements between neighbouring candidates of a query
  PROXEL_UINT k;
  PROXEL_UINT keys_stride;    // keys between queries
  PROXEL_UINT first_index;    // index of row 0
  PROXEL_UINT after_stride;
  PROXEL_UINT reserved;
};
#define PROXEL_REEVALUATE_CONSTANTS(constant) \
  constant(0, PROXEL_METRIC, metric, METRIC, 0u) \
  constant(1, PROXEL_UINT, list_length, LIST_LENGTH, 1u)
PROXEL_CONSTANTS(Reevaluate, PROXEL_REEVALUATE_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<ReevaluateParameters, ReevaluateConstants> reevaluate;
Pass make_reevaluate(const ReevaluateParameters& parameters, Metric metric, std::uint32_t query_count);
#endif
PROXEL_PASS_END
#endif
