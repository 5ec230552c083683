#include "check.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>

#include "data/parsers.hpp"
#include "promises.hpp"

namespace proxel::fuzzing {
namespace {

constexpr std::uint64_t memory_limit = std::uint64_t{1} << 24;

template <typename T>
void check_reading(const data::ByteSource& source, const data::FileName& name,
                   const std::optional<DataInfo>& info) {
  const ReadOptions options = {.memory_limit = memory_limit};
  const auto whole =
      attempt(name.path, [&] { return data::read<T>(source, name, options); });
  if (!whole) return;
  require(info.has_value(), "what can be read can be inspected");
  require(info->rows == whole->rows() && info->columns == whole->columns(),
          "inspecting and reading agree on the shape");
  require(whole->rows() * whole->columns() * sizeof(T) <= memory_limit, "the memory limit holds");

  const ReadOptions middle = {
      .first_row = whole->rows() / 3, .max_rows = 2, .memory_limit = memory_limit};
  const auto part = attempt(name.path, [&] { return data::read<T>(source, name, middle); });
  require(part.has_value(), "a part of a readable file is readable");
  const std::uint64_t rows = std::min<std::uint64_t>(2, whole->rows() - middle.first_row);
  require(part->rows() == rows && part->columns() == whole->columns(), "a part has its shape");
  const std::uint64_t values = rows * whole->columns();
  require(values == 0 || std::memcmp(part->data(), whole->data() + middle.first_row * whole->columns(),
                                     static_cast<std::size_t>(values) * sizeof(T)) == 0,
          "a part equals the same rows of the whole");
}

}  // namespace

void check_parser(const std::string& file_name, const std::uint8_t* bytes, std::size_t size) {
  const data::FileName name = data::parse_file_name(file_name);
  const data::MemorySource source(name.path, std::as_bytes(std::span(bytes, size)));
  const auto info = attempt(name.path, [&] { return data::inspect(source, name); });
  check_reading<float>(source, name, info);
  check_reading<std::int32_t>(source, name, info);
}

}  // namespace proxel::fuzzing
