#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace demo {

struct Theme;

/// Whether the answer is the same on every backend: computed by searching there too, never claimed.
class Badge {
 public:
  /// What is shown has not been compared, or is not the same any more.
  void reset() { *this = {}; }
  void comparing(const std::string& with) { set(State::comparing, "comparing with " + with); }
  void identical(const std::string& on) { set(State::identical, "identical on " + on); }
  void differs(const std::string& where) { set(State::differs, "differs: " + where); }
  /// A coloured label; its mark is "badge".
  void draw(const Theme& theme) const;
  /// "not compared", "comparing", "identical", "differs", and the text.
  nlohmann::json report() const;
  bool is_identical() const { return state_ == State::identical; }

 private:
  enum class State { not_compared, comparing, identical, differs };
  void set(State state, std::string text) {
    state_ = state;
    text_ = std::move(text);
  }

  State state_ = State::not_compared;
  std::string text_ = "not compared";
};

}  // namespace demo
