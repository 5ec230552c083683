#include "texels/texel_data.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "proxel/data.hpp"
#include "proxel/error.hpp"

namespace demo {
namespace {

using proxel::Error;
using proxel::ErrorCode;
using proxel::Matrix;

// Columns first … first + columns - 1 of the rows that are chosen.
Matrix<float> taken(const Matrix<float>& from, const std::vector<std::uint64_t>& rows, std::uint64_t columns) {
  Matrix<float> part(rows.size(), columns);
  for (std::size_t i = 0; i < rows.size(); ++i) std::copy_n(&from(rows[i], 0), columns, &part(i, 0));
  return part;
}

// Splits a table by which rows are queries. With a name for them the last column's classes become labels.
template <typename IsQuery>
TexelData split(std::string name, const Matrix<float>& table, const char* class_name, IsQuery is_query) {
  std::vector<std::uint64_t> rows, queries;
  for (std::uint64_t row = 0; row < table.rows(); ++row) (is_query(row) ? queries : rows).push_back(row);
  const std::uint64_t columns = table.columns() - (class_name ? 1 : 0);
  TexelData data;
  data.name = std::move(name);
  data.rows = taken(table, rows, columns);
  data.queries = taken(table, queries, columns);
  if (!class_name) return data;
  const auto label = [&](std::uint64_t row) { return fmt::format("{} {}", class_name, table(row, columns)); };
  std::transform(rows.begin(), rows.end(), std::back_inserter(data.row_labels), label);
  std::transform(queries.begin(), queries.end(), std::back_inserter(data.query_labels), label);
  return data;
}

Matrix<float> read_bundled(const std::filesystem::path& path, std::uint64_t columns) {
  Matrix<float> table = proxel::read_matrix(path.string());
  if (table.columns() != columns || table.rows() < 2)
    throw Error(ErrorCode::malformed_file, path.string(),
                fmt::format("has {} x {} values where rows of {} are bundled", table.rows(), table.columns(), columns));
  return table;
}

}  // namespace

TexelData read_digits(const std::filesystem::path& folder) {
  // The first were written by 30 people, the rest by 13 others (apps/data/README.md).
  constexpr std::uint64_t first_query = 3823;
  constexpr std::uint32_t side = 8;
  const Matrix<float> table = read_bundled(folder / "digits.csv.gz", side * side + 1);
  TexelData data = split("Handwritten digits", table, "digit", [](std::uint64_t row) { return row >= first_query; });
  data.picture_width = data.picture_height = side;
  data.darkest = 16;
  return data;
}

TexelData read_covertype(const std::filesystem::path& folder) {
  const Matrix<float> table = read_bundled(folder / "covtype_20k.csv.gz", 55);
  constexpr std::uint64_t every = 100;
  return split("Forest CoverType", table, "class", [](std::uint64_t row) { return row % every == every - 1; });
}

TexelData read_vectors(const std::string& path) {
  const proxel::DataInfo info = proxel::inspect_data(path);
  if (info.rows * info.columns > most_texel_values)
    throw Error(ErrorCode::unsupported, path,
                fmt::format("has {} x {} values; as every state of the textures is kept, up to {} can be looked at",
                            info.rows, info.columns, most_texel_values));
  const Matrix<float> table = proxel::read_matrix(path);
  if (table.rows() < 2 || table.columns() == 0)
    throw Error(ErrorCode::invalid_argument, path, "one row to be found and one to look for are wanted at least");
  const std::uint64_t queries = std::min<std::uint64_t>(100, table.rows() / 2);
  return split(std::filesystem::path(path).filename().string(), table, nullptr,
               [&](std::uint64_t row) { return row + queries >= table.rows(); });
}

}  // namespace demo
