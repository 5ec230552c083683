#include "shell/input.hpp"

#include <set>

#include <imgui.h>

namespace demo {
namespace {

struct Apply {
  ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
  void operator()(const Input::Move& move) const { io.AddMousePosEvent(move.x, move.y); }
  void operator()(const Input::Button& button) const { io.AddMouseButtonEvent(button.button, button.down); }
  void operator()(const Input::Wheel& wheel) const { io.AddMouseWheelEvent(wheel.x, wheel.y); }
#else
  void operator()(const Input::Move& move) const { io.MousePos = ImVec2(move.x, move.y); }
  void operator()(const Input::Button& button) const { io.MouseDown[button.button] = button.down; }
  void operator()(const Input::Wheel& wheel) const {
    io.MouseWheelH += wheel.x;
    io.MouseWheel += wheel.y;
  }
#endif
  void operator()(const Input::Press& press) const { input::set_key(press.key, press.down); }
  void operator()(const Input::Text& text) const { io.AddInputCharacter(text.character); }
};

}  // namespace

void Input::apply() {
  std::set<int> buttons;
  std::set<Key> keys;
  bool clicked = false;
  while (!events_.empty()) {
    const Event& next = events_.front();
    // A click happens where the mouse was, and a letter is typed before what a later key does.
    if (std::holds_alternative<Move>(next) && clicked) return;
    if (const Button* button = std::get_if<Button>(&next)) {
      if (!buttons.insert(button->button).second) return;
      clicked = true;
    }
    if (const Press* press = std::get_if<Press>(&next); press && !keys.insert(press->key).second) return;
    std::visit(Apply{}, next);
    events_.pop_front();
  }
}

}  // namespace demo
