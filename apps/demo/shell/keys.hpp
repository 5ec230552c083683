#pragma once

#include <optional>
#include <string_view>

namespace demo {

/// The keys that the program knows.
enum class Key {
  left,
  right,
  up,
  down,
  page_up,
  page_down,
  home,
  end,
  insert,
  remove,
  backspace,
  tab,
  enter,
  escape,
  space,
  a,
  c,
  f,
  g,
  l,
  o,
  q,
  s,
  v,
  x,
  y,
  z,
  digit_1,
  digit_2,
  digit_3,
  digit_4,
  digit_5,
  plus,
  minus,
  f1,
  f11,
  control,
  shift,
  alt,
};

/// "left", "ctrl", "1": as scripts name them.
std::optional<Key> key_from_name(std::string_view name);
/// The key that GLFW gives this number.
std::optional<Key> key_from_glfw(int key);

/// Whether the key was pressed in this frame (again and again while it is held down), alone or with
/// Control. False while a text field has the keyboard, but with Control.
bool pressed(Key key);
bool pressed_with_control(Key key);

}  // namespace demo
