/* What is indexed and searched for: rows of vectors, strings, feature signatures. */
#ifndef PROXEL_C_OBJECTS_H
#define PROXEL_C_OBJECTS_H

#include "proxel/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A stride of what lies side by side. Strides say how far apart neighbours in the caller's memory are. One of 0,
   which is numpy's for what is repeated (broadcast_to), is PROXEL_INVALID_ARGUMENT where there is more than one, and so
   are negative ones and rows that overlap. */
#define PROXEL_CONTIGUOUS UINT64_C(0x8000000000000000)

/* Borrowed binary32 values: element (row, column) is data[row * row_stride + column * column_stride].
   The memory is the caller's and is read during the call, unless said otherwise. */
typedef struct proxel_matrix {
  size_t struct_size;
  const float* data; /* 4-byte aligned; may be NULL where there are no rows */
  uint64_t rows;
  uint64_t columns;
  uint64_t row_stride;    /* elements; PROXEL_CONTIGUOUS: columns * column_stride */
  uint64_t column_stride; /* elements; PROXEL_CONTIGUOUS: 1 */
} proxel_matrix;
#define PROXEL_MATRIX_INIT {sizeof(proxel_matrix), NULL, 0, 0, PROXEL_CONTIGUOUS, PROXEL_CONTIGUOUS}

/* Rows in the type that they are stored in: a row's elements lie one after the other. */
typedef struct proxel_stored_rows {
  size_t struct_size;
  const void* data;
  const char* type; /* "float32" (the default), "float16", "int8", "uint8" */
  uint64_t rows;
  uint64_t columns;
  uint64_t row_bytes; /* between rows; PROXEL_CONTIGUOUS: those of a row */
} proxel_stored_rows;
#define PROXEL_STORED_ROWS_INIT {sizeof(proxel_stored_rows), NULL, NULL, 0, 0, PROXEL_CONTIGUOUS}

/* Rows of the index itself, which never leave the device: first … first + count - 1. */
typedef struct proxel_own_rows {
  size_t struct_size;
  uint64_t first;
  uint64_t count;
} proxel_own_rows;
#define PROXEL_OWN_ROWS_INIT {sizeof(proxel_own_rows), 0, 0}

/* Borrowed strings, read during the call. */
typedef struct proxel_strings {
  size_t struct_size;
  const char* const* texts; /* [count]; a text may be NULL where its length is 0 */
  const uint64_t* lengths;  /* [count], bytes; NULL: texts end at their first zero byte */
  uint64_t count;
  const char* units; /* "code-points" (the default): symbols are those of UTF-8, and anything else is
                               refused; "bytes": of anything */
} proxel_strings;
#define PROXEL_STRINGS_INIT {sizeof(proxel_strings), NULL, NULL, 0, NULL}

/* Borrowed signatures, read during the call. Those of signature i are centroids offsets[i] … offsets[i + 1] - 1,
   at least one. */
typedef struct proxel_signatures {
  size_t struct_size;
  const uint64_t* offsets; /* [count + 1], ascending; centroids before each signature */
  const float* centroids;  /* [offsets[count] x dimensions], row-major; magnitudes up to 1e15 */
  const float* weights;    /* [offsets[count]]; 0 … 1e15, of any sum */
  uint64_t count;
  uint64_t dimensions; /* of a centroid, 1…65536 */
} proxel_signatures;
#define PROXEL_SIGNATURES_INIT {sizeof(proxel_signatures), NULL, NULL, NULL, 0, 0}

/* Objects of one kind: exactly one of the members is given, and the others are NULL. An index is made of, searched for and
   given objects of its kind; others are PROXEL_INVALID_ARGUMENT. */
typedef struct proxel_objects {
  size_t struct_size;
  const proxel_matrix* rows;
  const proxel_strings* strings;
  const proxel_signatures* signatures;
  const proxel_stored_rows* stored_rows; /* what proxel_index_create() takes beside rows */
  const proxel_own_rows* own_rows;       /* what proxel_index_search() takes beside rows */
} proxel_objects;
#define PROXEL_OBJECTS_INIT {sizeof(proxel_objects), NULL, NULL, NULL, NULL, NULL}

#ifdef __cplusplus
}
#endif

#endif
