#include "passes/quick_multi_select.hpp"

#include "cpu/machine.hpp"

namespace proxel::cpu {
namespace {

void select_rows_in_parallel(const Pass& pass, Machine& machine) {
  const auto parameters = pass.as<passes::QuickMultiSelectParameters>();
  machine.workers.for_each(parameters.rows, [&](std::uint64_t row) {
    std::vector<std::uint64_t> keys;
    passes::select_smallest(parameters, row, keys);
  });
}

}  // namespace

void quick_multi_select_subgroup(const Pass& pass, Machine& machine) { select_rows_in_parallel(pass, machine); }
void quick_multi_select_workgroup(const Pass& pass, Machine& machine) { select_rows_in_parallel(pass, machine); }

}  // namespace proxel::cpu
