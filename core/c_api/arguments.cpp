#include "c_api/arguments.hpp"

#include <cstring>

#include <fmt/format.h>

#include "c_api/names.hpp"
#include "search/check.hpp"

namespace proxel::c_api {
namespace {

// What lies from the first of `count` elements to the last, or a refusal; the most is far below what 64 bits hold.
std::uint64_t reach(std::uint64_t count, std::uint64_t stride, const char* argument, const char* member) {
  constexpr std::uint64_t most = std::uint64_t{1} << 60;
  if (count > 1 && stride > most / (count - 1))
    refuse(argument, fmt::format("{} of {} reaches past 2^60 with {} elements", member, stride, count));
  return count > 1 ? (count - 1) * stride : 0;
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

std::span<const std::uint32_t> numbers_of(const std::uint32_t* numbers, std::uint64_t count, const char* argument) {
  if (count != 0) required(numbers, argument);
  return {numbers, count};
}

Results::Results(std::uint32_t* indices, float* distances, std::uint64_t slots, std::uint64_t queries, std::uint64_t k)
    : indices_(indices), distances_(distances) {
  if (queries == 0 || k == 0 || k > search::most_k) return;
  required(indices, "indices");
  required(distances, "distances");
  if (queries > slots / k) refuse("slots", fmt::format("{} were given, {} x {} are needed", slots, queries, k));
}

void Results::write(const Neighbors& found) const {
  const std::uint64_t slots = found.indices.rows() * found.indices.columns();
  if (slots == 0) return;
  std::memcpy(indices_, found.indices.data(), slots * sizeof *indices_);
  std::memcpy(distances_, found.distances.data(), slots * sizeof *distances_);
}

void give(RangeNeighbors found, proxel_matches** matches) {
  *matches = make_lone_handle<proxel_matches>(std::move(found));
}

BufferView view_of(const proxel_buffer_view& view, const Device& device, const char* argument) {
  if (!view.buffer) return {};
  const HeldBuffer& held = handled(view.buffer, argument);
  if (held.device.get() != &device)
    refuse(argument,
           fmt::format("is a buffer of {}, not of this device, {}", held.device->info().id, device.info().id));
  Buffer& buffer = *held.buffer;
  if (view.offset > buffer.bytes() || view.bytes > buffer.bytes() - view.offset)
    refuse(argument, fmt::format("{} bytes from {} on were asked for, the buffer has {}", view.bytes, view.offset,
                                 buffer.bytes()));
  return {buffer, view.offset, limit_or(view.bytes, buffer.bytes() - view.offset)};
}

void copy_text(const std::string& from, char* text, std::uint64_t capacity, std::uint64_t* bytes) {
  required(bytes, "bytes");
  *bytes = from.size();
  if (capacity == 0 || from.empty()) return;
  required(text, "text");
  if (capacity < from.size())
    refuse("capacity", fmt::format("{} bytes were given, {} are needed", capacity, from.size()));
  std::memcpy(text, from.data(), from.size());
}

}  // namespace proxel::c_api
