#include "write_text.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>

#include "proxel/error.hpp"

namespace proxel::tool {

void write_text(const std::string& place, std::string_view text) {
  const auto require = [&](bool done, const char* what) {
    if (!done) throw Error(ErrorCode::input_output, place, fmt::format("{}: {}", what, std::strerror(errno)));
  };
  std::FILE* file = std::fopen(place.c_str(), "wbx");
  require(file != nullptr, "cannot be created");
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  require((std::fclose(file) == 0) & written, "cannot be written");
}

}  // namespace proxel::tool
