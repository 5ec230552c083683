// bucket_select: one of six rounds that find the k-th smallest distance key of each row by buckets, as
// bucketSelect of Alabi et al. 2012 does. Round 0 finds the smallest key and the largest. Rounds 1 … 4 divide the range
// that holds the k-th into 1,024 buckets of equal width, and count keys in them; the bucket of the k-th is the range of
// the round behind. Round 5 tells the key as four rounds of radix_select would, in histograms.
// The paper divides ranges of values, until one is left; of keys, which are in the same order, there are infinities and
// NaN in their places too, and four rounds come down to a single one.
// Constants: largest_first.
// Grid: (x strided over tiles of 16 * workgroup size columns, y = rows).
#ifndef PROXEL_PASSES_BUCKET_SELECT_H
#define PROXEL_PASSES_BUCKET_SELECT_H
#include "types.h"
PROXEL_PASS_BEGIN
PROXEL_CONSTANT bucket_count = 1024u;
PROXEL_CONSTANT bucket_rounds = 4u;  // that count
struct BucketSelectParameters {
  SelectionRows rows;
  PROXEL_ADDRESS ranges;      // in and out: [rows x 2], smallest key and complement of the largest, all ones before round 0
  PROXEL_ADDRESS buckets;     // in and out: counts, [rows x 4 x 1,024], zero before round 1
  PROXEL_ADDRESS histograms;  // out: [rows x 4 x 256], zero before round 5
  PROXEL_UINT k;              // 1 … columns
  PROXEL_UINT round;          // 0 … 5
};
#define PROXEL_BUCKET_SELECT_CONSTANTS(constant) constant(0, PROXEL_BOOL, largest_first, LARGEST_FIRST, false)
PROXEL_CONSTANTS(BucketSelect, PROXEL_BUCKET_SELECT_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<BucketSelectParameters, BucketSelectConstants> bucket_select;
Pass make_bucket_select(const BucketSelectParameters& parameters, bool largest_first, std::uint32_t workgroup_size);
#endif
PROXEL_PASS_END
#endif
