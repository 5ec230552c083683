#include "proxel/strings.hpp"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

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

void Strings::add(std::string_view text) {
  if (units_ == StringUnits::bytes) {
    for (const char byte : text) symbols_.push_back(static_cast<unsigned char>(byte));
  } else if (const std::size_t valid = strings::append_code_points(text, symbols_);
             valid != text.size()) {
    symbols_.resize(offsets_.back());
    throw Error(ErrorCode::invalid_argument, "string",
                fmt::format("byte {} of string {} is not UTF-8 (strings of any bytes can be compared "
                            "as bytes)", valid, size()));
  }
  offsets_.push_back(symbols_.size());
  longest_ = std::max(longest_, offsets_.back() - offsets_[offsets_.size() - 2]);
}

void Strings::append(std::span<const std::uint32_t> symbols) {
  symbols_.insert(symbols_.end(), symbols.begin(), symbols.end());
  offsets_.push_back(symbols_.size());
  longest_ = std::max<std::uint64_t>(longest_, symbols.size());
}

std::string Strings::text(std::uint64_t i) const {
  const std::span<const std::uint32_t> symbols = (*this)[i];
  if (units_ == StringUnits::bytes) return {symbols.begin(), symbols.end()};
  return strings::utf8(symbols);
}

}  // namespace proxel
