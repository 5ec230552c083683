#include "c_api/objects.hpp"

#include <fmt/format.h>

#include "c_api/names.hpp"
#include "data/elements.hpp"

namespace proxel::c_api {
namespace {

// What lies from the first of `count` elements to the last, or a refusal; the most is far below what 64 bits hold.
std::uint64_t reach(std::uint64_t count, std::uint64_t stride, const char* argument, const char* member) {
  constexpr std::uint64_t most = std::uint64_t{1} << 60;
  if (count > 1 && stride > most / (count - 1))
    refuse(argument, fmt::format("{} of {} reaches past 2^60 with {} elements", member, stride, count));
  return count > 1 ? (count - 1) * stride : 0;
}

ElementsView elements_of(const proxel_stored_rows* given) {
  const proxel_stored_rows rows = read_required(given, "rows");
  const ElementType type = element_named(rows.type, "type");
  const std::uint64_t bytes = data::element_bytes(type);
  constexpr std::uint64_t most = std::uint64_t{1} << 60;
  if (rows.columns > most / bytes)
    refuse("columns", fmt::format("{} were given, up to 2^24 are allowed", rows.columns));
  const std::uint64_t row = rows.columns * bytes;
  const std::uint64_t row_bytes = stride_of(rows.row_bytes, rows.rows, row, "row_bytes", "a stride");
  if (rows.rows > 1 && row_bytes > most / (rows.rows - 1))
    refuse("row_bytes", fmt::format("{} rows at {} bytes reach past 2^60", rows.rows, row_bytes));
  if (rows.rows > 1 && row_bytes < row)
    refuse("row_bytes", fmt::format("{} was given, a row takes {}", row_bytes, row));
  if (row_bytes % bytes != 0)
    refuse("row_bytes",
           fmt::format("{} was given; rows of {} start at multiples of {} bytes", row_bytes, to_string(type), bytes));
  if (reinterpret_cast<std::uintptr_t>(rows.data) % bytes != 0)
    refuse("data",
           fmt::format("lies at {}; elements of {} lie at multiples of {} bytes", rows.data, to_string(type), bytes));
  return {rows.data, type, rows.rows, rows.columns, row_bytes};
}

}  // namespace

std::uint64_t stride_of(std::uint64_t given, std::uint64_t count, std::uint64_t contiguous, const char* argument,
                        const char* member) {
  if (given == PROXEL_CONTIGUOUS) return contiguous;
  if (given == 0 && count > 1)
    refuse(argument, fmt::format("{} of 0 was given for {} of them; PROXEL_CONTIGUOUS says that they lie side by side, "
                                 "and one that is to be repeated is copied",
                                 member, count));
  if (given > PROXEL_CONTIGUOUS)
    refuse(argument,
           fmt::format("{} of {} was given; strides are not negative", member, static_cast<std::int64_t>(given)));
  return given;
}

MatrixView<float> matrix_of(const proxel_matrix* given, const char* argument) {
  const proxel_matrix matrix = read_required(given, argument);
  if (matrix.rows != 0 && !matrix.data) refuse(argument, "is a null pointer");
  if (reinterpret_cast<std::uintptr_t>(matrix.data) % alignof(float) != 0)
    refuse(argument,
           fmt::format("data lies at {}, which is not a multiple of 4 bytes", static_cast<const void*>(matrix.data)));
  const std::uint64_t column_stride = stride_of(matrix.column_stride, matrix.columns, 1, argument, "column_stride");
  const std::uint64_t row = reach(matrix.columns, column_stride, argument, "column_stride") + 1;
  const std::uint64_t row_stride =
      stride_of(matrix.row_stride, matrix.rows, matrix.columns * column_stride, argument, "row_stride");
  const std::uint64_t column = reach(matrix.rows, row_stride, argument, "row_stride") + 1;
  // Row by row or column by column, but nothing twice.
  if (matrix.rows > 1 && matrix.columns > 1 && row_stride < row && column_stride < column)
    refuse(argument, fmt::format("row_stride of {} is less than a row, which takes {} elements", row_stride, row));
  return {matrix.data, matrix.rows, matrix.columns, row_stride, column_stride};
}

Strings strings_of(const proxel_strings* given, const char* argument) {
  const proxel_strings list = read_required(given, argument);
  Strings strings(units_named(list.units));
  if (list.count != 0 && !list.texts) refuse(argument, "texts is a null pointer");
  for (std::uint64_t i = 0; i < list.count; ++i) {
    const char* text = list.texts[i];
    if (!text && (!list.lengths || list.lengths[i] != 0)) refuse(argument, fmt::format("text {} is a null pointer", i));
    strings.add(list.lengths ? std::string_view(text, list.lengths[i]) : std::string_view(text));
  }
  return strings;
}

Signatures signatures_of(const proxel_signatures* given, const char* argument) {
  const proxel_signatures list = read_required(given, argument);
  if (list.dimensions > UINT32_MAX)
    refuse("dimensions of a centroid",
           fmt::format("{} was given, 1 to {} is allowed", list.dimensions, Signatures::largest_dimensions));
  const auto dimensions = static_cast<std::uint32_t>(list.dimensions);
  Signatures signatures(dimensions);
  if (list.count == 0) return signatures;
  require_given(list.offsets, "offsets");
  require_given(list.centroids, "centroids");
  require_given(list.weights, "weights");
  for (std::uint64_t i = 0; i < list.count; ++i) {
    const std::uint64_t first = list.offsets[i];
    if (list.offsets[i + 1] < first || list.offsets[i + 1] - first > Signatures::largest_length)
      refuse("offsets", fmt::format("{} and {} were given for signature {}, which may have up to {} centroids", first,
                                    list.offsets[i + 1], i, Signatures::largest_length));
    const std::uint64_t length = list.offsets[i + 1] - first;
    signatures.add({list.centroids + first * dimensions, length * dimensions}, {list.weights + first, length});
  }
  return signatures;
}

Objects::Objects(const proxel_objects* given, const char* argument)
    : argument_(argument), given_(read_required(given, argument)) {
  const struct {
    const void* given;
    const char* name;
  } kinds[] = {{given_.rows, "rows"},
               {given_.strings, "strings"},
               {given_.signatures, "signatures"},
               {given_.stored_rows, "stored rows"},
               {given_.own_rows, "own rows"}};
  for (const auto& kind : kinds) {
    if (!kind.given) continue;
    if (name_) refuse(argument, fmt::format("has {} and {}; objects are of one kind", name_, kind.name));
    name_ = kind.name;
  }
  if (!name_) refuse(argument, "has no objects: rows, strings, signatures, stored rows and own rows are null pointers");
}

void Objects::refuse_for(const char* wanted) const {
  refuse(argument_, fmt::format("has {}; {} are expected", name_, wanted));
}

template <>
MatrixView<float> Objects::as() const {
  if (!given_.rows) refuse_for("rows");
  return matrix_of(given_.rows, argument_);
}

template <>
ElementsView Objects::as() const {
  if (!given_.stored_rows) refuse_for("stored rows");
  return elements_of(given_.stored_rows);
}

template <>
Strings Objects::as() const {
  if (!given_.strings) refuse_for("strings");
  return strings_of(given_.strings, argument_);
}

template <>
Signatures Objects::as() const {
  if (!given_.signatures) refuse_for("signatures");
  return signatures_of(given_.signatures, argument_);
}

std::optional<proxel_own_rows> Objects::own_rows() const {
  if (!given_.own_rows) return {};
  return read_struct(given_.own_rows, "own_rows");
}

}  // namespace proxel::c_api
