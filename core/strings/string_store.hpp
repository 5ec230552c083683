#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "proxel/neighbors.hpp"
#include "proxel/strings.hpp"

namespace proxel::strings {

/// Throws Error(invalid_argument) unless an index can hold strings of these lengths.
void require_lengths(const Strings& strings);
/// Throws Error(invalid_argument) unless they can be added to strings of these units, `next` the first free number.
void require_addable(const Strings& more, StringUnits units, std::uint64_t next);
/// Throws Error(invalid_argument) for a number that no string has had.
void require_given(std::span<const std::uint32_t> numbers, std::uint64_t next);
/// Throws Error(invalid_argument).
[[noreturn]] void fail_for_missing(std::uint32_t number);

/// The strings of an index in host memory, and the numbers by which answers name them.
/// Devices know them by their places here.
class StringStore {
 public:
  /// Throws Error(invalid_argument) unless an index can hold the strings.
  explicit StringStore(const Strings& strings);
  /// @param numbers  ascending, of each string; all below `next`, the first that is free
  StringStore(Strings strings, std::vector<std::uint32_t> numbers, std::uint32_t next);

  const Strings& strings() const { return strings_; }
  /// Ascending; of the string at each place.
  const std::vector<std::uint32_t>& numbers() const { return numbers_; }
  /// The number that the next string will have.
  std::uint32_t next() const { return next_; }
  /// Throws Error(invalid_argument) where there is no string of that number.
  std::string text(std::uint32_t number) const;

  /// Returns the number of the first. Throws Error(invalid_argument) or bad_alloc, and has then changed nothing.
  std::uint32_t add(const Strings& more);
  /// Returns how many were there. Throws Error(invalid_argument) for a number that no
  /// string has had, and has then changed nothing.
  std::uint64_t remove(std::span<const std::uint32_t> numbers);

  /// From places to numbers.
  void rename(std::span<std::uint32_t> places) const;

 private:
  Strings strings_;
  std::vector<std::uint32_t> numbers_;
  std::uint32_t next_ = 0;
};

/// Some of the strings.
Strings strings_at(const Strings& strings, const std::vector<std::uint32_t>& places);

}  // namespace proxel::strings
