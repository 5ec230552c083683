#pragma once

#include "matches/pair.hpp"
#include "shell/badge.hpp"
#include "shell/pictures.hpp"
#include "shell/plot.hpp"
#include "shell/tab.hpp"

namespace demo {

/// Two images, their local features matched by the ratio test, lines between them (Garcia 2010).
class PairView {
 public:
  void open(Context& context);
  void draw(Context& context);
  bool drop(Context& context, std::span<const std::string> paths);
  void restore(const nlohmann::json& settings);
  nlohmann::json settings() const;
  nlohmann::json report() const;
  const Badge& badge() const { return badge_; }

 private:
  enum class Need { images, turn, search };
  void match(Context& context, Need need);
  void take(Context& context, const Pairing& pairing);
  void count();

  void draw_controls(Context& context);
  void draw_figures();
  void draw_images(Context& context, ImVec2 room);
  bool draw_path(Context& context, const char* name, const char* hint, std::string& path);

  // Empty: the bundled picture, and the left one turned.
  struct Paths {
    std::string left, right;
  };
  Paths typed_, shown_;  // what is shown could be read
  Turn turn_{25, 0.8f};
  float ratio_ = 0.75f;
  std::string device_;
  bool reads_images_ = false;  // the latest job
  Pairing pairing_;
  std::vector<Candidate> matches_;
  std::vector<bool> agrees_;  // of each match, where the turn is known
  std::size_t agreeing_ = 0;
  Picture left_picture_, right_picture_;
  Badge badge_;
  Plot plot_;
};

}  // namespace demo
