#pragma once

#include <cstdint>

#include <imgui.h>

namespace demo {

class Pictures;

/// Colours, sizes and fonts.
struct Theme {
  bool dark = true;
  float scale = 1;  ///< 1 at 96 dots per inch, 2 on a 4K screen; every length in pixels is multiplied by it
  float gap = 8;    ///< between things, pixels, scaled already

  ImVec4 text, muted, accent, good, bad, bad_background, panel, background;
  /// Colours of lines and bars, told apart in both themes.
  ImVec4 series[6];
  ImFont* regular = nullptr;
  ImFont* bold = nullptr;   ///< headings, larger
  ImFont* small = nullptr;  ///< legends
  ImFont* mono = nullptr;   ///< figures in columns

  ImU32 colour(const ImVec4& of, float alpha = 1) const {
    return ImGui::GetColorU32(ImVec4(of.x, of.y, of.z, of.w * alpha));
  }
};

/// Sets colours and style of everything.
void apply_colours(Theme& theme, bool dark);
/// Sets sizes and makes the fonts anew. Between frames.
void apply_scale(Theme& theme, float scale, Pictures& pictures);

}  // namespace demo
