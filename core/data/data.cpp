#include "proxel/data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "data/columns.hpp"
#include "data/guarded.hpp"
#include "data/missing.hpp"
#include "data/parsers.hpp"
#include "data/text_source.hpp"

namespace proxel {
namespace data {
namespace {

// A file may claim any number of columns; more than a search serves are not listed one by one.
constexpr std::uint64_t most_listed_columns = std::uint64_t{1} << 24;

bool is_text(std::string_view format) { return format.starts_with("csv"); }

bool chooses(const TableOptions& options) {
  return !options.ids.empty() || !options.columns.empty() || !options.labels.empty();
}

// What formats other than text have beside the numbers. Returns the chosen columns.
std::vector<std::uint64_t> chosen_columns(const ByteSource& source, std::uint64_t count, const TableOptions& options) {
  if (!options.ids.empty())
    throw Error(ErrorCode::unsupported, source.name(), "ids are columns of text files: .csv, .tsv, .txt; this is none");
  if (chooses(options) && count > most_listed_columns)
    source.fail(fmt::format("has {} columns; of up to {} some can be chosen", count, most_listed_columns));
  const Columns columns(source.name(), count);
  if (!options.columns.empty()) return columns.choose(options.columns);
  std::vector<std::uint64_t> chosen;
  const std::uint64_t labels = options.labels.empty() ? count : columns.find(options.labels);
  for (std::uint64_t column = 0; column < count; ++column)
    if (column != labels) chosen.push_back(column);
  if (chosen.empty()) source.fail("no column is left to be read as numbers");
  return chosen;
}

template <typename T>
Matrix<T> read_binary(const ByteSource& source, const FileName& name, const ReadOptions& rows, bool& one_dimensional,
                      RoundingCounts& rounding) {
  if (name.format == "hdf5") return read_hdf5<T>(source, name.part, rows, one_dimensional, &rounding);
  if (name.format == "npz") return read_npz<T>(source, name.part, rows, one_dimensional, &rounding);
  const StoredMatrix stored = parse_binary(source, name.format);
  one_dimensional = stored.one_dimensional;
  return read_stored<T>(source, stored, rows, &rounding);
}

DataInfo inspect_binary(const ByteSource& source, const FileName& name) {
  if (name.format == "hdf5") return inspect_hdf5(source, name.part);
  if (name.format == "npz") return inspect_npz(source, name.part);
  return info(source, parse_binary(source, name.format));
}

// Where nothing is chosen the matrix is the one that was read, not a copy.
template <typename T>
Matrix<T> choose(const ByteSource& source, Matrix<T> matrix, const TableOptions& options,
                 const RoundingCounts& rounding, DataTable& table) {
  if (!chooses(options) && matrix.columns() != 0) {
    table.rounding = rounding.of({});
    return matrix;
  }
  const auto chosen = chosen_columns(source, matrix.columns(), options);
  table.rounding = rounding.of(chosen);
  if (!options.labels.empty()) {
    const std::uint64_t column = Columns(source.name(), matrix.columns()).find(options.labels);
    for (std::uint64_t row = 0; row < matrix.rows(); ++row)
      table.labels.push_back(fmt::format("{}", matrix(row, column)));
  }
  if (options.columns.empty() && options.labels.empty()) return matrix;
  return select_columns(matrix, chosen);
}

FileName name_of_content(const ByteSource& source, const std::string& name) {
  if (has_format(name)) return parse_file_name(name);
  return {name, format_of(source), {}};
}

std::span<const std::byte> magic_of(const ByteSource& source, std::array<std::byte, 8>& bytes) {
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), source.size()));
  const std::span<std::byte> taken = std::span(bytes).first(count);
  source.read(0, taken);
  return taken;
}

}  // namespace

std::string_view format_of(const ByteSource& source) {
  std::array<std::byte, 8> bytes{};
  const auto magic = magic_of(source, bytes);
  const std::string_view text(reinterpret_cast<const char*>(magic.data()), magic.size());
  if (text.starts_with("\x93NUMPY")) return "npy";
  if (text.starts_with("PK\x03\x04")) return "npz";
  if (text.starts_with("\x89HDF\r\n\x1a\n")) return "hdf5";
  if (is_gzip(source)) return "csv.gz";
  if (text.starts_with("PAR1")) refuse_format(source.name(), "Parquet");
  return "csv";
}

StoredMatrix parse_binary(const ByteSource& source, std::string_view format) {
  // What stands before "vecs" and "bin" is the elements' type: float, byte (unsigned), int.
  const ElementType type = format == "f16bin"        ? ElementType::float16
                           : format == "i8bin"       ? ElementType::int8
                           : format.starts_with('f') ? ElementType::float32
                           : format.starts_with('i') ? ElementType::int32
                                                     : ElementType::uint8;
  if (format.ends_with("vecs")) return parse_vecs(source, format, type);
  if (format.ends_with("bin")) return parse_bin(source, format, type);
  return parse_npy(source);
}

TableInfo inspect(const ByteSource& source, const FileName& name, const TableOptions& options) {
  return guarded(source.name(), [&] {
    if (is_text(name.format)) return inspect_csv(source, name.format == "csv.gz", options);
    TableInfo info{inspect_binary(source, name), {}, {}};
    if (chooses(options) || info.columns == 0) info.columns = chosen_columns(source, info.columns, options).size();
    return info;
  });
}

template <typename T>
Matrix<T> read(const ByteSource& source, const FileName& name, const TableOptions& options, DataTable& table) {
  return guarded(source.name(), [&] {
    if (is_text(name.format)) return read_csv<T>(source, name.format == "csv.gz", options, table);
    RoundingCounts rounding(!options.columns.empty() || !options.labels.empty());
    Matrix<T> matrix = read_binary<T>(source, name, options.rows, table.one_dimensional, rounding);
    return choose(source, std::move(matrix), options, rounding, table);
  });
}

template Matrix<float> read(const ByteSource&, const FileName&, const TableOptions&, DataTable&);
template Matrix<std::int32_t> read(const ByteSource&, const FileName&, const TableOptions&, DataTable&);

namespace {

DataTable read_whole(const ByteSource& source, const FileName& name, const TableOptions& options) {
  DataTable table;
  table.values = read<float>(source, name, options, table);
  guarded(source.name(), [&] { resolve_missing(table, options); });
  return table;
}

Matrix<std::int32_t> read_whole_integers(const ByteSource& source, const FileName& name, const TableOptions& options) {
  DataTable beside;
  return read<std::int32_t>(source, name, options, beside);
}

}  // namespace
}  // namespace data

DataInfo inspect_data(const std::string& path) { return inspect_table(path); }

TableInfo inspect_table(const std::string& path, const TableOptions& options) {
  const data::FileName name = data::parse_file_name(path);
  return data::inspect(data::FileSource(name.path), name, options);
}

TableInfo inspect_table(std::span<const std::byte> content, const std::string& name, const TableOptions& options) {
  const data::MemorySource source(name, content);
  return data::inspect(source, data::name_of_content(source, name), options);
}

DataTable read_table(const std::string& path, const TableOptions& options) {
  const data::FileName name = data::parse_file_name(path);
  return data::read_whole(data::FileSource(name.path), name, options);
}

DataTable read_table(std::span<const std::byte> content, const std::string& name, const TableOptions& options) {
  const data::MemorySource source(name, content);
  return data::read_whole(source, data::name_of_content(source, name), options);
}

Matrix<std::int32_t> read_integer_table(const std::string& path, const TableOptions& options) {
  const data::FileName name = data::parse_file_name(path);
  return data::read_whole_integers(data::FileSource(name.path), name, options);
}

Matrix<std::int32_t> read_integer_table(std::span<const std::byte> content, const std::string& name,
                                        const TableOptions& options) {
  const data::MemorySource source(name, content);
  return data::read_whole_integers(source, data::name_of_content(source, name), options);
}

Matrix<float> read_matrix(const std::string& path, const ReadOptions& options) {
  return read_table(path, {.rows = options}).values;
}

Matrix<std::int32_t> read_integers(const std::string& path, const ReadOptions& options) {
  return read_integer_table(path, {.rows = options});
}

}  // namespace proxel
