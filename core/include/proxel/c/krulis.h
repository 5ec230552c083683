/* Exact searches among feature signatures as Krulis et al. 2011 run them: blocks of a query and N objects that devices
   work off beside each other, filtered by pivot tables on the host. They cannot be recorded; plans of a
   proxel_signature_index can. */
#ifndef PROXEL_C_KRULIS_H
#define PROXEL_C_KRULIS_H

#include "proxel/c/signatures.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct proxel_krulis_index proxel_krulis_index;

typedef struct proxel_krulis_options {
  size_t struct_size;
  double alpha;             /* of the similarity e^(-alpha L2^2), 1e-20…1e20; 0: the default, 0.2 */
  const char* precision;    /* "float" (the default) or "double" */
  const char* filter;       /* "none" (the default), "pivots", "ptolemaic" */
  const uint32_t* pivots;   /* [pivot_count] objects of the index, at most 256; NULL: pivot_count of them by seed */
  uint32_t pivot_count;     /* 0: the default, 32 */
  uint32_t scan_block;      /* objects of a block, at most 2^20; 0: as many as give each device one */
  uint64_t seed;            /* 0: the default, 2011 */
  uint32_t range_block;     /* of those that a filter left, within a radius; 0: the default, 8000 */
  uint32_t knn_block;       /* of those that a filter left, of the k nearest; 0: the default, 64 */
  uint64_t pending;         /* blocks of a filtered search that wait at a time; 0: two per device */
  proxel_progress progress; /* told of pivots while the index is made; may be NULL */
  void* progress_user;
} proxel_krulis_options;
#define PROXEL_KRULIS_OPTIONS_INIT {sizeof(proxel_krulis_options), 0, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, NULL, NULL}

typedef struct proxel_krulis_index_info {
  size_t struct_size;
  uint64_t size;
  uint64_t dimensions;
  const uint32_t* pivots; /* valid as long as the index; none without a filter */
  uint64_t pivot_count;
  double build_milliseconds;
} proxel_krulis_index_info;
#define PROXEL_KRULIS_INDEX_INFO_INIT {sizeof(proxel_krulis_index_info), 0, 0, NULL, 0, 0}

/* What the latest search did, all of its queries together. Pointers are valid until the next call with the index. */
typedef struct proxel_krulis_times {
  size_t struct_size;
  uint64_t pairs;     /* of a query and an object */
  uint64_t distances; /* computed, those to pivots too */
  double pivots_milliseconds;
  double filter_milliseconds;
  double wait_milliseconds;
  double answer_milliseconds;
  double total_milliseconds;
  uint64_t device_count;
  const uint64_t* blocks;            /* per device */
  const double* device_milliseconds; /* per device */
} proxel_krulis_times;
#define PROXEL_KRULIS_TIMES_INIT {sizeof(proxel_krulis_times), 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL}

/* Uploads the signatures to every device: 1…64 of them, each once, which are used from threads of the index until it is
   destroyed, and by nothing else meanwhile. 1…2^32-2 signatures of at most 32,767 centroids each. */
PROXEL_API proxel_status proxel_krulis_index_create(proxel_device* const* devices, uint64_t device_count,
                                                    const proxel_signatures* signatures,
                                                    const proxel_krulis_options* options, proxel_krulis_index** index);
PROXEL_API void proxel_krulis_index_destroy(proxel_krulis_index* index);
PROXEL_API proxel_status proxel_krulis_index_get_info(const proxel_krulis_index* index, proxel_krulis_index_info* info);
PROXEL_API proxel_status proxel_krulis_index_get_times(const proxel_krulis_index* index, proxel_krulis_times* times);

/* As those of proxel_signature_index. */
PROXEL_API proxel_status proxel_krulis_index_search(proxel_krulis_index* index, const proxel_signatures* queries,
                                                    uint64_t k, proxel_progress progress, void* progress_user,
                                                    uint32_t* indices, float* distances, uint64_t slots);
PROXEL_API proxel_status proxel_krulis_index_range_search(proxel_krulis_index* index, const proxel_signatures* queries,
                                                          float radius, proxel_progress progress, void* progress_user,
                                                          proxel_matches** matches);
PROXEL_API proxel_status proxel_krulis_index_distances(proxel_krulis_index* index, const proxel_signatures* queries,
                                                       float* distances, uint64_t slots);

#ifdef __cplusplus
}
#endif

#endif
