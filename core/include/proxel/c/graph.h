/* What hangs together in a k-NN graph. */
#ifndef PROXEL_C_GRAPH_H
#define PROXEL_C_GRAPH_H

#include "proxel/c/answer.h"
#include "proxel/c/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which of a graph's edges join the rows at their ends. An edge has no direction. */
typedef struct proxel_components_options {
  size_t struct_size;
  uint64_t limited; /* 1: only edges at most as long as `limit` (with ip at least as similar); 0: edges of any length */
  double limit;     /* in the graph's distances, rounded to binary32; NaN is neither shorter nor longer */
  uint64_t mutual;  /* 1: only edges between rows that are neighbours of each other */
} proxel_components_options;
#define PROXEL_COMPONENTS_OPTIONS_INIT {sizeof(proxel_components_options), 0, 0, 0}

/* The connected components of a graph, found on a device, the same on all of them.
   graph:      an answer of the nearest, one query for each row, such as proxel_index_knn_graph() gives
   options:    NULL for the defaults
   components: written: [rows], the smallest row of each row's component
   rows:       elements that there is room for, at least the graph's queries
   count:      written: how many components there are; may be NULL */
PROXEL_API proxel_status proxel_graph_components(proxel_device* device, const proxel_answer* graph,
                                                 const proxel_components_options* options, uint32_t* components,
                                                 uint64_t rows, uint64_t* count);

#ifdef __cplusplus
}
#endif

#endif
