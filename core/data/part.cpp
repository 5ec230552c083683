#include "data/part.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/number_text.hpp"

namespace proxel::data {
namespace {

std::string list(const std::vector<std::string>& parts) {
  if (parts.empty()) return "it holds none";
  constexpr std::size_t most = 50;
  std::string text = "it holds: ";
  for (std::size_t i = 0; i < std::min(parts.size(), most); ++i) text += (i == 0 ? "" : ", ") + printable(parts[i]);
  return parts.size() > most ? text + ", ..." : text;
}

}  // namespace

std::string chosen_part(const ByteSource& source, const std::vector<std::string>& parts, const std::string& named) {
  const auto there = [&](const std::string& part) { return std::ranges::find(parts, part) != parts.end(); };
  if (!named.empty()) {
    if (there(named)) return named;
    throw Error(ErrorCode::not_found, source.name(),
                fmt::format("no data set \"{}\"; {}", printable(named), list(parts)));
  }
  if (there("train")) return "train";
  if (parts.size() == 1) return parts.front();
  throw Error(ErrorCode::not_found, source.name(),
              fmt::format("which data set is meant has to be said after '#'; {}", list(parts)));
}

}  // namespace proxel::data
