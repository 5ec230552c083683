#include "interface.hpp"

#include <algorithm>

#include "gpu/paint.hpp"
#include "gpu/textures.hpp"
#include "views.hpp"

namespace engine {
namespace {

constexpr ImGuiWindowFlags fixed = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoCollapse |
                                   ImGuiWindowFlags_AlwaysAutoResize;

class ImGuiInterface : public Interface {
 public:
  ImGuiInterface(Gpu& gpu, const gpu::Target& target, Window* window)
      : window_(window),
        extent_(target.extent()),
        textures_(gpu),
        paint_(gpu, target.render_pass(), textures_.set_layout()) {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    if (window_) window_->connect();
    // Readable on a large picture, too, whatever the display says of itself.
    look_ = Look::make(std::max({1.0f, window_ ? window_->scale() : 1.0f, static_cast<float>(extent_.height) / 1080}));
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
    ImGuiIO& io = ImGui::GetIO();
    io.DeltaTime = 1.0f / 60;
    if (window_) window_->feed();
    io.DisplaySize = ImVec2(static_cast<float>(extent_.width), static_cast<float>(extent_.height));
    ImGui::NewFrame();
    // Letters, whatever keys they are on; the version of Dear ImGui makes no difference to them.
    for (const ImWchar letter : io.InputQueueCharacters) press(letter, choices);
    ImGui::PushFont(look_.regular);
    begin("frame graph", 420, false);
    draw_graph(look_, view);
    end("frame graph");
    begin("choices", 330, true);
    draw_choices(look_, view, choices);
    end("choices");
    ImGui::PopFont();
    ImGui::Render();
  }

  void record(VkCommandBuffer commands, VkExtent2D extent, std::uint32_t slot) override {
    paint_.draw(commands, *ImGui::GetDrawData(), extent, slot);
  }

  const std::map<std::string, Area>& areas() const override { return areas_; }

 private:
  // A panel of that width at a side of the picture, as high as what stands in it.
  void begin(const char* name, float width, bool right) const {
    width *= look_.scale;
    const float margin = 10 * look_.scale, picture = static_cast<float>(extent_.width);
    ImGui::SetNextWindowPos(ImVec2(right ? picture - margin - width : margin, margin));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0),
                                        ImVec2(width, static_cast<float>(extent_.height) - 2 * margin));
    ImGui::Begin(name, nullptr, fixed);
  }

  void end(const char* name) {
    const ImVec2 place = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    areas_[name] = {place.x, place.y, place.x + size.x, place.y + size.y};
    ImGui::End();
  }

  Window* window_;
  VkExtent2D extent_;
  gpu::Textures textures_;
  gpu::Paint paint_;
  Look look_;
  std::map<std::string, Area> areas_;
};

}  // namespace

std::unique_ptr<Interface> make_interface(Gpu& gpu, const gpu::Target& target, Window* window) {
  return std::make_unique<ImGuiInterface>(gpu, target, window);
}

}  // namespace engine
