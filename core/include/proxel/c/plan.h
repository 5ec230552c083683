/* Searches that are planned once and recorded any number of times, over buffers of the caller's. */
#ifndef PROXEL_C_PLAN_H
#define PROXEL_C_PLAN_H

#include "proxel/c/index.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One search, planned for a number of queries, k and metric. Its recordings must not execute at the same
   time, and it outlives the execution of what it recorded. */
typedef struct proxel_plan proxel_plan;

/* What shapes a search that is planned, beside its queries, k and metric. */
typedef struct proxel_plan_options {
  size_t struct_size;
  const char* filter; /* "none" (the default), "shared" or "per-query": which rows may be returned, as in
                         proxel_search_options: ceil(rows / 32) words, or so many per query */
  uint64_t continued; /* 1: continues behind a neighbour of each query */
} proxel_plan_options;
#define PROXEL_PLAN_OPTIONS_INIT {sizeof(proxel_plan_options), NULL, 0}

/* Plans a search of an index. queries: at least 1; metric: NULL is "l2sq".
   Adding, removing or compacting rows of the index ends the plan: recording it is then refused. */
PROXEL_API proxel_status proxel_index_plan(proxel_index* index, uint32_t queries, uint64_t k, const char* metric,
                                           const proxel_plan_options* options, proxel_plan** plan);

/* A search of rows that lie in a buffer of the caller's and may change between executions. */
typedef struct proxel_rows_description {
  size_t struct_size;
  const char* method;     /* "scan" (the default), or "bvh": up to 8 dimensions, every metric but ip; a
                             hierarchy of boxes is made anew at every execution, in memory of the plan */
  const char* metric;     /* "l2sq" (the default), "l1", "l2", "linf", "ip" */
  uint64_t rows;          /* 1…2^32-2 */
  uint32_t dimensions;    /* 1…2^24 */
  uint32_t queries;       /* at least 1 */
  uint64_t k;             /* at least 1 */
  uint64_t row_stride;    /* elements from row to row; 0: dimensions */
  uint64_t scratch_limit; /* bytes, at least 2^20; 0: the default, 2^28 */
  const char* filter;     /* as in proxel_plan_options */
  uint64_t continued;
} proxel_rows_description;
#define PROXEL_ROWS_DESCRIPTION_INIT \
  {sizeof(proxel_rows_description), NULL, NULL, 0, 0, 0, 0, 0, 0, NULL, 0}

PROXEL_API proxel_status proxel_rows_plan(proxel_device* device, const proxel_rows_description* description,
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

/* What the members of proxel_search_buffers have to be. Those of filter and after_… are 0 bytes unless the
   plan has them; after_… are told for a stride of 1. */
typedef struct proxel_requirements {
  size_t struct_size;
  proxel_requirement queries;
  proxel_requirement scratch;
  proxel_requirement indices;
  proxel_requirement distances;
  proxel_requirement filter;
  proxel_requirement after_distances;
  proxel_requirement after_indices;
  proxel_requirement rows; /* of proxel_rows_plan() alone */
} proxel_requirements;
#define PROXEL_REQUIREMENTS_INIT                                                            \
  {sizeof(proxel_requirements), {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, \
   {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}

PROXEL_API proxel_status proxel_plan_get_requirements(const proxel_plan* plan, proxel_requirements* requirements);

/* The caller's buffers of one search, of the plan's device. */
typedef struct proxel_search_buffers {
  size_t struct_size;
  proxel_buffer_view queries;   /* read: binary32 [queries x dimensions], row-major */
  proxel_buffer_view scratch;   /* clobbered */
  proxel_buffer_view indices;   /* written: 32-bit [queries x k] */
  proxel_buffer_view distances; /* written: binary32 [queries x k] */
  proxel_buffer_view filter;    /* read, where the plan has one */
  /* Read where the plan is continued: of each query a neighbour behind which those found begin;
     for example the results of the page before from their last column on, at a stride of k. */
  proxel_buffer_view after_distances; /* binary32 */
  proxel_buffer_view after_indices;   /* 32-bit */
  uint64_t after_stride;              /* elements between queries; 0: 1 */
  proxel_buffer_view rows;            /* read by plans of proxel_rows_plan(): binary32, 4-byte aligned */
} proxel_search_buffers;
#define PROXEL_SEARCH_BUFFERS_INIT                                                                    \
  {sizeof(proxel_search_buffers), {NULL, 0, 0}, {NULL, 0, 0}, {NULL, 0, 0}, {NULL, 0, 0}, {NULL, 0, 0}, \
   {NULL, 0, 0}, {NULL, 0, 0}, 0, {NULL, 0, 0}}

/* Writes the search down; allocates, submits and waits for nothing. Work recorded before is made visible by
   a barrier of the caller's (proxel_recording_barrier(), or see proxel/c/vulkan.h); so are the results to
   what follows. The caller keeps the buffers until the execution has finished. */
PROXEL_API proxel_status proxel_plan_record(const proxel_plan* plan, proxel_recording* recording,
                                            const proxel_search_buffers* buffers);
/* Queries that each rung decided in the latest execution, which has finished; *count is 0 where the
   method has no rungs. The pointer is valid until the next call with the plan. */
PROXEL_API proxel_status proxel_plan_get_rungs(proxel_plan* plan, const proxel_rung** rungs, uint64_t* count);
PROXEL_API void proxel_plan_destroy(proxel_plan* plan);

#ifdef __cplusplus
}
#endif

#endif
