#include "groundtruth/row_source.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "groundtruth/parts.hpp"
#include "input.hpp"
#include "proxel/error.hpp"
#include "stream_file.hpp"

namespace proxel::tool {
namespace {

// What is done between two looks at whether it is wanted still.
constexpr std::uint64_t piece_bytes = std::uint64_t{8} << 20;
constexpr std::uint64_t page_bytes = 4096;

template <typename Stored>
void widen(const ElementsView& rows, float* to) {
  for (std::uint64_t row = 0; row < rows.rows; ++row) {
    const auto* const from = static_cast<const Stored*>(rows.slice(row, 1).data);
    std::copy_n(from, rows.columns, to + row * rows.columns);
  }
}

MatrixView<float> as_floats(const ElementsView& rows) {
  return {static_cast<const float*>(rows.data), rows.rows, rows.columns, rows.row_bytes / sizeof(float), 1};
}

bool has_no_parts(const DataInfo& info) { return info.format.starts_with("csv") || info.format == "npz"; }

}  // namespace

RowSource::RowSource(const std::string& path, const ReadOptions& rows, ElementType storage) : path_(path) {
  if (is_stream(path))
    throw Error(ErrorCode::unsupported, "--database",
                fmt::format("{} can be read once only; a file can be gone on with after a kill, and be checked",
                            name_of(path)));
  open(rows, storage);
}

void RowSource::open(const ReadOptions& rows, ElementType storage) {
  made_ = made_rows(path_);
  std::uint64_t all = 0;
  if (made_) {
    way_ = Way::made;
    all = made_->rows;
    columns_ = made_->columns;
  } else {
    const DataInfo info = inspect_data(path_);
    type_ = info.type;
    all = info.rows;
    columns_ = info.columns;
    if (has_no_parts(info)) way_ = Way::whole;
  }
  // Every byte is a number of float16.
  const bool rounds = type_ != ElementType::float16 && type_ != ElementType::int8 && type_ != ElementType::uint8;
  if (storage == ElementType::float16 && rounds)
    throw Error(
        ErrorCode::unsupported, "--storage",
        fmt::format("float16 was given, and {} holds {}, which it would round: the neighbours would be those of "
                    "other rows; float32 keeps them as they are",
                    path_, to_string(type_)));
  first_row_ = rows.first_row;
  rows_ = std::min(all - std::min(all, rows.first_row), rows.max_rows);
  if (rows_ == 0)
    throw Error(ErrorCode::invalid_argument, path_,
                all == 0 ? "has no rows" : fmt::format("has no rows after the first {}", rows.first_row));
  if (way_ == Way::whole) {
    whole_ = read_rows(path_, rows).rows;
    rows_ = whole_.rows();
    columns_ = whole_.columns();
  } else if (way_ == Way::parts) {
    map(storage);
  }
}

// Whether the file can be used where it lies.
bool RowSource::map(ElementType storage) {
  const bool bytes = type_ == ElementType::int8 || type_ == ElementType::uint8;
  narrow_ = storage != ElementType::float32 && storage == type_;
  if (!narrow_ && !bytes && type_ != ElementType::float32) return false;
  try {
    mapped_.emplace(path_);
    elements_ = mapped_->elements().slice(first_row_, rows_);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unsupported) throw;
    mapped_.reset();  // columns that follow one another, say
    narrow_ = false;
    return false;
  }
  way_ = Way::mapped;
  widens_ = bytes && !narrow_;
  return true;
}

const char* RowSource::way() const {
  switch (way_) {
    case Way::mapped:
      return "mapped";
    case Way::parts:
      return "read in blocks";
    case Way::whole:
      return "read at once";
    case Way::made:
      return "made";
  }
  return "";
}

void RowSource::touch(const ElementsView& rows, const std::atomic<bool>& stopped) const {
  const auto* const begin = static_cast<const unsigned char*>(rows.data);
  const std::uint64_t bytes = (rows.rows - 1) * rows.row_bytes + 1;
  in_parts(bytes / page_bytes + 1, [&](std::uint64_t first, std::uint64_t count) {
    for (std::uint64_t page = first; page < first + count && !stopped; ++page)
      static_cast<void>(*static_cast<const volatile unsigned char*>(begin + std::min(page * page_bytes, bytes - 1)));
  });
}

void RowSource::fill(std::uint64_t first, std::uint64_t count, float* to) const {
  if (made_) return made_->fill(first_row_ + first, count, to);
  if (way_ == Way::whole) {
    std::copy_n(whole_.data() + first * columns_, count * columns_, to);
    return;
  }
  if (mapped_ && type_ != ElementType::float16) {
    const ElementsView part = elements_.slice(first, count);
    if (type_ == ElementType::int8) return widen<std::int8_t>(part, to);
    if (type_ == ElementType::uint8) return widen<std::uint8_t>(part, to);
    return widen<float>(part, to);
  }
  const Matrix<float> part = read_matrix(path_, {.first_row = first_row_ + first, .max_rows = count});
  if (part.rows() != count || part.columns() != columns_)
    throw Error(ErrorCode::input_output, path_, "the file changed while it was read");
  std::copy_n(part.data(), count * columns_, to);
}

RowBlock RowSource::load(std::uint64_t first, std::uint64_t count, RowMemory memory,
                         const std::atomic<bool>& stopped) const {
  RowBlock block;
  block.first = first;
  block.count = count;
  if (way_ == Way::whole) {
    block.view = whole_.view().slice(first, count);
    return block;
  }
  if (way_ == Way::mapped && !widens_) {
    const ElementsView part = elements_.slice(first, count);
    touch(part, stopped);
    if (narrow_)
      block.elements = part;
    else
      block.view = as_floats(part);
    return block;
  }
  const std::uint64_t values = count * columns_;
  if (memory.size < values) {
    memory = {};
    memory = {std::make_unique_for_overwrite<float[]>(values), values};
  }
  const std::uint64_t piece = std::max<std::uint64_t>(piece_bytes / (columns_ * sizeof(float)), 1);
  in_parts(count, [&](std::uint64_t begin, std::uint64_t rows) {
    for (std::uint64_t row = begin; row < begin + rows && !stopped; row += piece)
      fill(first + row, std::min(piece, begin + rows - row), memory.values.get() + row * columns_);
  });
  block.view = {memory.values.get(), count, columns_};
  block.memory = std::move(memory);
  return block;
}

Matrix<float> RowSource::read(std::uint64_t first, std::uint64_t count) const {
  Matrix<float> rows(count, columns_);
  fill(first, count, rows.data());
  return rows;
}

}  // namespace proxel::tool
