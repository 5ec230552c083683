#pragma once

#include <algorithm>
#include <cstddef>

namespace demo {

/// Which of a number of states is shown, while they are played, stepped through or scrubbed.
class Playback {
 public:
  /// Begins anew where their number changes; otherwise stays where it is.
  void resize(std::size_t states) {
    if (states == states_) return;
    states_ = states;
    position_ = 0;
    waited_ = 0;
  }

  std::size_t states() const { return states_; }
  std::size_t position() const { return position_; }
  bool playing() const { return playing_; }
  bool at_end() const { return position_ + 1 >= states_; }

  /// Shows a state, and stops.
  void show(std::size_t state) {
    playing_ = false;
    position_ = std::min(state, states_ == 0 ? 0 : states_ - 1);
  }
  void step(int by) {
    const bool back = by < 0 && position_ < static_cast<std::size_t>(-by);
    show(back ? 0 : position_ + static_cast<std::size_t>(static_cast<std::ptrdiff_t>(by)));
  }
  /// Plays, from the first state where the last is shown; or pauses.
  void toggle() {
    if (states_ == 0) return;
    if (!playing_ && at_end()) position_ = 0;
    playing_ = !playing_;
    waited_ = 0;
  }
  /// Time passes. The last state ends it.
  void advance(double seconds, double seconds_per_state) {
    if (!playing_) return;
    for (waited_ += seconds; waited_ >= seconds_per_state && !at_end(); waited_ -= seconds_per_state) ++position_;
    if (at_end()) playing_ = false;
  }

 private:
  std::size_t states_ = 0;
  std::size_t position_ = 0;
  bool playing_ = false;
  double waited_ = 0;  // seconds, in this state
};

}  // namespace demo
