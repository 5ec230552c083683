#include "gpu/fonts.hpp"

#include <filesystem>
#include <string>

namespace gpu {
namespace {

// Latin, Greek, punctuation, superscripts, arrows, mathematics, blocks and shapes.
constexpr ImWchar glyphs[] = {0x20,   0x24F,  0x370,  0x3FF,  0x2010, 0x2044, 0x2070, 0x209C, 0x2190, 0x21FF, 0x2200,
                              0x22FF, 0x2580, 0x25FF, 0x2600, 0x2600, 0x263E, 0x263E, 0x2713, 0x2717, 0};

}  // namespace

ImFont* add_font(const char* name, float pixels) {
  ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
  const std::string file = std::string("/usr/share/fonts/truetype/dejavu/") + name;
  ImFontConfig config;
  config.SizePixels = pixels;
  return std::filesystem::exists(file) ? fonts.AddFontFromFileTTF(file.c_str(), pixels, nullptr, glyphs)
                                       : fonts.AddFontDefault(&config);
}

}  // namespace gpu
