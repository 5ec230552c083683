/* A database of vectors on a device, and exact searches of it. */
#ifndef PROXEL_C_INDEX_H
#define PROXEL_C_INDEX_H

#include "proxel/c/device.h"
#include "proxel/c/results.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct proxel_index proxel_index;

/* How an index keeps its rows and answers; see proxel::IndexOptions for what each is good for. */
typedef struct proxel_index_options {
  size_t struct_size;
  const char* method;           /* "auto" (the default), "scan", "fused", "bvh", "texel", … */
  uint32_t dimensions_per_pass; /* texel: 1…16; 0: the default, 8 */
  uint32_t reductions_per_pass; /* texel: 4:1 reductions per pass; 0: proxel chooses */
  uint64_t block_rows;          /* texel: rows per block of textures, up to 2^28; 0: the default, 2^20 */
  uint64_t scratch_limit;       /* device memory of one search, bytes, at least 2^20; 0: the default, 2^28 */
  uint64_t memory_limit;        /* device memory of the rows, bytes; 0: four fifths of what there is.
                                   Rows that need more stay in the caller's memory and are streamed */
  const char* storage;          /* what the device keeps of the rows: "float32" (the default),
                                   "float16", "int8" or "uint8" */
  const char* row_selection;    /* komarov: "auto" (the default), "quick-subgroup", "quick-workgroup" */
  const char* timing;           /* "none", "whole" (the default) or "passes" */
  proxel_progress progress;     /* called while rows are uploaded; may be NULL */
  void* progress_user;
} proxel_index_options;
#define PROXEL_INDEX_OPTIONS_INIT {sizeof(proxel_index_options), NULL, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL}

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

/* What an index is. The method's name is never freed. */
typedef struct proxel_index_info {
  size_t struct_size;
  uint64_t rows; /* with those that have been removed */
  uint64_t removed_rows;
  uint64_t dimensions;
  uint64_t block_rows;       /* of the blocks of a streamed or narrow index; otherwise 0 */
  const char* method;        /* that answered the latest search; before that the one of the options */
  double build_milliseconds; /* host time of uploading and packing */
} proxel_index_info;
#define PROXEL_INDEX_INFO_INIT {sizeof(proxel_index_info), 0, 0, 0, 0, NULL, 0}

/* What shapes one search beside its queries, k and metric. All pointers are read during the call. */
typedef struct proxel_search_options {
  size_t struct_size;
  proxel_progress progress; /* told of queries, of rows where they are streamed; may be NULL */
  void* progress_user;
  uint64_t raw; /* 1: the method's own arithmetic, uncorrected, where it has one */
  /* Which rows may be returned: bit i % 32 of word i / 32 is set where row i may. NULL: every row. */
  const uint32_t* filter;
  uint64_t filter_rows;   /* 1: one for all queries; otherwise one per query */
  uint64_t filter_words;  /* of one filter: ceil(rows of the index / 32) */
  uint64_t filter_stride; /* words from one filter to the next; PROXEL_CONTIGUOUS: filter_words */
  /* Pages: the neighbours of the page before, [after_queries x after_columns], behind whose last column
     each query continues. Both or neither. */
  const uint32_t* after_indices;
  const float* after_distances;
  uint64_t after_queries;
  uint64_t after_columns;
} proxel_search_options;
#define PROXEL_SEARCH_OPTIONS_INIT \
  {sizeof(proxel_search_options), NULL, NULL, 0, NULL, 0, 0, PROXEL_CONTIGUOUS, NULL, NULL, 0, 0}

/* Uploads a copy of the rows, [n x d] with n 1…2^32-2. Where they do not fit (proxel_index_fits()) they are
   streamed instead: the memory then outlives the index and all that was made from it. */
PROXEL_API proxel_status proxel_index_create(proxel_device* device, const proxel_matrix* rows,
                                             const proxel_index_options* options, proxel_index** index);
/* The same for rows as they are stored; options->storage is their type, and NULL means that. */
PROXEL_API proxel_status proxel_index_create_stored(proxel_device* device, const proxel_stored_rows* rows,
                                                    const proxel_index_options* options, proxel_index** index);
/* Whether an index of that size would keep its rows on the device: *fits is 1 or 0. */
PROXEL_API proxel_status proxel_index_fits(const proxel_device* device, uint64_t rows, uint64_t dimensions,
                                           const proxel_index_options* options, int* fits);
PROXEL_API void proxel_index_destroy(proxel_index* index);

PROXEL_API proxel_status proxel_index_get_info(const proxel_index* index, proxel_index_info* info);
PROXEL_API proxel_status proxel_index_get_times(proxel_index* index, proxel_times* times);
/* Whether the index can serve such searches; PROXEL_UNSUPPORTED with the reason where not.
   metric: NULL is "l2sq", here and below. */
PROXEL_API proxel_status proxel_index_supports(const proxel_index* index, const char* metric, uint64_t k);
/* The method that would answer. The name is never freed. */
PROXEL_API proxel_status proxel_index_method_for(const proxel_index* index, const char* metric, uint64_t k,
                                                 uint32_t queries, const char** method);

/* The k nearest rows of each query. queries: [q x d]; q may be 0. k: at least 1. */
PROXEL_API proxel_status proxel_index_search(proxel_index* index, const proxel_matrix* queries, uint64_t k,
                                             const char* metric, const proxel_search_options* options,
                                             uint32_t* indices, float* distances, uint64_t slots);
/* The k nearest rows of each of the rows first_row … first_row + count - 1 of the index itself. */
PROXEL_API proxel_status proxel_index_search_rows(proxel_index* index, uint64_t first_row, uint64_t count, uint64_t k,
                                                  const char* metric, const proxel_search_options* options,
                                                  uint32_t* indices, float* distances, uint64_t slots);
/* Every row within a radius of each query: distances are at most this (at least, for ip). May be infinite,
   not NaN. Pages are refused. The matches are destroyed by the caller. */
PROXEL_API proxel_status proxel_index_range_search(proxel_index* index, const proxel_matrix* queries, float radius,
                                                   const char* metric, const proxel_search_options* options,
                                                   proxel_matches** matches);

/* What shapes a k-NN graph. */
typedef struct proxel_graph_options {
  size_t struct_size;
  uint64_t include_self;     /* 1: a row may be its own neighbour */
  const proxel_matrix* rows; /* those the index was made from, where its method keeps none (texel); may be NULL */
  proxel_progress progress;
  void* progress_user;
} proxel_graph_options;
#define PROXEL_GRAPH_OPTIONS_INIT {sizeof(proxel_graph_options), 0, NULL, NULL, NULL}

/* The k nearest rows of every row: the k-NN graph, [rows x k]. */
PROXEL_API proxel_status proxel_index_knn_graph(proxel_index* index, uint64_t k, const char* metric,
                                                const proxel_graph_options* options, uint32_t* indices,
                                                float* distances, uint64_t slots);
/* Writes a graph as a .npz file that scipy.sparse.load_npz() reads. columns: rows of the database.
   PROXEL_UNSUPPORTED where this build has no libzip. */
PROXEL_API proxel_status proxel_write_graph_npz(const char* path, const uint32_t* indices, const float* distances,
                                                uint64_t rows, uint64_t k, uint64_t columns);

/* Adds rows behind those that are there, which keep their numbers. first: the number of the first of them;
   may be NULL. This, remove and compact, also where they fail, end plans that were made before: recording
   them is refused, and what they recorded is not submitted any more. */
PROXEL_API proxel_status proxel_index_add(proxel_index* index, const proxel_matrix* rows, proxel_progress progress,
                                          void* progress_user, uint64_t* first);
/* Removes rows by their numbers; the others keep theirs. removed: how many had not been removed before; may
   be NULL. */
PROXEL_API proxel_status proxel_index_remove(proxel_index* index, const uint32_t* rows, uint64_t count,
                                             uint64_t* removed);
/* Takes the removed rows out; the others move up. numbers, if not NULL, has room for `slots` elements, at least
   the rows there were: for each number a row had the one it has now, or PROXEL_NO_NEIGHBOR. Where it fails
   or is cancelled, the index is what it was or, if rows move in place, answers nothing until it is called again. */
PROXEL_API proxel_status proxel_index_compact(proxel_index* index, proxel_progress progress, void* progress_user,
                                              uint32_t* numbers, uint64_t slots);

#ifdef __cplusplus
}
#endif

#endif
