#pragma once

// How the lists of a canonical rescue are shared among undecided queries.

#include <cstdint>

#include "proxel/passes/scan_select.h"
#include "proxel/passes/scan_undecided.h"

namespace proxel::cuda {

/// The queries that a scan_undecided serves. Making it writes `told` as well.
class Undecided {
 public:
  unsigned count;   // at most `lists`
  unsigned groups;  // lists of each

  __device__ explicit Undecided(const passes::ScanUndecidedParameters& p)
      : few_(reinterpret_cast<const unsigned*>(p.few)),
        rest_(reinterpret_cast<const unsigned*>(p.tickets + std::uint64_t{(p.lists + 3) / 4} * 16)),
        of_few_(p.few == 0 ? 0u : __ldcg(few_)),
        first_(p.first_undecided) {
    const unsigned of_rest = __ldcg(rest_);
    if (p.told != 0 && blockIdx.x == 0 && threadIdx.x == 0) {
      auto* told = reinterpret_cast<unsigned*>(p.told);
      told[0] = of_few_;
      told[1] = of_rest;
      told[2] = p.few == 0 ? 0u : __ldcg(few_ + 1);
    }
    of_few_ = min(of_few_, p.most_few);
    const unsigned all = of_few_ + of_rest;
    count = all > first_ ? min(all - first_, p.lists) : 0;
    const unsigned steps = p.rows.count / (passes::scan_tiles_per_step * passes::tile_rows);
    groups = count == 0 ? 1 : max(1u, min(p.lists / count, steps));
  }
  __device__ unsigned query(unsigned i) const {
    const unsigned entry = first_ + i;
    return entry < of_few_ ? few_[4 + entry] : rest_[4 + entry - of_few_];
  }

 private:
  const unsigned *few_, *rest_;
  unsigned of_few_, first_;
};

}  // namespace proxel::cuda
