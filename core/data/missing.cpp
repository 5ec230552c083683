#include "data/missing.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace proxel::data {
namespace {

bool has_nan(const Matrix<float>& matrix, std::uint64_t row) {
  const float* first = matrix.data() + row * matrix.columns();
  return std::any_of(first, first + matrix.columns(), [](float value) { return std::isnan(value); });
}

void drop_rows(DataTable& table) {
  std::vector<std::uint64_t> kept;
  for (std::uint64_t row = 0; row < table.values.rows(); ++row)
    if (!has_nan(table.values, row)) kept.push_back(row);
  table.dropped_rows = table.values.rows() - kept.size();
  if (table.dropped_rows == 0) return;

  Matrix<float> values(kept.size(), table.values.columns());
  for (std::size_t i = 0; i < kept.size(); ++i)
    std::copy_n(&table.values(kept[i], 0), values.columns(), values.data() + i * values.columns());
  table.values = std::move(values);
  for (std::vector<std::string>* texts : {&table.ids, &table.labels}) {
    if (texts->empty()) continue;
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (kept[i] != i) (*texts)[i] = std::move((*texts)[static_cast<std::size_t>(kept[i])]);
    texts->resize(kept.size());
  }
}

}  // namespace

void resolve_missing(DataTable& table, const TableOptions& options) {
  if (options.missing == MissingValues::drop_row) return drop_rows(table);
  if (options.missing != MissingValues::number) return;
  float* first = table.values.data();
  for (float* value = first; value != first + table.values.rows() * table.values.columns(); ++value)
    if (std::isnan(*value)) {
      *value = options.missing_number;
      ++table.replaced_values;
    }
}

}  // namespace proxel::data
