#include "matches/cloud_view.hpp"
#include "matches/pair_view.hpp"
#include "shell/targets.hpp"
#include "shell/theme.hpp"

namespace demo {
namespace {

/// What k nearest neighbours are for: two images matched by their local features, or the graph
/// of moving points.
class MatchesTab : public Tab {
 public:
  const char* name() const override { return "Matches"; }
  const char* about() const override {
    return "Find what two pictures have in common, or the neighbours of moving points";
  }

  void open(Context& context) override {
    pair_.open(context);
    cloud_.open(context);
  }

  void draw(Context& context) override {
    const auto choice = [&](const char* label, bool points) {
      if (ImGui::RadioButton(label, points_ == points)) points_ = points;
      mark(label);
    };
    choice("Two images", false);
    ImGui::SameLine();
    choice("Moving points", true);
    ImGui::SameLine(0, 2 * context.theme.gap);
    (points_ ? cloud_.badge() : pair_.badge()).draw(context.theme);
    if (points_)
      cloud_.draw(context);
    else
      pair_.draw(context);
  }

  void record(Context& context, VkCommandBuffer commands) override {
    if (points_) cloud_.record(context, commands);
  }

  bool drop(Context& context, std::span<const std::string> paths) override {
    points_ = false;
    return pair_.drop(context, paths);
  }

  std::vector<std::pair<std::string, std::string>> keys() const override {
    return {{"Space", "points move, or rest"}, {"Left, Right", "look from elsewhere (3-D)"}};
  }

  void restore(const nlohmann::json& settings) override {
    points_ = settings.value("points_shown", points_);
    if (settings.contains("pair")) pair_.restore(settings["pair"]);
    if (settings.contains("cloud")) cloud_.restore(settings["cloud"]);
  }

  nlohmann::json settings() const override {
    return {{"points_shown", points_}, {"pair", pair_.settings()}, {"cloud", cloud_.settings()}};
  }

  nlohmann::json report() const override {
    return {{"points_shown", points_}, {"pair", pair_.report()}, {"cloud", cloud_.report()}};
  }

 private:
  bool points_ = false;
  PairView pair_;
  CloudView cloud_;
};

}  // namespace

std::unique_ptr<Tab> make_matches_tab() { return std::make_unique<MatchesTab>(); }

}  // namespace demo
