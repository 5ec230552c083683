#include "proxel/strings.hpp"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

#include "search/check.hpp"
#include "strings/code_points.hpp"

namespace proxel {

std::string_view to_string(StringDistance distance) {
  return distance == StringDistance::hamming ? "hamming" : "levenshtein";
}

StringDistance string_distance_from_string(std::string_view name) {
  for (const StringDistance distance : {StringDistance::levenshtein, StringDistance::hamming})
    if (name == to_string(distance)) return distance;
  throw Error(ErrorCode::invalid_argument, "distance",
              fmt::format("'{}' was given; levenshtein and hamming are allowed", name));
}

// The symbols behind the last string become one, unless appending them throws.
template <typename Append>
void Strings::add_whole(const Append& append) {
  try {
    append();
    offsets_.push_back(symbols_.size());
  } catch (...) {
    symbols_.resize(offsets_.back());
    throw;
  }
  longest_ = std::max(longest_, offsets_.back() - offsets_[offsets_.size() - 2]);
}

void Strings::add(std::string_view text) {
  add_whole([&] {
    if (units_ == StringUnits::bytes)
      for (const char byte : text) symbols_.push_back(static_cast<unsigned char>(byte));
    else if (const std::size_t valid = strings::append_code_points(text, symbols_); valid != text.size())
      throw Error(ErrorCode::invalid_argument, "string",
                  fmt::format("byte {} of string {} is not UTF-8 (strings of any bytes can be compared "
                              "as bytes)",
                              valid, size()));
  });
}

void Strings::append(std::span<const std::uint32_t> symbols) {
  add_whole([&] { symbols_.insert(symbols_.end(), symbols.begin(), symbols.end()); });
}

void Strings::append(const Strings& more) {
  const std::uint64_t strings = offsets_.size(), symbols = symbols_.size();
  offsets_.insert(offsets_.end(), more.offsets_.begin() + 1, more.offsets_.end());
  try {
    symbols_.insert(symbols_.end(), more.symbols_.begin(), more.symbols_.end());
  } catch (...) {
    offsets_.resize(strings);
    throw;
  }
  for (std::uint64_t i = strings; i < offsets_.size(); ++i) offsets_[i] += symbols;
  longest_ = std::max(longest_, more.longest_);
}

Strings Strings::slice(std::uint64_t first, std::uint64_t count) const {
  search::require_range("first", first, 0, size());
  search::require_range("count", count, 0, size() - first);
  Strings some(units_);
  const auto symbol = [this](std::uint64_t string) {
    return symbols_.begin() + static_cast<std::ptrdiff_t>(offsets_[string]);
  };
  some.symbols_.assign(symbol(first), symbol(first + count));
  some.offsets_.resize(count + 1);
  for (std::uint64_t i = 0; i < count; ++i) {
    some.offsets_[i + 1] = offsets_[first + i + 1] - offsets_[first];
    some.longest_ = std::max(some.longest_, some.offsets_[i + 1] - some.offsets_[i]);
  }
  return some;
}

std::string Strings::text(std::uint64_t i) const {
  const std::span<const std::uint32_t> symbols = (*this)[i];
  if (units_ == StringUnits::bytes) return {symbols.begin(), symbols.end()};
  return strings::utf8(symbols);
}

}  // namespace proxel
