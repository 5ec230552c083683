#pragma once

// How the lists of a canonical rescue are shared among undecided queries.

#include <cstdint>

namespace proxel::cuda {

/// The queries that a scan_undecided and its merge_undecided serve.
class Undecided {
 public:
  unsigned count;   // at most `lists`
  unsigned groups;  // lists of each

  template <typename Parameters>
  __device__ explicit Undecided(const Parameters& p)
      : few_(reinterpret_cast<const unsigned*>(p.few)),
        rest_(reinterpret_cast<const unsigned*>(p.undecided)),
        of_few_(p.few == 0 ? 0u : min(__ldcg(few_), p.most_few)),
        first_(p.first_undecided) {
    const unsigned all = of_few_ + __ldcg(rest_);
    count = all > first_ ? min(all - first_, p.lists) : 0;
    groups = count == 0 ? 1 : max(1u, min(p.lists / count, p.most_groups));
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
