#include "shell/theme.hpp"

#include <algorithm>
#include <iterator>

#include "gpu/fonts.hpp"
#include "shell/pictures.hpp"

namespace demo {
namespace {

ImVec4 rgb(unsigned hex, float alpha = 1) {
  const auto channel = [&](unsigned shift) { return static_cast<float>((hex >> shift) & 0xFF) / 255; };
  return {channel(16), channel(8), channel(0), alpha};
}

constexpr unsigned dark_series[] = {0x4FA3FF, 0xFFA94D, 0x5BD68A, 0xE879C6, 0xF2D45C, 0x9C8CFF};
constexpr unsigned light_series[] = {0x1D6FD1, 0xC2620A, 0x14833F, 0xA92C86, 0x8A6D00, 0x5B46C9};

}  // namespace

void apply_colours(Theme& theme, bool dark) {
  theme.dark = dark;
  theme.background = rgb(dark ? 0x15181E : 0xF4F5F7);
  theme.panel = rgb(dark ? 0x1E222B : 0xFFFFFF);
  theme.text = rgb(dark ? 0xE8EAED : 0x1B1E24);
  theme.muted = rgb(dark ? 0x98A1AF : 0x5A6372);
  theme.accent = rgb(dark ? 0x4FA3FF : 0x1D6FD1);
  theme.good = rgb(dark ? 0x4CC38A : 0x12793B);
  theme.bad = rgb(dark ? 0xFF7A7A : 0xC02626);
  theme.bad_background = rgb(dark ? 0x4A2226 : 0xFBDADA);
  std::transform(std::begin(dark_series), std::end(dark_series), theme.series, [](unsigned hex) { return rgb(hex); });
  if (!dark)
    std::transform(std::begin(light_series), std::end(light_series), theme.series,
                   [](unsigned hex) { return rgb(hex); });

  if (dark)
    ImGui::StyleColorsDark();
  else
    ImGui::StyleColorsLight();
  ImVec4* colours = ImGui::GetStyle().Colors;
  const ImVec4 raised = rgb(dark ? 0x2A303C : 0xE4E8EE), line = rgb(dark ? 0x39414F : 0xC9D0DA);
  const auto accent = [&](float alpha) { return ImVec4(theme.accent.x, theme.accent.y, theme.accent.z, alpha); };
  colours[ImGuiCol_Text] = theme.text;
  colours[ImGuiCol_TextDisabled] = theme.muted;
  colours[ImGuiCol_WindowBg] = theme.background;
  colours[ImGuiCol_ChildBg] = ImVec4(0, 0, 0, 0);
  colours[ImGuiCol_PopupBg] = theme.panel;
  colours[ImGuiCol_Border] = colours[ImGuiCol_Separator] = line;
  colours[ImGuiCol_TableBorderStrong] = colours[ImGuiCol_TableBorderLight] = line;
  colours[ImGuiCol_TableHeaderBg] = raised;
  colours[ImGuiCol_FrameBg] = raised;
  colours[ImGuiCol_Button] = raised;
  colours[ImGuiCol_Tab] = ImVec4(0, 0, 0, 0);
  colours[ImGuiCol_FrameBgHovered] = colours[ImGuiCol_ButtonHovered] = colours[ImGuiCol_TabHovered] = accent(0.35f);
  colours[ImGuiCol_FrameBgActive] = colours[ImGuiCol_ButtonActive] = accent(0.5f);
  colours[ImGuiCol_TabActive] = accent(dark ? 0.4f : 0.25f);
  colours[ImGuiCol_Header] = accent(0.25f);
  colours[ImGuiCol_HeaderHovered] = accent(0.35f);
  colours[ImGuiCol_HeaderActive] = accent(0.5f);
  colours[ImGuiCol_CheckMark] = theme.accent;
  // A slider's value is read through its grab.
  colours[ImGuiCol_SliderGrab] = accent(0.5f);
  colours[ImGuiCol_SliderGrabActive] = accent(0.7f);
  colours[ImGuiCol_PlotHistogram] = theme.accent;
  colours[ImGuiCol_NavHighlight] = theme.accent;
  colours[ImGuiCol_TextSelectedBg] = accent(0.35f);
}

void apply_scale(Theme& theme, float scale, Pictures& pictures) {
  theme.scale = scale;
  theme.gap = 8 * scale;
  ImGuiStyle sized;
  sized.FrameRounding = sized.GrabRounding = sized.PopupRounding = sized.TabRounding = 4;
  sized.ChildRounding = 6;
  sized.FramePadding = ImVec2(8, 4);
  sized.ItemSpacing = ImVec2(8, 6);
  sized.WindowPadding = ImVec2(12, 10);
  sized.ScaleAllSizes(scale);
  ImGuiStyle& style = ImGui::GetStyle();
  std::copy(std::begin(style.Colors), std::end(style.Colors), sized.Colors);
  style = sized;

  ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
  fonts.Clear();
  fonts.Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;
  const int width = scale > 1.5f ? 4096 : 2048;
#if IMGUI_VERSION_NUM < 19200
  fonts.TexDesiredWidth = width;
#else
  fonts.TexMinWidth = width;
#endif
  theme.regular = gpu::add_font("DejaVuSans.ttf", 15 * scale);
  theme.bold = gpu::add_font("DejaVuSans-Bold.ttf", 17 * scale);
  theme.small = gpu::add_font("DejaVuSans.ttf", 12 * scale);
  theme.mono = gpu::add_font("DejaVuSansMono.ttf", 14 * scale);
  pictures.load_fonts();
}

}  // namespace demo
