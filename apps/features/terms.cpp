#include "features/terms.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "proxel/error.hpp"

namespace proxel::features {
namespace {

constexpr std::uint32_t none = UINT32_MAX;

// The code point at the begin of the text and its bytes; none and 1 where they are not UTF-8.
std::pair<std::uint32_t, std::size_t> first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return std::uint32_t{static_cast<unsigned char>(text[i])}; };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {none, 1};
  std::uint32_t code = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {none, 1};
    code = code << 6 | (byte(i) & 0x3F);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < least[length] || code > 0x10FFFF || surrogate ? std::pair{none, std::size_t{1}}
                                                              : std::pair{code, length};
}

bool within(std::uint32_t code, std::uint32_t first, std::uint32_t last) { return code >= first && code <= last; }

bool is_of_term(std::uint32_t code) {
  if (code < 0x80) return within(code, '0', '9') || within(code, 'A', 'Z') || within(code, 'a', 'z');
  if (code < 0xC0) return code == 0xAA || code == 0xB5 || code == 0xBA;
  return code != none && code != 0xD7 && code != 0xF7 && code != 0xFEFF && !within(code, 0x2000, 0x2BFF) &&
         !within(code, 0x3000, 0x303F) && !within(code, 0xFE00, 0xFE0F) && !within(code, 0xFF00, 0xFF0F);
}

// In these ranges a capital letter stands before its small one.
bool in_pairs(std::uint32_t code, std::uint32_t& parity) {
  if (within(code, 0x139, 0x148) || within(code, 0x179, 0x17E))
    parity = 1;
  else if (within(code, 0x100, 0x137) || within(code, 0x14A, 0x177) || within(code, 0x460, 0x481))
    parity = 0;
  else
    return false;
  return code != 0x130 && code != 0x131;  // dotted and dotless i are no pair
}

std::uint32_t small_letter_of(std::uint32_t code) {
  if (within(code, 'A', 'Z') || within(code, 0xC0, 0xDE) || within(code, 0x391, 0x3AB) || within(code, 0x410, 0x42F))
    return code + 32;
  if (within(code, 0x400, 0x40F)) return code + 80;
  std::uint32_t parity = 0;
  if (in_pairs(code, parity)) return code % 2 == parity ? code + 1 : code;
  switch (code) {
    case 0x178:
      return 0xFF;
    case 0x386:
      return 0x3AC;
    case 0x388:
    case 0x389:
    case 0x38A:
      return code + 37;
    case 0x38C:
      return 0x3CC;
    case 0x38E:
    case 0x38F:
      return code + 63;
    default:
      return code;
  }
}

void append(std::string& term, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { term += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      put(0xE0 | code >> 12);
    } else {
      put(0xF0 | code >> 18);
      put(0x80 | (code >> 12 & 0x3F));
    }
    put(0x80 | (code >> 6 & 0x3F));
  }
  put(0x80 | (code & 0x3F));
}

}  // namespace

void for_each_term(std::string_view text, const std::function<void(std::string_view)>& take) {
  std::string term;
  const auto end = [&] {
    if (!term.empty()) take(term);
    term.clear();
  };
  while (!text.empty()) {
    const auto [code, bytes] = first_of(text);
    text.remove_prefix(bytes);
    if (is_of_term(code))
      append(term, small_letter_of(code));
    else
      end();
  }
  end();
}

std::uint32_t term_hash(std::string_view term) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const char c : term) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return static_cast<std::uint32_t>(hash ^ hash >> 32);
}

std::uint64_t count_terms(const std::string& name, std::string_view text, std::uint32_t dimensions, float* counts) {
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos)
    throw Error(
        ErrorCode::malformed_file, name,
        fmt::format("line {}: a zero byte, which no text has", 1 + std::ranges::count(text.substr(0, zero), '\n')));
  std::uint64_t terms = 0;
  for_each_term(text, [&](std::string_view term) {
    ++counts[term_hash(term) % dimensions];
    ++terms;
  });
  return terms;
}

std::vector<double> rarity_weights(const Matrix<float>& rows) {
  std::vector<std::uint64_t> holding(rows.columns());
  for (std::uint64_t row = 0; row < rows.rows(); ++row)
    for (std::uint64_t d = 0; d < rows.columns(); ++d) holding[d] += rows(row, d) != 0;
  std::vector<double> weights(rows.columns());
  for (std::uint64_t d = 0; d < rows.columns(); ++d)
    weights[d] = std::log((1 + static_cast<double>(rows.rows())) / (1 + static_cast<double>(holding[d]))) + 1;
  return weights;
}

void weigh(Matrix<float>& rows, std::span<const double> weights) {
  for (std::uint64_t row = 0; row < rows.rows(); ++row)
    for (std::uint64_t d = 0; d < rows.columns(); ++d)
      rows(row, d) = static_cast<float>(static_cast<double>(rows(row, d)) * weights[d]);
}

void make_unit_length(Matrix<float>& rows) {
  for (std::uint64_t row = 0; row < rows.rows(); ++row) {
    double squares = 0;
    for (std::uint64_t d = 0; d < rows.columns(); ++d) squares += static_cast<double>(rows(row, d)) * rows(row, d);
    if (squares == 0) continue;
    for (std::uint64_t d = 0; d < rows.columns(); ++d)
      rows(row, d) = static_cast<float>(static_cast<double>(rows(row, d)) / std::sqrt(squares));
  }
}

}  // namespace proxel::features
