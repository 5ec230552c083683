#include "interface.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gpu/fonts.hpp"
#include "gpu/paint.hpp"
#include "gpu/textures.hpp"

namespace engine {
namespace {

constexpr ImU32 colour(unsigned hex, unsigned alpha = 255) {
  return IM_COL32(hex >> 16, (hex >> 8) & 0xFF, hex & 0xFF, alpha);
}
constexpr ImU32 plain = colour(0xE8EAED), muted = colour(0x98A1AF), box = colour(0x2A303C);
constexpr ImU32 by_engine = colour(0x4FA3FF), by_proxel = colour(0xFFA94D);
constexpr std::size_t times_shown = 240, times_averaged = 30, parts_shown = 6;
constexpr ImGuiWindowFlags fixed = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_AlwaysAutoResize;

std::string stages(VkPipelineStageFlags flags) {
  constexpr std::pair<VkPipelineStageFlags, const char*> known[] = {
      {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, "compute"}, {VK_PIPELINE_STAGE_TRANSFER_BIT, "copy"},
      {VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, "vertex"}, {VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, "colour"},
      {VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, "end"}};
  std::vector<std::string> names;
  for (const auto& [stage, name] : known)
    if (flags & stage) names.emplace_back(name);
  return fmt::format("{}", fmt::join(names, " "));
}

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

// "100k"
std::string short_number(std::uint32_t number) {
  if (number != 0 && number % 1000000 == 0) return fmt::format("{}M", number / 1000000);
  if (number != 0 && number % 1000 == 0) return fmt::format("{}k", number / 1000);
  return fmt::format("{}", number);
}

double recent(const std::vector<double>& times) {
  return median({times.end() - static_cast<std::ptrdiff_t>(std::min(times.size(), times_averaged)), times.end()});
}

class ImGuiInterface : public Interface {
 public:
  ImGuiInterface(Gpu& gpu, const gpu::Target& target, Window* window)
      : window_(window), extent_(target.extent()), textures_(gpu), paint_(gpu, target.render_pass(), textures_.set_layout()) {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    if (window_) window_->connect();
    // Readable on a large picture, too, whatever the display says of itself.
    scale_ = std::max({1.0f, window_ ? window_->scale() : 1.0f, static_cast<float>(extent_.height) / 1080});
    regular_ = gpu::add_font("DejaVuSans.ttf", std::round(14 * scale_));
    bold_ = gpu::add_font("DejaVuSans-Bold.ttf", std::round(15 * scale_));
    small_ = gpu::add_font("DejaVuSans.ttf", std::round(11.5f * scale_));
    ImGuiStyle& style = ImGui::GetStyle();
    style.WindowRounding = 6;
    style.FrameRounding = 3;
    style.ItemSpacing = ImVec2(6, 5);
    style.ScaleAllSizes(scale_);
    style.Colors[ImGuiCol_WindowBg] = ImGui::ColorConvertU32ToFloat4(colour(0x15181E, 235));
    style.Colors[ImGuiCol_Text] = ImGui::ColorConvertU32ToFloat4(plain);
    style.Colors[ImGuiCol_TextDisabled] = ImGui::ColorConvertU32ToFloat4(muted);
    style.Colors[ImGuiCol_Button] = style.Colors[ImGuiCol_FrameBg] = ImGui::ColorConvertU32ToFloat4(box);
    textures_.load_fonts();
    const VkCommandBuffer commands = gpu.begin();
    textures_.record(commands);
    gpu.finish(commands);
  }
  ~ImGuiInterface() override {
    if (window_) window_->disconnect();
    ImGui::DestroyContext();
  }

  void build(const View& view, Choices& choices) override {
    if (window_) window_->feed();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(static_cast<float>(extent_.width), static_cast<float>(extent_.height));
    if (!window_) io.DeltaTime = 1.0f / 60;
    ImGui::NewFrame();
    // Letters, whatever keys they are on; the version of Dear ImGui makes no difference to them.
    for (const ImWchar letter : io.InputQueueCharacters) press(static_cast<char>(letter), choices);
    areas_.clear();
    ImGui::PushFont(regular_);
    draw_graph(view);
    draw_choices(view, choices);
    ImGui::PopFont();
    ImGui::Render();
  }

  void record(VkCommandBuffer commands, VkExtent2D extent, std::uint32_t slot) override {
    paint_.draw(commands, *ImGui::GetDrawData(), extent, slot);
  }

  const std::map<std::string, Area>& areas() const override { return areas_; }

 private:
  // A window of that width at a side of the picture, as high as what stands in it.
  void begin(const char* name, float width, bool right) const {
    const float margin = 10 * scale_, x = right ? static_cast<float>(extent_.width) - margin - width * scale_ : margin;
    ImGui::SetNextWindowPos(ImVec2(x, margin));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width * scale_, 0), ImVec2(width * scale_, static_cast<float>(extent_.height) - 2 * margin));
    ImGui::Begin(name, nullptr, fixed);
  }

  void end(const char* name) {
    const ImVec2 place = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    areas_[name] = {place.x, place.y, place.x + size.x, place.y + size.y};
    ImGui::End();
  }

  static void text(ImFont* font, ImU32 ink, const std::string& words) {
    ImGui::PushFont(font);
    ImGui::PushStyleColor(ImGuiCol_Text, ink);
    ImGui::TextUnformatted(words.c_str());
    ImGui::PopStyleColor();
    ImGui::PopFont();
  }

  // A line within the frame graph, its second part at the right.
  void line(ImFont* font, ImU32 ink, const std::string& left, const std::string& right, float indent) const {
    const float end = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + indent * scale_);
    text(font, ink, left);
    ImGui::PushFont(font);
    const float width = ImGui::CalcTextSize(right.c_str()).x;
    ImGui::PopFont();
    ImGui::SameLine(end - width - 8 * scale_);
    text(font, ink, right);
  }

  void draw_graph(const View& view) {
    const auto& passes = view.graph.passes();
    double total = 0;
    for (std::size_t i = 0; i < passes.size(); ++i) total += recent(view.report.pass(i));
    begin("frame graph", 420, false);
    line(bold_, plain, "Frame graph", fmt::format("{:.3f} ms on the GPU", total), 0);
    text(small_, by_engine, "■ the engine records");
    ImGui::SameLine();
    text(small_, by_proxel, "■ proxel records");
    ImGui::SameLine();
    text(small_, muted, "↺ in the frame before");
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(6 * scale_, 1.5f * scale_));
    for (std::size_t i = 0; i < passes.size(); ++i) draw_pass(view, i, total);
    ImGui::PopStyleVar();
    end("frame graph");
  }

  void draw_pass(const View& view, std::size_t number, double total) const {
    const FrameGraph::Pass& pass = view.graph.passes()[number];
    const double time = recent(view.report.pass(number));
    const ImU32 ink = pass.by_proxel ? by_proxel : by_engine;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    // The barrier before it: one line for each thing that is waited for, beside a thread from pass to pass.
    const ImVec2 top = ImGui::GetCursorScreenPos();
    ImGui::Dummy(ImVec2(0, scale_));
    for (const FrameGraph::Wait& wait : pass.waits)
      line(small_, muted, before(view.graph, number, wait), fmt::format("{} → {}", stages(wait.from), stages(wait.to)), 20);
    ImGui::Dummy(ImVec2(0, scale_));
    const float thread = top.x + 10 * scale_;
    list.AddLine(ImVec2(thread, top.y), ImVec2(thread, ImGui::GetCursorScreenPos().y), muted, 1.5f * scale_);

    // The pass over a box that is as high as what stands in it.
    list.ChannelsSplit(2);
    list.ChannelsSetCurrent(1);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    ImGui::Dummy(ImVec2(0, 1.5f * scale_));
    line(bold_, plain, pass.name, fmt::format("{:.3f} ms", time), 12);
    line(small_, muted, uses(pass), "", 12);
    std::vector<Report::Part> parts = view.report.within(number);
    std::stable_sort(parts.begin(), parts.end(), [](const auto& one, const auto& other) { return one.milliseconds > other.milliseconds; });
    double others = 0;
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (i < parts_shown)
        line(small_, by_proxel, parts[i].count == 1 ? parts[i].name : fmt::format("{} × {}", parts[i].name, parts[i].count),
             fmt::format("{:.3f}", parts[i].milliseconds), 24);
      else
        others += parts[i].milliseconds;
    if (parts.size() > parts_shown) line(small_, by_proxel, fmt::format("{} others", parts.size() - parts_shown), fmt::format("{:.3f}", others), 24);
    ImGui::Dummy(ImVec2(0, 4 * scale_));
    const ImVec2 low(corner.x + width, ImGui::GetCursorScreenPos().y);
    list.ChannelsSetCurrent(0);
    list.AddRectFilled(corner, low, box, 4 * scale_);
    list.AddRectFilled(corner, ImVec2(corner.x + 4 * scale_, low.y), ink, 2 * scale_);
    // Its share of the frame.
    const float share = total > 0 ? static_cast<float>(time / total) : 0;
    list.AddRectFilled(ImVec2(corner.x, low.y - 3 * scale_), ImVec2(corner.x + width * share, low.y), ink, 1.5f * scale_);
    list.ChannelsMerge();
  }

  // "n points", and a column for what can be chosen there.
  void label(char letter, const char* name) const {
    ImGui::AlignTextToFramePadding();
    ImGui::PushStyleColor(ImGuiCol_Text, by_proxel);
    ImGui::Text("%c", letter);
    ImGui::PopStyleColor();
    ImGui::SameLine(28 * scale_);
    ImGui::TextUnformatted(name);
    ImGui::SameLine(118 * scale_);
  }

  // A button that is lit where its value is the chosen one.
  template <typename Value>
  static void offer(const std::string& name, const Value& value, Value& chosen) {
    const bool lit = value == chosen;
    if (lit) ImGui::PushStyleColor(ImGuiCol_Button, ImGui::ColorConvertU32ToFloat4(colour(0x1D6FD1)));
    if (ImGui::Button(name.c_str())) chosen = value;
    if (lit) ImGui::PopStyleColor();
    ImGui::SameLine();
  }

  template <std::size_t count>
  static void offer(const std::uint32_t (&values)[count], std::uint32_t& chosen) {
    for (const std::uint32_t value : values) offer(value == 0 ? "all" : short_number(value), value, chosen);
    if (std::find(std::begin(values), std::end(values), chosen) == std::end(values)) offer(short_number(chosen), chosen, chosen);
    ImGui::NewLine();
  }

  void draw_choices(const View& view, Choices& choices) {
    Shape& shape = choices.shape;
    begin("choices", 330, true);
    text(bold_, plain, "proxel-engine");
    text(small_, muted, view.summary.device);
    for (const Key& key : keys()) {
      ImGui::PushID(key.letter);
      label(key.letter, key.name);
      switch (key.letter) {
        case 'n': offer(offered_points, shape.points); break;
        case 'd': offer(offered_dimensions, shape.dimensions); break;
        case 'k': offer(offered_neighbours, shape.neighbours); break;
        case 'a': offer(offered_asking, shape.asking); break;
        case 'm':
          for (const Method method : {Method::boxes, Method::scan}) offer(name_of(method), method, shape.method);
          ImGui::NewLine();
          break;
        case 'p': ImGui::Checkbox("the points rest", &choices.still); break;
        case 'l': ImGui::Checkbox("to the neighbours", &choices.lines); break;
        case 'i': ImGui::Checkbox("times within proxel's", &choices.within); break;
        default: text(small_, muted, "all of this"); break;
      }
      ImGui::PopID();
    }
    ImGui::Separator();
    const bool boxes = shape.method == Method::boxes;
    ImGui::PushTextWrapPos();
    text(small_, muted, fmt::format("{} of {} points ask for {} neighbours in {}-D, exactly. proxel records {}; the first search took {:.1f} ms.",
                                    view.summary.shape.queries(), view.summary.shape.points, view.summary.shape.neighbours, view.summary.shape.dimensions,
                                    boxes ? "the building of boxes (BoxHierarchy) and a search through them (BvhPlan)" : "a scan of all points (ScanPlan)",
                                    view.summary.first_search_milliseconds));
    ImGui::PopTextWrapPos();
    ImGui::Separator();
    std::vector<double> search;
    for (std::size_t i = 0; i < view.graph.passes().size(); ++i) {
      if (!view.graph.passes()[i].by_proxel) continue;
      const std::vector<double>& times = view.report.pass(i);
      search.resize(times.size());
      std::transform(times.begin(), times.end(), search.begin(), search.begin(), std::plus<>());
    }
    plot("from frame to frame", plain, view.report.frames());
    plot("proxel in it, on the GPU", by_proxel, search);
    end("choices");
  }

  // The latest times, rolling, from 0 to the greatest of them.
  void plot(const char* name, ImU32 ink, const std::vector<double>& times) const {
    const std::size_t count = std::min(times.size(), times_shown);
    if (count == 0) return;
    const double* latest = times.data() + (times.size() - count);
    const double most = *std::max_element(latest, latest + count);
    line(small_, ink, name, fmt::format("{:.2f} ms, at most {:.2f}", recent(times), most), 0);
    ImGui::PushStyleColor(ImGuiCol_PlotLines, ink);
    ImGui::PlotLines("", [](void* data, int i) { return static_cast<float>(static_cast<const double*>(data)[i]); },
                     const_cast<double*>(latest), static_cast<int>(count), 0, nullptr, 0, static_cast<float>(most),
                     ImVec2(ImGui::GetContentRegionAvail().x, 60 * scale_));
    ImGui::PopStyleColor();
  }

  Window* window_;
  VkExtent2D extent_;
  float scale_ = 1;
  gpu::Textures textures_;
  gpu::Paint paint_;
  ImFont *regular_ = nullptr, *bold_ = nullptr, *small_ = nullptr;
  std::map<std::string, Area> areas_;
};

}  // namespace

std::unique_ptr<Interface> make_interface(Gpu& gpu, const gpu::Target& target, Window* window) {
  return std::make_unique<ImGuiInterface>(gpu, target, window);
}

}  // namespace engine
