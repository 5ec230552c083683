/* What a search found, of whatever kind: the nearest, what is within a radius, all distances; and how. */
#ifndef PROXEL_C_ANSWER_H
#define PROXEL_C_ANSWER_H

#include "proxel/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An answer never changes and is independent of the index and the device it came from: any thread may read it. */
typedef struct proxel_answer proxel_answer;

/* The index in a result slot for which nothing was found. */
#define PROXEL_NO_NEIGHBOR 0xFFFFFFFFu

/* What was found, ordered by (distance, index) for each query: smallest distance first (largest for ip), NaN last, equal
   distances by lower index.
   The nearest: [queries x columns], columns is k; slots for which nothing is left hold PROXEL_NO_NEIGHBOR and +infinity
   (-infinity for ip).
   Within a radius: query i has indices and distances offsets[i] … offsets[i + 1] - 1.
   All distances: [queries x columns], columns is the size of the index; by object, and without indices. */
typedef struct proxel_answer_view {
  size_t struct_size;
  uint64_t queries;
  uint64_t columns;        /* 0 within a radius */
  const uint64_t* offsets; /* within a radius: [queries + 1], the last is the number of all; otherwise NULL */
  const uint32_t* indices; /* NULL for all distances */
  const float* distances;
  const char* metric; /* that rows were searched by; NULL for other objects. Never freed */
  uint64_t ordered;   /* 1: distances are those that the order comes from, so that answers can be merged */
} proxel_answer_view;
#define PROXEL_ANSWER_VIEW_INIT {sizeof(proxel_answer_view), 0, 0, NULL, NULL, NULL, NULL, 0}

/* The pointers are valid as long as the answer. */
PROXEL_API proxel_status proxel_answer_get(const proxel_answer* answer, proxel_answer_view* view);
/* Copies what was found to arrays of the caller's. Either may be NULL, and is then left out; for all distances indices is.
   slots: elements that each has room for, at least queries * columns or, within a radius, as many as were found. */
PROXEL_API proxel_status proxel_answer_copy(const proxel_answer* answer, uint32_t* indices, float* distances,
                                            uint64_t slots);
/* An answer of the k nearest that is a copy of the caller's arrays, such as a plan wrote or another machine found.
   view: offsets is NULL; metric: NULL is "l2sq". */
PROXEL_API proxel_status proxel_answer_create(const proxel_answer_view* view, proxel_answer** answer);
PROXEL_API void proxel_answer_destroy(proxel_answer* answer);

/* Device time of one pass. Never changes: arrays are made of it. */
typedef struct proxel_pass_time {
  const char* name;
  const char* label; /* labels that were open around it, joined by '/' */
  double milliseconds;
} proxel_pass_time;

/* How many queries one rung of a certified search decided. Never changes: arrays are made of it. */
typedef struct proxel_rung {
  const char* name; /* what people are shown: "half precision", "canonical" */
  uint64_t queries;
} proxel_rung;

/* What one of several devices did of a search. Never changes: arrays are made of it. */
typedef struct proxel_device_share {
  uint64_t blocks;
  double milliseconds; /* of its blocks, by its own clock */
} proxel_device_share;

/* What one search took and did, all of its queries together; empty where an answer was created. */
typedef struct proxel_report {
  size_t struct_size;
  const char* method; /* that answered: "fused", "screened"; NULL where none did, as of no queries. Never freed */
  /* Pairs of a query and an object that candidates or pivots did not leave out, and those of them whose distance was
     evaluated as it is returned; 0 where a method does not count them. */
  uint64_t compared;
  uint64_t evaluated;
  /* Queries to the device, host clock. The first search of a kind makes its plan in it as well: pipelines, and the method's
     copy of the rows. */
  double upload_milliseconds;
  double compute_milliseconds;  /* device timestamps; host clock where there are none */
  double readback_milliseconds; /* results to the host, host clock */
  double total_milliseconds;    /* the whole call, host clock */
  uint64_t pass_count;          /* with timing "passes" only, or in a krulis index */
  const proxel_pass_time* passes;
  uint64_t rung_count; /* 0 where a method has no rungs */
  const proxel_rung* rungs;
  uint64_t device_count; /* of an index on several devices; otherwise 0 */
  const proxel_device_share* devices;
} proxel_report;
#define PROXEL_REPORT_INIT {sizeof(proxel_report), NULL, 0, 0, 0, 0, 0, 0, 0, NULL, 0, NULL, 0, NULL}

/* The pointers are valid as long as the answer. */
PROXEL_API proxel_status proxel_answer_get_report(const proxel_answer* answer, proxel_report* report);

/* The answer of a search of some of the objects. Never changes: arrays are made of it. */
typedef struct proxel_part {
  const proxel_answer* answer; /* of the nearest, ordered: at least k columns, or as many as the part has objects */
  uint64_t first_index;        /* the number that the part's object 0 has among all */
} proxel_part;

/* The k nearest of all parts, ordered again, so that the answer can itself be a part (of first index 0): any number of
   answers merged in any tree, and then proxel_finish(), have the bits of one search of all objects. Parts are of one
   metric and of as many queries; k: at least 1, slots past what they have are padded. Reports are added up. */
PROXEL_API proxel_status proxel_merge(const proxel_part* parts, uint64_t count, uint64_t k, proxel_answer** answer);
/* The answer of a search, of an ordered one: takes l2's roots, and cosine's and pearson's products from 1. */
PROXEL_API proxel_status proxel_finish(const proxel_answer* ordered, proxel_answer** answer);

/* Writes a graph, an answer of the nearest, as a .npz file that scipy.sparse.load_npz() reads. columns: rows of the
   database. PROXEL_UNSUPPORTED where this build has no libzip. */
PROXEL_API proxel_status proxel_write_graph_npz(const char* path, const proxel_answer* graph, uint64_t columns);

#ifdef __cplusplus
}
#endif

#endif
