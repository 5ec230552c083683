#include "kernels/chain.cuh"
#include "kernels/decode.cuh"
#include "kernels/strided.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/merge_answers.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::MergeAnswersParameters;

__global__ void __launch_bounds__(1024) merge(const Parameters p) {
  follow_previous_pass();
  for_each_strided(p.queries, [&](std::uint64_t query) {
    const Key* const nearest = reinterpret_cast<const Key*>(p.nearest) + query * p.kept;
    const auto* const indices = reinterpret_cast<const std::uint32_t*>(p.indices) + query * p.columns;
    const auto* const distances = reinterpret_cast<const float*>(p.distances) + query * p.columns;
    Key* const merged = reinterpret_cast<Key*>(p.merged) + query * p.k;
    const auto before = [&](unsigned place) { return place < p.kept ? nearest[place] : no_row; };
    const auto found = [&](unsigned place) {
      if (place >= p.columns || indices[place] == static_cast<std::uint32_t>(no_row)) return no_row;
      const float distance = distances[place];
      return make_key(p.largest_first != 0 ? ordered_key<true>(distance) : ordered_key<false>(distance),
                      p.first_index + indices[place]);
    };
    unsigned taken = 0, next = 0;
    Key kept = before(0), added = found(0);
    for (unsigned rank = 0; rank < p.k; ++rank) {
      merged[rank] = smaller(kept, added);
      // A row that is in both lists is passed in both.
      const bool from_kept = kept <= added, from_found = added <= kept;
      if (from_kept) kept = before(++taken);
      if (from_found) added = found(++next);
    }
    if (p.bounds != 0)
      reinterpret_cast<float*>(p.bounds)[query] =
          value_of_key(static_cast<std::uint32_t>(merged[p.k - 1] >> 32), p.largest_first != 0);
  });
}

}  // namespace

PROXEL_KERNEL(merge_answers)(const Pass&) { return variant(merge); }

}  // namespace proxel::cuda
