#include "shell/notices.hpp"

#include <imgui.h>

#include "shell/child.hpp"
#include "shell/targets.hpp"
#include "shell/theme.hpp"

namespace demo {

void Notices::show(const std::string& about, const std::string& text) {
  clear(about);
  notices_.push_back({about, text});
}

void Notices::clear(const std::string& about) {
  std::erase_if(notices_, [&](const Notice& notice) { return notice.about == about; });
}

void Notices::draw(const Theme& theme, const std::set<std::string>& elsewhere) {
  std::string closed;
  for (const Notice& notice : notices_) {
    if (elsewhere.contains(notice.about.substr(0, notice.about.find('.')))) continue;
    ImGui::PushID(notice.about.c_str());
    ImGui::PushStyleColor(ImGuiCol_ChildBg, theme.bad_background);
    const float button = ImGui::GetFrameHeight();
    const float width = ImGui::GetContentRegionAvail().x - button - 4 * theme.gap;
    const float height = ImGui::CalcTextSize(notice.text.c_str(), nullptr, false, width).y;
    begin_child("notice", ImVec2(0, height + 2 * theme.gap), ImGuiWindowFlags_NoScrollbar);
    ImGui::SetCursorPos(ImVec2(theme.gap, theme.gap));
    ImGui::PushTextWrapPos(width + theme.gap);
    ImGui::TextUnformatted(notice.text.c_str());
    ImGui::PopTextWrapPos();
    mark("notice");
    ImGui::SetCursorPos(ImVec2(ImGui::GetWindowWidth() - button - theme.gap, (ImGui::GetWindowHeight() - button) / 2));
    if (ImGui::Button("×", ImVec2(button, button))) closed = notice.about;
    mark("close notice");
    ImGui::EndChild();
    ImGui::PopStyleColor();
    ImGui::PopID();
  }
  if (!closed.empty()) clear(closed);
}

nlohmann::json Notices::report() const {
  nlohmann::json all = nlohmann::json::array();
  for (const Notice& notice : notices_) all.push_back(notice.text);
  return all;
}

}  // namespace demo
