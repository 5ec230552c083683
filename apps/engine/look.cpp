#include "look.hpp"

#include <cmath>

#include "gpu/fonts.hpp"

namespace engine {

Look Look::make(float scale) {
  Look look;
  look.scale = scale;
  look.regular = gpu::add_font("DejaVuSans.ttf", std::round(14 * scale));
  look.bold = gpu::add_font("DejaVuSans-Bold.ttf", std::round(15 * scale));
  look.small = gpu::add_font("DejaVuSans.ttf", std::round(11.5f * scale));
  ImGuiStyle& style = ImGui::GetStyle();
  style.WindowRounding = 6;
  style.FrameRounding = 3;
  style.ItemSpacing = ImVec2(6, 5);
  style.ScaleAllSizes(scale);
  style.Colors[ImGuiCol_WindowBg] = ImGui::ColorConvertU32ToFloat4(colour(0x15181E, 235));
  style.Colors[ImGuiCol_Text] = ImGui::ColorConvertU32ToFloat4(plain);
  style.Colors[ImGuiCol_Button] = style.Colors[ImGuiCol_FrameBg] = ImGui::ColorConvertU32ToFloat4(raised);
  return look;
}

void Look::text(ImFont* font, ImU32 ink, const std::string& words) const {
  ImGui::PushFont(font);
  ImGui::PushStyleColor(ImGuiCol_Text, ink);
  ImGui::TextUnformatted(words.c_str());
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

namespace {

// Cuts a text where there is no more room.
std::string fitting(const std::string& text, float room) {
  std::string shown = text;
  while (!shown.empty() && ImGui::CalcTextSize((shown + (shown == text ? "" : "\xE2\x80\xA6")).c_str()).x > room) do
      shown.pop_back();
    while (!shown.empty() && (static_cast<unsigned char>(shown.back()) & 0xC0) == 0x80);
  return shown == text ? text : shown + "\xE2\x80\xA6";
}

}  // namespace

void Look::line(ImFont* font, ImU32 ink, const std::string& left, const std::string& right, float indent) const {
  const float end = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + indent * scale);
  ImGui::PushFont(font);
  const float width = ImGui::CalcTextSize(right.c_str()).x;
  const std::string shown = fitting(left, end - width - 16 * scale - ImGui::GetCursorPosX());
  ImGui::PopFont();
  text(font, ink, shown);
  ImGui::SameLine(end - width - 8 * scale);
  text(font, ink, right);
}

}  // namespace engine
