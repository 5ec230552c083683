/* Indexes of feature signatures: exact nearest ones, by the signature quadratic form distance. */
#ifndef PROXEL_C_SIGNATURES_H
#define PROXEL_C_SIGNATURES_H

#include "proxel/c/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct proxel_signature_options {
  size_t struct_size;
  const char* similarity;   /* of centroids: "gaussian" (the default), "minus", "heuristic" */
  double alpha;             /* its parameter, 1e-15 … 1e15, rounded to binary32; 0: the default, 0.2 */
  const char* method;       /* "auto" (the default), "canonical", "screened", "filtered" */
  uint64_t scratch_limit;   /* device memory of one search, bytes, at least 2^20; 0: the default, 2^28 */
  const char* timing;       /* "none", "whole" (the default) or "passes" */
  proxel_progress progress; /* told of signatures while the index is made; may be NULL */
  void* progress_user;
} proxel_signature_options;
#define PROXEL_SIGNATURE_OPTIONS_INIT {sizeof(proxel_signature_options), NULL, 0, NULL, 0, NULL, NULL, NULL}

/* Uploads the signatures: at least one, at most 2^32-2, of fewer than 2^32 centroids together. */
PROXEL_API proxel_status proxel_signature_index_create(proxel_device* device, const proxel_objects* signatures,
                                                       const proxel_signature_options* options, proxel_index** index);

/* Where the parts of packed queries begin, bytes; docs/embedding.md says what each holds. */
typedef struct proxel_signature_layout {
  size_t struct_size;
  uint64_t coordinates;
  uint64_t weights;
  uint64_t spans;
  uint64_t terms;
  uint64_t groups;
  uint64_t margins;
  uint64_t errors;
  uint64_t counts;
  uint64_t bytes;  /* of all */
  uint64_t places; /* centroids that there is room for */
} proxel_signature_layout;
#define PROXEL_SIGNATURE_LAYOUT_INIT {sizeof(proxel_signature_layout), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

PROXEL_API proxel_status proxel_plan_get_signature_layout(const proxel_plan* plan, proxel_signature_layout* layout);
/* Packs as many queries as were planned for proxel_search_buffers.queries.
   to: 4-byte aligned; bytes: of room, at least the layout's. */
PROXEL_API proxel_status proxel_plan_pack_signatures(const proxel_plan* plan, const proxel_signatures* queries,
                                                     void* to, uint64_t bytes);

/* Signatures of a file, with what each is of. */
typedef struct proxel_signature_file proxel_signature_file;

/* Pointers are valid as long as the file. */
typedef struct proxel_signature_file_view {
  size_t struct_size;
  const uint64_t* offsets; /* this and the next four as in proxel_signatures */
  const float* centroids;
  const float* weights;
  uint64_t count;
  uint64_t dimensions;
  uint64_t name_count; /* the number of signatures, or 0 */
  const char* recipe;  /* how the signatures were made; "" where that is not known */
} proxel_signature_file_view;
#define PROXEL_SIGNATURE_FILE_VIEW_INIT {sizeof(proxel_signature_file_view), NULL, NULL, NULL, 0, 0, 0, NULL}

/* Reads a file of signatures: proxel's (docs/signature-file.md), or the text format of NMSLIB's SQFD space,
   plain or compressed by gzip. */
PROXEL_API proxel_status proxel_signature_file_read(const char* path, proxel_signature_file** file);
PROXEL_API proxel_status proxel_signature_file_get(const proxel_signature_file* file, proxel_signature_file_view* view);
/* What signature `number` is of, as proxel_index_get_text() gives a text. */
PROXEL_API proxel_status proxel_signature_file_get_name(const proxel_signature_file* file, uint64_t number, char* name,
                                                        uint64_t capacity, uint64_t* bytes);
PROXEL_API void proxel_signature_file_destroy(proxel_signature_file* file);
/* Writes proxel's own format, whole or not at all. names: of each signature, ended by a zero byte, or NULL;
   recipe: may be NULL. */
PROXEL_API proxel_status proxel_signature_file_write(const char* path, const proxel_signatures* signatures,
                                                     const char* const* names, const char* recipe);

#ifdef __cplusplus
}
#endif

#endif
