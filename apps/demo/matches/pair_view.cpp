#include "matches/pair_view.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "shell/backends.hpp"
#include "shell/comparison.hpp"
#include "shell/notices.hpp"
#include "shell/targets.hpp"
#include "shell/theme.hpp"
#include "shell/worker.hpp"

namespace demo {
namespace {

constexpr const char* match_job = "matches.pair";
constexpr const char* compare_job = "matches.pair.compare";

// An image as it lies in the window.
struct Placed {
  ImVec2 corner;
  float scale = 1;

  ImVec2 at(const proxel::images::Keypoint& point) const {
    return {corner.x + (point.x + 0.5f) * scale, corner.y + (point.y + 0.5f) * scale};
  }
};

Placed placed(ImVec2 corner, ImVec2 room, const proxel::images::Image& image) {
  const auto width = static_cast<float>(image.width), height = static_cast<float>(image.height);
  const float scale = std::min(room.x / width, room.y / height);
  return {ImVec2(corner.x + (room.x - width * scale) / 2, corner.y + (room.y - height * scale) / 2), scale};
}

}  // namespace

void PairView::open(Context& context) {
  for (std::string* path : {&typed_.left, &typed_.right}) {
    if (path->empty() || std::filesystem::exists(*path)) continue;
    context.notices.show("matches.kept", *path + " is not there any more; the bundled picture is shown instead");
    typed_ = {};
  }
  match(context, Need::images);
}

bool PairView::drop(Context& context, std::span<const std::string> paths) {
  if (paths.empty() || paths.size() > 2) return false;
  typed_ = {paths[0], paths.size() == 2 ? paths[1] : ""};
  match(context, Need::images);
  return true;
}

void PairView::match(Context& context, Need need) {
  context.worker.cancel(compare_job);
  badge_.reset();
  device_ = context.backends.chosen();
  // What had begun to be read is still wanted.
  if (!pairing_.right || (reads_images_ && context.worker.busy(match_job))) need = Need::images;
  reads_images_ = need == Need::images;
  const auto find = [this, &context, &backends = context.backends, need, paths = need == Need::images ? typed_ : shown_,
                     bundled = (context.data / "scenes" / "bedroom.png").string(), turn = turn_, device = device_,
                     known = pairing_](Progress& progress) -> Worker::Ending {
    Pairing pairing = known;
    if (need == Need::images) pairing.left = read_side(paths.left.empty() ? bundled : paths.left);
    progress.check();
    if (need != Need::search) {
      pairing.right = paths.right.empty() ? turned_side(*pairing.left, turn) : read_side(paths.right);
      pairing.turn = paths.right.empty() ? std::optional(turn) : std::nullopt;
    }
    progress.check();
    pairing.found = two_nearest(backends.device(device), *pairing.left, *pairing.right, &pairing.milliseconds);
    pairing.candidates = candidates_of(pairing.found);
    return [this, &context, device, paths, pairing = std::move(pairing)] {
      shown_ = paths;
      take(context, pairing);
      plot_.add(device, pairing.milliseconds);
      compare_backends(
          context, compare_job, badge_,
          {device, pairing.found, [left = pairing.left, right = pairing.right](proxel::Device& other, Progress&) {
        return two_nearest(other, *left, *right);
      }});
    };
  };
  context.worker.run(match_job, "Matching local features", find);
}

void PairView::take(Context& context, const Pairing& pairing) {
  const auto show = [&](Picture& picture, const std::shared_ptr<const Side>& before,
                        const std::shared_ptr<const Side>& now) {
    if (before == now) return;
    context.pictures.release(picture);
    picture = context.pictures.load(now->image);
  };
  show(left_picture_, pairing_.left, pairing.left);
  show(right_picture_, pairing_.right, pairing.right);
  pairing_ = pairing;
  count();
}

void PairView::count() {
  matches_ = accepted(pairing_.candidates, ratio_);
  agrees_.clear();
  agreeing_ = 0;
  if (!pairing_.turn) return;
  for (const Candidate& match : matches_) {
    agrees_.push_back(agreeing({match}, pairing_.left->features.keypoints, pairing_.right->features.keypoints,
                               pairing_.left->image, *pairing_.turn, agreeing_pixels) == 1);
    agreeing_ += agrees_.back();
  }
}

void PairView::draw(Context& context) {
  const proxel::Support support = proxel::images::local_features_supported();
  if (!support) {
    ImGui::PushTextWrapPos();
    ImGui::TextUnformatted(("There are no local features to match: " + support.reason).c_str());
    ImGui::PopTextWrapPos();
    return;
  }
  if (device_ != context.backends.chosen() && pairing_.left) match(context, Need::search);
  draw_controls(context);
  draw_figures();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float below = 120 * context.theme.scale;
  if (pairing_.right) draw_images(context, ImVec2(room.x, room.y - below - context.theme.gap));
  plot_.draw("device time of the search for two neighbours of each feature, ms", context.theme, ImVec2(room.x, below));
}

bool PairView::draw_path(Context& context, const char* name, const char* hint, std::string& path) {
  char typed[1024] = {};
  path.copy(typed, sizeof typed - 1);
  ImGui::SetNextItemWidth(200 * context.theme.scale);
  const bool entered = ImGui::InputTextWithHint(name, hint, typed, sizeof typed, ImGuiInputTextFlags_EnterReturnsTrue);
  mark(name + 2);
  path = typed;
  return entered;
}

void PairView::draw_controls(Context& context) {
  const Theme& theme = context.theme;
  bool entered = draw_path(context, "##left image", "left: bundled, or a path", typed_.left);
  ImGui::SameLine();
  entered |= draw_path(context, "##right image", "right: the left one turned", typed_.right);
  ImGui::SameLine();
  if (ImGui::Button("Open")) entered = true;
  mark("open images");
  if (entered) match(context, Need::images);
  ImGui::SameLine();
  ImGui::BeginDisabled(shown_.right.empty());
  if (ImGui::Button("Swap")) {
    const std::string left = shown_.left.empty() ? (context.data / "scenes" / "bedroom.png").string() : shown_.left;
    typed_ = {shown_.right, left};
    match(context, Need::images);
  }
  mark("swap");
  ImGui::EndDisabled();
  const auto slider = [&](const char* name, const char* label, float& value, float least, float most,
                          const char* format) {
    ImGui::SameLine(0, 2 * theme.gap);
    ImGui::TextUnformatted(label);
    ImGui::SameLine();
    ImGui::SetNextItemWidth(120 * theme.scale);
    const bool moved = ImGui::SliderFloat(name, &value, least, most, format, ImGuiSliderFlags_AlwaysClamp);
    mark(name + 2);
    return moved;
  };
  if (slider("##ratio", "ratio", ratio_, 0.3f, 1, "%.2f") && pairing_.right) count();
  if (!shown_.right.empty()) return;
  bool turned = slider("##turn", "turn", turn_.degrees, -180, 180, "%.0f°");
  turned |= slider("##scale", "scale", turn_.scale, 0.4f, 2, "%.2f");
  if (turned) match(context, Need::turn);
}

void PairView::draw_figures() {
  if (!pairing_.right) return;
  std::string figures =
      fmt::format("{} of {} features have a match among {}", matches_.size(), pairing_.left->features.keypoints.size(),
                  pairing_.right->features.keypoints.size());
  if (pairing_.turn && !matches_.empty())
    figures += fmt::format("; {:.1f} % agree with how the picture was turned",
                           100.0 * static_cast<double>(agreeing_) / static_cast<double>(matches_.size()));
  ImGui::TextUnformatted(figures.c_str());
}

void PairView::draw_images(Context& context, ImVec2 room) {
  const Theme& theme = context.theme;
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImGui::Dummy(room);
  mark("pair");
  const bool hovered = ImGui::IsItemHovered();
  const ImVec2 half((room.x - theme.gap) / 2, room.y);
  const Placed left = placed(corner, half, pairing_.left->image);
  const Placed right = placed(ImVec2(corner.x + half.x + theme.gap, corner.y), half, pairing_.right->image);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(corner, ImVec2(corner.x + room.x, corner.y + room.y), true);
  const auto picture = [&](const Picture& shown, const Placed& at) {
    list.AddImage(shown.id, at.corner,
                  ImVec2(at.corner.x + static_cast<float>(shown.width) * at.scale,
                         at.corner.y + static_cast<float>(shown.height) * at.scale));
  };
  picture(left_picture_, left);
  picture(right_picture_, right);

  const auto& from = pairing_.left->features.keypoints;
  const auto& to = pairing_.right->features.keypoints;
  // The match whose feature is under the mouse, and within reach.
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const Candidate* pointed = nullptr;
  float least = hovered ? 10 * theme.scale : 0;
  for (const Candidate& match : matches_)
    for (const ImVec2 at : {left.at(from[match.from]), right.at(to[match.to])})
      if (const float distance = std::hypot(at.x - mouse.x, at.y - mouse.y); distance < least) {
        least = distance;
        pointed = &match;
      }
  const float strength = pointed ? 0.12f : std::clamp(60.0f / static_cast<float>(matches_.size() + 1), 0.22f, 0.8f);
  const auto line = [&](std::size_t number, float alpha, float width) {
    const bool right_one = agrees_.empty() || agrees_[number];
    const ImU32 colour =
        theme.colour(right_one ? theme.good : theme.bad, right_one ? alpha : std::min(1.0f, 2 * alpha));
    const ImVec2 begin = left.at(from[matches_[number].from]), end = right.at(to[matches_[number].to]);
    list.AddLine(begin, end, colour, width);
    list.AddCircle(begin, 2.5f * theme.scale, colour, 0, theme.scale);
    list.AddCircle(end, 2.5f * theme.scale, colour, 0, theme.scale);
  };
  for (std::size_t i = 0; i < matches_.size(); ++i) line(i, strength, theme.scale);
  if (pointed) {
    line(static_cast<std::size_t>(pointed - matches_.data()), 1, 2.5f * theme.scale);
    ImGui::SetTooltip("feature %u, nearest %u: %.2f of the distance to the second nearest", pointed->from, pointed->to,
                      static_cast<double>(pointed->ratio));
  }
  list.PopClipRect();
}

void PairView::restore(const nlohmann::json& settings) {
  shown_ = typed_ = {settings.value("left", typed_.left), settings.value("right", typed_.right)};
  turn_.degrees = std::clamp(settings.value("degrees", turn_.degrees), -180.0f, 180.0f);
  turn_.scale = std::clamp(settings.value("scale", turn_.scale), 0.4f, 2.0f);
  ratio_ = std::clamp(settings.value("ratio", ratio_), 0.3f, 1.0f);
}

nlohmann::json PairView::settings() const {
  return {{"left", shown_.left},
          {"right", shown_.right},
          {"degrees", turn_.degrees},
          {"scale", turn_.scale},
          {"ratio", ratio_}};
}

nlohmann::json PairView::report() const {
  nlohmann::json report = settings();
  const proxel::Support support = proxel::images::local_features_supported();
  report["supported"] = support.supported;
  report["reason"] = support.reason;
  report["badge"] = badge_.report();
  report["plot"] = plot_.report();
  report["matches"] = matches_.size();
  report["agreeing"] = agreeing_;
  report["left_features"] = pairing_.left ? pairing_.left->features.keypoints.size() : 0;
  report["right_features"] = pairing_.right ? pairing_.right->features.keypoints.size() : 0;
  return report;
}

}  // namespace demo
