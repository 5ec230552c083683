// normalize_rows: brings each row to length 1, after taking its mean from it
// where that is asked for (cosine, pearson). Every operation is correctly
// rounded binary32 or exact, in this order, so that all backends agree:
//   y_i = x_i / 2^e, with 2^e the power of two at or below the largest
//         magnitude (for subnormals 2^-126); y_i whose exponent is more than 40
//         below the largest's is +0;
//   centre: twice, m = (sum of y) * (1/d) and y_i = y_i - m;
//   y_i = y_i * (1 / sqrt(sum of y_i * y_i)).
// Sums run from dimension 0 to d-1 in two words, the second of which gathers
// what rounding took from the first, and are rounded to one word at the end.
// A row of zeros stays zeros, and so does, centred, one whose values are all
// equal; a row with a value that is not finite becomes NaN (0x7FC00000).
// Rows past the last, up to written_rows, are written as +0.
// Source and destination may be the same rows.
// Constants: centre, 1: each row's mean is taken from it first.
// Grid: x strides over rows, one invocation each.
#ifndef PROXEL_PASSES_NORMALIZE_ROWS_H
#define PROXEL_PASSES_NORMALIZE_ROWS_H
#include "types.h"
PROXEL_PASS_BEGIN
// Exponents below the largest's at which a value counts as zero.
PROXEL_CONSTANT negligible_exponents = 40u;
struct NormalizeRowsParameters {
  Rows rows;                       // rows.count of them
  Rows destination;                // in any layout; its count is not read
  PROXEL_UINT dimensions;
  PROXEL_UINT inverse_dimensions;  // the bits of 1/d, correctly rounded
  PROXEL_UINT written_rows;        // at least rows.count
  PROXEL_UINT reserved;
};
#define PROXEL_NORMALIZE_ROWS_CONSTANTS(constant) constant(0, PROXEL_UINT, centre, CENTRE, 0u)
PROXEL_CONSTANTS(NormalizeRows, PROXEL_NORMALIZE_ROWS_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<NormalizeRowsParameters, NormalizeRowsConstants> normalize_rows;
/// @param centre  takes each row's mean from it first (pearson)
Pass make_normalize_rows(const passes::Rows& from, const passes::Rows& to, std::uint32_t dimensions, bool centre);
#endif
PROXEL_PASS_END
#endif
