/* The permutation index: approximate nearest strings, vectors and signatures, of which only a fraction is compared with
   the query. Every distance returned is exact; nearer objects may be missing. */
#ifndef PROXEL_C_PERMUTATION_H
#define PROXEL_C_PERMUTATION_H

#include "proxel/c/strings.h"

#ifdef __cplusplus
extern "C" {
#endif

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
  const char* metric;          /* vectors: "l2sq" (the default), … */
  uint64_t scratch_limit;      /* as in proxel_string_options */
  const char* timing;
  proxel_progress progress; /* called while the index is made; may be NULL */
  void* progress_user;
  const char* similarity; /* signatures: as in proxel_signature_options */
  double alpha;           /* signatures: of the similarity; 0: the default, 0.2 */
} proxel_permutation_options;
#define PROXEL_PERMUTATION_OPTIONS_INIT \
  {sizeof(proxel_permutation_options), 0, 0, 0, NULL, 0, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, 0}

/* Of rows, strings or signatures, of which it uploads a copy. Strings are added and removed as of proxel_string_index_create(); the
   permutants stay what they are. */
PROXEL_API proxel_status proxel_permutation_index_create(proxel_device* device, const proxel_objects* objects,
                                                         const proxel_permutation_options* options,
                                                         proxel_index** index);

/* Objects compared with each query. fraction: as in proxel_search_options. */
PROXEL_API proxel_status proxel_index_candidates(const proxel_index* index, uint64_t k, double fraction,
                                                 uint64_t* candidates);

/* What the choice of a fraction for a recall found. */
typedef struct proxel_fraction_choice {
  size_t struct_size;
  double fraction;
  double recall;    /* on the sample */
  uint64_t queries; /* of the sample */
} proxel_fraction_choice;
#define PROXEL_FRACTION_CHOICE_INIT {sizeof(proxel_fraction_choice), 0, 0, 0}

/* The smallest fraction, within a twentieth of it, that reaches a recall, 0 < recall <= 1, on a sample.
   queries: the sample; NULL or none: 500 objects of the index, each looked for among the others. */
PROXEL_API proxel_status proxel_index_choose_fraction(proxel_index* index, double recall, uint64_t k,
                                                      const proxel_objects* queries, proxel_progress progress,
                                                      void* progress_user, proxel_fraction_choice* choice);
/* The same for range searches. Strings alone. */
PROXEL_API proxel_status proxel_index_choose_range_fraction(proxel_index* index, double recall, float radius,
                                                            const proxel_objects* queries, proxel_progress progress,
                                                            void* progress_user, proxel_fraction_choice* choice);

/* An index of strings that was saved, on this device or another, and is of the distance that the file says. */
PROXEL_API proxel_status proxel_permutation_index_load(proxel_device* device, const char* path,
                                                       const proxel_string_options* options, proxel_index** index);
/* Whether a file begins as those of saved indexes do, of whatever objects: *saved is 1 or 0. */
PROXEL_API proxel_status proxel_permutation_index_is_saved(const char* path, int* saved);

#ifdef __cplusplus
}
#endif

#endif
