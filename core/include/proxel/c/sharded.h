/* One index of vectors over several devices, with the bits of one (proxel/sharded_index.hpp). It is searched, changed and
   asked for its graph by the functions of proxel/c/index.h, on threads of each call's own; it cannot be recorded or saved.
   Its kind is "sharded-vectors"; reports have what each device did. */
#ifndef PROXEL_C_SHARDED_H
#define PROXEL_C_SHARDED_H

#include "proxel/c/index.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct proxel_sharded_options {
  size_t struct_size;
  const char* division; /* "rows" (the default): each device has a part of them; "queries": each has all rows,
                            and answers a part of the queries */
  const double* shares; /* [devices] their parts, in any unit; NULL: as fast as each searches a sample */
  uint64_t share_count; /* of them: as many as devices, or 0 */
  const proxel_index_options* index; /* of the index on each device; NULL: their defaults */
} proxel_sharded_options;
#define PROXEL_SHARDED_OPTIONS_INIT {sizeof(proxel_sharded_options), NULL, NULL, 0, NULL}

/* What one device has of an index. */
typedef struct proxel_shard_info {
  size_t struct_size;
  double share;  /* 0 ... 1; they add up to 1 */
  uint64_t rows; /* with those that have been removed */
} proxel_shard_info;

/* As proxel_index_create(), over 1 ... 64 devices, each once. */
PROXEL_API proxel_status proxel_sharded_index_create(proxel_device* const* devices, uint64_t device_count,
                                                     const proxel_objects* rows, const proxel_sharded_options* options,
                                                     proxel_index** index);
/* What the device of that number has. PROXEL_UNSUPPORTED of an index of another kind. */
PROXEL_API proxel_status proxel_sharded_index_get_shard(const proxel_index* index, uint64_t number,
                                                        proxel_shard_info* info);

#ifdef __cplusplus
}
#endif

#endif
