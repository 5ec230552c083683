// What ImagesTab draws.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "format.hpp"
#include "images/images_tab.hpp"
#include "shell/backends.hpp"
#include "shell/child.hpp"
#include "shell/keys.hpp"
#include "shell/reached_button.hpp"
#include "shell/targets.hpp"
#include "shell/theme.hpp"
#include "shell/worker.hpp"

namespace demo {
namespace {

namespace images = proxel::images;
using proxel::tool::with_separators;

constexpr float cell_side = 104;  // at least, at 96 dots per inch
constexpr std::size_t most_failures_listed = 200;

// How the order was found, and how far it reaches.
std::string said(const std::string& method, const proxel::SearchReport& report, std::uint64_t ranked,
                 std::uint64_t images) {
  const std::string found = fmt::format("{}: {} of {} distances were computed exactly", method,
                                        with_separators(report.evaluated), with_separators(images));
  if (images <= nearest_first) return found + ".";
  return fmt::format("{} for the nearest {}; {}", found, with_separators(nearest_first),
                     ranked < images ? "the others follow \xE2\x80\xA6" : "then all, for the others' order.");
}

// The largest rectangle of an image's shape within a square, in its middle.
struct Fit {
  ImVec2 least, most;
};
Fit fit(ImVec2 corner, ImVec2 room, float width, float height) {
  const float scale = std::min(room.x / width, room.y / height);
  const ImVec2 least(corner.x + (room.x - width * scale) / 2, corner.y + (room.y - height * scale) / 2);
  return {least, ImVec2(least.x + width * scale, least.y + height * scale)};
}

}  // namespace

void ImagesTab::draw(Context& context) {
  const Theme& theme = context.theme;
  if (wall_.moving()) {
    wall_.advance(context.frame_seconds);
    context.keep_drawing();
  }
  // Another backend answers from now on.
  if (chosen_ && wanted_.device != context.backends.chosen()) rank(context);
  if (chosen_ && pressed(Key::escape)) choose(context, std::nullopt);

  draw_controls(context);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float side = std::min(300 * theme.scale, room.x * 0.34f);
  draw_wall(context, ImVec2(room.x - side - theme.gap, room.y));
  ImGui::SameLine(0, theme.gap);
  draw_side(context, ImVec2(side, room.y));
}

void ImagesTab::draw_controls(Context& context) {
  const Theme& theme = context.theme;
  const auto item_width = [&](float pixels) { ImGui::SetNextItemWidth(pixels * theme.scale); };
  char typed[1024];
  folder_.copy(typed, sizeof typed - 1);
  typed[std::min(folder_.size(), sizeof typed - 1)] = '\0';
  item_width(230);
  const bool entered = ImGui::InputTextWithHint("##folder", "folder, or drop one here", typed, sizeof typed,
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  mark("folder");
  folder_ = typed;
  ImGui::SameLine();
  if (ImGui::Button("Open") || entered) open(context);
  mark("open folder");

  bool changed = false;
  const auto combo = [&](const char* label, const char* name, auto& value, auto... choices) {
    item_width(110);
    ImGui::SameLine(0, 2 * theme.gap);
    ImGui::TextUnformatted(label);
    ImGui::SameLine();
    item_width(110);
    if (ImGui::BeginCombo(name, std::string(to_string(value)).c_str())) {
      for (const auto choice : {choices...}) {
        if (ImGui::Selectable(std::string(to_string(choice)).c_str(), choice == value)) {
          value = choice;
          changed = true;
        }
        mark(fmt::format("{} {}", name + 2, to_string(choice)).c_str());
      }
      ImGui::EndCombo();
    }
    mark(name + 2);
  };
  using proxel::Similarity;
  if (images::local_features_supported())
    combo("by", "##by", way_, PhotoWay::signature, PhotoWay::features, PhotoWay::both);
  combo("similarity", "##similarity", wanted_.similarity.kind, Similarity::gaussian, Similarity::minus,
        Similarity::heuristic);
  combo("method", "##method", wanted_.method, SimilarityMethod::automatic, SimilarityMethod::canonical,
        SimilarityMethod::screened, SimilarityMethod::filtered, SimilarityMethod::krulis,
        SimilarityMethod::krulis_pivots, SimilarityMethod::krulis_ptolemaic);

  ImGui::SameLine(0, 2 * theme.gap);
  ImGui::TextUnformatted("\xCE\xB1");  // alpha
  ImGui::SameLine();
  item_width(170);
  if (wanted_.similarity.kind == Similarity::minus) {
    ImGui::TextDisabled("not looked at");
  } else {
    changed |= ImGui::SliderFloat("##alpha", &wanted_.similarity.alpha, least_alpha, most_alpha, "%.3g",
                                  ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
    mark("alpha");
  }
  ImGui::SameLine(0, 2 * theme.gap);
  badge_.draw(theme);
  if (changed && chosen_) rank(context);
}

float ImagesTab::row_height(const Theme& theme) const { return cell_ + ImGui::GetTextLineHeight() + theme.gap; }

void ImagesTab::draw_wall(Context& context, ImVec2 size) {
  const Theme& theme = context.theme;
  begin_child("wall", size);
  if (collection_) {
    // There are as many columns as fit, as wide as there is room.
    const float room = ImGui::GetContentRegionAvail().x + theme.gap;
    wall_.set_columns(static_cast<std::uint32_t>(std::max(1.0f, room / (cell_side * theme.scale + theme.gap))));
    cell_ = std::floor(room / static_cast<float>(wall_.columns()) - theme.gap);
    const float row = row_height(theme);
    if (std::exchange(to_top_, false)) ImGui::SetScrollY(0);
    const float scroll = ImGui::GetScrollY();
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    thumbnails_.begin_frame();
    // A row more on either side, so that the arrow keys find one to go to.
    for (const Wall::Shown& shown : wall_.visible(scroll / row - 1, (scroll + size.y) / row + 1))
      draw_cell(context, shown, origin);
    if (thumbnails_.waiting()) context.keep_drawing();
    ImGui::SetCursorScreenPos(origin);
    ImGui::Dummy(ImVec2(1, row * static_cast<float>(wall_.rows())));
  } else if (!context.worker.busy(load_job)) {
    ImGui::TextDisabled("Type the path of a folder of JPEG and PNG files above, or drop it here.");
  }
  ImGui::EndChild();
  mark("wall");
}

void ImagesTab::draw_cell(Context& context, const Wall::Shown& shown, ImVec2 origin) {
  const Theme& theme = context.theme;
  const float cell = cell_, row = row_height(theme);
  const ImVec2 corner(origin.x + shown.spot.column * (cell + theme.gap), origin.y + shown.spot.row * row);
  const ImVec2 end(corner.x + cell, corner.y + row - theme.gap / 2);
  ImGui::SetCursorScreenPos(corner);
  ImGui::PushID(static_cast<int>(shown.image));
  if (reached_button("cell", ImVec2(cell, row - theme.gap / 2))) {
    choose(context, shown.image);
    to_top_ = true;
  }
  ImGui::PopID();
  const std::uint32_t place = wall_.place(shown.image);
  if (place < 12) mark(fmt::format("cell {}", place).c_str());
  const bool hovered = ImGui::IsItemHovered() || ImGui::IsItemFocused(), chosen = chosen_ == shown.image;
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", file_name(collection_->paths[shown.image]).c_str());

  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(corner, end, theme.colour(theme.panel), theme.gap / 2);
  const float inset = theme.gap / 2;
  const ImVec2 room_least(corner.x + inset, corner.y + inset), room(cell - 2 * inset, cell - 2 * inset);
  list.AddRectFilled(room_least, ImVec2(room_least.x + room.x, room_least.y + room.y), IM_COL32_WHITE, theme.gap / 4);
  if (const auto thumbnail = thumbnails_.at(context.pictures, *collection_, shown.image)) {
    const images::Image& image = collection_->thumbnails[shown.image];
    const Fit place_of = fit(room_least, room, static_cast<float>(image.width), static_cast<float>(image.height));
    list.AddImage(thumbnail->id, place_of.least, place_of.most, thumbnail->least, thumbnail->most);
  }
  std::string caption;
  if (photos_ && place < photos_->found.size() && photos_->found[place].inliers != 0)
    caption = fmt::format("{} inliers", photos_->found[place].inliers);
  else if (photos_ && place < photos_->found.size() && photos_->found[place].distance)
    caption = fmt::format("{:.4f}", *photos_->found[place].distance);
  else if (ranking_ && place < ranking_->distances.size())
    caption = fmt::format("{:.4f}", ranking_->distances[place]);
  else if (!ranking_)
    caption = file_name(collection_->paths[shown.image]);
  ImGui::PushFont(theme.small);
  list.PushClipRect(corner, end, true);
  const float width = std::min(ImGui::CalcTextSize(caption.c_str()).x, cell - 2 * inset);
  list.AddText(ImVec2(corner.x + (cell - width) / 2, corner.y + cell),
               theme.colour(ranking_ ? theme.text : theme.muted), caption.c_str());
  list.PopClipRect();
  ImGui::PopFont();
  if (hovered || chosen)
    list.AddRect(corner, end, theme.colour(theme.accent, chosen ? 1.0f : 0.6f), theme.gap / 2, 0, 2 * theme.scale);
}

void ImagesTab::draw_side(Context& context, ImVec2 size) {
  const Theme& theme = context.theme;
  begin_child("side", size);
  if (!collection_) {
    ImGui::EndChild();
    return;
  }
  if (!chosen_) {
    ImGui::PushTextWrapPos();
    ImGui::Text("%s images.", with_separators(collection_->size()).c_str());
    ImGui::TextDisabled(
        "Click one: the wall is ordered by the signature quadratic form distance to it, which compares "
        "what pictures are made of: colours, their places and textures.");
    ImGui::PopTextWrapPos();
  } else {
    draw_large(context, ImGui::GetContentRegionAvail().x);
    ImGui::TextUnformatted(file_name(collection_->paths[*chosen_]).c_str());
    ImGui::Checkbox("signature", &signatures_shown_);
    mark("signature");
    ImGui::SameLine();
    ImGui::TextDisabled("%zu centroids", discs_.size());
    if (photos_) {
      draw_matched(context, ImGui::GetContentRegionAvail().x);
    } else if (ranking_) {
      ImGui::PushTextWrapPos();
      ImGui::TextDisabled("%s", said(answered_by(), report_, ranking_->distances.size(), collection_->size()).c_str());
      ImGui::PopTextWrapPos();
      mark("answer");
    }
    plot_.draw("device time of a search, ms", theme, ImVec2(ImGui::GetContentRegionAvail().x, 150 * theme.scale));
  }
  draw_failures(context);
  ImGui::EndChild();
}

void ImagesTab::draw_large(Context& context, float width) {
  const Theme& theme = context.theme;
  const ImVec2 corner = ImGui::GetCursorScreenPos(), room(width, width);
  // A button, so that the arrow keys come here from any row of the wall: Dear ImGui 1.90 did not find the small box below.
  if (reached_button("large picture", room)) signatures_shown_ = !signatures_shown_;
  const bool reached = ImGui::IsItemHovered() || ImGui::IsItemFocused();
  mark("large picture");
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 end(corner.x + room.x, corner.y + room.y);
  list.AddRectFilled(corner, end, theme.colour(theme.panel), theme.gap / 2);
  if (reached) list.AddRect(corner, end, theme.colour(theme.accent, 0.6f), theme.gap / 2, 0, 2 * theme.scale);
  const images::Image& thumbnail = collection_->thumbnails[*chosen_];
  const auto shown_width = static_cast<float>(large_ ? large_.width : thumbnail.width);
  const auto shown_height = static_cast<float>(large_ ? large_.height : thumbnail.height);
  const Fit place = fit(ImVec2(corner.x + theme.gap, corner.y + theme.gap),
                        ImVec2(room.x - 2 * theme.gap, room.y - 2 * theme.gap), shown_width, shown_height);
  if (large_) list.AddImage(large_.id, place.least, place.most);
  if (!signatures_shown_) return;
  list.PushClipRect(place.least, place.most, true);
  // The picture steps back, so that its signature can be seen.
  list.AddRectFilled(place.least, place.most, theme.colour(theme.background, 0.4f));
  const ImVec2 size(place.most.x - place.least.x, place.most.y - place.least.y);
  for (const Disc& disc : discs_) {
    const ImVec2 middle(place.least.x + disc.x * size.x, place.least.y + disc.y * size.y);
    const float radius = disc.radius * std::min(size.x, size.y);
    list.AddCircleFilled(middle, radius, IM_COL32(disc.colour[0], disc.colour[1], disc.colour[2], 235));
    list.AddCircle(middle, radius, theme.colour(theme.text, 0.5f), 0, theme.scale);
  }
  list.PopClipRect();
}

// One that was found beside the picture, and a line between each two places that look alike and agree.
void ImagesTab::draw_matched(Context& context, float width) {
  const Theme& theme = context.theme;
  const std::size_t count = photos_->lines.size();
  if (matched_ >= count) {
    ImGui::TextDisabled("%s", count == 0 ? "No local feature votes for any picture." : "No other picture was found.");
    mark("matched");
    return;
  }
  const proxel::tool::FoundPhoto& found = photos_->found[matched_];
  ImGui::PushTextWrapPos();
  ImGui::TextDisabled("%s: %u votes, %u agree on how it was turned, scaled and moved%s",
                      file_name(collection_->paths[found.number]).c_str(), found.votes, found.inliers,
                      found.is_verified() ? "" : "; fewer than 6 may be chance");
  ImGui::PopTextWrapPos();
  const ImVec2 corner = ImGui::GetCursorScreenPos(), room((width - theme.gap) / 2, (width - theme.gap) / 2);
  if (reached_button("matched pictures", ImVec2(width, room.y))) show_next_matched();
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("Click: the next that was found");
  mark("matched");
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto show = [&](std::uint32_t image, float left) {
    const images::Image& thumbnail = collection_->thumbnails[image];
    const Fit place = fit(ImVec2(corner.x + left, corner.y), room, static_cast<float>(thumbnail.width),
                          static_cast<float>(thumbnail.height));
    if (const auto shown = thumbnails_.at(context.pictures, *collection_, image))
      list.AddImage(shown->id, place.least, place.most, shown->least, shown->most);
    return place;
  };
  const auto at = [](const Fit& place, float x, float y) {
    return ImVec2(place.least.x + x * (place.most.x - place.least.x),
                  place.least.y + y * (place.most.y - place.least.y));
  };
  const Fit own = show(*chosen_, 0), other = show(found.number, room.x + theme.gap);
  for (const FeatureLine& line : photos_->lines[matched_])
    list.AddLine(at(own, line.x, line.y), at(other, line.other_x, line.other_y), theme.colour(theme.accent, 0.7f),
                 theme.scale);
}

void ImagesTab::draw_failures(Context& context) {
  if (collection_->failures.empty()) return;
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.bad);
  const bool unfolded = ImGui::TreeNode("failures", "%zu could not be read", collection_->failures.size());
  ImGui::PopStyleColor();
  mark("failures");
  if (!unfolded) return;
  ImGui::PushTextWrapPos();
  const std::size_t listed = std::min(collection_->failures.size(), most_failures_listed);
  for (const images::ImageFailure& failure : std::span(collection_->failures).first(listed))
    ImGui::TextUnformatted((file_name(failure.path) + ": " + failure.reason).c_str());
  if (listed < collection_->failures.size())
    ImGui::TextUnformatted(fmt::format("and {} more", collection_->failures.size() - listed).c_str());
  ImGui::PopTextWrapPos();
  ImGui::TreePop();
}

}  // namespace demo
