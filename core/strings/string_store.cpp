#include "strings/string_store.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "search/check.hpp"
#include "strings/string_distances.hpp"

namespace proxel::strings {

void require_lengths(const Strings& strings) {
  search::require_range("string length", strings.longest(), 0, most_symbols);
}

void require_addable(const Strings& more, StringUnits units, std::uint64_t next) {
  require_lengths(more);
  if (more.units() != units)
    throw Error(ErrorCode::invalid_argument, "strings",
                "are of code points or of bytes, and the strings of the index are not");
  search::require_range("strings", next + more.size(), 0, search::most_rows);
}

void require_given(std::span<const std::uint32_t> numbers, std::uint64_t next) {
  for (const std::uint32_t number : numbers)
    if (number >= next) search::require_range("string", number, 0, next - 1);
}

void fail_for_missing(std::uint32_t number) {
  throw Error(ErrorCode::invalid_argument, "string", fmt::format("there is no string {}", number));
}

StringStore::StringStore(const Strings& strings) : strings_(strings) {
  require_lengths(strings);
  search::require_range("strings", strings.size(), 1, search::most_rows);
  next_ = static_cast<std::uint32_t>(strings.size());
  numbers_.resize(next_);
  std::iota(numbers_.begin(), numbers_.end(), 0u);
}

StringStore::StringStore(Strings strings, std::vector<std::uint32_t> numbers, std::uint32_t next)
    : strings_(std::move(strings)), numbers_(std::move(numbers)), next_(next) {}

std::string StringStore::text(std::uint32_t number) const {
  const auto found = std::lower_bound(numbers_.begin(), numbers_.end(), number);
  if (found == numbers_.end() || *found != number) fail_for_missing(number);
  return strings_.text(static_cast<std::uint64_t>(found - numbers_.begin()));
}

std::uint32_t StringStore::add(const Strings& more) {
  require_addable(more, strings_.units(), next_);
  const std::size_t before = numbers_.size();
  numbers_.resize(before + more.size());
  try {
    strings_.append(more);
  } catch (...) {
    numbers_.resize(before);
    throw;
  }
  const std::uint32_t first = next_;
  next_ += static_cast<std::uint32_t>(more.size());
  std::iota(numbers_.begin() + static_cast<std::ptrdiff_t>(before), numbers_.end(), first);
  return first;
}

std::uint64_t StringStore::remove(std::span<const std::uint32_t> numbers) {
  require_given(numbers, next_);
  std::vector<std::uint32_t> gone(numbers.begin(), numbers.end());
  std::sort(gone.begin(), gone.end());
  Strings kept(strings_.units());
  std::vector<std::uint32_t> kept_numbers;
  for (std::uint64_t place = 0; place < numbers_.size(); ++place) {
    if (std::binary_search(gone.begin(), gone.end(), numbers_[place])) continue;
    kept.append(strings_[place]);
    kept_numbers.push_back(numbers_[place]);
  }
  const std::uint64_t removed = numbers_.size() - kept_numbers.size();
  strings_ = std::move(kept);
  numbers_ = std::move(kept_numbers);
  return removed;
}

void StringStore::rename(std::span<std::uint32_t> places) const {
  if (numbers_.size() == next_) return;  // they are the numbers
  for (std::uint32_t& place : places)
    if (place != no_neighbor) place = numbers_[place];
}

Strings strings_at(const Strings& strings, const std::vector<std::uint32_t>& places) {
  Strings some(strings.units());
  for (const std::uint32_t place : places) some.append(strings[place]);
  return some;
}

}  // namespace proxel::strings
