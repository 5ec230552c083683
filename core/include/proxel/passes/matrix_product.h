// matrix_product: alpha times the product of a block of queries with a range
// of rows (step 3 of Garcia 2010, section 2.3).
// Element (query, row) = alpha * sum of query_i * row_i is the binary32 at
//   matrix + 4 * (query * query_pitch + (row - first_row) * row_pitch).
// This is a product as libraries compute it: the sum may be taken in any order
// and steps may be fused, so backends differ in its last bits. An element errs
// by at most |alpha| * d * 2^-24 / (1 - d * 2^-24) * sum of |query_i * row_i|, and
// the rounding by alpha, which is none for powers of two. The sign of a zero is the
// library's.
// CUDA calls cuBLAS (plain binary32, no TF32), found when the program runs.
// Constants: width, of the square of threads, each of which computes 8 queries x 8 rows.
// Grid: x = row tiles of 8*width, y = query tiles of 8*width.
#ifndef PROXEL_PASSES_MATRIX_PRODUCT_H
#define PROXEL_PASSES_MATRIX_PRODUCT_H
#include "types.h"
PROXEL_PASS_BEGIN
// Bytes of workspace with which a library works well.
PROXEL_CONSTANT matrix_product_workspace = 4194304u;
struct MatrixProductParameters {
  Rows rows;                   // tiles, row-major or column-major
  PROXEL_ADDRESS queries;      // binary32, [query_count x dimensions], row-major
  PROXEL_ADDRESS matrix;       // out: binary32, see above; 16-byte aligned
  PROXEL_ADDRESS workspace;    // clobbered: working memory for a library, 256-byte aligned
  PROXEL_UINT dimensions;
  PROXEL_UINT query_count;
  PROXEL_UINT first_row;       // a multiple of tile_rows
  PROXEL_UINT row_count;       // rows first_row … first_row + row_count - 1, all below rows.count
  PROXEL_UINT query_stride;    // elements between queries
  PROXEL_UINT query_pitch;     // one of the pitches is 1, the other a multiple of 4
  PROXEL_UINT row_pitch;
  PROXEL_UINT workspace_bytes; // at least 65,536
  float alpha;
  PROXEL_UINT reserved;
};
#define PROXEL_MATRIX_PRODUCT_CONSTANTS(constant) constant(0, PROXEL_UINT, width, WIDTH, 8u)
PROXEL_CONSTANTS(MatrixProduct, PROXEL_MATRIX_PRODUCT_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<MatrixProductParameters, MatrixProductConstants> matrix_product;
/// @param width  8 or 16: side of the square of threads
Pass make_matrix_product(const MatrixProductParameters& parameters, std::uint32_t width);
#endif
PROXEL_PASS_END
#endif
