#pragma once

// What screen_wide.cuh does with the scores of a tile, sampling: the best of each group is written.

#include "kernels/screen_wide_queries.cuh"
#include "kernels/screen_wide_scores.cuh"

namespace proxel::cuda::wide {

#ifdef PROXEL_HOPPER
template <typename Scores_, unsigned groups_per_tile, bool filtered>
struct Sample {
  using Scores = Scores_;
  const Parameters& p;
  const ThreadQueries& queries;
  Allowed<typename Scores::Order, filtered> allowed;
  static constexpr unsigned width = 64 / groups_per_tile;  // j of one group

  typename Scores::Beside beside;
  static constexpr bool collects = false;
  __device__ void begin(Control&, const Teams&, bool) {}
  __device__ void finish(Control&, bool) {}
  __device__ void before_products(Control&, unsigned, typename Scores::Sums&) {}
  __device__ void beside_products(Control& control, unsigned n) {
    const MarginSlot at(n);
    if constexpr (Scores::samples_arranged) {
      control.asked_full[at.slot].wait(at.parity);
      beside.read(control.asked[at.slot]);
    } else {
      control.margins_full[at.slot].wait(at.parity);
    }
  }
  __device__ void take(const typename Scores::Sums& sums, const Margins& margins, unsigned i, Control&) {
    allowed.make_masks();
    const float error[2] = {Scores::error(queries.bounds[0], margins.bounds),
                            Scores::error(queries.bounds[1], margins.bounds)};
#pragma unroll
    for (unsigned group = 0; group < 16 / width; ++group) {
      typename Scores::Best best[2];
#pragma unroll
      for (unsigned j = group * width; j < (group + 1) * width; ++j) {
        const auto biases = Scores::biases(margins, beside, j);
#pragma unroll
        for (unsigned h = 0; h < 2; ++h) best[h].add(sums, biases, h, j, allowed);
      }
#pragma unroll
      for (unsigned h = 0; h < 2; ++h)
        if (queries.valid[h])
          reinterpret_cast<float*>(p.found)[std::uint64_t{queries.number + 8 * h} * p.groups + i * groups_per_tile +
                                            group * 4 + threadIdx.x % 4] = best[h].value() - error[h];
    }
  }
};
#else
template <typename Scores, unsigned groups_per_tile, bool filtered>
struct Sample;
#endif

}  // namespace proxel::cuda::wide
