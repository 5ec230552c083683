#include "index/live_rows.hpp"

#include <bit>
#include <utility>

#include "proxel/search.hpp"

namespace proxel::index {
namespace {

// The bits of the last word that are those of rows.
std::uint32_t last_word(std::uint64_t rows) { return rows % 32 == 0 ? ~0u : (1u << (rows % 32)) - 1; }

}  // namespace

LiveRows::LiveRows(std::uint64_t rows, std::vector<std::uint32_t> words) : rows_(rows), words_(std::move(words)) {
  if (words_.empty()) return;
  words_.back() |= ~last_word(rows);
  for (const std::uint32_t word : words_) removed_ += static_cast<std::uint64_t>(std::popcount(~word));
}

std::vector<std::uint32_t> LiveRows::words() const {
  if (removed_ == 0) return {};
  std::vector<std::uint32_t> words = words_;
  words.back() &= last_word(rows_);
  return words;
}

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
