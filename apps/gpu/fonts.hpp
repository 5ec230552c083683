#pragma once

#include <imgui.h>

namespace gpu {

/// Adds one of the fonts of the package fonts-dejavu-core, "DejaVuSans.ttf", of that height. Without its
/// file Dear ImGui's own font is taken, which has Latin letters alone.
ImFont* add_font(const char* name, float pixels);

}  // namespace gpu
