/* Searches that are planned once and recorded any number of times, over buffers of the caller's. */
#ifndef PROXEL_C_PLAN_H
#define PROXEL_C_PLAN_H

#include "proxel/c/index.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One search, planned for a number of queries and what they ask for, of whatever kind: every kind is recorded
   by proxel_plan_record(). Its recordings must not execute at the same time, and it outlives the execution of
   what it recorded. */
typedef struct proxel_plan proxel_plan;

/* What shapes a search that is planned, beside its queries and k or radius. A member that the kind of index does not know
   is refused by name where it is set. */
typedef struct proxel_plan_options {
  size_t struct_size;
  const char* metric; /* vectors: "l2sq" (the default), "l1", … */
  const char* filter; /* vectors: "none" (the default), "shared" or "per-query": which rows may be returned, as in
                             proxel_search_options: ceil(rows / 32) words, or so many per query */
  uint64_t continued; /* vectors: 1: continues behind a neighbour of each query */
  uint64_t counted;   /* vectors: 1: the device alone knows how many queries there are, proxel_search_buffers.count */
  uint64_t ordered;   /* the nearest: as in proxel_search_options; what the plan continues behind is of the same kind */
  double fraction;    /* permutations: as in proxel_search_options */
  uint64_t longest_query; /* strings: symbols that each query has at most; signatures: centroids, 1…2^20 */
  uint64_t exclude_self;  /* vectors, the nearest: 1: each query's own row, proxel_search_buffers.self, is left out */
} proxel_plan_options;
#define PROXEL_PLAN_OPTIONS_INIT {sizeof(proxel_plan_options), NULL, NULL, 0, 0, 0, 0, 0, 0}

/* Plans a search of an index for the k nearest. queries: at least 1. The plan keeps the index; adding, removing or
   compacting ends it: recording it is then refused, and what it recorded before is not submitted any more. */
PROXEL_API proxel_status proxel_index_plan(proxel_index* index, uint32_t queries, uint64_t k,
                                           const proxel_plan_options* options, proxel_plan** plan);
/* The same within a radius: distances are at most this (at least, for ip); may be infinite, not NaN. With exact counts
   whatever there is room for; of vectors at once or in two halves. */
PROXEL_API proxel_status proxel_index_plan_range(proxel_index* index, uint32_t queries, float radius,
                                                 const proxel_plan_options* options, proxel_plan** plan);
/* The same for all distances. Signatures alone. */
PROXEL_API proxel_status proxel_index_plan_distances(proxel_index* index, uint32_t queries,
                                                     const proxel_plan_options* options, proxel_plan** plan);

/* Rows that lie in a buffer of the caller's and may change between executions. */
typedef struct proxel_rows_description {
  size_t struct_size;
  const char* method;     /* "scan" (the default), or "bvh", for the nearest: up to 8 dimensions, every metric but ip; a
                             hierarchy of boxes is made anew at every execution, in memory of the plan */
  uint64_t rows;          /* 1…2^32-2 */
  uint64_t dimensions;    /* 1…2^24 */
  uint64_t row_stride;    /* elements from row to row; 0: dimensions */
  uint64_t scratch_limit; /* bytes, at least 2^20; 0: the default, 2^28 */
} proxel_rows_description;
#define PROXEL_ROWS_DESCRIPTION_INIT {sizeof(proxel_rows_description), NULL, 0, 0, 0, 0}

/* As of an index of vectors; metrics: "l2sq" (the default), "l1", "l2", "linf", "ip". */
PROXEL_API proxel_status proxel_rows_plan(proxel_device* device, const proxel_rows_description* rows, uint32_t queries,
                                          uint64_t k, const proxel_plan_options* options, proxel_plan** plan);
PROXEL_API proxel_status proxel_rows_plan_range(proxel_device* device, const proxel_rows_description* rows,
                                                uint32_t queries, float radius, const proxel_plan_options* options,
                                                proxel_plan** plan);

/* The k smallest or largest values of each row of a matrix on the device, in the order (value, column). */
typedef struct proxel_selection_description {
  size_t struct_size;
  uint64_t rows;          /* 1…2^32-2 */
  uint64_t columns;       /* values per row, 1…2^32-2 */
  uint64_t row_stride;    /* values from row to row; 0: columns */
  uint64_t k;             /* 1…2^32-2; slots past `columns` are padded */
  const char* method;     /* "auto" (the default), "streaming", "threshold", "radix-sort", "quick-subgroup",
                             "quick-workgroup", "quick-sort", "radix-select", "bucket-select", "bitonic-sort",
                             "sample-select" */
  uint64_t scratch_limit; /* bytes, at least 2^20; 0: the default, 2^28 */
  uint64_t largest_first; /* 1: the largest */
  uint64_t unsorted;      /* 1: each row's come in any order */
  uint64_t has_payload;   /* 1: proxel_search_buffers.payload is returned in place of columns */
} proxel_selection_description;
#define PROXEL_SELECTION_DESCRIPTION_INIT {sizeof(proxel_selection_description), 0, 0, 0, 0, NULL, 0, 0, 0, 0}

PROXEL_API proxel_status proxel_selection_plan(proxel_device* device, const proxel_selection_description* description,
                                               proxel_plan** plan);

/* What is done with a buffer: bits of proxel_requirement.usage. proxel_vulkan_buffer_usage() says them
   as Vulkan does; CUDA memory serves all. */
#define PROXEL_USAGE_STORAGE 1u              /* kernels read or write it */
#define PROXEL_USAGE_DEVICE_ADDRESS 2u       /* they reach it by its address */
#define PROXEL_USAGE_TRANSFER_SOURCE 4u      /* it is copied from */
#define PROXEL_USAGE_TRANSFER_DESTINATION 8u /* it is copied to or filled */

/* What a buffer has to be. Never changes, and is part of structs as it is. */
typedef struct proxel_requirement {
  uint64_t bytes;     /* at least so many; 0: there is no such buffer */
  uint64_t alignment; /* of its address, bytes; a power of two */
  uint64_t usage;     /* PROXEL_USAGE bits */
} proxel_requirement;

/* What the members of proxel_search_buffers have to be, 0 bytes for those that the plan does not have; after_… are
   told for a stride of 1. Within a radius indices and distances are as large as the caller wants, from one slot on. */
typedef struct proxel_requirements {
  size_t struct_size;
  proxel_requirement queries;
  proxel_requirement scratch;
  proxel_requirement indices;
  proxel_requirement distances;
  proxel_requirement filter;
  proxel_requirement after_distances;
  proxel_requirement after_indices;
  proxel_requirement rows; /* of proxel_rows_plan() and proxel_rows_plan_range() alone */
  proxel_requirement count;
  proxel_requirement offsets;
  proxel_requirement query_offsets;
  proxel_requirement values;
  proxel_requirement payload;
  proxel_requirement self;
} proxel_requirements;
/* clang-format off */
#define PROXEL_REQUIREMENTS_INIT                                                            \
  {sizeof(proxel_requirements), {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, \
   {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, \
   {0, 0, 0}}
/* clang-format on */

PROXEL_API proxel_status proxel_plan_get_requirements(const proxel_plan* plan, proxel_requirements* requirements);

/* The caller's buffers of one search, of the plan's device. Those that a plan does not have are not looked at. */
typedef struct proxel_search_buffers {
  size_t struct_size;
  proxel_buffer_view queries;   /* read: binary32 [queries x dimensions], row-major; of signatures what
                                   proxel_plan_pack_signatures() made, of strings the symbols of
                                   proxel_plan_encode_strings(), at least one word */
  proxel_buffer_view scratch;   /* clobbered */
  proxel_buffer_view indices;   /* written: 32-bit [queries x k]; within a radius those of all queries, see offsets */
  proxel_buffer_view distances; /* written: binary32, as many; of a selection its values; all distances of signatures
                                   [queries x proxel_plan_info.distance_stride] */
  proxel_buffer_view filter;    /* read, where the plan has one */
  /* Read where the plan is continued: of each query a neighbour behind which those found begin;
     for example the results of the page before from their last column on, at a stride of k. */
  proxel_buffer_view after_distances; /* binary32 */
  proxel_buffer_view after_indices;   /* 32-bit */
  uint64_t after_stride;              /* elements between queries; 0: 1 */
  proxel_buffer_view rows;            /* read by plans of rows: binary32, 4-byte aligned */
  proxel_buffer_view count;           /* read where the plan is counted: 32-bit, how many queries there are; results
                                         past it stay as they are */
  /* Written within a radius: 64-bit [queries + 1]. The matches of query i are offsets[i] … offsets[i + 1] - 1 of
     indices and distances, exactly counted whatever there is room for. A query whose matches do not all fit, and
     every later one, leaves its slots undefined. */
  proxel_buffer_view offsets;
  proxel_buffer_view query_offsets; /* read, of strings: 32-bit [queries + 1], where each query begins */
  proxel_buffer_view values;        /* read by selections: binary32 [rows x columns] */
  proxel_buffer_view payload;       /* read by selections that have one: 32-bit, as the values */
  proxel_buffer_view self;          /* read where the plan leaves each query's own row out: 32-bit, one per query: its
                                       number, or PROXEL_NO_NEIGHBOR for a query that is no row */
} proxel_search_buffers;
/* clang-format off */
#define PROXEL_SEARCH_BUFFERS_INIT                                                                    \
  {sizeof(proxel_search_buffers), {NULL, 0, 0}, {NULL, 0, 0}, {NULL, 0, 0}, {NULL, 0, 0}, {NULL, 0, 0}, \
   {NULL, 0, 0}, {NULL, 0, 0}, 0, {NULL, 0, 0}, {NULL, 0, 0}, {NULL, 0, 0}, {NULL, 0, 0}, {NULL, 0, 0}, \
   {NULL, 0, 0}, {NULL, 0, 0}}
/* clang-format on */

/* Writes the search down; allocates, submits and waits for nothing. Work recorded before is made visible by
   a barrier of the caller's (proxel_recording_barrier(), or see proxel/c/vulkan.h); so are the results to
   what follows. The caller keeps the buffers until the execution has finished. */
PROXEL_API proxel_status proxel_plan_record(const proxel_plan* plan, proxel_recording* recording,
                                            const proxel_search_buffers* buffers);
/* The two halves of proxel_plan_record() of vectors within a radius: the first writes the offsets alone, whose last
   tells how much room all matches need; the second writes these at the offsets that the first left. Other plans are
   PROXEL_UNSUPPORTED. */
PROXEL_API proxel_status proxel_plan_record_count(const proxel_plan* plan, proxel_recording* recording,
                                                  const proxel_search_buffers* buffers);
PROXEL_API proxel_status proxel_plan_record_fill(const proxel_plan* plan, proxel_recording* recording,
                                                 const proxel_search_buffers* buffers);
/* What a plan came to. Names are never freed. */
typedef struct proxel_plan_info {
  size_t struct_size;
  const char* method;       /* what answers: "fused", "screened"; NULL where there is no choice */
  uint64_t distance_stride; /* of all distances of signatures: elements from query to query; otherwise 0 */
} proxel_plan_info;
#define PROXEL_PLAN_INFO_INIT {sizeof(proxel_plan_info), NULL, 0}

PROXEL_API proxel_status proxel_plan_get_info(const proxel_plan* plan, proxel_plan_info* info);
/* Queries that each rung decided in the latest execution, which has finished; *count is 0 where the
   method has no rungs. The pointer is valid until the next call with the plan. */
PROXEL_API proxel_status proxel_plan_get_rungs(proxel_plan* plan, const proxel_rung** rungs, uint64_t* count);
PROXEL_API void proxel_plan_destroy(proxel_plan* plan);

#ifdef __cplusplus
}
#endif

#endif
