#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shell/badge.hpp"
#include "shell/pictures.hpp"
#include "shell/plot.hpp"
#include "shell/searches.hpp"
#include "shell/tab.hpp"
#include "texels/playback.hpp"
#include "texels/texel_picture.hpp"
#include "texels/texel_search.hpp"

namespace demo {

/// Bustos 2006: the textures of a texel search after each of its passes.
class TexelsTab : public Tab {
 public:
  const char* name() const override { return "Texels"; }
  const char* about() const override { return "Find the row nearest to a query by texture passes, one step at a time"; }
  void open(Context& context) override;
  void draw(Context& context) override;
  bool drop(Context& context, std::span<const std::string> paths) override;
  std::vector<std::pair<std::string, std::string>> keys() const override;
  void restore(const nlohmann::json& settings) override;
  nlohmann::json settings() const override;
  nlohmann::json report() const override;

 private:
  using Data = std::shared_ptr<const TexelData>;
  // An image of values, and what it shows.
  struct Panel {
    std::string title;
    Picture picture;
    std::vector<float> values;  // of rows, or of texels
    ValueRange range;
    bool per_row = true;
    TexelExtent alive;  // texels that count
  };

  void load(Context& context, const std::string& what);
  void ask(Context& context);
  void show(Context& context, TexelRun run);

  // texels_choices_view.cpp: what is searched, and the neighbour beside the query.
  void draw_choices(Context& context);
  void draw_data(Context& context);
  void draw_question();
  void draw_found(Context& context, float width);
  void draw_vector(const float* values, const Theme& theme, ImVec2 size, const char* target) const;
  void paint(Context& context, ImVec2 corner, float side);

  // texels_view.cpp: the textures.
  void draw_states(Context& context);
  void draw_title(const Theme& theme);
  void draw_timeline(Context& context);
  void draw_panel(const Panel& panel, const char* target, const Theme& theme, ImVec2 size, bool legend = true);
  void draw_group(const Theme& theme, ImVec2 size);
  void draw_tip(const Panel& panel, ImVec2 place, const Theme& theme);
  void outline(const Panel& panel, ImVec2 corner, ImVec2 pixel, const Theme& theme) const;
  void make_pictures(Context& context);
  Panel make_panel(Context& context, std::string title, std::span<const float> values, ValueRange range, bool per_row,
                   TexelExtent alive);
  void release(Context& context);
  void take_keys();
  const TexelState& state() const { return run_->states[playback_.position()]; }

  std::string wanted_ = "digits";  // "digits", "covertype" or a path
  char typed_path_[1024] = "";
  Data data_;
  std::vector<ValueRange> scales_;  // of each coordinate, over all rows
  std::shared_ptr<Searches<TexelSearch, TexelData>> searches_ = std::make_shared<Searches<TexelSearch, TexelData>>();
  TexelQuestion question_;
  std::string asked_device_;
  std::optional<TexelRun> run_;
  std::vector<float> coordinates_;  // of all textures
  Playback playback_;
  std::size_t pictured_ = SIZE_MAX;  // the state that the pictures are of
  bool pictured_dark_ = true;
  std::vector<Panel> panels_;  // texR and the coordinates that the pass adds, or the candidates' red and green
  bool focus_states_ = true, focus_choices_ = false;  // with the next frame
  int last_frame_ = 0;                                // that drew it
  static constexpr float least_seconds_per_pass = 0.05f, most_seconds_per_pass = 2;
  float seconds_per_pass_ = 0.4f;
  bool busy_ = false;
  std::string hovered_;  // what the tip says; empty where there is none
  Plot plot_;
  Badge badge_;
};

}  // namespace demo
