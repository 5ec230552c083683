// sqfd_block: signature quadratic form distances of a query to a block of objects (Krulis et
// al. 2011, sections 4.1 and 4.2): a workgroup per object. With n centroids of the query and
// m of the object, item t of their (n + m)^2 similarities is that of row t / (n + m) and
// column t % (n + m) of the concatenation; invocation t % 256 adds it, times the weights of
// both, those of the object negative, to a sum of its own, in ascending order of t. The first
// invocation adds those sums up in order and takes the root. No matrix is stored.
// The similarity is 2^-y, y = scale * L2^2, by the steps that negative_power says; 0 where y
// is above sqfd_largest_power. A sum below the smallest normal number of binary32 counts as 0;
// the distance is the correctly rounded root of the others, rounded to binary32.
// Signatures are read from shared memory, together at most sqfd_shared_values numbers, or
// else from where they are.
// Intermediates are binary32; sqfd_block_double is the same with binary64.
// Workgroup size: 256.
// Grid: workgroup (x, y) takes object y * grid.x + x of the block.
#ifndef PROXEL_PASSES_SQFD_BLOCK_H
#define PROXEL_PASSES_SQFD_BLOCK_H
#include "types.h"
PROXEL_PASS_BEGIN
PROXEL_CONSTANT sqfd_workgroup = 256u;
PROXEL_CONSTANT sqfd_shared_values = 3072u;  // 12 KiB
PROXEL_CONSTANT sqfd_largest_power = 60u;
// A query and an object have at most these centroids together, so that 32 bits number the items.
PROXEL_CONSTANT sqfd_most_centroids = 65535u;
struct SqfdBlockParameters {
  PROXEL_ADDRESS centroids;        // binary32, of all objects, one after another, row-major
  PROXEL_ADDRESS weights;          // binary32, one per centroid
  PROXEL_ADDRESS offsets;          // 32-bit [objects + 1], centroids before each object
  PROXEL_ADDRESS query_centroids;  // binary32 [query_length x dimensions]
  PROXEL_ADDRESS query_weights;    // binary32 [query_length]
  PROXEL_ADDRESS objects;          // 32-bit [count], the numbers of the block's; 0: first_object, …
  PROXEL_ADDRESS distances;        // out: binary32 [count]
  PROXEL_ADDRESS scale_double;     // alpha * log2(e): bits of a binary64, for sqfd_block_double
  PROXEL_UINT scale;               // the same: bits of a binary32, for sqfd_block
  PROXEL_UINT query_length;
  PROXEL_UINT dimensions;
  PROXEL_UINT first_object;
  PROXEL_UINT count;
};

// Numbers in shared memory from one centroid to the next: its coordinates and its weight. An
// odd number, so that neighbouring invocations read different banks.
PROXEL_FUNCTION PROXEL_UINT sqfd_centroid_stride(PROXEL_UINT dimensions) {
  return (dimensions + 1u) | 1u;
}

// Coefficients of p(t) ~ 2^-t on |t| <= 1/2, highest power first, behind which comes 1. Relative
// error 0.16 and 0.18 of half a unit in the last place. Those of binary64 are given by the words of their bits,
// high and low, because GLSL and C++ write such numbers differently.
#define PROXEL_SQFD_SINGLE(step)                                                         \
  step(0.00015453163359779865) step(-0.0013390863314270973) step(0.009618083015084267)   \
  step(-0.055503569543361664) step(0.24022650718688965) step(-0.6931471824645996) step(1.0)
#define PROXEL_SQFD_DOUBLE(step) \
  step(0xBDFE9D3Fu, 0xE3952179u) step(0x3E3E6063u, 0xF7217BC6u) \
  step(0xBE7B524Fu, 0xAE627834u) step(0x3EB62BFDu, 0x47773353u) \
  step(0xBEEFFCBFu, 0xC670DCD4u) step(0x3F243091u, 0x3096FD9Fu) \
  step(0xBF55D87Fu, 0xE78A5276u) step(0x3F83B2ABu, 0x6FBA1DDAu) \
  step(0xBFAC6B08u, 0xD704A0C2u) step(0x3FCEBFBDu, 0xFF82C598u) \
  step(0xBFE62E42u, 0xFEFA39EFu) step(0x3FF00000u, 0x00000000u)
#ifdef __cplusplus
extern const PassKindOf<SqfdBlockParameters> sqfd_block;
/// What sqfd_block computes with in between.
enum class SqfdPrecision { float32, float64 };
/// A pass of sqfd_block or of sqfd_block_double.
Pass make_sqfd_block(const SqfdBlockParameters& parameters, SqfdPrecision precision);
#endif
PROXEL_PASS_END
#endif
