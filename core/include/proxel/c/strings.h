/* Indexes of strings: exact nearest strings, by a distance between strings. */
#ifndef PROXEL_C_STRINGS_H
#define PROXEL_C_STRINGS_H

#include "proxel/c/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct proxel_string_options {
  size_t struct_size;
  const char* distance;   /* "levenshtein" (the default) or "hamming" */
  uint64_t scratch_limit; /* device memory of one search, bytes, at least 2^20; 0: the default, 2^28 */
  const char* timing;     /* "none", "whole" (the default) or "passes" */
  uint64_t memory_limit;  /* device memory of the strings, bytes; 0: four fifths of the device's, and no more than its
                             largest buffer. Strings that need more pass in parts at every search; there are no plans then */
} proxel_string_options;
#define PROXEL_STRING_OPTIONS_INIT {sizeof(proxel_string_options), NULL, 0, NULL, 0}

/* Uploads a copy of the strings: at least one, at most 2^32-2, of at most 2^24-1 symbols each. Added and removed strings
   follow at the next search; no number is given twice. */
PROXEL_API proxel_status proxel_string_index_create(proxel_device* device, const proxel_objects* strings,
                                                    const proxel_string_options* options, proxel_index** index);

/* As many queries as were planned of an index of strings or of their permutations, as the device reads them: their symbols one after another, and where each begins.
   symbol_slots, offset_slots: words of room; queries * longest_query and queries + 1 suffice.
   symbol_count: how many symbols they are. */
PROXEL_API proxel_status proxel_plan_encode_strings(const proxel_plan* plan, const proxel_strings* queries,
                                                    uint32_t* symbols, uint64_t symbol_slots, uint32_t* offsets,
                                                    uint64_t offset_slots, uint64_t* symbol_count);

#ifdef __cplusplus
}
#endif

#endif
