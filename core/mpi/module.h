#ifndef PROXEL_MPI_MODULE_H
#define PROXEL_MPI_MODULE_H
/* What the tool and proxel_mpi.so know of each other. The tool loads it only where mpirun has started it: loading an MPI takes
   longer than a short command does, and who never uses it need not have it. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ProxelMpiRanks {
  uint32_t rank, size;
  void (*send)(const void* bytes, size_t count, uint32_t to);
  void (*receive)(void* bytes, size_t count, uint32_t from);
  void (*warn)(uint64_t call);
  int (*warned)(uint64_t call);
  void (*abort)(const char* why, size_t length, int code);
  void (*leave)(void);
};

/* Initialises MPI, once. library, which may be null, becomes MPI's name of itself; null is returned where it cannot serve, and
   why says so. */
typedef const struct ProxelMpiRanks* ProxelMpiJoin(const char** library, const char** why);

#ifdef __cplusplus
}
#endif
#define PROXEL_MPI_JOIN "proxel_mpi_join"
#endif
