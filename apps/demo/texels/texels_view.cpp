// The tab Texels, its larger part: the textures as a pass left them, and the passes to choose from.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "format.hpp"
#include "shell/targets.hpp"
#include "shell/theme.hpp"
#include "texels/texels_tab.hpp"

namespace demo {
namespace {

using proxel::tool::as_float;

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

Rgb rgb_of(const ImVec4& colour) {
  const auto channel = [](float part) { return static_cast<std::uint8_t>(std::lround(255 * part)); };
  return {channel(colour.x), channel(colour.y), channel(colour.z)};
}

std::vector<float> floats_of(std::span<const std::uint32_t> words) {
  std::vector<float> values(words.size());
  std::transform(words.begin(), words.end(), values.begin(),
                 [](std::uint32_t word) { return std::bit_cast<float>(word); });
  return values;
}

const char* name_of(TexelPass pass) {
  constexpr const char* names[] = {"accumulate", "channel minimum", "reduce 4:1"};
  return names[static_cast<int>(pass)];
}

ImVec4 colour_of_pass(TexelPass pass, const Theme& theme) {
  return pass == TexelPass::accumulate ? theme.accent : theme.series[pass == TexelPass::minimum ? 1 : 2];
}

// The scale goes from the range's least to its most.
void draw_scale(const ValueRange& range, const Theme& theme, ImVec2 corner, ImVec2 size) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  constexpr int steps = 48;
  const float width = size.x / steps;
  for (int i = 0; i < steps; ++i) {
    const Rgb colour = colour_of((static_cast<float>(i) + 0.5f) / steps);
    const float x = corner.x + static_cast<float>(i) * width;
    list.AddRectFilled(ImVec2(x, corner.y), ImVec2(x + width + 0.5f, corner.y + size.y),
                       IM_COL32(colour[0], colour[1], colour[2], 255));
  }
  const std::string most = as_float(range.most);
  const float below = corner.y + size.y;
  list.AddText(ImVec2(corner.x, below), theme.colour(theme.muted), as_float(range.least).c_str());
  list.AddText(ImVec2(corner.x + size.x - ImGui::CalcTextSize(most.c_str()).x, below), theme.colour(theme.muted),
               most.c_str());
}

}  // namespace

void TexelsTab::release(Context& context) {
  for (Panel& panel : panels_) context.pictures.release(panel.picture);
  panels_.clear();
  pictured_ = SIZE_MAX;
}

TexelsTab::Panel TexelsTab::make_panel(Context& context, std::string title, std::span<const float> values,
                                       ValueRange range, bool per_row, TexelExtent alive) {
  const TexelExtent whole{run_->width, run_->height};
  const Rgb background = rgb_of(context.theme.panel);
  const auto image = per_row ? draw_rows(values, run_->rows, whole, range, background)
                             : draw_texels(values, whole, alive, range, background);
  return {std::move(title),
          context.pictures.load(image, Filter::nearest),
          {values.begin(), values.end()},
          range,
          per_row,
          alive};
}

void TexelsTab::make_pictures(Context& context) {
  if (pictured_ == playback_.position() && pictured_dark_ == context.theme.dark) return;
  release(context);
  pictured_ = playback_.position();
  pictured_dark_ = context.theme.dark;
  const TexelState& now = state();
  const TexelExtent whole{run_->width, run_->height}, alive{now.width, now.height};
  // One scale for all passes, so that texR is seen to fill.
  const std::vector<float> distances = floats_of(run_->distances().first(run_->rows));
  ValueRange range = ValueRange::of(distances);
  if (now.pass == TexelPass::accumulate) {
    range = {std::min(range.least, 0.0f), std::max(range.most, 0.0f)};
    panels_.push_back(
        make_panel(context, "texR: the distance of each row so far", floats_of(now.texels), range, true, whole));
    const std::size_t layer = std::size_t{4} * whole.width * whole.height;
    const std::span<const float> all(coordinates_);
    for (std::uint32_t i = now.first_dimension;
         i < now.first_dimension + now.dimension_count && (i + 1) * layer <= all.size(); ++i)
      panels_.push_back(make_panel(context, fmt::format("coordinate {}", i + 1), all.subspan(i * layer, layer),
                                   data_->pictures() ? ValueRange{0, data_->darkest} : scales_[i], true, whole));
    return;
  }
  const std::size_t texels = std::size_t{whole.width} * whole.height;
  std::vector<float> red(texels, not_a_number), green(texels, not_a_number);
  for (std::size_t i = 0; i < texels; ++i) {
    const std::uint32_t row = now.texels[4 * i + 1];
    if (row >= run_->rows) continue;  // stands for none
    red[i] = distances[row];
    green[i] = static_cast<float>(row);
  }
  panels_.push_back(make_panel(context, "red: the smallest distance", red, range, false, alive));
  panels_.push_back(
      make_panel(context, "green: the row that has it", green, {0, static_cast<float>(run_->rows - 1)}, false, alive));
}

void TexelsTab::draw_states(Context& context) {
  const Theme& theme = context.theme;
  if (!run_) {
    ImGui::TextColored(theme.muted, busy_ ? "Vectors are read, and the passes run …" : "There is nothing to show yet.");
    return;
  }
  make_pictures(context);
  draw_title(theme);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float timeline = 2.2f * ImGui::GetFrameHeightWithSpacing() + theme.gap;
  // Wide textures stand one above the other.
  const bool above = run_->width > 2 * run_->height;
  const float height = room.y - timeline - theme.gap;
  const ImVec2 half = above ? ImVec2(room.x, (height - theme.gap) / 2) : ImVec2((room.x - 2 * theme.gap) / 2, height);
  const ImVec2 corner = ImGui::GetCursorPos();
  draw_panel(panels_[0], state().pass == TexelPass::accumulate ? "texR" : "red", theme, half);
  ImGui::SetCursorPos(above ? ImVec2(corner.x, corner.y + half.y + theme.gap)
                            : ImVec2(corner.x + half.x + 2 * theme.gap, corner.y));
  if (state().pass == TexelPass::accumulate)
    draw_group(theme, half);
  else
    draw_panel(panels_[1], "green", theme, half);
  ImGui::SetCursorPos(ImVec2(corner.x, corner.y + height + theme.gap));
  draw_timeline(context);
}

void TexelsTab::draw_title(const Theme& theme) {
  const TexelState& now = state();
  ImGui::PushFont(theme.bold);
  ImGui::TextUnformatted(
      fmt::format("Pass {} of {}: {}", playback_.position() + 1, playback_.states(), name_of(now.pass)).c_str());
  ImGui::PopFont();
  mark("title");
  const std::string time =
      now.milliseconds > 0 ? fmt::format("   {:.4f} ms on {}", now.milliseconds, run_->device) : std::string();
  std::string text;
  if (now.pass == TexelPass::accumulate)
    text = fmt::format("adds what coordinates {} to {} contribute to every row's distance; four rows to a texel",
                       now.first_dimension + 1, now.first_dimension + now.dimension_count);
  else if (now.pass == TexelPass::minimum)
    text = "keeps, of the four rows of a texel, the nearest: its distance in red, its number in green";
  else
    text = now.width * now.height == 1
               ? std::string("keeps the nearest of four texels: one is left, which is read back")
               : fmt::format("keeps the nearest of four texels: {} by {} are left", now.width, now.height);
  ImGui::PushFont(theme.small);
  ImGui::TextColored(theme.muted, "%s", (text + time).c_str());
  ImGui::PopFont();
}

// The coordinates that the pass adds, in rows of textures.
void TexelsTab::draw_group(const Theme& theme, ImVec2 size) {
  const std::size_t count = panels_.size() - 1;
  if (count == 0) return;
  // As many in a line as makes them largest, each with its title.
  const float title = ImGui::GetTextLineHeightWithSpacing() + theme.gap;
  const float aspect = static_cast<float>(run_->width) / static_cast<float>(run_->height);
  std::size_t columns = 1;
  float best = 0;
  for (std::size_t tried = 1; tried <= count; ++tried) {
    const auto lines = static_cast<float>((count + tried - 1) / tried);
    const float width = std::min(size.x / static_cast<float>(tried), (size.y / lines - title) * aspect);
    if (width > best) best = width, columns = tried;
  }
  const std::size_t lines = (count + columns - 1) / columns;
  const ImVec2 corner = ImGui::GetCursorPos();
  const ImVec2 cell((size.x - theme.gap * static_cast<float>(columns - 1)) / static_cast<float>(columns),
                    (size.y - theme.gap * static_cast<float>(lines - 1)) / static_cast<float>(lines));
  for (std::size_t i = 0; i < count; ++i) {
    ImGui::SetCursorPos(ImVec2(corner.x + static_cast<float>(i % columns) * (cell.x + theme.gap),
                               corner.y + static_cast<float>(i / columns) * (cell.y + theme.gap)));
    draw_panel(panels_[i + 1], fmt::format("coordinates {}", i + 1).c_str(), theme, cell, false);
  }
}

void TexelsTab::draw_panel(const Panel& panel, const char* target, const Theme& theme, ImVec2 size, bool legend) {
  ImGui::PushFont(theme.small);
  ImGui::BeginGroup();
  const float line = ImGui::GetTextLineHeight();
  ImGui::TextColored(theme.muted, "%s", panel.title.c_str());
  const float bar = theme.gap;
  const ImVec2 room(size.x, size.y - ImGui::GetTextLineHeightWithSpacing() - (legend ? line + bar + theme.gap : 0));
  const ImVec2 pixels = panel.picture.size();
  float scale = std::max(std::min(room.x / pixels.x, room.y / pixels.y), 0.05f);
  if (scale >= 3) scale = std::floor(scale);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 shown(pixels.x * scale, pixels.y * scale);
  ImGui::Image(panel.picture.id, shown);
  mark(target);
  const bool hovered = ImGui::IsItemHovered();
  outline(panel, corner, ImVec2(scale, scale), theme);
  if (legend)
    draw_scale(panel.range, theme, ImVec2(corner.x, corner.y + shown.y + bar / 2),
               ImVec2(std::max(shown.x, 12 * theme.gap), bar));
  ImGui::EndGroup();
  ImGui::PopFont();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (hovered) draw_tip(panel, ImVec2((mouse.x - corner.x) / scale, (mouse.y - corner.y) / scale), theme);
}

// What still counts, and where the nearest row is.
void TexelsTab::outline(const Panel& panel, ImVec2 corner, ImVec2 pixel, const Theme& theme) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto frame = [&](float x, float y, float width, float height, const ImVec4& colour) {
    const ImVec2 least(corner.x + x * pixel.x, corner.y + y * pixel.y);
    const float thick = 2 * theme.scale;
    list.AddRect(ImVec2(least.x - thick, least.y - thick),
                 ImVec2(least.x + width * pixel.x + thick, least.y + height * pixel.y + thick), theme.colour(colour), 0,
                 0, thick);
  };
  const TexelExtent whole{run_->width, run_->height};
  if (panel.per_row) {
    const ValuePixel at = pixel_of_row(run_->neighbor, whole.width);
    frame(static_cast<float>(at.x), static_cast<float>(at.y), 1, 1, theme.bad);
    return;
  }
  const TexelExtent at = folded(run_->neighbor, whole, panel.alive);
  frame(0, 0, static_cast<float>(panel.alive.width), static_cast<float>(panel.alive.height), theme.series[2]);
  frame(static_cast<float>(at.width), static_cast<float>(at.height), 1, 1, theme.bad);
}

// Value and index of what is under the mouse.
void TexelsTab::draw_tip(const Panel& panel, ImVec2 place, const Theme& theme) {
  const ValuePixel pixel{static_cast<std::uint32_t>(std::max(place.x, 0.0f)),
                         static_cast<std::uint32_t>(std::max(place.y, 0.0f))};
  const std::uint32_t sides = panel.per_row ? 2 : 1;
  if (pixel.x >= run_->width * sides || pixel.y >= run_->height * sides) return;
  constexpr const char* channels[] = {"red", "green", "blue", "alpha"};
  std::uint64_t row = 0;
  if (panel.per_row) {
    row = row_of_pixel(pixel, run_->width);
    hovered_ = fmt::format("texel ({}, {}), {}: ", pixel.x / 2, pixel.y / 2, channels[row % 4]);
    hovered_ += row < run_->rows ? fmt::format("row {}, {}", row, as_float(panel.values[row])) : "no row";
  } else {
    row = state().texels[(std::size_t{pixel.y} * run_->width + pixel.x) * 4 + 1];
    hovered_ = fmt::format("texel ({}, {}): ", pixel.x, pixel.y);
    hovered_ += row < run_->rows
                    ? fmt::format("distance {}, row {}", as_float(std::bit_cast<float>(run_->distances()[row])), row)
                    : std::string("no row");
    if (pixel.x >= panel.alive.width || pixel.y >= panel.alive.height) hovered_ += ", left from an earlier pass";
  }
  ImGui::BeginTooltip();
  ImGui::TextUnformatted(hovered_.c_str());
  if (row < run_->rows && data_->pictures())
    draw_vector(&data_->rows(row, 0), theme, ImVec2(9 * theme.gap, 9 * theme.gap), "tip picture");
  ImGui::EndTooltip();
}

void TexelsTab::draw_timeline(Context& context) {
  const Theme& theme = context.theme;
  const auto button = [&](const char* text, const char* target) {
    const bool clicked = ImGui::Button(text);
    mark(target);
    ImGui::SameLine();
    return clicked;
  };
  if (button("|<", "first")) playback_.show(0);
  if (button("<", "step back")) playback_.step(-1);
  // The button is as wide, whichever it says.
  if (ImGui::Button(playback_.playing() ? "Pause##play" : "Play##play", ImVec2(5 * ImGui::GetFontSize(), 0)))
    playback_.toggle();
  mark("play");
  ImGui::SameLine();
  if (button(">", "step")) playback_.step(1);
  if (button(">|", "last")) playback_.show(SIZE_MAX);
  ImGui::SetNextItemWidth(9 * ImGui::GetFontSize());
  ImGui::SliderFloat("##speed", &seconds_per_pass_, least_seconds_per_pass, most_seconds_per_pass, "%.2f s a pass",
                     ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_Logarithmic);
  mark("speed");

  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 size(ImGui::GetContentRegionAvail().x, ImGui::GetFrameHeight());
  ImGui::InvisibleButton("timeline", size);
  mark("timeline");
  const auto count = static_cast<float>(playback_.states());
  if (ImGui::IsItemActive())
    playback_.show(static_cast<std::size_t>(std::max((ImGui::GetIO().MousePos.x - corner.x) / size.x * count, 0.0f)));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::PushFont(theme.small);
  const float width = size.x / count;
  for (std::size_t i = 0, first = 0; i < playback_.states(); ++i) {
    const TexelPass pass = run_->states[i].pass;
    const ImVec4 colour = colour_of_pass(pass, theme);
    const ImVec2 least(corner.x + static_cast<float>(i) * width, corner.y);
    const ImVec2 most(least.x + width - theme.scale, corner.y + size.y);
    list.AddRectFilled(least, most, theme.colour(colour, i <= playback_.position() ? 0.75f : 0.2f), 2 * theme.scale);
    if (i == playback_.position())
      list.AddRect(least, most, theme.colour(theme.text), 2 * theme.scale, 0, 2 * theme.scale);
    // The name of a kind of pass stands over all of them.
    if (i + 1 == playback_.states() || run_->states[i + 1].pass != pass) {
      const ImVec2 text = ImGui::CalcTextSize(name_of(pass));
      const float left = corner.x + static_cast<float>(first) * width;
      if (text.x + theme.gap < most.x - left)
        list.AddText(ImVec2((left + most.x - text.x) / 2, corner.y + (size.y - text.y) / 2), theme.colour(theme.text),
                     name_of(pass));
      first = i + 1;
    }
  }
  ImGui::PopFont();
}

}  // namespace demo
