// Selections.
#include <algorithm>
#include <memory>
#include <string>

#include "proxel/selection.hpp"
#include "recordable_parts.hpp"

namespace recordable {
namespace {

Recordable of_selection(List& list, SelectionMethod method) {
  constexpr std::uint64_t rows = 3, columns = 2500, k = 20;
  const Matrix<float> values = random_matrix(rows, columns, 8);
  SelectionDescription description;
  description.rows = rows;
  description.columns = columns;
  description.k = k;
  description.method = method;
  const auto plan = std::make_shared<SelectionPlan>(SelectionPlan::make(list.device(), description));
  Neighbors nearest{Matrix<std::uint32_t>(rows, k), Matrix<float>(rows, k)};
  for (std::uint64_t row = 0; row < rows; ++row) {
    std::vector<std::pair<float, std::uint32_t>> order;
    for (std::uint32_t column = 0; column < columns; ++column)
      order.emplace_back(values.data()[row * columns + column], column);
    std::sort(order.begin(), order.end());
    for (std::uint64_t i = 0; i < k; ++i) {
      nearest.distances.data()[row * k + i] = order[i].first;
      nearest.indices.data()[row * k + i] = order[i].second;
    }
  }
  Recordable one;
  one.inputs = {bytes_of(values)};
  one.expected = bytes_of(nearest);
  one.scratch_bytes = plan->scratch_bytes();
  call(one, {"values buffer", "indices buffer", "selected buffer", "scratch buffer"});
  one.record = [plan](Recording& recording, std::span<const BufferView> buffers) {
    plan->record(recording, {buffers[0], {}, buffers[3], buffers[1], buffers[2]});
  };
  return one;
}

}  // namespace

void add_selections(List& list) {
  for (const SelectionMethod method :
       {SelectionMethod::streaming, SelectionMethod::threshold, SelectionMethod::radix_sort,
        SelectionMethod::quick_multi_select_subgroup, SelectionMethod::quick_multi_select_workgroup,
        SelectionMethod::quick_sort, SelectionMethod::bucket_select, SelectionMethod::truncated_bitonic_sort,
        SelectionMethod::sample_select})
    list.add("selection, " + std::string(to_string(method)), [&] { return of_selection(list, method); });
}

}  // namespace recordable
