#include "data/npy_header.hpp"

#include <fmt/format.h>

namespace proxel::data {

std::string npy_header(std::string_view type, std::string_view shape) {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type, shape);
  // The values begin at a multiple of 64 bytes, and the header ends in a line end.
  constexpr std::size_t before = 10;
  text.resize((before + text.size() + 1 + 63) / 64 * 64 - before - 1, ' ');
  text += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(text.size() & 255);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

}  // namespace proxel::data
