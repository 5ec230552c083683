/* Exact nearest feature signatures, by the signature quadratic form distance. */
#ifndef PROXEL_C_SIGNATURES_H
#define PROXEL_C_SIGNATURES_H

#include "proxel/c/device.h"
#include "proxel/c/results.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct proxel_signature_index proxel_signature_index;

/* Borrowed signatures, read during the call. Those of signature i are centroids offsets[i] … offsets[i + 1] - 1,
   at least one. */
typedef struct proxel_signatures {
  size_t struct_size;
  const uint64_t* offsets; /* [count + 1], ascending; centroids before each signature */
  const float* centroids;  /* [offsets[count] x dimensions], row-major; magnitudes up to 1e15 */
  const float* weights;    /* [offsets[count]]; 0 … 1e15, of any sum */
  uint64_t count;
  uint64_t dimensions;     /* of a centroid, 1…65536 */
} proxel_signatures;
#define PROXEL_SIGNATURES_INIT {sizeof(proxel_signatures), NULL, NULL, NULL, 0, 0}

typedef struct proxel_signature_options {
  size_t struct_size;
  const char* similarity; /* of centroids: "gaussian" (the default), "minus", "heuristic" */
  double alpha;           /* its parameter, 1e-15 … 1e15, rounded to binary32; 0: the default, 0.2 */
  const char* method;     /* "auto" (the default), "canonical", "screened" */
  uint64_t scratch_limit; /* device memory of one search, bytes, at least 2^20; 0: the default, 2^28 */
  const char* timing;     /* "none", "whole" (the default) or "passes" */
} proxel_signature_options;
#define PROXEL_SIGNATURE_OPTIONS_INIT {sizeof(proxel_signature_options), NULL, 0, NULL, 0, NULL}

/* What an index of signatures is. Names are never freed. */
typedef struct proxel_signature_index_info {
  size_t struct_size;
  uint64_t size;
  uint64_t dimensions;
  const char* similarity;
  double alpha;
  const char* method;  /* that answered the latest search: "canonical" or "screened" */
  uint64_t evaluated;  /* canonical distances that the latest search evaluated */
  double build_milliseconds;
} proxel_signature_index_info;
#define PROXEL_SIGNATURE_INDEX_INFO_INIT {sizeof(proxel_signature_index_info), 0, 0, NULL, 0, NULL, 0, 0}

/* Uploads the signatures: at least one, at most 2^32-2, of fewer than 2^32 centroids together. */
PROXEL_API proxel_status proxel_signature_index_create(proxel_device* device, const proxel_signatures* signatures,
                                                       const proxel_signature_options* options,
                                                       proxel_signature_index** index);
PROXEL_API void proxel_signature_index_destroy(proxel_signature_index* index);
PROXEL_API proxel_status proxel_signature_index_get_info(const proxel_signature_index* index,
                                                         proxel_signature_index_info* info);
PROXEL_API proxel_status proxel_signature_index_get_times(proxel_signature_index* index, proxel_times* times);

/* The k nearest signatures of each query, which has the index's dimensions. */
PROXEL_API proxel_status proxel_signature_index_search(proxel_signature_index* index,
                                                       const proxel_signatures* queries, uint64_t k,
                                                       proxel_progress progress, void* progress_user,
                                                       uint32_t* indices, float* distances, uint64_t slots);
/* The signatures at most `radius`, any number but NaN, from each query. */
PROXEL_API proxel_status proxel_signature_index_range_search(proxel_signature_index* index,
                                                             const proxel_signatures* queries, float radius,
                                                             proxel_progress progress, void* progress_user,
                                                             proxel_matches** matches);
/* Every distance, [queries x size]; slots: elements of room, at least so many. */
PROXEL_API proxel_status proxel_signature_index_distances(proxel_signature_index* index,
                                                          const proxel_signatures* queries,
                                                          proxel_progress progress, void* progress_user,
                                                          float* distances, uint64_t slots);

#ifdef __cplusplus
}
#endif

#endif
