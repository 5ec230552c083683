#pragma once

#include <map>
#include <set>
#include <string>

#include <imgui.h>

namespace demo {

/// A rectangle in the window, pixels.
struct Area {
  ImVec2 least, most;
};

/// Names the item that was drawn last (or a rectangle), so that scripts can point at it and
/// tests can look at it. Names are unique within what is shown at a time.
void mark(const char* name);
void mark(const char* name, ImVec2 least, ImVec2 most);

/// What was marked in the latest whole frame.
const std::map<std::string, Area>& targets();
/// The marked items that the keyboard has come to since the program began.
const std::set<std::string>& visited();
/// The shell, before each frame.
void begin_targets();

}  // namespace demo
