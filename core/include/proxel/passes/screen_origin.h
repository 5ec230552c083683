// screen_origin: the frame in which a database is screened: a common origin
// near the mean of the rows, and a power of two that brings coordinates into
// the range of half precision. Both come from evenly spaced sample rows; the
// bounds of docs/proofs/screened.md hold for any origin and scale, only their
// tightness depends on them. Coordinates that are not finite count as 0.
// The scale brings the largest sampled |coordinate - origin| into [32, 64); of more than screen_frame_most_at_32 dimensions
// into [16, 32), of more than screen_frame_most_at_16 into [4, 8): squared norms of 9 to 128 dimensions stay below
// 2^15, so that sums in half precision have room for rows that are longer than the sample's. Its exponent stays within -60 … 60, and it
// is 1 where all samples are 0. In a dimension whose mean is beyond 2^102 the origin is 0, so that no difference of a
// finite value overflows. The origin is then rounded to multiples of the last place of the halves of that size
// divided by the scale, so that integers of up to 11 bits stay exact.
// Constants: at_zero, 1: keep the origin at zero.
// Grid: one workgroup.
#ifndef PROXEL_PASSES_SCREEN_ORIGIN_H
#define PROXEL_PASSES_SCREEN_ORIGIN_H
#include "types.h"
PROXEL_PASS_BEGIN
// The frame in memory, 32-bit words: [0] the scale (binary32), [1] the largest
// Euclidean norm of a scaled row without the origin taken off (binary32, set to
// 0 here, raised by screen_pack), [2] the step of 8-bit codes (screen_codes):
// 1.25 / 127 of the largest scaled |coordinate - origin| of the samples, 1/2
// where that is 0, at least 2^-100; [3 …] zero; from word screen_frame_origin on the origin,
// binary32, [dimensions].
PROXEL_CONSTANT screen_frame_origin = 16u;
PROXEL_CONSTANT screen_frame_step = 2u;
// Dimensions up to which the largest coordinate is brought to 32 and more, and to 16 and more.
PROXEL_CONSTANT screen_frame_most_at_32 = 8u;
PROXEL_CONSTANT screen_frame_most_at_16 = 21u;
// Exponent of the farthest origin: the largest number and half of its last place, 2^103, are infinite together.
PROXEL_CONSTANT screen_farthest_origin = 102u;
// Rows sampled: as many as have that many coordinates, which one workgroup reads soon, within these.
PROXEL_CONSTANT screen_origin_values = 32768u;
PROXEL_CONSTANT screen_origin_least_samples = 128u;
PROXEL_CONSTANT screen_origin_most_samples = 1024u;
struct ScreenOriginParameters {
  Rows rows;
  PROXEL_ADDRESS frame;     // out: see above
  PROXEL_UINT dimensions;
  PROXEL_UINT samples;      // rows that are looked at; set by the maker
};
#define PROXEL_SCREEN_ORIGIN_CONSTANTS(constant) constant(0, PROXEL_UINT, at_zero, AT_ZERO, 0u)
PROXEL_CONSTANTS(ScreenOrigin, PROXEL_SCREEN_ORIGIN_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<ScreenOriginParameters, ScreenOriginConstants> screen_origin;
/// @param centre  false keeps the origin at zero
Pass make_screen_origin(ScreenOriginParameters parameters, bool centre);
#endif
PROXEL_PASS_END
#endif
