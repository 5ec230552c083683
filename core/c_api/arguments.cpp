#include "c_api/arguments.hpp"

#include <cstring>

#include <fmt/format.h>

#include "c_api/names.hpp"
#include "search/check.hpp"

namespace proxel::c_api {
namespace {

// The offset of the last of `count` elements, or a refusal; the largest is far below what 64 bits hold.
std::uint64_t last_offset(std::uint64_t count, std::uint64_t stride, const char* argument) {
  constexpr std::uint64_t most = std::uint64_t{1} << 60;
  if (count > 1 && stride > most / (count - 1))
    refuse(argument, fmt::format("{} elements at a stride of {} reach past 2^60", count, stride));
  return count > 1 ? (count - 1) * stride : 0;
}

}  // namespace

MatrixView<float> matrix_of(const proxel_matrix* given, const char* argument) {
  const proxel_matrix matrix = read_required(given, argument);
  if (matrix.rows != 0 && !matrix.data) refuse(argument, "is a null pointer");
  if (reinterpret_cast<std::uintptr_t>(matrix.data) % alignof(float) != 0)
    refuse(argument, "must start at a multiple of 4 bytes");
  const std::uint64_t column_stride = limit_or(matrix.column_stride, 1);
  last_offset(matrix.columns, column_stride, argument);
  const std::uint64_t row_stride = limit_or(matrix.row_stride, matrix.columns * column_stride);
  last_offset(matrix.rows, row_stride, argument);
  return {matrix.data, matrix.rows, matrix.columns, row_stride, column_stride};
}

Strings strings_of(const proxel_strings* given, const char* argument) {
  const proxel_strings list = read_required(given, argument);
  Strings strings(units_named(list.units));
  if (list.count != 0 && !list.texts) refuse(argument, "texts is a null pointer");
  for (std::uint64_t i = 0; i < list.count; ++i) {
    const char* text = list.texts[i];
    if (!text && (!list.lengths || list.lengths[i] != 0))
      refuse(argument, fmt::format("text {} is a null pointer", i));
    strings.add(list.lengths ? std::string_view(text, list.lengths[i]) : std::string_view(text));
  }
  return strings;
}

std::span<const std::uint32_t> numbers_of(const std::uint32_t* numbers, std::uint64_t count, const char* argument) {
  if (count != 0) required(numbers, argument);
  return {numbers, count};
}

Results::Results(std::uint32_t* indices, float* distances, std::uint64_t slots, std::uint64_t queries,
                 std::uint64_t k)
    : indices_(indices), distances_(distances) {
  if (queries == 0 || k == 0 || k > search::most_k) return;
  required(indices, "indices");
  required(distances, "distances");
  if (queries > slots / k)
    refuse("slots", fmt::format("{} were given, {} x {} are needed", slots, queries, k));
}

void Results::write(const Neighbors& found) const {
  const std::uint64_t slots = found.indices.rows() * found.indices.columns();
  if (slots == 0) return;
  std::memcpy(indices_, found.indices.data(), slots * sizeof *indices_);
  std::memcpy(distances_, found.distances.data(), slots * sizeof *distances_);
}

void give(RangeNeighbors found, proxel_matches** matches) { *matches = new proxel_matches{std::move(found)}; }

BufferView view_of(const proxel_buffer_view& view, const Device& device, const char* argument) {
  if (!view.buffer) return {};
  if (view.buffer->device.get() != &device)
    refuse(argument, fmt::format("is a buffer of {}, not of this device, {}", view.buffer->device->info().id,
                                 device.info().id));
  Buffer& buffer = *view.buffer->buffer;
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
