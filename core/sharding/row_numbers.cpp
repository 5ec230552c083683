#include "sharding/row_numbers.hpp"

#include <algorithm>

#include "proxel/neighbors.hpp"
#include "proxel/search.hpp"

namespace proxel::sharding {
namespace {

constexpr std::uint64_t word_bits = 32;

// 32 bits from bit `first` on; those past the last word are 0.
std::uint32_t bits_from(const MatrixView<std::uint32_t>& words, std::uint64_t row, std::uint64_t first) {
  const std::uint64_t word = first / word_bits, shift = first % word_bits;
  std::uint64_t both = words(row, word);
  if (word + 1 < words.columns) both |= std::uint64_t{words(row, word + 1)} << word_bits;
  return static_cast<std::uint32_t>(both >> shift);
}

}  // namespace

void RowNumbers::append(std::uint64_t first, std::uint64_t count) {
  if (count == 0) return;
  if (!runs_.empty() && runs_.back().first + runs_.back().count == first)
    runs_.back().count += count;
  else
    runs_.push_back({size_, first, count});
  size_ += count;
}

const RowNumbers::Run& RowNumbers::run_of(std::uint64_t row) const {
  const auto next = std::upper_bound(runs_.begin(), runs_.end(), row,
                                     [](std::uint64_t one, const Run& run) { return one < run.row; });
  return *(next - 1);
}

std::uint32_t RowNumbers::number(std::uint64_t row) const {
  const Run& run = run_of(row);
  return static_cast<std::uint32_t>(run.first + (row - run.row));
}

std::uint64_t RowNumbers::rows_up_to(std::uint64_t number) const {
  const auto next = std::upper_bound(runs_.begin(), runs_.end(), number,
                                     [](std::uint64_t one, const Run& run) { return one < run.first; });
  if (next == runs_.begin()) return 0;
  const Run& run = *(next - 1);
  return run.row + std::min(run.count, number - run.first + 1);
}

std::optional<std::uint32_t> RowNumbers::row_of(std::uint64_t number) const {
  const std::uint64_t rows = rows_up_to(number);
  if (rows == 0 || this->number(rows - 1) != number) return std::nullopt;
  return static_cast<std::uint32_t>(rows - 1);
}

std::vector<std::uint32_t> RowNumbers::rows_of(std::span<const std::uint32_t> numbers) const {
  std::vector<std::uint32_t> rows;
  for (const std::uint32_t number : numbers)
    if (const auto row = row_of(number)) rows.push_back(*row);
  return rows;
}

void RowNumbers::to_numbers(std::span<std::uint32_t> rows) const {
  if (runs_.size() == 1) {
    const auto first = static_cast<std::uint32_t>(runs_.front().first);
    if (first == 0) return;
    for (std::uint32_t& row : rows) row = row == no_neighbor ? row : row + first;
    return;
  }
  for (std::uint32_t& row : rows)
    if (row != no_neighbor) row = number(row);
}

Matrix<std::uint32_t> RowNumbers::filter(const MatrixView<std::uint32_t>& whole) const {
  Matrix<std::uint32_t> words(whole.rows, filter_words(size_));
  for (std::uint64_t i = 0; i < whole.rows; ++i)
    for (const Run& run : runs_)
      for (std::uint64_t done = 0; done < run.count;) {
        const std::uint64_t row = run.row + done, shift = row % word_bits;
        const std::uint64_t count = std::min(word_bits - shift, run.count - done);
        const std::uint32_t kept = count == word_bits ? UINT32_MAX : (std::uint32_t{1} << count) - 1;
        words(i, row / word_bits) |= (bits_from(whole, i, run.first + done) & kept) << shift;
        done += count;
      }
  return words;
}

}  // namespace proxel::sharding
