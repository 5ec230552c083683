#pragma once

#include <string>

#include <imgui.h>

namespace engine {

constexpr ImU32 colour(unsigned hex, unsigned alpha = 255) {
  return IM_COL32(hex >> 16, (hex >> 8) & 0xFF, hex & 0xFF, alpha);
}
inline constexpr ImU32 plain = colour(0xE8EAED), muted = colour(0x98A1AF), raised = colour(0x2A303C),
                       chosen_ink = colour(0x1D6FD1);
inline constexpr ImU32 by_engine = colour(0x4FA3FF), by_proxel = colour(0xFFA94D);

/// Sizes and fonts of the interface.
struct Look {
  float scale = 1;  ///< 2 on a 4K screen: every length in pixels is multiplied by it
  ImFont *regular = nullptr, *bold = nullptr, *small = nullptr;

  /// Adds the fonts and sets the style. Once.
  static Look make(float scale);
  void text(ImFont* font, ImU32 ink, const std::string& words) const;
  /// A line whose second part ends at the right.
  void line(ImFont* font, ImU32 ink, const std::string& left, const std::string& right, float indent = 0) const;
};

}  // namespace engine
