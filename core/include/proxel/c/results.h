/* What searches of every kind return beside their neighbours. */
#ifndef PROXEL_C_RESULTS_H
#define PROXEL_C_RESULTS_H

#include "proxel/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What was found within a radius. Independent of the index it came from. */
typedef struct proxel_matches proxel_matches;

/* Of each query what was found at offsets[query] … offsets[query + 1] - 1 of indices and distances,
   ordered by (distance, index) as always. */
typedef struct proxel_matches_view {
  size_t struct_size;
  uint64_t queries;
  const uint64_t* offsets; /* [queries + 1]; the last is the number of all */
  const uint32_t* indices;
  const float* distances;
} proxel_matches_view;
#define PROXEL_MATCHES_VIEW_INIT {sizeof(proxel_matches_view), 0, NULL, NULL, NULL}

/* The pointers are valid as long as the matches. */
PROXEL_API proxel_status proxel_matches_get(const proxel_matches* matches, proxel_matches_view* view);
PROXEL_API void proxel_matches_destroy(proxel_matches* matches);

/* Device time of one pass. Never changes: arrays are made of it. */
typedef struct proxel_pass_time {
  const char* name;
  const char* label; /* labels that were open around it, joined by '/' */
  double milliseconds;
} proxel_pass_time;

/* How many queries one rung of a certified search decided. Never changes: arrays are made of it. */
typedef struct proxel_rung {
  const char* name; /* what people are shown: "half precision", "canonical" */
  uint64_t queries;
} proxel_rung;

/* Where the time of an index's latest search went. The pointers are valid until the next call
   with the index that they were asked of, or its destruction. */
typedef struct proxel_times {
  size_t struct_size;
  double upload_milliseconds;   /* queries to the device, host clock */
  double compute_milliseconds;  /* device timestamps; host clock where there are none */
  double readback_milliseconds; /* results to the host, host clock */
  double total_milliseconds;    /* the whole call, host clock */
  uint64_t pass_count;          /* with timing "passes" only */
  const proxel_pass_time* passes;
  uint64_t rung_count; /* 0 where a method has no rungs */
  const proxel_rung* rungs;
} proxel_times;
#define PROXEL_TIMES_INIT {sizeof(proxel_times), 0, 0, 0, 0, 0, NULL, 0, NULL}

/* What the choice of a fraction for a recall found (proxel/c/permutation.h). */
typedef struct proxel_fraction_choice {
  size_t struct_size;
  double fraction;
  double recall;    /* on the sample */
  uint64_t queries; /* of the sample */
} proxel_fraction_choice;
#define PROXEL_FRACTION_CHOICE_INIT {sizeof(proxel_fraction_choice), 0, 0, 0}

#ifdef __cplusplus
}
#endif

#endif
