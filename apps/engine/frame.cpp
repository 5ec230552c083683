#include "frame.hpp"

namespace engine {
namespace {

constexpr float turn_per_frame = 0.005f;

// A pass of the engine's own is made of nothing else.
template <typename Record>
auto own(const Record& record) {
  return [record](VkCommandBuffer commands, const proxel::vulkan::Timestamps&) {
    record(commands);
    return FrameTimes::Names{};
  };
}

void copy_to_window(VkCommandBuffer commands, const gpu::GpuImage& picture, const Now& now) {
  const auto corner = [](VkExtent2D of) {
    return VkOffset3D{static_cast<std::int32_t>(of.width), static_cast<std::int32_t>(of.height), 1};
  };
  VkImageBlit region{};
  region.srcSubresource = region.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.srcOffsets[1] = corner(picture.extent);
  region.dstOffsets[1] = corner(now.shown_extent);
  vkCmdBlitImage(commands, picture.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, now.shown,
                 VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region, VK_FILTER_NEAREST);
}

}  // namespace

Frame::Frame(Gpu& gpu, Scene& scene, Neighbors& neighbors, const Now& now, bool window)
    : picture_("picture", gpu.draws ? scene.target().picture().handle : VK_NULL_HANDLE), now_(now) {
  namespace edges = proxel::vulkan::edges;
  using proxel::vulkan::Timestamps;
  const Use moved{VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
  const Use read = Use::of(edges::inputs), written = Use::of(edges::written);
  graph_.add({"move", false, {{&points_, moved}, {&velocities_, moved}}, own([&](VkCommandBuffer commands) {
    scene.record_move(commands, now_.seconds);
  })});
  // Boxes and search use the same scratch memory, and what proxel keeps on the device.
  if (neighbors.has_boxes())
    graph_.add(
        {"boxes",
         true,
         {{&points_, read}, {&scratch_, written}},
         [&](VkCommandBuffer commands, const Timestamps& within) { return neighbors.record_boxes(commands, within); }});
  graph_.add(
      {"search",
       true,
       {{&points_, read}, {&scratch_, written}, {&found_, written}},
       [&](VkCommandBuffer commands, const Timestamps& within) { return neighbors.record_search(commands, within); }});
  if (neighbors.shape().clusters())
    graph_.add({"clusters",
                true,
                {{&found_, read}, {&clusters_, written}},
                [&](VkCommandBuffer commands, const Timestamps& within) {
      return neighbors.record_clusters(commands, within);
    }});
  if (neighbors.shape().laid_out())
    graph_.add({"layout",
                true,
                {{&found_, read}, {&layout_, written}},
                [&](VkCommandBuffer commands, const Timestamps& within) {
      return neighbors.record_layout(commands, now_.number, within);
    }});
  if (gpu.draws) add_drawing(scene, neighbors, window);
  times_ = std::make_unique<FrameTimes>(gpu, graph_.passes().size());
}

void Frame::add_drawing(Scene& scene, const Neighbors& neighbors, bool window) {
  const Use fetched{VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT};
  const Use drawn{VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                  VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                  VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  const Use copied{VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};
  const Use copied_to{VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                      VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL};
  const Use presented{VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR};
  std::vector<std::pair<Resource*, Use>> looked_at{{&points_, fetched}, {&found_, fetched}, {&picture_, drawn}};
  if (neighbors.shape().clusters()) looked_at.push_back({&clusters_, fetched});
  if (neighbors.shape().laid_out()) looked_at.push_back({&layout_, fetched});
  graph_.add({"draw", false, std::move(looked_at), own([&](VkCommandBuffer commands) {
    scene.target().begin(commands, {{0.02f, 0.02f, 0.05f, 1}});
    scene.record_draw(commands, neighbors, now_.number, turn_per_frame * static_cast<float>(now_.number), now_.lines);
    if (now_.interface) now_.interface->record(commands, scene.target().extent(), now_.slot);
    vkCmdEndRenderPass(commands);
  })});
  if (!window) {
    graph_.add({"keep", false, {{&picture_, copied}}, own([](VkCommandBuffer) {})});
    return;
  }
  graph_.add({"show", false, {{&picture_, copied}, {&shown_, copied_to}}, own([&](VkCommandBuffer commands) {
    copy_to_window(commands, scene.target().picture(), now_);
  })});
  graph_.add({"hand over", false, {{&shown_, presented}}, own([](VkCommandBuffer) {})});
}

void Frame::record(VkCommandBuffer commands, bool within) {
  if (now_.shown) shown_.reset(now_.shown);
  graph_.record(commands, *times_, now_.slot, within);
}

}  // namespace engine
