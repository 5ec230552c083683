#pragma once

#include <memory>
#include <optional>

#include "images/discs.hpp"
#include "images/feature_search.hpp"
#include "images/similarity_search.hpp"
#include "images/thumbnails.hpp"
#include "images/wall.hpp"
#include "shell/badge.hpp"
#include "shell/plot.hpp"
#include "shell/tab.hpp"

namespace demo {

/// A folder of images; click one, and they are ordered by their similarity to it (Krulis 2011).
class ImagesTab : public Tab {
 public:
  const char* name() const override { return "Images"; }
  const char* about() const override { return "Click a picture: the wall is ordered by how alike the others are"; }
  void open(Context& context) override;
  void draw(Context& context) override;
  bool drop(Context& context, std::span<const std::string> paths) override;
  std::vector<std::pair<std::string, std::string>> keys() const override;
  void restore(const nlohmann::json& settings) override;
  nlohmann::json settings() const override;
  nlohmann::json report() const override;

 private:
  static constexpr const char* load_job = "images.load";
  static constexpr float least_alpha = 0.001f, most_alpha = 100;
  static std::string file_name(const std::string& path);

  void load(Context& context, std::vector<std::string> paths);
  void choose(Context& context, std::optional<std::uint32_t> image);
  void rank(Context& context);
  void rank_others(Context& context);
  void rank_by_features(Context& context);
  void show_next_matched();
  void show_picture(Context& context);

  void draw_controls(Context& context);
  void draw_wall(Context& context, ImVec2 size);
  float row_height(const Theme& theme) const;
  std::string answered_by() const;
  void draw_cell(Context& context, const Wall::Shown& shown, ImVec2 origin);
  void draw_side(Context& context, ImVec2 size);
  void draw_large(Context& context, float width);
  void draw_matched(Context& context, float width);
  void draw_failures(Context& context);

  std::string folder_;  // as typed; empty: the bundled pictures
  std::string kept_;    // what could be read last, the same
  std::shared_ptr<SimilaritySearch> search_;
  std::shared_ptr<FeatureSearch> feature_search_;
  const Collection* collection_ = nullptr;  // that of search_
  SimilaritySearch::Wanted wanted_{"", {proxel::Similarity::gaussian, 3}, SimilarityMethod::automatic};
  PhotoWay way_ = PhotoWay::signature;
  std::optional<std::uint32_t> chosen_;
  std::optional<Ranking> ranking_;
  std::optional<PhotoRanking> photos_;  // by features or both
  std::size_t matched_ = 0;             // which of those found is shown with its lines
  proxel::SearchReport report_;         // of the order
  bool signatures_shown_ = true;

  Wall wall_;
  Thumbnails thumbnails_;
  float cell_ = 0;  // width and height of a thumbnail's, pixels
  std::vector<Disc> discs_;
  Picture large_;
  bool to_top_ = false;  // the wall is scrolled up in the next frame
  Badge badge_;
  Plot plot_;
};

}  // namespace demo
