/* Indexes on a device, of whatever is searched for, and their searches: one set of functions. The kinds differ in how an
   index is made: of vectors below, of strings, signatures and permutations in the headers of those names. What a kind
   does not have is PROXEL_UNSUPPORTED, and the error names the kind. */
#ifndef PROXEL_C_INDEX_H
#define PROXEL_C_INDEX_H

#include "proxel/c/answer.h"
#include "proxel/c/device.h"
#include "proxel/c/objects.h"
#include "proxel/c/papers.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct proxel_index proxel_index;

/* How an index of vectors keeps its rows and answers; see proxel::IndexOptions for what each is good for. */
typedef struct proxel_index_options {
  size_t struct_size;
  const char* method;                 /* "auto" (the default), "scan", "fused", "bvh", "texel", … */
  uint64_t scratch_limit;             /* device memory of one search, bytes, at least 2^20; 0: the default, 2^28 */
  uint64_t memory_limit;              /* device memory of the rows, bytes; 0: four fifths of what there is.
                             Rows that need more stay in the caller's memory and are streamed */
  const char* storage;                /* what the device keeps of the rows: "float32", "float16", "int8" or "uint8";
                             NULL: float32, and of stored rows their type */
  const char* timing;                 /* "none", "whole" (the default) or "passes" */
  const proxel_paper_options* papers; /* NULL: their defaults */
  proxel_progress progress;           /* called while rows are uploaded; may be NULL */
  void* progress_user;
  uint64_t pinned; /* 1: rows that are streamed are locked in host memory while the index lives, and read by
                             the device where they lie; see proxel::IndexOptions::pinned */
} proxel_index_options;
#define PROXEL_INDEX_OPTIONS_INIT {sizeof(proxel_index_options), NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, 0}

/* An index of vectors: uploads a copy of the rows or stored rows, [n x d] with n 1…2^32-2. Where they do not fit
   (proxel_index_fits()) they are streamed instead: the memory then outlives the index and all that was made from it, unchanged. */
PROXEL_API proxel_status proxel_index_create(proxel_device* device, const proxel_objects* rows,
                                             const proxel_index_options* options, proxel_index** index);
/* Whether an index of that size would keep its rows on the device: *fits is 1 or 0. */
PROXEL_API proxel_status proxel_index_fits(const proxel_device* device, uint64_t rows, uint64_t dimensions,
                                           const proxel_index_options* options, int* fits);
/* An index of vectors that was saved, on this device or another: its rows in the type they were stored in, with their
   numbers, and those that had been removed; it answers as the saved one did, to the bit. The file is mapped, and rows are
   held against their checksums when they are first read. Where they do not fit they are streamed from the file, which
   the index keeps open and which must not become shorter; damaged rows are then found by the first search that passes
   over them, PROXEL_MALFORMED_FILE. options: storage is not set, as the file says it; where no method is given it is that
   of the saved index, if all rows fit. Strings: proxel_permutation_index_load(). */
PROXEL_API proxel_status proxel_index_load(proxel_device* device, const char* path, const proxel_index_options* options,
                                           proxel_index** index);
/* Writes an index to a file, whole or not at all; the same bytes whatever the device. Vectors, whose method keeps rows
   that can be read back (not texel), and permutations of strings. */
PROXEL_API proxel_status proxel_index_save(proxel_index* index, const char* path);
/* Whether a file begins as those of saved indexes of vectors do: *saved is 1 or 0. */
PROXEL_API proxel_status proxel_index_is_saved(const char* path, int* saved);
PROXEL_API void proxel_index_destroy(proxel_index* index);

/* What an index is; members that its kind does not have are 0 or NULL. Names are never freed. */
typedef struct proxel_index_info {
  size_t struct_size;
  const char*
      kind;      /* "vectors", "sharded-vectors", "strings", "signatures", "string-permutations", "vector-permutations",
                       "signature-permutations", "krulis", and those of proxel/c/sharded.h */
  uint64_t size; /* objects that are there */
  uint64_t removed; /* vectors: rows that were removed and have numbers until proxel_index_compact() */
  uint64_t dimensions;
  double build_milliseconds; /* host time of uploading and packing */
  const char* method;        /* of vectors and signatures: what the options ask for. Answers tell theirs */
  uint64_t block_rows;       /* of vectors: rows of the blocks of a streamed or narrow index, at most */
  const char* units;         /* of strings and their permutations: "code-points" or "bytes" */
  uint64_t alphabet;         /* of strings: different symbols of all of them, as of the latest search */
  const char* similarity;    /* of signatures */
  double alpha;              /* of signatures */
  const char* metric;        /* of permutations of vectors */
  /* Permutations: the permutants in their order. Krulis: the pivots. Valid until the next call with the index. */
  const uint32_t* pivots;
  uint64_t pivot_count;
  double
      build_compute_milliseconds; /* of permutations of strings: the part that the device computed; 0 without timestamps */
  const char* storage;            /* of vectors: what the device keeps of the rows, "float32" … */
} proxel_index_info;
#define PROXEL_INDEX_INFO_INIT \
  {sizeof(proxel_index_info), NULL, 0, 0, 0, 0, NULL, 0, NULL, 0, NULL, 0, NULL, NULL, 0, 0, NULL}

PROXEL_API proxel_status proxel_index_get_info(const proxel_index* index, proxel_index_info* info);

/* What shapes one search beside its queries and k or radius. A member that the kind of index does not know, or the
   search does not, is refused by name where it is set. All pointers are read during the call. */
typedef struct proxel_search_options {
  size_t struct_size;
  proxel_progress progress; /* told of queries, of rows where they are streamed; may be NULL */
  void* progress_user;
  const char* metric; /* vectors: "l2sq" (the default), "l1", … (proxel_metric_name()) */
  double fraction;    /* permutations: of the objects, compared with each query; 0 < fraction <= 1, must be given */
  uint64_t raw;       /* vectors: 1: the method's own arithmetic, uncorrected, where it has one */
  uint64_t ordered;   /* the nearest: 1: an answer that can be merged (proxel_merge()). Of vectors it has the squares
                               of l2, and the products of cosine and pearson; of strings and signatures it is as ever */
  /* Vectors: which rows may be returned: bit i % 32 of word i / 32 is set where row i may. NULL: every row. */
  const uint32_t* filter;
  uint64_t filter_rows;   /* 1: one for all queries; otherwise one per query */
  uint64_t filter_words;  /* of one filter: ceil(rows of the index / 32) */
  uint64_t filter_stride; /* words from one filter to the next; PROXEL_CONTIGUOUS: filter_words */
  /* Vectors, the nearest: the page before, of as many queries and ordered where this one is, behind whose last column
     each query continues. NULL: from the nearest on. */
  const proxel_answer* after;
  /* Vectors, the nearest: the row that each query is, which is left out of its answer: known by its number, so that its
     duplicates stay; PROXEL_NO_NEIGHBOR for a query that is none. NULL: no row is left out. */
  const uint32_t* self;
  uint64_t self_count; /* as many as there are queries */
} proxel_search_options;
#define PROXEL_SEARCH_OPTIONS_INIT \
  {sizeof(proxel_search_options), NULL, NULL, NULL, 0, 0, 0, NULL, 0, 0, PROXEL_CONTIGUOUS, NULL, NULL, 0}

/* Whether the index can serve searches for the k nearest with such options; PROXEL_UNSUPPORTED with the reason where not. */
PROXEL_API proxel_status proxel_index_supports(const proxel_index* index, uint64_t k,
                                               const proxel_search_options* options);
/* Vectors: the method that would answer. The name is never freed. */
PROXEL_API proxel_status proxel_index_method_for(const proxel_index* index, uint32_t queries, uint64_t k,
                                                 const proxel_search_options* options, const char** method);

/* The k nearest objects of each query. queries: rows or own rows (vectors), strings of the index's units, signatures of
   the index's dimensions; there may be none. k: at least 1. The answer is destroyed by the caller, here and below.
   Distances of strings are whole numbers. Those of permutations are exact, but nearer objects may be missing: with a
   fraction of 1 the answer is that of an index without permutations. */
PROXEL_API proxel_status proxel_index_search(proxel_index* index, const proxel_objects* queries, uint64_t k,
                                             const proxel_search_options* options, proxel_answer** answer);
/* Every object within a radius of each query: distances are at most this (at least, for ip). May be infinite, not NaN.
   Of permutations those of the candidates. */
PROXEL_API proxel_status proxel_index_range_search(proxel_index* index, const proxel_objects* queries, float radius,
                                                   const proxel_search_options* options, proxel_answer** answer);
/* Every distance. Signatures and krulis alone. */
PROXEL_API proxel_status proxel_index_distances(proxel_index* index, const proxel_objects* queries,
                                                const proxel_search_options* options, proxel_answer** answer);

/* What shapes a k-NN graph. */
typedef struct proxel_graph_options {
  size_t struct_size;
  const char* metric;        /* "l2sq" (the default), … */
  uint64_t include_self;     /* 1: a row may be its own neighbour */
  const proxel_matrix* rows; /* those the index was made from, where its method keeps none (texel); may be NULL */
  proxel_progress progress;
  void* progress_user;
} proxel_graph_options;
#define PROXEL_GRAPH_OPTIONS_INIT {sizeof(proxel_graph_options), NULL, 0, NULL, NULL, NULL}

/* Vectors: the k nearest rows of every row, the k-NN graph. */
PROXEL_API proxel_status proxel_index_knn_graph(proxel_index* index, uint64_t k, const proxel_graph_options* options,
                                                proxel_answer** answer);

/* Adds objects behind those that are there, which keep their numbers. progress: vectors, called while rows are uploaded;
   may be NULL. first: the number of the first of them; may be NULL. Vectors, strings and their permutations.
   This, remove and compact, also where they fail, end plans that were made before: recording them is refused, and what
   they recorded is not submitted any more. */
PROXEL_API proxel_status proxel_index_add(proxel_index* index, const proxel_objects* objects, proxel_progress progress,
                                          void* progress_user, uint64_t* first);
/* Removes objects by their numbers; the others keep theirs. removed: how many had not been removed before; may be NULL. */
PROXEL_API proxel_status proxel_index_remove(proxel_index* index, const uint32_t* numbers, uint64_t count,
                                             uint64_t* removed);
/* Vectors: takes the removed rows out; the others move up. numbers, if not NULL, has room for `slots` elements, at least
   the rows there were: for each number a row had the one it has now, or PROXEL_NO_NEIGHBOR. Where it fails
   or is cancelled, the index is what it was or, if rows move in place, answers nothing until it is called again. */
PROXEL_API proxel_status proxel_index_compact(proxel_index* index, proxel_progress progress, void* progress_user,
                                              uint32_t* numbers, uint64_t slots);
/* Strings and their permutations: string `number`, while it is there. Its bytes are copied to text, which has room for
   `capacity` of them, and *bytes is how many it has. No zero byte is added. Where they do not fit nothing is copied,
   *bytes is set, and the call is PROXEL_OK for a capacity of 0 and PROXEL_INVALID_ARGUMENT otherwise. */
PROXEL_API proxel_status proxel_index_get_text(const proxel_index* index, uint32_t number, char* text,
                                               uint64_t capacity, uint64_t* bytes);

#ifdef __cplusplus
}
#endif

#endif
