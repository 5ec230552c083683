#include "gpu/paint.hpp"

#include <algorithm>
#include <cstring>

namespace gpu {
namespace {

#include "shaders/interface.frag.inc"
#include "shaders/interface.vert.inc"

// The push constants of interface.glsl.
struct Drawing {
  VkDeviceAddress vertices, indices;
  float scale[2];
  std::uint32_t first_index, first_vertex;
};
static_assert(sizeof(ImDrawVert) == 20 && sizeof(ImDrawIdx) == 2, "interface.vert reads these layouts");

VkDescriptorSet set_of(ImTextureID id) { return reinterpret_cast<VkDescriptorSet>((std::uintptr_t)(id)); }

void grow(Gpu& gpu, GpuBuffer& buffer, std::uint64_t bytes) {
  if (buffer.bytes >= bytes) return;
  if (buffer.handle) gpu.destroy(buffer);
  buffer = gpu.create_buffer(std::max<std::uint64_t>(bytes * 2, 1u << 16), true);
}

}  // namespace

Paint::Paint(Gpu& gpu, VkRenderPass render_pass, VkDescriptorSetLayout textures)
    : gpu_(gpu),
      layout_(gpu.create_layout(sizeof(Drawing), VK_SHADER_STAGE_VERTEX_BIT, textures)),
      pipeline_(create_graphics_pipeline(gpu, render_pass, layout_, interface_vert, interface_frag,
                                         VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST)) {}

void Paint::draw(VkCommandBuffer commands, const ImDrawData& data, VkExtent2D extent, std::uint32_t slot) {
  if (data.TotalIdxCount == 0) return;
  Geometry& geometry = geometry_[slot];
  grow(gpu_, geometry.vertices, static_cast<std::uint64_t>(data.TotalVtxCount) * sizeof(ImDrawVert));
  grow(gpu_, geometry.indices, static_cast<std::uint64_t>(data.TotalIdxCount) * sizeof(ImDrawIdx) + 4);
  auto* vertices = static_cast<ImDrawVert*>(geometry.vertices.mapped);
  auto* indices = static_cast<ImDrawIdx*>(geometry.indices.mapped);
  Drawing drawing{geometry.vertices.address,
                  geometry.indices.address,
                  {2 / static_cast<float>(extent.width), 2 / static_cast<float>(extent.height)},
                  0,
                  0};
  std::uint32_t first_index = 0, first_vertex = 0;
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_);
  VkDescriptorSet bound = VK_NULL_HANDLE;
  for (int i = 0; i < data.CmdListsCount; ++i) {
    const ImDrawList& list = *data.CmdLists[i];
    std::copy(list.VtxBuffer.begin(), list.VtxBuffer.end(), vertices + first_vertex);
    std::copy(list.IdxBuffer.begin(), list.IdxBuffer.end(), indices + first_index);
    for (const ImDrawCmd& command : list.CmdBuffer) {
      if (command.UserCallback) continue;  // none is used
      const auto clamped = [](float at, std::uint32_t most) {
        return static_cast<std::int32_t>(std::clamp(at, 0.0f, static_cast<float>(most)));
      };
      const VkOffset2D least{clamped(command.ClipRect.x, extent.width), clamped(command.ClipRect.y, extent.height)};
      const VkOffset2D most{clamped(command.ClipRect.z, extent.width), clamped(command.ClipRect.w, extent.height)};
      if (most.x <= least.x || most.y <= least.y) continue;
      const VkRect2D scissor{
          least, {static_cast<std::uint32_t>(most.x - least.x), static_cast<std::uint32_t>(most.y - least.y)}};
      vkCmdSetScissor(commands, 0, 1, &scissor);
      const VkDescriptorSet set = set_of(command.GetTexID());
      if (set != bound)
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 1, &set, 0, nullptr);
      bound = set;
      drawing.first_index = first_index + command.IdxOffset;
      drawing.first_vertex = first_vertex + command.VtxOffset;
      vkCmdPushConstants(commands, layout_, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof drawing, &drawing);
      vkCmdDraw(commands, command.ElemCount, 1, 0, 0);
    }
    first_vertex += static_cast<std::uint32_t>(list.VtxBuffer.Size);
    first_index += static_cast<std::uint32_t>(list.IdxBuffer.Size);
  }
}

}  // namespace gpu
