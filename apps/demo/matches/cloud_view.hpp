#pragma once

#include <memory>
#include <optional>

#include "matches/graph_picture.hpp"
#include "shell/badge.hpp"
#include "shell/pictures.hpp"
#include "shell/plot.hpp"
#include "shell/tab.hpp"

namespace demo {

/// Moving points and the graph of their nearest neighbours, found anew in every frame, inside
/// it (Komarov 2013).
class CloudView {
 public:
  void open(Context& context);
  void draw(Context& context);
  void record(Context& context, VkCommandBuffer commands);
  void restore(const nlohmann::json& settings);
  nlohmann::json settings() const;
  nlohmann::json report() const;
  const Badge& badge() const { return badge_; }

 private:
  void make(Context& context);
  void draw_controls(Context& context);
  void draw_canvas(Context& context, ImVec2 room);
  void handle_mouse(ImVec2 corner, ImVec2 room);
  void compare(Context& context, GraphSearch::Frame frame);
  void cluster(Context& context);

  std::uint32_t count_ = 0, dimensions_ = 2, k_ = 6;  // count 0: as the device can
  Cloud::Kind kind_ = Cloud::Kind::clusters;
  bool clusters_ = false;  // points are coloured by what hangs together
  bool laid_out_ = false;  // points are drawn where a layout of their graph has them
  float reach_ = 0.4f;     // of edges that join clusters, in the search's spacing()
  bool plays_ = true;
  bool remake_ = false;   // what is asked for has changed
  bool changed_ = false;  // points have moved since they were searched
  std::optional<Cloud> cloud_;
  std::unique_ptr<GraphSearch> search_;
  std::unique_ptr<GraphPicture> drawing_;
  Picture picture_;
  GraphPicture::Look look_;
  std::optional<GraphPicture::Look> drawn_;  // how it was drawn last
  bool comparing_ = false;
  std::uint64_t frames_ = 0;
  double made_milliseconds_ = 0;
  Badge badge_;
  Plot plot_;
};

}  // namespace demo
