#include "shell/keys.hpp"

#include <algorithm>
#include <iterator>

#include <GLFW/glfw3.h>
#include <imgui.h>

#include "shell/input.hpp"

namespace demo {
namespace {

// Dear ImGui 1.87 has names for all keys; before, numbers of the program's own are looked up in
// a table, of which it reads those that it needs itself.
#if IMGUI_VERSION_NUM >= 18700
#define DEMO_IMGUI_KEY(name) ImGuiKey_##name
#else
#define DEMO_IMGUI_KEY(name) GLFW_KEY_UNKNOWN
#endif

struct Known {
  Key key;
  std::string_view name;
  int glfw;
  int imgui;
};

constexpr Known known[] = {
    {Key::left, "left", GLFW_KEY_LEFT, ImGuiKey_LeftArrow},
    {Key::right, "right", GLFW_KEY_RIGHT, ImGuiKey_RightArrow},
    {Key::up, "up", GLFW_KEY_UP, ImGuiKey_UpArrow},
    {Key::down, "down", GLFW_KEY_DOWN, ImGuiKey_DownArrow},
    {Key::page_up, "pageup", GLFW_KEY_PAGE_UP, ImGuiKey_PageUp},
    {Key::page_down, "pagedown", GLFW_KEY_PAGE_DOWN, ImGuiKey_PageDown},
    {Key::home, "home", GLFW_KEY_HOME, ImGuiKey_Home},
    {Key::end, "end", GLFW_KEY_END, ImGuiKey_End},
    {Key::insert, "insert", GLFW_KEY_INSERT, ImGuiKey_Insert},
    {Key::remove, "delete", GLFW_KEY_DELETE, ImGuiKey_Delete},
    {Key::backspace, "backspace", GLFW_KEY_BACKSPACE, ImGuiKey_Backspace},
    {Key::tab, "tab", GLFW_KEY_TAB, ImGuiKey_Tab},
    {Key::enter, "enter", GLFW_KEY_ENTER, ImGuiKey_Enter},
    {Key::enter, "enter", GLFW_KEY_KP_ENTER, ImGuiKey_Enter},
    {Key::escape, "escape", GLFW_KEY_ESCAPE, ImGuiKey_Escape},
    {Key::space, "space", GLFW_KEY_SPACE, ImGuiKey_Space},
    {Key::a, "a", GLFW_KEY_A, ImGuiKey_A},
    {Key::c, "c", GLFW_KEY_C, ImGuiKey_C},
    {Key::f, "f", GLFW_KEY_F, DEMO_IMGUI_KEY(F)},
    {Key::g, "g", GLFW_KEY_G, DEMO_IMGUI_KEY(G)},
    {Key::l, "l", GLFW_KEY_L, DEMO_IMGUI_KEY(L)},
    {Key::o, "o", GLFW_KEY_O, DEMO_IMGUI_KEY(O)},
    {Key::q, "q", GLFW_KEY_Q, DEMO_IMGUI_KEY(Q)},
    {Key::s, "s", GLFW_KEY_S, DEMO_IMGUI_KEY(S)},
    {Key::v, "v", GLFW_KEY_V, ImGuiKey_V},
    {Key::x, "x", GLFW_KEY_X, ImGuiKey_X},
    {Key::y, "y", GLFW_KEY_Y, ImGuiKey_Y},
    {Key::z, "z", GLFW_KEY_Z, ImGuiKey_Z},
    {Key::digit_1, "1", GLFW_KEY_1, DEMO_IMGUI_KEY(1)},
    {Key::digit_2, "2", GLFW_KEY_2, DEMO_IMGUI_KEY(2)},
    {Key::digit_3, "3", GLFW_KEY_3, DEMO_IMGUI_KEY(3)},
    {Key::digit_4, "4", GLFW_KEY_4, DEMO_IMGUI_KEY(4)},
    {Key::digit_5, "5", GLFW_KEY_5, DEMO_IMGUI_KEY(5)},
    {Key::plus, "+", GLFW_KEY_EQUAL, DEMO_IMGUI_KEY(Equal)},
    {Key::plus, "+", GLFW_KEY_KP_ADD, DEMO_IMGUI_KEY(Equal)},
    {Key::minus, "-", GLFW_KEY_MINUS, DEMO_IMGUI_KEY(Minus)},
    {Key::minus, "-", GLFW_KEY_KP_SUBTRACT, DEMO_IMGUI_KEY(Minus)},
    {Key::f1, "f1", GLFW_KEY_F1, DEMO_IMGUI_KEY(F1)},
    {Key::f11, "f11", GLFW_KEY_F11, DEMO_IMGUI_KEY(F11)},
    {Key::control, "ctrl", GLFW_KEY_LEFT_CONTROL, DEMO_IMGUI_KEY(LeftCtrl)},
    {Key::control, "ctrl", GLFW_KEY_RIGHT_CONTROL, DEMO_IMGUI_KEY(LeftCtrl)},
    {Key::shift, "shift", GLFW_KEY_LEFT_SHIFT, DEMO_IMGUI_KEY(LeftShift)},
    {Key::shift, "shift", GLFW_KEY_RIGHT_SHIFT, DEMO_IMGUI_KEY(LeftShift)},
    {Key::alt, "alt", GLFW_KEY_LEFT_ALT, DEMO_IMGUI_KEY(LeftAlt)},
    {Key::alt, "alt", GLFW_KEY_RIGHT_ALT, DEMO_IMGUI_KEY(LeftAlt)},
};

template <typename Predicate>
const Known* find(const Predicate& predicate) {
  const auto found = std::find_if(std::begin(known), std::end(known), predicate);
  return found == std::end(known) ? nullptr : &*found;
}

bool pressed_now(Key key) {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyPressed(static_cast<ImGuiKey>(find([=](const Known& one) { return one.key == key; })->imgui));
#else
  return ImGui::IsKeyPressed(static_cast<int>(key));
#endif
}

}  // namespace

std::optional<Key> key_from_name(std::string_view name) {
  const Known* found = find([=](const Known& one) { return one.name == name; });
  return found ? std::optional(found->key) : std::nullopt;
}

std::optional<Key> key_from_glfw(int key) {
  const Known* found = find([=](const Known& one) { return one.glfw == key; });
  return found ? std::optional(found->key) : std::nullopt;
}

bool pressed(Key key) {
  const ImGuiIO& io = ImGui::GetIO();
  return !io.WantTextInput && !io.KeyCtrl && pressed_now(key);
}

bool pressed_with_control(Key key) { return ImGui::GetIO().KeyCtrl && pressed_now(key); }

namespace input {

void name_keys() {
#if IMGUI_VERSION_NUM < 18700
  for (const Known& one : known)
    if (one.imgui != GLFW_KEY_UNKNOWN) ImGui::GetIO().KeyMap[one.imgui] = static_cast<int>(one.key);
#endif
}

void set_key(Key key, bool down) {
  ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
  const Known* found = find([=](const Known& one) { return one.key == key; });
  io.AddKeyEvent(static_cast<ImGuiKey>(found->imgui), down);
  if (key == Key::control) io.AddKeyEvent(ImGuiMod_Ctrl, down);
  if (key == Key::shift) io.AddKeyEvent(ImGuiMod_Shift, down);
  if (key == Key::alt) io.AddKeyEvent(ImGuiMod_Alt, down);
#else
  io.KeysDown[static_cast<int>(key)] = down;
  if (key == Key::control) io.KeyCtrl = down;
  if (key == Key::shift) io.KeyShift = down;
  if (key == Key::alt) io.KeyAlt = down;
#endif
}

}  // namespace input
}  // namespace demo
