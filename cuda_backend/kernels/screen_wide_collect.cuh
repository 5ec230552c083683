#pragma once

// What screen_wide.cuh does with the scores of a tile, collecting: those that are as good as their query asks go to its list.
//
// The sign of what a score has beyond what is asked becomes a bit of a mask, for all of a thread's 64 scores without a branch. A filter
// of a query's own is another mask. Bits that are left are taken in rounds: in each every thread has its next row of either query, and
// the four threads of a query count together, without waiting for memory.

#include "kernels/screen_wide_queries.cuh"
#include "kernels/screen_wide_scores.cuh"

namespace proxel::cuda::wide {

#ifdef PROXEL_HOPPER
template <typename Scores_, bool filtered>
struct Collect {
  using Scores = Scores_;
  using Score = typename Scores::Type;
  const Parameters& p;
  const ThreadQueries& queries;
  Allowed<typename Scores::Order, filtered> allowed;
  static constexpr bool collects = true;
  std::uint32_t asked[2];
  typename Scores::Beside beside;
  uint2* lists[2];
  // Rows collected, where the warpgroup alone has its queries; otherwise control.counts has them.
  unsigned count[2];
  bool alone;

  __device__ Collect(const Parameters& parameters, const ThreadQueries& of) : p(parameters), queries(of) {
#pragma unroll
    for (unsigned h = 0; h < 2; ++h) lists[h] = reinterpret_cast<uint2*>(p.found) + list(h) * p.capacity;
  }
  // The list of a query of this workgroup's rows.
  __device__ std::uint64_t list(unsigned h) const {
    return std::uint64_t{queries.number + 8 * h} * p.splits + blockIdx.x;
  }
  // Teams count for the same queries.
  __device__ void begin(Control& control, const Teams& teams, bool first_team) {
    alone = teams.count == 1;
#pragma unroll
    for (unsigned h = 0; h < 2; ++h) {
      count[h] = queries.valid[h] ? reinterpret_cast<unsigned*>(p.counts)[list(h)] : 0;
      if (first_team && threadIdx.x % 4 == 0) control.counts[queries.local + 8 * h] = count[h];
    }
  }
  __device__ void finish(Control& control, bool first_team) {
    if (first_team && threadIdx.x % 4 == 0)
#pragma unroll
      for (unsigned h = 0; h < 2; ++h)
        if (queries.valid[h])
          reinterpret_cast<unsigned*>(p.counts)[list(h)] = alone ? count[h] : control.counts[queries.local + 8 * h];
  }
  // Reads what is asked of the scores of the workgroup's tile number n.
  __device__ __forceinline__ const Asked& wait_for_asked(Control& control, unsigned n) {
    const MarginSlot at(n);
    control.asked_full[at.slot].wait(at.parity);
    const Asked& tile = control.asked[at.slot];
#pragma unroll
    for (unsigned h = 0; h < 2; ++h) {
      asked[h] = tile.queries[queries.local + 8 * h];
      if (Scores::can_ask(asked[h])) continue;
      // The list counts as full, which leaves the query to the next rung.
      count[h] = max(count[h], p.capacity + 1);
      if (!alone) atomicMax(&control.counts[queries.local + 8 * h], p.capacity + 1);
      asked[h] = Scores::unreachable;
    }
    return tile;
  }
  __device__ __forceinline__ void before_products(Control& control, unsigned n, typename Scores::Sums& sums) {
    if constexpr (Scores::begin_at_biases) Scores::begin(sums, wait_for_asked(control, n), asked);
  }
  __device__ __forceinline__ void beside_products(Control& control, unsigned n) {
    if constexpr (!Scores::begin_at_biases) beside.read(wait_for_asked(control, n));
  }
  // A place in a query's list for this thread's row; `with` are the warp's threads that have one.
  template <bool alone>
  __device__ __forceinline__ unsigned place(unsigned h, unsigned with, Control& control) {
    const unsigned lane = threadIdx.x % 32;
    if constexpr (!alone) return (with >> lane & 1) != 0 ? atomicAdd(&control.counts[queries.local + 8 * h], 1u) : 0;
    const unsigned of_query = with >> (lane & ~3u) & 15u;
    const unsigned place = count[h] + __popc(of_query & ((1u << lane % 4) - 1));
    count[h] += __popc(of_query);
    return place;
  }
  // Appends the rows whose bits are set.
  template <bool alone>
  __device__ __forceinline__ void append(const typename Scores::Sums& sums, unsigned (&passing)[2],
                                         const Margins& margins, unsigned tile, Control& control) {
    while (true) {
      const unsigned with[2] = {__ballot_sync(~0u, passing[0] != 0), __ballot_sync(~0u, passing[1] != 0)};
      if ((with[0] | with[1]) == 0) return;
#pragma unroll
      for (unsigned h = 0; h < 2; ++h) {
        if (with[h] == 0) continue;
        const unsigned bit = (31u - __clz(static_cast<int>(passing[h]))) & 31u;
        const unsigned row = Scores::Order::row_of(bit);
        const Score score =
            Scores::element(sums, h, bit) + Scores::of_bits(Scores::begin_at_biases ? asked[h] : margins.biases[row]);
        const unsigned slot = place<alone>(h, with[h], control);
        if (passing[h] != 0 && slot < p.capacity)
          lists[h][slot] = make_uint2(__float_as_uint(Scores::value(score)), tile * tile_rows + p.first_index + row);
        passing[h] &= ~(1u << bit);
      }
    }
  }
  __device__ void take(const typename Scores::Sums& sums, const Margins& margins, unsigned i, Control& control) {
    const unsigned tile = p.first_tile + p.tile_step * i;
    allowed.make_masks();
    unsigned passing[2];
    Scores::find_passing(sums, margins, beside, asked, passing);
#pragma unroll
    for (unsigned h = 0; h < 2; ++h) passing[h] &= allowed.rows(h);
    // A copy for each, as what is asked in a round slows down all.
    if (alone)
      append<true>(sums, passing, margins, tile, control);
    else
      append<false>(sums, passing, margins, tile, control);
  }
};
#else
template <typename Scores, bool filtered>
struct Collect;
#endif

}  // namespace proxel::cuda::wide
