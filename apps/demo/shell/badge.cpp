#include "shell/badge.hpp"

#include <imgui.h>

#include "shell/targets.hpp"
#include "shell/theme.hpp"

namespace demo {

void Badge::draw(const Theme& theme) const {
  const ImVec4 colour = state_ == State::identical ? theme.good : state_ == State::differs ? theme.bad : theme.muted;
  const ImVec2 size = ImGui::CalcTextSize(text_.c_str());
  const float dot = size.y * 0.28f;
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 whole(size.x + 4 * dot + 3 * theme.gap, ImGui::GetFrameHeight());
  ImGui::Dummy(whole);
  mark("badge");
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip(
        "Computed: the same search was run on the other backends, and indices and\n"
        "distances were compared to the bit.");
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float middle = corner.y + whole.y / 2;
  list.AddRectFilled(corner, ImVec2(corner.x + whole.x, corner.y + whole.y), theme.colour(colour, 0.15f), whole.y / 2);
  list.AddCircleFilled(ImVec2(corner.x + theme.gap + dot, middle), dot, theme.colour(colour));
  list.AddText(ImVec2(corner.x + theme.gap + 3 * dot, middle - size.y / 2), theme.colour(colour), text_.c_str());
}

nlohmann::json Badge::report() const {
  constexpr const char* names[] = {"not compared", "comparing", "identical", "differs"};
  return {{"state", names[static_cast<int>(state_)]}, {"text", text_}};
}

}  // namespace demo
