#include "text.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_easy_font.h>
#pragma GCC diagnostic pop

namespace engine {

std::uint32_t text_quads(const std::string& text, void* memory, std::uint64_t bytes) {
  constexpr float margin = 6;
  unsigned char white[4] = {255, 255, 255, 255};
  std::string copy = text;  // the font's function takes what it could write to
  return static_cast<std::uint32_t>(
      stb_easy_font_print(margin, margin, copy.data(), white, memory, static_cast<int>(bytes)));
}

}  // namespace engine
