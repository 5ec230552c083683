/* The permutation index: approximate nearest strings and vectors, of which only a fraction is compared with
   the query. Every distance returned is exact; nearer objects may be missing. */
#ifndef PROXEL_C_PERMUTATION_H
#define PROXEL_C_PERMUTATION_H

#include "proxel/c/strings.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of strings. */
typedef struct proxel_permutation_index proxel_permutation_index;
/* Of vectors, under every metric. */
typedef struct proxel_vector_permutation_index proxel_vector_permutation_index;

typedef struct proxel_permutation_options {
  size_t struct_size;
  uint32_t permutants;    /* objects whose order stands for an object: 1…256; 0: the default, 64 */
  uint32_t prefix;        /* only the positions of the nearest so many count; 0: all */
  uint64_t seed;          /* of the choice of permutants; 0: the default, 1 */
  const uint32_t* chosen; /* the permutants themselves, indices of objects, instead of a choice; may be NULL */
  uint64_t chosen_count;
  const char* distance;        /* between permutations: "footrule" (the default), "spearman-rho", "kendall-tau" */
  const char* selection;       /* how the nearest are found: "auto" (the default), "quick-sort" as in the paper, … */
  const char* string_distance; /* strings: "levenshtein" (the default) or "hamming" */
  uint64_t scratch_limit;      /* as in proxel_string_options */
  const char* timing;
  proxel_progress progress; /* called while the index is made; may be NULL */
  void* progress_user;
} proxel_permutation_options;
#define PROXEL_PERMUTATION_OPTIONS_INIT \
  {sizeof(proxel_permutation_options), 0, 0, 0, NULL, 0, NULL, NULL, NULL, 0, NULL, NULL, NULL}

/* What a permutation index is. permutants are valid until the next call with the index. */
typedef struct proxel_permutation_info {
  size_t struct_size;
  uint64_t size;
  const uint32_t* permutants; /* numbers of objects, in their order */
  uint64_t permutant_count;
  double build_milliseconds;
  double build_compute_milliseconds; /* strings: the part that the device computed; 0 without timestamps */
  const char* units;                 /* strings: "code-points" or "bytes"; NULL for vectors */
  uint64_t dimensions;               /* vectors */
  const char* metric;                /* vectors; NULL for strings. Never freed */
} proxel_permutation_info;
#define PROXEL_PERMUTATION_INFO_INIT {sizeof(proxel_permutation_info), 0, NULL, 0, 0, 0, NULL, 0, NULL}

/* Strings */

PROXEL_API proxel_status proxel_permutation_index_create(proxel_device* device, const proxel_strings* strings,
                                                         const proxel_permutation_options* options,
                                                         proxel_permutation_index** index);
/* An index that was saved, on this device or another. Of the options string_distance is the file's. */
PROXEL_API proxel_status proxel_permutation_index_load(proxel_device* device, const char* path,
                                                       const proxel_string_options* options,
                                                       proxel_permutation_index** index);
/* Writes the index to a file, whole or not at all; the same bytes whatever the device. */
PROXEL_API proxel_status proxel_permutation_index_save(proxel_permutation_index* index, const char* path);
/* Whether a file begins as saved ones do: *saved is 1 or 0. */
PROXEL_API proxel_status proxel_permutation_index_is_saved(const char* path, int* saved);
PROXEL_API void proxel_permutation_index_destroy(proxel_permutation_index* index);
PROXEL_API proxel_status proxel_permutation_index_get_info(proxel_permutation_index* index,
                                                           proxel_permutation_info* info);
PROXEL_API proxel_status proxel_permutation_index_get_times(proxel_permutation_index* index, proxel_times* times);
/* Strings compared with each query. fraction: 0 < fraction <= 1, here and below. */
PROXEL_API proxel_status proxel_permutation_index_candidates(const proxel_permutation_index* index, uint64_t k,
                                                             double fraction, uint64_t* candidates);
/* The k nearest among the candidates. With a fraction of 1 the answer of proxel_string_index_search(). */
PROXEL_API proxel_status proxel_permutation_index_search(proxel_permutation_index* index, const proxel_strings* queries,
                                                         uint64_t k, double fraction, proxel_progress progress,
                                                         void* progress_user, uint32_t* indices, float* distances,
                                                         uint64_t slots);
/* As proxel_string_index_plan(). */
PROXEL_API proxel_status proxel_permutation_index_plan(proxel_permutation_index* index, uint32_t queries,
                                                       uint32_t longest_query, uint64_t k, double fraction,
                                                       proxel_plan** plan);
/* As proxel_string_index_plan_range(). */
PROXEL_API proxel_status proxel_permutation_index_plan_range(proxel_permutation_index* index, uint32_t queries,
                                                             uint32_t longest_query, float radius, double fraction,
                                                             proxel_plan** plan);
/* Those of the candidates that are at most `radius`, any number but NaN, from the query. */
PROXEL_API proxel_status proxel_permutation_index_range_search(proxel_permutation_index* index,
                                                               const proxel_strings* queries, float radius,
                                                               double fraction, proxel_progress progress,
                                                               void* progress_user, proxel_matches** matches);
/* The smallest fraction, within a twentieth of it, that reaches a recall, 0 < recall <= 1, on a sample.
   queries: the sample; NULL or none: 500 strings of the index, each looked for among the others. */
PROXEL_API proxel_status proxel_permutation_index_choose_fraction(proxel_permutation_index* index, double recall,
                                                                  uint64_t k, const proxel_strings* queries,
                                                                  proxel_progress progress, void* progress_user,
                                                                  proxel_fraction_choice* choice);
/* The same for range searches. */
PROXEL_API proxel_status proxel_permutation_index_choose_range_fraction(proxel_permutation_index* index, double recall,
                                                                        float radius, const proxel_strings* queries,
                                                                        proxel_progress progress, void* progress_user,
                                                                        proxel_fraction_choice* choice);
/* As those of proxel_string_index. */
PROXEL_API proxel_status proxel_permutation_index_add(proxel_permutation_index* index, const proxel_strings* strings,
                                                      uint64_t* first);
PROXEL_API proxel_status proxel_permutation_index_remove(proxel_permutation_index* index, const uint32_t* numbers,
                                                         uint64_t count, uint64_t* removed);
PROXEL_API proxel_status proxel_permutation_index_get_text(const proxel_permutation_index* index, uint32_t number,
                                                           char* text, uint64_t capacity, uint64_t* bytes);

/* Vectors: the same, where no comment says otherwise */

/* Uploads a copy of the rows, [n x d]. metric: NULL is "l2sq". */
PROXEL_API proxel_status proxel_vector_permutation_index_create(proxel_device* device, const proxel_matrix* rows,
                                                                const char* metric,
                                                                const proxel_permutation_options* options,
                                                                proxel_vector_permutation_index** index);
PROXEL_API void proxel_vector_permutation_index_destroy(proxel_vector_permutation_index* index);
PROXEL_API proxel_status proxel_vector_permutation_index_get_info(proxel_vector_permutation_index* index,
                                                                  proxel_permutation_info* info);
PROXEL_API proxel_status proxel_vector_permutation_index_get_times(proxel_vector_permutation_index* index,
                                                                   proxel_times* times);
PROXEL_API proxel_status proxel_vector_permutation_index_candidates(const proxel_vector_permutation_index* index,
                                                                    uint64_t k, double fraction, uint64_t* candidates);
PROXEL_API proxel_status proxel_vector_permutation_index_search(proxel_vector_permutation_index* index,
                                                                const proxel_matrix* queries, uint64_t k,
                                                                double fraction, proxel_progress progress,
                                                                void* progress_user, uint32_t* indices,
                                                                float* distances, uint64_t slots);
/* A search to be recorded by the caller. The plan keeps the index. queries: at least 1. */
PROXEL_API proxel_status proxel_vector_permutation_index_plan(proxel_vector_permutation_index* index, uint32_t queries,
                                                              uint64_t k, double fraction, proxel_plan** plan);
/* The same within a radius, with exact counts whatever there is room for. */
PROXEL_API proxel_status proxel_vector_permutation_index_plan_range(proxel_vector_permutation_index* index,
                                                                    uint32_t queries, float radius, double fraction,
                                                                    proxel_plan** plan);
PROXEL_API proxel_status proxel_vector_permutation_index_range_search(proxel_vector_permutation_index* index,
                                                                      const proxel_matrix* queries, float radius,
                                                                      double fraction, proxel_progress progress,
                                                                      void* progress_user, proxel_matches** matches);
PROXEL_API proxel_status proxel_vector_permutation_index_choose_fraction(proxel_vector_permutation_index* index,
                                                                         double recall, uint64_t k,
                                                                         const proxel_matrix* queries,
                                                                         proxel_progress progress, void* progress_user,
                                                                         proxel_fraction_choice* choice);

#ifdef __cplusplus
}
#endif

#endif
