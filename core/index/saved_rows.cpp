#include "index/saved_rows.hpp"

namespace proxel::index {

SavedRows::SavedRows(const std::string& path)
    : mapped_(path), saved_(read_index_file(data::MemorySource(path, mapped_.bytes()))) {}

ElementsView SavedRows::elements() const {
  return {mapped_.bytes().data() + saved_.first_byte, file().storage, file().rows, file().dimensions,
          file().row_bytes()};
}

void SavedRows::check(std::uint64_t first, std::uint64_t count) {
  const std::uint64_t row_bytes = file().row_bytes();
  saved_.checksums.require(mapped_.bytes().subspan(saved_.first_byte), first * row_bytes, count * row_bytes);
}

HostRows SavedRows::rows() {
  const auto* values = static_cast<const float*>(elements().data);
  return {{values, file().rows, file().dimensions},
          [this](std::uint64_t first, std::uint64_t count) { check(first, count); }};
}

}  // namespace proxel::index
