#include "index/live_rows.hpp"

#include "proxel/search.hpp"

namespace proxel::index {

void LiveRows::append(std::uint64_t rows) {
  // Bits past the last row are set from the first removal on.
  if (removed_ != 0) words_.resize(filter_words(rows_ + rows), ~0u);
  rows_ += rows;
}

std::uint64_t LiveRows::remove(std::span<const std::uint32_t> rows) {
  const std::uint64_t before = removed_;
  if (words_.empty() && !rows.empty()) words_.assign(filter_words(rows_), ~0u);
  for (const std::uint32_t row : rows) {
    const std::uint32_t bit = 1u << (row % 32);
    if ((words_[row / 32] & bit) != 0) ++removed_;
    words_[row / 32] &= ~bit;
  }
  return removed_ - before;
}

Matrix<std::uint32_t> LiveRows::filter(const MatrixView<std::uint32_t>& wanted) const {
  Matrix<std::uint32_t> both(wanted.data ? wanted.rows : 1, words_.size());
  for (std::uint64_t row = 0; row < both.rows(); ++row)
    for (std::uint64_t word = 0; word < words_.size(); ++word)
      both(row, word) = words_[word] & (wanted.data ? wanted(row, word) : ~0u);
  return both;
}

}  // namespace proxel::index
