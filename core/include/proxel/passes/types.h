// Types and shared facts of the pass parameters. Every header in this folder
// is included by C++, CUDA and GLSL alike, so it may use nothing but these.
//
// Layout: members are 4 or 8 bytes; 8-byte members (addresses) stand first or
// on multiples of 8, so that C++ and GLSL's std430 agree without padding.
#ifndef PROXEL_PASSES_TYPES_H
#define PROXEL_PASSES_TYPES_H

#ifdef __cplusplus
#include <cstddef>
#include <cstdint>

#include "proxel/export.h"
#include "proxel/metric.hpp"
#include "proxel/pass.hpp"
#define PROXEL_PASS_BEGIN PROXEL_PUBLIC_BEGIN namespace proxel::passes {
#define PROXEL_PASS_END } PROXEL_PUBLIC_END
#define PROXEL_UINT std::uint32_t
#define PROXEL_ADDRESS std::uint64_t
#define PROXEL_CONSTANT inline constexpr std::uint32_t
#define PROXEL_BOOL std::uint32_t
#define PROXEL_METRIC Metric
#ifdef __CUDACC__
#define PROXEL_FUNCTION __host__ __device__ constexpr
#else
#define PROXEL_FUNCTION constexpr
#endif
#else
#define PROXEL_PASS_BEGIN
#define PROXEL_PASS_END
#define PROXEL_UINT uint
#define PROXEL_ADDRESS uvec2
#define PROXEL_CONSTANT const uint
#define PROXEL_BOOL bool
#define PROXEL_METRIC uint
#define PROXEL_FUNCTION
#endif

// Specialisation constants of a pass, which choose a variant of its kernel. The pass's header lists them once,
// each as constant(place, type, name, name in shaders, what it is unless it is given). Of the list C++ and CUDA
// make a struct of 32-bit members; a shader declares them by handing PROXEL_SPECIALISED to the list.
#ifdef __cplusplus
#define PROXEL_CONSTANTS(Name, list)                                \
  struct Name##Constants {                                          \
    list(PROXEL_CONSTANT_MEMBER)                                    \
    static constexpr const char* names[] = {list(PROXEL_CONSTANT_NAME)}; \
    static constexpr bool in_order() {                              \
      using Self = Name##Constants;                                 \
      return list(PROXEL_CONSTANT_IN_PLACE) true;                   \
    }                                                               \
  };
#define PROXEL_CONSTANT_MEMBER(place, type, name, NAME, preset) type name{preset};
#define PROXEL_CONSTANT_NAME(place, type, name, NAME, preset) #name,
#define PROXEL_CONSTANT_IN_PLACE(place, type, name, NAME, preset) offsetof(Self, name) == 4 * place &&
#else
#define PROXEL_CONSTANTS(Name, list)
#define PROXEL_SPECIALISED(place, type, name, NAME, preset) layout(constant_id = place) const type NAME = preset;
#endif

PROXEL_PASS_BEGIN

// What is done last to a distance v that was accumulated, when its key is decoded.
PROXEL_CONSTANT finish_none = 0u;
PROXEL_CONSTANT finish_root = 1u;        // the correctly rounded square root (l2)
PROXEL_CONSTANT finish_complement = 2u;  // 1 - v (cosine, pearson)

// What the elements of stored rows are. Each value is exactly one of binary32.
PROXEL_CONSTANT element_float32 = 0u;
PROXEL_CONSTANT element_float16 = 1u;  // IEEE 754 binary16
PROXEL_CONSTANT element_int8 = 2u;
PROXEL_CONSTANT element_uint8 = 3u;

// Rows per tile of a database (Rows below).
PROXEL_CONSTANT tile_rows = 128u;

// The rows of a database in device memory. Value (row, dimension) is the
// binary32 at
//   address + 4 * ((row / tile_rows) * tile_stride + dimension * dimension_stride
//                  + (row % tile_rows) * row_stride).
// This covers tiles (dimension_stride = 128, row_stride = 1, tile_stride = 128 d),
// column-major data (row_stride = 1, tile_stride = 128) and row-major data
// (dimension_stride = 1, row_stride = leading dimension, tile_stride = 128 of them).
// Offsets inside one tile stay below 2^31 elements; only tile_stride * tile is
// formed in 64 bits.
struct Rows {
  PROXEL_ADDRESS address;
  PROXEL_UINT tile_stride;       // elements between tiles
  PROXEL_UINT dimension_stride;  // elements between dimensions of one row
  PROXEL_UINT row_stride;        // elements between rows of one tile
  PROXEL_UINT count;             // rows, 1 … 2^32-2
};

// A key orders candidates by (distance, index): the high word is the distance
// key, the low word the row's index; smaller is better. In memory a key is two
// 32-bit words, index first (so that a little-endian 64-bit load is the key).
//
// Distance key of a value v: NaN gives 0xFFFFFFFF whatever its sign; -0 counts
// as +0; otherwise, with b the bits of v, u = b ^ 0xFFFFFFFF where the sign is
// set and b ^ 0x80000000 where it is not; the key is u where the smallest
// values are wanted and ~u where the largest are (ip).
// The key of all ones means "no row": it is larger than every row's key.

// A filter says which rows a search may return: bit i % 32 of the 32-bit word
// i / 32 is set where the row with index i may. Indices are those of the whole
// database, so that segments may begin anywhere in a word. Bits of rows that do
// not exist are not looked at. A filter's address is 0 where every row may be
// returned; a stride of 0 words between queries is one filter for all of them.
// Feature signatures in device memory, scaled as proxel/arithmetic/similarity.h says.
// Their centroids have places, one after another; blocks of signature_block places are
// laid out dimension by dimension: coordinate k of place c is the binary32 number
// (c / signature_block * dimensions + k) * signature_block + c % signature_block.
// Signatures form groups, of as many as fit a block, which each begins; a longer signature is a
// group of its own and takes several blocks. Group g is the signatures
// groups[g] … groups[g + 1] - 1, which may be none.
PROXEL_CONSTANT signature_block = 128u;
struct SignatureSet {
  PROXEL_ADDRESS coordinates;
  PROXEL_ADDRESS weights;  // binary32 [places]
  PROXEL_ADDRESS spans;    // 32-bit [signatures x 2]: first place, centroids
  PROXEL_ADDRESS terms;    // 32-bit [signatures x 4]: S in two binary32, the weights' exponent, 0
};

// The matrix that a selection reads: value (row, column) is the binary32 at
// values + 4 * (row * row_stride + column). In its keys the index is the column.
struct SelectionRows {
  PROXEL_ADDRESS values;
  PROXEL_UINT rows;
  PROXEL_UINT columns;     // 1 … 2^32-2
  PROXEL_UINT row_stride;  // elements
  PROXEL_UINT reserved;
};

// What a selection writes: [rows x k], each row ordered by key where `sorted`
// is set, slots without a value padded as decode_keys says.
struct SelectionResult {
  PROXEL_ADDRESS payload;   // 32-bit words laid out as the values; address 0: none
  PROXEL_ADDRESS indices;   // out: 32-bit, columns or their payload
  PROXEL_ADDRESS selected;  // out: binary32, values
  PROXEL_UINT k;
  PROXEL_UINT sorted;
};

// The keys that a pass of a radix sort reads, and by what it orders them.
struct RadixSource {
  PROXEL_ADDRESS keys;        // [rows x stride]; 0: those of the matrix's values
  PROXEL_ADDRESS histograms;  // radix_select's, [rows x 4 x 256]; 0: by digits of the keys
  PROXEL_UINT count;          // keys per row
  PROXEL_UINT stride;         // keys
  PROXEL_UINT shift;          // lowest bit of the digit: 0, 8, 16 or 24
  PROXEL_UINT k;              // keys that are wanted in the end, at most the columns
};

PROXEL_PASS_END
#endif
