// Files of vectors and of lines.
#include <algorithm>
#include <array>
#include <cstring>
#include <variant>

#include <fmt/format.h>

#include "c_api/arguments.hpp"
#include "c_api/names.hpp"
#include "c_api/objects.hpp"
#include "data/elements.hpp"
#include "index/narrow.hpp"
#include "proxel/data_stored.hpp"
#include "proxel/data_table.hpp"
#include "proxel/data_text.hpp"

using namespace proxel;
using namespace proxel::c_api;

namespace {

// Narrower than the floats that they were read as.
struct Narrow {
  std::vector<std::byte> bytes;
};
using Values = std::variant<std::monostate, Matrix<float>, Matrix<std::int32_t>, Narrow, MappedMatrix>;

struct HeldData {
  TableInfo info;
  DataTable table;  // but for its values
  Values values;
  proxel_data_view view = PROXEL_DATA_VIEW_INIT;
  TextLines text;
  std::vector<const char*> lines;
  std::vector<std::uint64_t> line_lengths;
};

}  // namespace

namespace proxel::c_api {

template <>
struct ObjectOf<proxel_data> : ObjectOfKind<HeldData, HandleKind::data> {};

}  // namespace proxel::c_api

namespace {

ReadOptions rows_of(const proxel_read_options& given) {
  ReadOptions rows;
  rows.first_row = given.first_row;
  rows.max_rows = limit_or(given.max_rows, rows.max_rows);
  rows.memory_limit = limit_or(given.memory_limit, rows.memory_limit);
  return rows;
}

TableOptions options_of(const proxel_read_options& given) {
  constexpr std::array headers = {HeaderLine::automatic, HeaderLine::present, HeaderLine::absent};
  constexpr std::array missing = {MissingValues::refuse, MissingValues::not_a_number, MissingValues::drop_row};
  TableOptions options;
  options.rows = rows_of(given);
  if (given.columns) options.columns = given.columns;
  if (given.ids) options.ids = given.ids;
  if (given.labels) options.labels = given.labels;
  options.text.header = headers[find_name(given.header, "header", {"auto", "yes", "no"})];
  options.missing = missing[find_name(given.missing, "missing", {"refuse", "nan", "drop"})];
  return options;
}

// The type that the values shall have.
ElementType wanted_type(const proxel_read_options& given, const TableInfo& info, const std::string& path) {
  const std::size_t named = find_name(given.type, "type", {"stored", "float32", "int32"});
  if (named != 0) return named == 1 ? ElementType::float32 : ElementType::int32;
  switch (info.type) {
    case ElementType::float32:
    case ElementType::float16:
    case ElementType::int8:
    case ElementType::uint8:
    case ElementType::int32:
      return info.type;
    case ElementType::text:
      return ElementType::float32;
    default:
      throw Error(ErrorCode::unsupported, path,
                  fmt::format("its elements are {}, which is not read as it is stored; ask for float32 or int32",
                              to_string(info.type)));
  }
}

template <typename T>
void show(HeldData& data, const Matrix<T>& matrix) {
  data.view.values = matrix.data();
  data.view.rows = matrix.rows();
  data.view.columns = matrix.columns();
  data.view.row_bytes = matrix.columns() * sizeof(T);
}

void map(HeldData& data, const proxel_read_options& given, ElementType wanted, const std::string& path) {
  if (given.columns || given.ids || given.labels || options_of(given).missing != MissingValues::refuse)
    throw Error(ErrorCode::unsupported, "mapped", "columns cannot be chosen of a file that is used where it lies");
  const MappedMatrix& mapped = data.values.emplace<MappedMatrix>(path);
  if (wanted != mapped.type())
    throw Error(ErrorCode::unsupported, "mapped",
                fmt::format("{} was asked for, and {} lies in the file", to_string(wanted), to_string(mapped.type())));
  const ElementsView all = mapped.elements();
  const std::uint64_t first = std::min(given.first_row, all.rows);
  const ElementsView part = all.slice(first, std::min(limit_or(given.max_rows, UINT64_MAX), all.rows - first));
  data.view.values = part.data;
  data.view.rows = part.rows;
  data.view.columns = part.columns;
  data.view.row_bytes = part.row_bytes;
}

void read(HeldData& data, const proxel_read_options& given, const std::string& path) {
  const TableOptions options = options_of(given);
  const ElementType wanted = wanted_type(given, data.info, path);
  data.view.type = to_string(wanted).data();  // of a literal
  if (is_set(given.mapped, "mapped")) return map(data, given, wanted, path);
  if (wanted == ElementType::int32)
    return show(data, data.values.emplace<Matrix<std::int32_t>>(read_integer_table(path, options)));
  data.table = read_table(path, options);
  Matrix<float> values = std::move(data.table.values);
  if (wanted == ElementType::float32) return show(data, data.values.emplace<Matrix<float>>(std::move(values)));
  const std::uint64_t row_bytes = values.columns() * data::element_bytes(wanted);
  auto& bytes = data.values.emplace<Narrow>().bytes;
  bytes.resize(values.rows() * row_bytes);
  index::narrow(values.view(), wanted, options.rows.first_row, bytes.data());
  show(data, values);
  data.view.values = bytes.data();
  data.view.row_bytes = row_bytes;
}

const std::vector<std::string>& names_of(const HeldData& data, const char* of) {
  const bool was_read = data.view.type != nullptr;
  switch (find_name(&required(of, "of"), "of", {"part", "column", "id", "label"})) {
    case 0:
      return data.info.parts;
    case 1:
      return was_read && !data.table.columns.empty() ? data.table.columns : data.info.column_names;
    case 2:
      return data.table.ids;
    default:
      return data.table.labels;
  }
}

proxel_status open(const char* path, const proxel_read_options* options, proxel_data** data, bool with_values) {
  return guarded([&] {
    required(data, "data");
    const proxel_read_options given = read_struct(options, "options");
    HeldData held;
    const std::string name = text_of(path, "path");
    held.info = inspect_table(name, options_of(given));
    held.view.rows = held.info.rows;
    held.view.columns = held.info.columns;
    if (with_values) read(held, given, name);
    *data = make_lone_handle<proxel_data>(std::move(held));
  });
}

}  // namespace

proxel_status proxel_data_inspect(const char* path, const proxel_read_options* options, proxel_data** data) {
  return open(path, options, data, false);
}

proxel_status proxel_data_read(const char* path, const proxel_read_options* options, proxel_data** data) {
  return open(path, options, data, true);
}

proxel_status proxel_data_read_lines(const char* path, proxel_data** data) {
  return guarded([&] {
    required(data, "data");
    HeldData held;
    held.text = read_text_lines(text_of(path, "path"));
    held.info.format = "lines";
    held.info.type = ElementType::text;
    for (const std::string& line : held.text.lines) {
      held.lines.push_back(line.data());
      held.line_lengths.push_back(line.size());
    }
    *data = make_lone_handle<proxel_data>(std::move(held));
  });
}

void proxel_data_destroy(proxel_data* data) { destroy(data); }

proxel_status proxel_data_get(const proxel_data* data, proxel_data_view* view) {
  return guarded([&] {
    const HeldData& own = handled(data, "data", Use::reading);
    proxel_data_view told = own.view;
    told.format = own.info.format.c_str();
    told.stored = to_string(own.info.type).data();  // of a literal
    told.file_bytes = own.info.file_bytes;
    told.one_dimensional = own.table.one_dimensional ? 1 : 0;
    told.rounded = own.table.rounding.values;
    told.dropped_rows = own.table.dropped_rows;
    told.part_count = names_of(own, "part").size();
    told.column_count = names_of(own, "column").size();
    told.id_count = names_of(own, "id").size();
    told.label_count = names_of(own, "label").size();
    told.lines = own.lines.data();
    told.line_lengths = own.line_lengths.data();
    told.line_count = own.lines.size();
    write_struct(view, told, "view");
  });
}

proxel_status proxel_data_get_name(const proxel_data* data, const char* of, uint64_t number, char* name,
                                   uint64_t capacity, uint64_t* bytes) {
  return guarded([&] {
    const auto& names = names_of(handled(data, "data", Use::reading), of);
    if (number >= names.size())
      refuse("number", fmt::format("{} was given, there are {} of {}", number, names.size(), of));
    copy_text(names[number], name, capacity, bytes);
  });
}

proxel_status proxel_data_write(const char* path, const proxel_objects* rows) {
  return guarded([&] {
    const std::string file = text_of(path, "path");
    const Objects given(rows, "rows");
    if (given.has_stored_rows())
      write_rows(file, given.as<ElementsView>());
    else
      write_matrix(file, given.as<MatrixView<float>>());
  });
}

proxel_status proxel_data_write_indices(const char* path, const uint32_t* indices, uint64_t rows, uint64_t columns) {
  return guarded([&] {
    const std::string file = text_of(path, "path");
    if (rows != 0) require_given(indices, "indices");
    write_matrix(file, MatrixView<std::uint32_t>(indices, rows, columns));
  });
}
