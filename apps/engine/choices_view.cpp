#include <algorithm>
#include <functional>
#include <iterator>
#include <span>

#include <fmt/format.h>

#include "views.hpp"

namespace engine {
namespace {

constexpr std::size_t times_shown = 240;

// "100k"
std::string short_number(std::uint32_t number) {
  if (number != 0 && number % 1000000 == 0) return fmt::format("{}M", number / 1000000);
  if (number != 0 && number % 1000 == 0) return fmt::format("{}k", number / 1000);
  return fmt::format("{}", number);
}

// "n points", and a column for what can be chosen there.
void label(const Look& look, char letter, const char* name) {
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, by_proxel);
  ImGui::Text("%c", letter);
  ImGui::PopStyleColor();
  ImGui::SameLine(28 * look.scale);
  ImGui::TextUnformatted(name);
  ImGui::SameLine(118 * look.scale);
}

// A button that is lit where its value is the chosen one.
template <typename Value>
void offer(const std::string& name, const Value& value, Value& chosen) {
  const bool lit = value == chosen;
  if (lit) ImGui::PushStyleColor(ImGuiCol_Button, ImGui::ColorConvertU32ToFloat4(chosen_ink));
  if (ImGui::Button(name.c_str())) chosen = value;
  if (lit) ImGui::PopStyleColor();
  ImGui::SameLine();
}

template <std::size_t count>
void offer(const std::uint32_t (&values)[count], std::uint32_t& chosen) {
  for (const std::uint32_t value : values) offer(value == 0 ? "all" : short_number(value), value, chosen);
  if (std::find(std::begin(values), std::end(values), chosen) == std::end(values))
    offer(short_number(chosen), chosen, chosen);
  ImGui::NewLine();
}

using Times = std::span<const double>;

Times latest(Times times) { return times.last(std::min(times.size(), times_shown)); }

// The plot goes from 0 to the greatest of the times.
void plot(const Look& look, const char* name, ImU32 ink, Times times) {
  if (times.empty()) return;
  const double most = *std::max_element(times.begin(), times.end());
  look.line(look.small, ink, name, fmt::format("{:.2f} ms, at most {:.2f}", median(times), most));
  const auto value = [](void* data, int i) {
    return static_cast<float>((*static_cast<const Times*>(data))[static_cast<std::size_t>(i)]);
  };
  ImGui::PushID(name);
  ImGui::PushStyleColor(ImGuiCol_PlotLines, ink);
  ImGui::PlotLines("##times", value, &times, static_cast<int>(times.size()), 0, nullptr, 0, static_cast<float>(most),
                   ImVec2(ImGui::GetContentRegionAvail().x, 60 * look.scale));
  ImGui::PopStyleColor();
  ImGui::PopID();
}

// What proxel took of each frame.
std::vector<double> of_proxel(const Interface::View& view) {
  std::vector<double> sum;
  for (std::size_t i = 0; i < view.graph.passes().size(); ++i) {
    if (!view.graph.passes()[i].by_proxel) continue;
    const Times times = latest(view.report.pass(i));
    sum.resize(times.size());
    std::transform(times.begin(), times.end(), sum.begin(), sum.begin(), std::plus<>());
  }
  return sum;
}

// A sentence that says all of it.
std::string describe(const Report::Summary& summary) {
  const Shape& shape = summary.shape;
  return fmt::format(
      "{} of {} points ask for {} neighbours in {}-D, exactly. proxel records {}; the first search took {:.1f} ms.",
      shape.queries(), shape.points, shape.neighbours, shape.dimensions,
      shape.method == Method::boxes ? "the building of boxes and a search through them (MovingPointsPlan)"
                                    : "a scan of all points (ScanPlan)",
      summary.first_search_milliseconds);
}

}  // namespace

void draw_choices(const Look& look, const Interface::View& view, Choices& choices) {
  Shape& shape = choices.shape;
  look.text(look.bold, plain, "proxel-engine");
  look.text(look.small, muted, view.summary.device);
  for (const Key& key : keys()) {
    ImGui::PushID(key.letter);
    label(look, key.letter, key.name);
    switch (key.letter) {
      case 'n':
        offer(offered_points, shape.points);
        break;
      case 'd':
        offer(offered_dimensions, shape.dimensions);
        break;
      case 'k':
        offer(offered_neighbours, shape.neighbours);
        break;
      case 'a':
        offer(offered_asking, shape.asking);
        break;
      case 'm':
        for (const Method method : {Method::boxes, Method::scan}) offer(name_of(method), method, shape.method);
        ImGui::NewLine();
        break;
      case 'c': {
        bool found = shape.reach > 0;
        if (ImGui::Checkbox(shape.queries() == shape.points ? "what hangs together" : "where all ask", &found))
          key.press(choices);
        break;
      }
      case 'o': {
        bool laid_out = shape.layout;
        if (ImGui::Checkbox(shape.queries() == shape.points ? "as the graph lies" : "where all ask", &laid_out))
          key.press(choices);
        break;
      }
      case 'p':
        ImGui::Checkbox("the points rest", &choices.still);
        break;
      case 'l':
        ImGui::Checkbox("to the neighbours", &choices.lines);
        break;
      case 'i':
        ImGui::Checkbox("times within proxel's", &choices.within);
        break;
      default:
        look.text(look.small, muted, view.window ? "all of this; Esc ends" : "all of this");
        break;
    }
    ImGui::PopID();
  }
  ImGui::Separator();
  ImGui::PushTextWrapPos();
  look.text(look.small, muted, describe(view.summary));
  ImGui::PopTextWrapPos();
  ImGui::Separator();
  plot(look, "from frame to frame", plain, latest(view.report.frames()));
  plot(look, "proxel in it, on the GPU", by_proxel, of_proxel(view));
}

}  // namespace engine
