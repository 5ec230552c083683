// Facts of the order by distribution that workgroups bring keys in: cuda_backend/kernels/distribution.cuh and
// shaders/include/distribution.glsl.
#ifndef PROXEL_PASSES_DISTRIBUTION_H
#define PROXEL_PASSES_DISTRIBUTION_H
#include "types.h"
PROXEL_PASS_BEGIN
// Keys that an invocation holds at most while those of shared memory change their places.
PROXEL_CONSTANT distributed_at_once = 16u;
// Fewer of a pool's keys are sorted by comparisons sooner; smaller pools have no room to distribute, so that more of them run at a time.
PROXEL_CONSTANT least_distributed = 96u;
PROXEL_CONSTANT largest_sorted_pool = 256u;
// Where a bucket has more keys than this, sorting by comparisons is sooner.
PROXEL_CONSTANT crowded_bucket = 32u;
// The words of the least number and the largest, and how far apart the least and the largest value are: of numbers between these the
// difference, and what it is multiplied by to be a bucket's number, are numbers on every device.
PROXEL_CONSTANT least_number_key = 0x00800000u;
PROXEL_CONSTANT largest_number_key = 0xFF7FFFFFu;
#ifdef __cplusplus
inline constexpr float
#else
const float
#endif
    least_width = 1e-30f, largest_width = 1e38f;
// Keys that are distributed at most: buckets are counted in 16 bits.
PROXEL_CONSTANT most_distributed = 65535u;
// Room for keys of a pool for each bucket of theirs, and buckets for each key of a run that is sorted by comparisons.
PROXEL_CONSTANT pool_keys_per_bucket = 2u;
PROXEL_CONSTANT buckets_per_run_key = 4u;
PROXEL_PASS_END
#endif
