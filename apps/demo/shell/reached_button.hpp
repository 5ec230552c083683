#pragma once

#include <imgui.h>

namespace demo {

/// ImGui::InvisibleButton(), which keys reach as they reach any other: from Dear ImGui 1.92 on they do not of themselves.
inline bool reached_button(const char* name, ImVec2 size) {
#if IMGUI_VERSION_NUM >= 19200
  return ImGui::InvisibleButton(name, size, ImGuiButtonFlags_EnableNav);
#else
  return ImGui::InvisibleButton(name, size);
#endif
}

}  // namespace demo
