#pragma once

#include <imgui.h>

namespace demo {

/// ImGui::BeginChild(), into and out of which the arrow keys go as if it were no window of its own.
inline void begin_child(const char* name, ImVec2 size = ImVec2(0, 0), ImGuiWindowFlags flags = 0) {
#if IMGUI_VERSION_NUM >= 19091
  ImGui::BeginChild(name, size, ImGuiChildFlags_NavFlattened, flags);
#else
  ImGui::BeginChild(name, size, false, flags | ImGuiWindowFlags_NavFlattened);
#endif
}

}  // namespace demo
