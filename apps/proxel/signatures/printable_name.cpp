#include <algorithm>

#include "signatures/image_files.hpp"

namespace proxel::tool {

std::string name_of(const SignatureFile& file, std::uint64_t number) {
  return file.names.empty() ? std::to_string(number) : file.names[number];
}

std::string printable_name(const std::string& name) {
  std::string shown = name;
  std::ranges::replace_if(shown, [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '?');
  return shown;
}

}  // namespace proxel::tool
