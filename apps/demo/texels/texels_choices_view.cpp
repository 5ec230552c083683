// The tab Texels, left of the textures: what is searched, how, and the neighbour beside the query.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "format.hpp"
#include "shell/targets.hpp"
#include "shell/theme.hpp"
#include "texels/texels_tab.hpp"

namespace demo {
namespace {

using proxel::tool::as_float;
using proxel::tool::with_separators;

void muted(const Theme& theme, const std::string& text) {
  ImGui::PushFont(theme.small);
  ImGui::TextColored(theme.muted, "%s", text.c_str());
  ImGui::PopFont();
}

}  // namespace

void TexelsTab::draw_choices(Context& context) {
  const Theme& theme = context.theme;
  draw_data(context);
  if (!data_) return;
  const TexelQuestion before = question_;
  draw_question();
  draw_found(context, ImGui::GetContentRegionAvail().x);
  if (question_ != before) ask(context);
  ImGui::Spacing();
  badge_.draw(theme);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (room.y > 60 * theme.scale)
    plot_.draw("device time of all passes, ms", theme, ImVec2(room.x, std::min(room.y, 130 * theme.scale)));
}

void TexelsTab::draw_data(Context& context) {
  std::string chosen;
  ImGui::SetNextItemWidth(-1);
  if (ImGui::BeginCombo("##data", data_ ? data_->name.c_str() : "…")) {
    if (ImGui::Selectable("Handwritten digits", wanted_ == "digits")) chosen = "digits";
    mark("digits");
    if (ImGui::Selectable("Forest CoverType", wanted_ == "covertype")) chosen = "covertype";
    mark("covertype");
    ImGui::EndCombo();
  }
  mark("data");
  ImGui::PushFont(context.theme.small);
  ImGui::SetNextItemWidth(-1);
  if (ImGui::InputTextWithHint("##path", "or a file of vectors: path, or drop it", typed_path_, sizeof typed_path_,
                               ImGuiInputTextFlags_EnterReturnsTrue) &&
      typed_path_[0])
    chosen = typed_path_;
  mark("vector file");
  ImGui::PopFont();
  if (data_)
    muted(context.theme,
          fmt::format("{} rows of {} coordinates", with_separators(data_->rows.rows()), data_->rows.columns()));
  if (!chosen.empty()) load(context, chosen);
}

void TexelsTab::draw_question() {
  const float label = 5.5f * ImGui::GetFontSize();
  const auto line = [&](const char* text) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(text);
    ImGui::SameLine(label);
    ImGui::SetNextItemWidth(-1);
  };
  line("metric");
  if (ImGui::BeginCombo("##metric", std::string(to_string(question_.metric)).c_str())) {
    for (const proxel::Metric metric : proxel::all_metrics)
      if (!proxel::normalizes(metric) &&
          ImGui::Selectable(std::string(to_string(metric)).c_str(), metric == question_.metric))
        question_.metric = metric;
    ImGui::EndCombo();
  }
  mark("metric");
  line("t");
  constexpr std::uint32_t fewest = 1, most = 16;
  ImGui::SliderScalar("##t", ImGuiDataType_U32, &question_.dimensions_per_pass, &fewest, &most, "%u dimensions a pass",
                      ImGuiSliderFlags_AlwaysClamp);
  mark("t");
  line("query");
  constexpr std::uint64_t first = 0;
  const std::uint64_t last = data_->queries.rows() - 1;
  if (ImGui::SliderScalar("##query", ImGuiDataType_U64, &question_.query, &first, &last, "%llu",
                          ImGuiSliderFlags_AlwaysClamp))
    question_.drawn.clear();
  mark("query");
}

// The query, and what was found, as pictures where they are pictures.
void TexelsTab::draw_found(Context& context, float width) {
  const Theme& theme = context.theme;
  const float half = (width - 2 * theme.gap) / 2;
  const bool pictures = data_->pictures();
  const ImVec2 size = pictures ? ImVec2(half, half) : ImVec2(width, 64 * theme.scale);
  const auto text = [](const char* what, const std::vector<std::string>& labels, std::uint64_t number) {
    return number < labels.size() ? fmt::format("{}: {}", what, labels[number]) : std::string(what);
  };
  const bool drawn = !question_.drawn.empty();
  ImGui::Spacing();
  ImGui::BeginGroup();
  muted(theme, drawn ? "query: your own" : text("query", data_->query_labels, question_.query));
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  draw_vector(drawn ? question_.drawn.data() : &data_->queries(question_.query, 0), theme, size, "query picture");
  if (pictures) paint(context, corner, half);
  ImGui::EndGroup();
  if (pictures) ImGui::SameLine(0, 2 * theme.gap);
  ImGui::BeginGroup();
  muted(theme, run_ ? text("nearest", data_->row_labels, run_->neighbor) : "nearest");
  if (run_)
    draw_vector(&data_->rows(run_->neighbor, 0), theme, size, "neighbor picture");
  else
    ImGui::Dummy(size);
  ImGui::EndGroup();
  if (run_) {
    ImGui::PushFont(theme.bold);
    ImGui::TextUnformatted(
        fmt::format("row {}, distance {}", with_separators(run_->neighbor), as_float(run_->distance)).c_str());
    ImGui::PopFont();
    mark("answer");
  }
  if (pictures) muted(theme, "Draw on the query; the right button rubs out.");
}

// A picture, or a bar for each coordinate, as high as it is among all rows.
void TexelsTab::draw_vector(const float* values, const Theme& theme, ImVec2 size, const char* target) const {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton(target, size, ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
  mark(target);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(corner, ImVec2(corner.x + size.x, corner.y + size.y), theme.colour(theme.panel), theme.gap / 4);
  if (data_->pictures()) {
    const float pixel = size.x / static_cast<float>(data_->picture_width);
    for (std::uint32_t y = 0; y < data_->picture_height; ++y)
      for (std::uint32_t x = 0; x < data_->picture_width; ++x) {
        const float dark = std::clamp(values[y * data_->picture_width + x] / data_->darkest, 0.0f, 1.0f);
        const ImVec2 at(corner.x + static_cast<float>(x) * pixel, corner.y + static_cast<float>(y) * pixel);
        list.AddRectFilled(at, ImVec2(at.x + pixel, at.y + pixel), theme.colour(theme.text, dark));
      }
    return;
  }
  const std::uint64_t d = data_->rows.columns();
  const float width = size.x / static_cast<float>(d);
  for (std::uint64_t i = 0; i < d && i < scales_.size(); ++i) {
    const float part = std::clamp(scales_[i].part(values[i]), 0.0f, 1.0f);
    const float x = corner.x + static_cast<float>(i) * width, bottom = corner.y + size.y;
    list.AddRectFilled(ImVec2(x, bottom - std::max(part * size.y, theme.scale)),
                       ImVec2(x + std::max(width * 0.8f, 1.0f), bottom), theme.colour(theme.accent));
  }
}

// A pen on the query's picture, a pixel and less of its neighbours.
void TexelsTab::paint(Context& context, ImVec2 corner, float side) {
  const bool draws = ImGui::IsItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Left);
  const bool rubs = ImGui::IsItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Right);
  if (!draws && !rubs) return;
  if (question_.drawn.empty()) {
    const float* values = &data_->queries(question_.query, 0);
    question_.drawn.assign(values, values + data_->queries.columns());
  }
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const float pixel = side / static_cast<float>(data_->picture_width);
  const float strength = (draws ? 1.0f : -1.0f) * data_->darkest * 12 * context.frame_seconds;
  for (std::uint32_t y = 0; y < data_->picture_height; ++y)
    for (std::uint32_t x = 0; x < data_->picture_width; ++x) {
      const float dx = (mouse.x - corner.x) / pixel - static_cast<float>(x) - 0.5f;
      const float dy = (mouse.y - corner.y) / pixel - static_cast<float>(y) - 0.5f;
      const float near = std::max(0.0f, 1.2f - std::sqrt(dx * dx + dy * dy));
      float& value = question_.drawn[y * data_->picture_width + x];
      // Whole numbers, as the rows are.
      if (near > 0)
        value = std::clamp(std::round(value + strength * near + (draws ? 0.5f : -0.5f)), 0.0f, data_->darkest);
    }
  context.keep_drawing();
}

}  // namespace demo
