#pragma once

#include <string>
#include <string_view>

namespace proxel::data {

/// What stands before the values of a .npy file in C order (format version 1.0).
/// @param type   as NumPy writes it: "<f4"
/// @param shape  a Python tuple: "(3, 4)"
std::string npy_header(std::string_view type, std::string_view shape);

}  // namespace proxel::data
