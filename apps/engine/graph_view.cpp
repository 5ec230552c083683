#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "views.hpp"

namespace engine {
namespace {

constexpr std::size_t parts_shown = 6;

// "points ← move": what is used, and who used it before; ↺ says that this was in the frame before.
std::string before(const FrameGraph& graph, std::size_t pass, const FrameGraph::Wait& wait) {
  std::vector<std::string> names;
  bool last_frame = false;
  for (const std::size_t other : wait.behind) {
    names.push_back(graph.passes()[other].name);
    last_frame = last_frame || other >= pass;
  }
  if (names.empty()) return fmt::format("{}, new", wait.resource->name());
  return fmt::format("{} ← {}{}", wait.resource->name(), fmt::join(names, ", "), last_frame ? " ↺" : "");
}

std::string uses(const FrameGraph::Pass& pass) {
  std::vector<std::string> read, written;
  for (const auto& [resource, use] : pass.uses) (use.writes() ? written : read).emplace_back(resource->name());
  std::string text;
  if (!read.empty()) text = fmt::format("reads {}", fmt::join(read, ", "));
  if (!written.empty()) text += fmt::format("{}writes {}", text.empty() ? "" : "; ", fmt::join(written, ", "));
  return text;
}

// The barrier before a pass: a line for each thing that is waited for, beside a thread from pass to pass.
void draw_waits(const Look& look, const FrameGraph& graph, std::size_t number) {
  const ImVec2 top = ImGui::GetCursorScreenPos();
  ImGui::Dummy(ImVec2(0, look.scale));
  for (const FrameGraph::Wait& wait : graph.passes()[number].waits)
    look.line(look.small, muted, before(graph, number, wait),
              fmt::format("{} → {}", names_of(wait.from), names_of(wait.to)), 20);
  ImGui::Dummy(ImVec2(0, look.scale));
  const float thread = top.x + 10 * look.scale;
  ImGui::GetWindowDrawList()->AddLine(ImVec2(thread, top.y), ImVec2(thread, ImGui::GetCursorScreenPos().y), muted,
                                      1.5f * look.scale);
}

// What proxel records within a pass, the longest first.
void draw_parts(const Look& look, std::vector<Report::Part> parts) {
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& one, const auto& other) { return one.milliseconds > other.milliseconds; });
  const std::size_t shown = std::min(parts.size(), parts_shown);
  double others = 0;
  for (std::size_t i = shown; i < parts.size(); ++i) others += parts[i].milliseconds;
  for (std::size_t i = 0; i < shown; ++i)
    look.line(look.small, by_proxel,
              parts[i].count == 1 ? parts[i].name : fmt::format("{} × {}", parts[i].name, parts[i].count),
              fmt::format("{:.3f}", parts[i].milliseconds), 24);
  if (shown < parts.size())
    look.line(look.small, by_proxel, fmt::format("others: {}", parts.size() - shown), fmt::format("{:.3f}", others),
              24);
}

void draw_pass(const Look& look, const Interface::View& view, std::size_t number, double total) {
  const FrameGraph::Pass& pass = view.graph.passes()[number];
  const double time = view.report.recent(number);
  // Over a box that is as high as what stands in it.
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.ChannelsSplit(2);
  list.ChannelsSetCurrent(1);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::Dummy(ImVec2(0, 1.5f * look.scale));
  look.line(look.bold, plain, pass.name, fmt::format("{:.3f} ms", time), 12);
  look.line(look.small, muted, uses(pass), "", 12);
  draw_parts(look, view.report.within(number));
  ImGui::Dummy(ImVec2(0, 4 * look.scale));
  const ImVec2 low(corner.x + width, ImGui::GetCursorScreenPos().y);
  const ImU32 ink = pass.by_proxel ? by_proxel : by_engine;
  list.ChannelsSetCurrent(0);
  list.AddRectFilled(corner, low, raised, 4 * look.scale);
  list.AddRectFilled(corner, ImVec2(corner.x + 4 * look.scale, low.y), ink, 2 * look.scale);
  // Its share of the frame.
  const float share = total > 0 ? static_cast<float>(time / total) : 0;
  list.AddRectFilled(ImVec2(corner.x, low.y - 3 * look.scale), ImVec2(corner.x + width * share, low.y), ink,
                     1.5f * look.scale);
  list.ChannelsMerge();
}

}  // namespace

void draw_graph(const Look& look, const Interface::View& view) {
  const auto& passes = view.graph.passes();
  double total = 0;
  for (std::size_t i = 0; i < passes.size(); ++i) total += view.report.recent(i);
  look.line(look.bold, plain, "Frame graph", fmt::format("{:.3f} ms on the GPU", total));
  look.text(look.small, by_engine, "■ the engine records");
  ImGui::SameLine();
  look.text(look.small, by_proxel, "■ proxel records");
  ImGui::SameLine();
  look.text(look.small, muted, "↺ in the frame before");
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(6 * look.scale, 1.5f * look.scale));
  for (std::size_t i = 0; i < passes.size(); ++i) {
    draw_waits(look, view.graph, i);
    draw_pass(look, view, i, total);
  }
  ImGui::PopStyleVar();
}

}  // namespace engine
