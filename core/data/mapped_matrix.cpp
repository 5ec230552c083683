#include <bit>
#include <utility>

#include <fmt/format.h>

#include "data/elements.hpp"
#include "data/mapped_file.hpp"
#include "data/parsers.hpp"

namespace proxel {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Error(ErrorCode::unsupported, path, why + "; read it instead of mapping it");
}

// Where the values lie, for a file that can be used as it is.
data::StoredMatrix mappable(const data::ByteSource& source, const data::FileName& name) {
  if (name.format != "npy" && !name.format.ends_with("vecs") && !name.format.ends_with("bin"))
    refuse(source.name(), fmt::format("a .{} file cannot be mapped; .npy, .*vecs and .*bin can", name.format));
  const data::StoredMatrix stored = data::parse_binary(source, name.format);
  const std::uint64_t size = data::element_bytes(stored.type);
  if (stored.type != ElementType::float32 && stored.type != ElementType::float16 && size != 1)
    refuse(source.name(), fmt::format("its elements are {}; float32, float16, int8 and uint8 can be "
                                      "mapped",
                                      to_string(stored.type)));
  if (size > 1 && stored.big_endian != (std::endian::native == std::endian::big))
    refuse(source.name(), "its bytes are in another order than this machine's");
  if (stored.first_byte % size != 0)
    refuse(source.name(),
           fmt::format("its values begin at byte {}, which is no multiple of {}", stored.first_byte, size));
  return stored;
}

}  // namespace

MappedMatrix::MappedMatrix(const std::string& path) {
  const data::FileName name = data::parse_file_name(path);
  const data::FileSource source(name.path);
  const data::StoredMatrix stored = mappable(source, name);

  path_ = path;
  // The size was checked against the header; a file that changed since is another.
  const std::span<const std::byte> mapped = data::map_file(name.path);
  if (mapped.size() != source.size()) {
    data::unmap_file(mapped);
    throw Error(ErrorCode::input_output, path, "the file changed while it was opened");
  }
  mapping_ = const_cast<std::byte*>(mapped.data());
  bytes_ = mapped.size();
  type_ = stored.type;
  rows_ = stored.rows;
  columns_ = stored.columns;
  const std::uint64_t prefix = stored.row_prefix ? data::row_prefix_bytes : 0;
  first_ = mapped.data() + stored.first_byte + prefix;
  if (!stored.column_major) row_bytes_ = columns_ * data::element_bytes(type_) + prefix;
  if (!stored.row_prefix) return;
  try {
    const data::MemorySource rows_of(path, mapped);
    data::ByteCursor cursor(rows_of);
    for (std::uint64_t row = 0; row < rows_; ++row) {
      cursor.seek(row * row_bytes_);
      data::require_row_prefix(rows_of, cursor, columns_);
    }
  } catch (...) {
    unmap();
    throw;
  }
}

MatrixView<float> MappedMatrix::view() const {
  if (type_ != ElementType::float32)
    throw Error(ErrorCode::unsupported, path_, fmt::format("holds {}, not float32", to_string(type_)));
  const auto* values = reinterpret_cast<const float*>(first_);
  if (row_bytes_ == 0) return {values, rows_, columns_, 1, rows_};
  return {values, rows_, columns_, row_bytes_ / sizeof(float), 1};
}

ElementsView MappedMatrix::elements() const {
  if (row_bytes_ == 0) throw Error(ErrorCode::unsupported, path_, "lists columns; read it instead of mapping it");
  return {first_, type_, rows_, columns_, row_bytes_};
}

MappedMatrix::MappedMatrix(MappedMatrix&& other) noexcept { *this = std::move(other); }

MappedMatrix& MappedMatrix::operator=(MappedMatrix&& other) noexcept {
  if (this == &other) return *this;
  unmap();
  mapping_ = std::exchange(other.mapping_, nullptr);
  bytes_ = other.bytes_;
  path_ = std::move(other.path_);
  type_ = other.type_;
  first_ = std::exchange(other.first_, nullptr);
  rows_ = std::exchange(other.rows_, 0);
  columns_ = other.columns_;
  row_bytes_ = other.row_bytes_;
  return *this;
}

MappedMatrix::~MappedMatrix() { unmap(); }

void MappedMatrix::unmap() noexcept {
  if (mapping_) data::unmap_file({static_cast<const std::byte*>(mapping_), bytes_});
  mapping_ = nullptr;
}

}  // namespace proxel
