/* Exact nearest strings, by a distance between strings. */
#ifndef PROXEL_C_STRINGS_H
#define PROXEL_C_STRINGS_H

#include "proxel/c/plan.h"
#include "proxel/c/results.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct proxel_string_index proxel_string_index;

/* Borrowed strings, read during the call. */
typedef struct proxel_strings {
  size_t struct_size;
  const char* const* texts; /* [count]; a text may be NULL where its length is 0 */
  const uint64_t* lengths;  /* [count], bytes; NULL: texts end at their first zero byte */
  uint64_t count;
  const char* units; /* "code-points" (the default): symbols are those of UTF-8, and anything else is
                               refused; "bytes": of anything */
} proxel_strings;
#define PROXEL_STRINGS_INIT {sizeof(proxel_strings), NULL, NULL, 0, NULL}

typedef struct proxel_string_options {
  size_t struct_size;
  const char* distance;   /* "levenshtein" (the default) or "hamming" */
  uint64_t scratch_limit; /* device memory of one search, bytes, at least 2^20; 0: the default, 2^28 */
  const char* timing;     /* "none", "whole" (the default) or "passes" */
} proxel_string_options;
#define PROXEL_STRING_OPTIONS_INIT {sizeof(proxel_string_options), NULL, 0, NULL}

/* What an index of strings is. units is never freed. */
typedef struct proxel_string_index_info {
  size_t struct_size;
  uint64_t size;     /* strings that are there */
  uint64_t alphabet; /* different symbols of all strings, as of the latest search */
  const char* units; /* "code-points" or "bytes" */
  double build_milliseconds;
} proxel_string_index_info;
#define PROXEL_STRING_INDEX_INFO_INIT {sizeof(proxel_string_index_info), 0, 0, NULL, 0}

/* Uploads a copy of the strings: at least one, at most 2^32-2, of at most 2^24-1 symbols each. */
PROXEL_API proxel_status proxel_string_index_create(proxel_device* device, const proxel_strings* strings,
                                                    const proxel_string_options* options, proxel_string_index** index);
PROXEL_API void proxel_string_index_destroy(proxel_string_index* index);
PROXEL_API proxel_status proxel_string_index_get_info(const proxel_string_index* index, proxel_string_index_info* info);
PROXEL_API proxel_status proxel_string_index_get_times(proxel_string_index* index, proxel_times* times);

/* The k nearest strings of each query, which has the index's units. Distances are whole numbers. */
PROXEL_API proxel_status proxel_string_index_search(proxel_string_index* index, const proxel_strings* queries,
                                                    uint64_t k, proxel_progress progress, void* progress_user,
                                                    uint32_t* indices, float* distances, uint64_t slots);
/* The strings at most `radius`, any number but NaN, from each query. */
PROXEL_API proxel_status proxel_string_index_range_search(proxel_string_index* index, const proxel_strings* queries,
                                                          float radius, proxel_progress progress, void* progress_user,
                                                          proxel_matches** matches);

/* A search to be recorded by the caller. The plan keeps the index; adding or removing strings ends it: recording it is
   then refused. queries: at least 1; longest_query: symbols that each has at most. */
PROXEL_API proxel_status proxel_string_index_plan(proxel_string_index* index, uint32_t queries, uint32_t longest_query,
                                                  uint64_t k, proxel_plan** plan);
/* The same within a radius, with exact counts whatever there is room for. */
PROXEL_API proxel_status proxel_string_index_plan_range(proxel_string_index* index, uint32_t queries,
                                                        uint32_t longest_query, float radius, proxel_plan** plan);
/* As many queries as were planned, as the device reads them: their symbols one after another, and where each begins.
   symbol_slots, offset_slots: words of room; queries * longest_query and queries + 1 suffice.
   symbol_count: how many symbols they are. */
PROXEL_API proxel_status proxel_plan_encode_strings(const proxel_plan* plan, const proxel_strings* queries,
                                                    uint32_t* symbols, uint64_t symbol_slots, uint32_t* offsets,
                                                    uint64_t offset_slots, uint64_t* symbol_count);

/* Adds strings behind those there were. first: the number of the first of them; may be NULL. */
PROXEL_API proxel_status proxel_string_index_add(proxel_string_index* index, const proxel_strings* strings,
                                                 uint64_t* first);
/* Removes strings; the others keep their numbers. removed: how many there were; may be NULL. */
PROXEL_API proxel_status proxel_string_index_remove(proxel_string_index* index, const uint32_t* numbers, uint64_t count,
                                                    uint64_t* removed);
/* String `number`, while it is there: its bytes are copied to text, which has room for `capacity` of them, and
   *bytes is how many it has. No zero byte is added. Where they do not fit nothing is copied, *bytes is set, and
   the call is PROXEL_OK for a capacity of 0 and PROXEL_INVALID_ARGUMENT otherwise. */
PROXEL_API proxel_status proxel_string_index_get_text(const proxel_string_index* index, uint32_t number, char* text,
                                                      uint64_t capacity, uint64_t* bytes);

#ifdef __cplusplus
}
#endif

#endif
