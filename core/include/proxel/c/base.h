/* What every part of the C API shares: status codes, errors, the version, structs, progress. */
#ifndef PROXEL_C_BASE_H
#define PROXEL_C_BASE_H

#include <stddef.h>
#include <stdint.h>

#include "proxel/export.h"
#include "proxel/version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a call came to. The values are stable; 1 to 99 are those of proxel::ErrorCode. */
typedef enum proxel_status {
  PROXEL_OK = 0,
  PROXEL_INVALID_ARGUMENT = 1, /* a value given by the caller is outside what is allowed */
  PROXEL_UNSUPPORTED = 2,      /* the request is valid, but this device, method or build cannot serve it */
  PROXEL_NOT_FOUND = 3,        /* a file, device or backend that was named does not exist */
  PROXEL_MALFORMED_FILE = 4,   /* a file is short, damaged or not what its name says */
  PROXEL_INPUT_OUTPUT = 5,     /* the operating system refused a read or a write */
  PROXEL_OUT_OF_MEMORY = 6,    /* host or device memory is exhausted; existing objects stay usable */
  PROXEL_DEVICE_LOST = 7,      /* the device stopped answering; its objects can only be destroyed */
  PROXEL_BACKEND_FAILURE = 8,  /* the driver reported an error that has no better name */
  PROXEL_CANCELLED = 100,      /* a progress callback asked for the end */
  PROXEL_INTERNAL_ERROR = 101  /* a fault of proxel's own; please report it */
} proxel_status;

/* Functions that can fail return a status. One that fails has written nothing through its
   pointers, unless its comment says otherwise, and has set the error of its thread. */

/* The latest failure of the calling thread, as one line that begins with the argument, file or
   device at fault: "k: 0 was given, 1 to 4294967295 is allowed". "" before the first. UTF-8 of at most 1,000 bytes:
   control characters are written as \n or \x1b, and long names lose their middle. Valid until the thread's next
   failing call. */
PROXEL_API const char* proxel_last_error(void);
/* What is at fault alone: "k". "" where the failure is no one's argument. Valid as long. */
PROXEL_API const char* proxel_last_error_subject(void);
/* "ok", "invalid_argument", …; "unknown" for a number that is none. Never freed. */
PROXEL_API const char* proxel_status_name(proxel_status status);

/* Of the library in use, as PROXEL_VERSION (proxel/version.h) is of the header. */
PROXEL_API uint32_t proxel_version(void);
/* "0.1.0". Never freed. */
PROXEL_API const char* proxel_version_string(void);

/* Names. Metrics, methods, units and whatever else there is a choice of are given by the names
   that the command line has for them; NULL means the default, which the declaration tells. An unknown
   name is PROXEL_INVALID_ARGUMENT, and the error lists the known ones. The library keeps no pointer
   to a string that it was given. */

/* The name of metric or method number `position`, from 0; NULL past the last. Never freed. */
PROXEL_API const char* proxel_metric_name(uint64_t position);
PROXEL_API const char* proxel_method_name(uint64_t position);
/* How far a distance of the metric may lie from its definition; 0 for the exact ones.
   metric: NULL is "l2sq". */
PROXEL_API proxel_status proxel_error_bound(const char* metric, uint32_t dimensions, double* bound);

/* Structs begin with their size, which their PROXEL_..._INIT sets and everything else to its
   default. A program built with an older header gives a smaller struct: what it lacks has its
   default. One built with a newer header gives a larger struct: it is served where the members that
   this library does not know are zero, and otherwise refused with PROXEL_UNSUPPORTED. Sizes are
   multiples of 8 and at most 4,096. Where a struct is written, members that the caller's version lacks
   are left out, and what this library does not know is set to zero. Options may be NULL: all defaults. */

/* Told how far long work has come, `done` of `total`, both in the same unit. A value other than 0
   ends the work with PROXEL_CANCELLED. Called when a part of the work is done, and at least five times a second while
   the work waits for its device; `done` may then be what it was. The work ends within about 0.2 s on "cpu", and
   elsewhere with what has been submitted, which is as much as takes about 0.1 s where it can be divided. The index stays
   usable. It must return (no longjmp, no exception); calls with the device of the work, or with what is made from it,
   are PROXEL_INVALID_ARGUMENT meanwhile. */
typedef int (*proxel_progress)(void* user, uint64_t done, uint64_t total);

/* Threads and lifetimes. A device and everything made from it are used by one thread at a time,
   not always the same one; different devices are independent. A call beside another thread's is
   PROXEL_INVALID_ARGUMENT and does nothing. Destroying is allowed at any time from any thread: what others use goes
   when they have finished. What is made from a handle keeps it
   alive: handles may be destroyed in any order, and what a device or an index holds is freed with
   the last of them. Destroying NULL does nothing. Handles are numbers rather than addresses: one that was destroyed
   before, is of another kind, or was never made is PROXEL_INVALID_ARGUMENT; where a function has no status it returns
   0 or does nothing, and sets the error. Results in arrays and structs are copies unless a
   declaration says how long a pointer is valid. */

/* Where compiled pipelines are kept between runs; NULL or "": nowhere (the default). Takes effect for
   devices opened afterwards. Not to be called beside another thread that opens a device. */
PROXEL_API proxel_status proxel_set_pipeline_cache_directory(const char* path);

#ifdef __cplusplus
}
#endif

#endif
