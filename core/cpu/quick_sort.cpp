// The stages of GPU-Qsort, shared out by part of a row and by pair of runs.

#include "passes/quick_sort.hpp"

#include "cpu/machine.hpp"

namespace proxel::cpu {

void quick_sort_local(const Pass& pass, Machine& machine) {
  const auto parameters = pass.as<passes::QuickSortLocalParameters>();
  const std::uint64_t parts = passes::part_count(pass);
  machine.workers.for_each(parameters.rows.rows * parts, [&](std::uint64_t item) {
    std::vector<std::uint64_t> keys;
    passes::sort_part(pass, item / parts, item % parts, keys);
  });
}

void merge_sorted(const Pass& pass, Machine& machine) {
  const auto parameters = pass.as<passes::MergeSortedParameters>();
  const std::uint64_t pairs = passes::pair_count(parameters);
  machine.workers.for_each(parameters.rows.rows * pairs, [&](std::uint64_t item) {
    std::vector<std::uint64_t> keys;
    passes::merge_pair(pass, item / pairs, item % pairs, keys);
  });
}

}  // namespace proxel::cpu
