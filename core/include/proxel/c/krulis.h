/* Exact searches among feature signatures as Krulis et al. 2011 run them: blocks of a query and N objects that devices
   work off beside each other, filtered by pivot tables on the host. They cannot be recorded; plans of
   proxel_signature_index_create() can. Reports count all pairs as compared, and as evaluated those whose distance was
   computed, those to pivots too. */
#ifndef PROXEL_C_KRULIS_H
#define PROXEL_C_KRULIS_H

#include "proxel/c/signatures.h"

#ifdef __cplusplus
extern "C" {
#endif

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
  uint64_t memory_limit; /* of each device, bytes that signatures may take; 0: four fifths of what it has. A device with
                            no room for all holds some groups of them and receives others when it takes a block */
  uint64_t group;        /* signatures that travel together; 0: as many as such a device has room for eight times */
} proxel_krulis_options;
#define PROXEL_KRULIS_OPTIONS_INIT \
  {sizeof(proxel_krulis_options), 0, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, NULL, NULL, 0, 0}

/* Uploads the signatures to every device, as many as it has room for: 1…64 of them, each once, which are used from threads of the index until it is
   destroyed, and by nothing else meanwhile. 1…2^32-2 signatures of at most 32,767 centroids each. The signatures need not outlive the
   index: it keeps a copy of them in host memory where a device has no room for all. A memory_limit that has no room for
   a group is PROXEL_INVALID_ARGUMENT. */
PROXEL_API proxel_status proxel_krulis_index_create(proxel_device* const* devices, uint64_t device_count,
                                                    const proxel_objects* signatures,
                                                    const proxel_krulis_options* options, proxel_index** index);

#ifdef __cplusplus
}
#endif

#endif
