/* One index over several devices, with the bits of one (proxel/sharded_index.hpp): of vectors, strings, signatures or their
   permutations. It is searched and changed, and one of vectors asked for its graph, by the functions of proxel/c/index.h,
   on threads of each call's own; it cannot be recorded, and one of strings' permutations alone be saved; one of vectors is loaded. Its kind is that of one device
   behind "sharded-": "sharded-vectors"; reports have what each device did. */
#ifndef PROXEL_C_SHARDED_H
#define PROXEL_C_SHARDED_H

#include "proxel/c/index.h"
#include "proxel/c/permutation.h"
#include "proxel/c/signatures.h"
#include "proxel/c/strings.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct proxel_sharded_options {
  size_t struct_size;
  const char* division; /* "rows" (the default): each device has a part of them; "queries": each has all rows, and
                            answers a part of the queries: of permutations the default, and the only one */
  const double* shares; /* [devices] their parts, in any unit; NULL: as fast as each searches a sample */
  uint64_t share_count; /* of them: as many as devices, or 0 */
  const proxel_index_options* index; /* of vectors: of the index on each device; NULL: their defaults */
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
/* As proxel_index_load(), of which every device reads its part; options->index->storage is not set. All rows are held against
   their checksums here. */
PROXEL_API proxel_status proxel_sharded_index_load(proxel_device* const* devices, uint64_t device_count,
                                                   const char* path, const proxel_sharded_options* options,
                                                   proxel_index** index);
/* As proxel_string_index_create(). division, options: may be NULL. proxel_index_info.alphabet is 0 of such an index. */
PROXEL_API proxel_status proxel_sharded_string_index_create(proxel_device* const* devices, uint64_t device_count,
                                                            const proxel_objects* strings,
                                                            const proxel_sharded_options* division,
                                                            const proxel_string_options* options, proxel_index** index);
/* As proxel_signature_index_create(). */
PROXEL_API proxel_status proxel_sharded_signature_index_create(proxel_device* const* devices, uint64_t device_count,
                                                               const proxel_objects* signatures,
                                                               const proxel_sharded_options* division,
                                                               const proxel_signature_options* options,
                                                               proxel_index** index);
/* As proxel_permutation_index_create(). PROXEL_UNSUPPORTED where rows are to be divided: which objects are candidates
   depends on all of them. */
PROXEL_API proxel_status proxel_sharded_permutation_index_create(proxel_device* const* devices, uint64_t device_count,
                                                                 const proxel_objects* objects,
                                                                 const proxel_sharded_options* division,
                                                                 const proxel_permutation_options* options,
                                                                 proxel_index** index);
/* What the device of that number has. PROXEL_UNSUPPORTED of an index of another kind. */
PROXEL_API proxel_status proxel_sharded_index_get_shard(const proxel_index* index, uint64_t number,
                                                        proxel_shard_info* info);

#ifdef __cplusplus
}
#endif

#endif
