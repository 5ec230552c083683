/* Files of vectors, and of lines of text: what they hold, reading them and writing them. */
#ifndef PROXEL_C_DATA_H
#define PROXEL_C_DATA_H

#include "proxel/c/objects.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a file holds, or some of it. */
typedef struct proxel_data proxel_data;

/* How a file is read. The format is told by the end of its name: .npy, .npz, .fvecs, .bvecs, .ivecs, .fbin, .f16bin, .u8bin,
   .i8bin, .ibin, .hdf5, .h5, .csv, .tsv, .txt and these with .gz. */
typedef struct proxel_read_options {
  size_t struct_size;
  const char* type; /* of the values: "stored" (the default): that of the file where it is float32, float16, int8, uint8
                       or int32, float32 of text, and other types are PROXEL_UNSUPPORTED; "float32": of any type, rounded to
                       nearest; "int32": of integers that 32 bits hold, others are PROXEL_MALFORMED_FILE */
  uint64_t first_row;
  uint64_t max_rows;     /* 0: all that there are */
  uint64_t memory_limit; /* of the host, bytes; 0: 2^40. A file that would need more is PROXEL_OUT_OF_MEMORY */
  uint64_t mapped; /* 1: values are used where they lie in the file, which must not become shorter meanwhile; of .npy,
                            .*vecs and .*bin files of float32, float16, int8 and uint8, others are PROXEL_UNSUPPORTED */
  const char* columns; /* that are read: "x,y", "2-4,7", "3-"; NULL: all but those of ids and labels */
  const char* ids;     /* of text: the column that names rows: its name, its number from 1 or "last"; NULL: none */
  const char* labels;  /* a column of labels, told as texts; NULL: none */
  const char* header;  /* whether the first line of text names columns: "auto" (the default), "yes", "no" */
  const char* missing; /* values of text: "refuse" (the default), "nan", "drop": their rows are left out */
} proxel_read_options;
#define PROXEL_READ_OPTIONS_INIT {sizeof(proxel_read_options), NULL, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL}

/* The header alone; of text, which has none, the whole file. path may end in "#name", which names a part: a data set of an
   HDF5 file or an array of an .npz file; without it "train" is meant, otherwise the only one. Of the options type is not
   looked at, nor are first_row and max_rows. options may be NULL. The handle is destroyed by the caller, here and below. */
PROXEL_API proxel_status proxel_data_inspect(const char* path, const proxel_read_options* options, proxel_data** data);
/* The rows as well. Error texts name the file, the byte offset or line, and the reason. */
PROXEL_API proxel_status proxel_data_read(const char* path, const proxel_read_options* options, proxel_data** data);
/* The lines of a text file, plain or compressed by gzip, without their ends, a byte order mark and empty lines. */
PROXEL_API proxel_status proxel_data_read_lines(const char* path, proxel_data** data);
PROXEL_API void proxel_data_destroy(proxel_data* data);

/* Pointers are valid as long as the handle; names are never freed. */
typedef struct proxel_data_view {
  size_t struct_size;
  const char* format; /* "npy", "fvecs", "hdf5", "csv.gz", … or "lines" */
  const char* stored; /* type of the elements in the file: "float64", … or "text" */
  uint64_t rows;      /* that were read; of the file, if it was inspected */
  uint64_t columns;
  uint64_t file_bytes;
  const void* values;       /* [rows x columns], row-major; NULL where the file was inspected, or has lines */
  const char* type;         /* of the values: "float32", "float16", "int8", "uint8", "int32"; NULL without values */
  uint64_t row_bytes;       /* from one row of values to the next */
  uint64_t one_dimensional; /* 1: stored as a vector, which was read as one column */
  uint64_t rounded;         /* values that binary32 does not hold, and were rounded to the nearest */
  uint64_t dropped_rows;    /* rows left out for a missing value */
  uint64_t part_count;      /* what can be named behind '#' in the path */
  uint64_t column_count;    /* names of columns, one for each or none */
  uint64_t id_count;        /* one for each row, or none */
  uint64_t label_count;     /* one for each row, or none */
  const char* const* lines; /* [line_count] and their lengths in bytes, as proxel_strings has them */
  const uint64_t* line_lengths;
  uint64_t line_count;
} proxel_data_view;
#define PROXEL_DATA_VIEW_INIT \
  {sizeof(proxel_data_view), NULL, NULL, 0, 0, 0, NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, 0}

PROXEL_API proxel_status proxel_data_get(const proxel_data* data, proxel_data_view* view);
/* One of the names: "part", "column", "id" or "label" `number`, as proxel_index_get_text() gives a text. */
PROXEL_API proxel_status proxel_data_get_name(const proxel_data* data, const char* of, uint64_t number, char* name,
                                              uint64_t capacity, uint64_t* bytes);

/* Write a file, whole or not at all, in the format that its name tells: rows as .npy, .csv, .fvecs or .fbin; stored rows
   in their type, float16 as .npy or .f16bin, int8 as .npy or .i8bin, uint8 as .npy, .bvecs or .u8bin; indices,
   [rows x columns] without gaps, as .npy, .csv, .ivecs or .ibin. Other names are PROXEL_UNSUPPORTED, and the error lists what there is. */
PROXEL_API proxel_status proxel_data_write(const char* path, const proxel_objects* rows);
PROXEL_API proxel_status proxel_data_write_indices(const char* path, const uint32_t* indices, uint64_t rows,
                                                   uint64_t columns);

#ifdef __cplusplus
}
#endif

#endif
