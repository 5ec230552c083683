#pragma once

#include <cstdint>
#include <deque>
#include <variant>

#include "shell/keys.hpp"

namespace demo {

/// Mouse and keyboard on their way to Dear ImGui, whether they come from a window or from a script.
/// A button or key that changes twice between two frames does so in two frames.
class Input {
 public:
  struct Move {
    float x, y;
  };
  struct Button {
    int button;
    bool down;
  };
  struct Wheel {
    float x, y;
  };
  struct Press {
    Key key;
    bool down;
  };
  struct Text {
    std::uint32_t character;
  };
  using Event = std::variant<Move, Button, Wheel, Press, Text>;

  void add(const Event& event) { events_.push_back(event); }
  /// Whether everything has arrived.
  bool empty() const { return events_.empty(); }
  /// Before each frame: hands over what one frame can take.
  void apply();

 private:
  std::deque<Event> events_;
};

namespace input {
/// Once: tells Dear ImGui which keys it finds where.
void name_keys();
void set_key(Key key, bool down);
}  // namespace input

}  // namespace demo
