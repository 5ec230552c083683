#include "scene.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <random>

#include "camera.hpp"
#include "text.hpp"

namespace engine {
namespace {

#include "shaders/color.frag.inc"
#include "shaders/edges.vert.inc"
#include "shaders/move.comp.inc"
#include "shaders/points.vert.inc"
#include "shaders/text.vert.inc"

constexpr std::uint32_t move_workgroup = 64;  // of move.comp
constexpr std::uint64_t text_bytes = 1u << 18;

// The push constants of the shaders.
struct Moving {
  VkDeviceAddress points, velocities;
  std::uint32_t values;
  float seconds;
};
struct Drawing {
  std::array<float, 16> camera;
  VkDeviceAddress points, indices, distances;
  std::uint32_t count, dimensions, found;
  float farthest;
};
struct Writing {
  VkDeviceAddress corners;
  float width, height;
};

}  // namespace

Scene::Scene(Gpu& gpu, std::uint32_t points, std::uint32_t dimensions, VkExtent2D extent,
             std::uint32_t frames_in_flight)
    : gpu_(gpu), count_(points), dimensions_(dimensions) {
  const std::uint64_t values = std::uint64_t{points} * dimensions;
  points_ = gpu.create_buffer(values * 4, false);
  velocities_ = gpu.create_buffer(values * 4, false);
  // The same points every time, so that runs can be compared.
  const GpuBuffer staging = gpu.create_buffer(values * 8, true);
  auto* staged = static_cast<float*>(staging.mapped);
  std::mt19937 generator(1);
  std::uniform_real_distribution<float> place(-1, 1);
  std::normal_distribution<float> speed(0, 0.15f);
  for (std::uint64_t i = 0; i < values; ++i) staged[i] = place(generator);
  for (std::uint64_t i = 0; i < values; ++i) staged[values + i] = speed(generator);
  const VkCommandBuffer commands = gpu.create_command_buffers(gpu.create_command_pool(), 1).front();
  VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  require(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
  const VkBufferCopy first{0, 0, values * 4}, second{values * 4, 0, values * 4};
  vkCmdCopyBuffer(commands, staging.handle, points_.handle, 1, &first);
  vkCmdCopyBuffer(commands, staging.handle, velocities_.handle, 1, &second);
  VkMemoryBarrier copied{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  copied.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  copied.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1,
                       &copied, 0, nullptr, 0, nullptr);
  gpu.finish(commands);

  move_layout_ = gpu.create_layout(sizeof(Moving), VK_SHADER_STAGE_COMPUTE_BIT);
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = gpu.create_shader(move_comp, sizeof move_comp);
  info.stage.pName = "main";
  info.layout = move_layout_;
  require(vkCreateComputePipelines(gpu.device, gpu.pipeline_cache, 1, &info, nullptr, &move_),
          "vkCreateComputePipelines");
  gpu.keep(move_);
  if (!gpu.draws) return;

  create_pictures(extent);
  draw_layout_ = gpu.create_layout(sizeof(Drawing), VK_SHADER_STAGE_VERTEX_BIT);
  text_layout_ = gpu.create_layout(sizeof(Writing), VK_SHADER_STAGE_VERTEX_BIT);
  points_pipeline_ = create_pipeline(points_vert, sizeof points_vert, draw_layout_, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
  edges_pipeline_ = create_pipeline(edges_vert, sizeof edges_vert, draw_layout_, VK_PRIMITIVE_TOPOLOGY_LINE_LIST);
  text_pipeline_ = create_pipeline(text_vert, sizeof text_vert, text_layout_, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
  for (std::uint32_t i = 0; i < frames_in_flight; ++i) texts_.push_back({gpu.create_buffer(text_bytes, true)});
}

Scene::~Scene() {
  vkDeviceWaitIdle(gpu_.device);
  vkDestroyFramebuffer(gpu_.device, framebuffer_, nullptr);
  vkDestroyRenderPass(gpu_.device, render_pass_, nullptr);
}

// The frame graph moves the picture between layouts; the render pass does not.
void Scene::create_pictures(VkExtent2D extent) {
  picture_ = gpu_.create_image(extent, format, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
  VkAttachmentDescription attachment{};
  attachment.format = format;
  attachment.samples = VK_SAMPLE_COUNT_1_BIT;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  attachment.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  attachment.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  attachment.initialLayout = attachment.finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  const VkAttachmentReference reference{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass{};
  subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &reference;
  VkRenderPassCreateInfo pass{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  pass.attachmentCount = 1;
  pass.pAttachments = &attachment;
  pass.subpassCount = 1;
  pass.pSubpasses = &subpass;
  require(vkCreateRenderPass(gpu_.device, &pass, nullptr, &render_pass_), "vkCreateRenderPass");
  VkFramebufferCreateInfo frame{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  frame.renderPass = render_pass_;
  frame.attachmentCount = 1;
  frame.pAttachments = &picture_.view;
  frame.width = extent.width;
  frame.height = extent.height;
  frame.layers = 1;
  require(vkCreateFramebuffer(gpu_.device, &frame, nullptr, &framebuffer_), "vkCreateFramebuffer");
}

VkPipeline Scene::create_pipeline(const std::uint32_t* vertex, std::size_t bytes, VkPipelineLayout layout,
                                  VkPrimitiveTopology topology) {
  VkPipelineShaderStageCreateInfo stages[2]{};
  for (VkPipelineShaderStageCreateInfo& stage : stages) {
    stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    stage.pName = "main";
  }
  stages[0].stage = VK_SHADER_STAGE_VERTEX_BIT;
  stages[0].module = gpu_.create_shader(vertex, bytes);
  stages[1].stage = VK_SHADER_STAGE_FRAGMENT_BIT;
  stages[1].module = gpu_.create_shader(color_frag, sizeof color_frag);
  VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  assembly.topology = topology;
  const VkExtent2D extent = picture_.extent;
  const VkViewport viewport{0, 0, static_cast<float>(extent.width), static_cast<float>(extent.height), 0, 1};
  const VkRect2D scissor{{0, 0}, extent};
  VkPipelineViewportStateCreateInfo view{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
  view.viewportCount = view.scissorCount = 1;
  view.pViewports = &viewport;
  view.pScissors = &scissor;
  VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  raster.lineWidth = 1;
  VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  VkPipelineColorBlendAttachmentState blending{};
  blending.blendEnable = VK_TRUE;
  blending.srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
  blending.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
  blending.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
  blending.colorWriteMask = 0xF;
  VkPipelineColorBlendStateCreateInfo blend{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  blend.attachmentCount = 1;
  blend.pAttachments = &blending;
  VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  info.stageCount = 2;
  info.pStages = stages;
  info.pVertexInputState = &input;
  info.pInputAssemblyState = &assembly;
  info.pViewportState = &view;
  info.pRasterizationState = &raster;
  info.pMultisampleState = &samples;
  info.pColorBlendState = &blend;
  info.layout = layout;
  info.renderPass = render_pass_;
  VkPipeline pipeline = VK_NULL_HANDLE;
  require(vkCreateGraphicsPipelines(gpu_.device, gpu_.pipeline_cache, 1, &info, nullptr, &pipeline),
          "vkCreateGraphicsPipelines");
  return gpu_.keep(pipeline);
}

void Scene::set_text(std::uint32_t frame, const std::string& text) {
  if (texts_.empty()) return;
  texts_[frame].quads = text_quads(text, texts_[frame].corners.mapped, text_bytes);
}

void Scene::record_move(VkCommandBuffer commands, float seconds) const {
  const Moving moving{points_.address, velocities_.address, count_ * dimensions_, seconds};
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, move_);
  vkCmdPushConstants(commands, move_layout_, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof moving, &moving);
  vkCmdDispatch(commands, (moving.values + move_workgroup - 1) / move_workgroup, 1, 1);
}

void Scene::record_draw(VkCommandBuffer commands, const Neighbors& neighbors, float angle,
                        std::uint32_t frame) const {
  const VkExtent2D extent = picture_.extent;
  const float width = static_cast<float>(extent.width), height = static_cast<float>(extent.height);
  const Neighbors::Shape& shape = neighbors.shape();
  Drawing drawing{camera_at(angle, width / height), points_.address, neighbors.indices().address,
                  neighbors.distances().address, count_, dimensions_, shape.found, 0};
  // About as far as the last neighbour of evenly spread points.
  drawing.farthest = 2 * std::pow(static_cast<float>(shape.found) / static_cast<float>(count_),
                                  1 / static_cast<float>(dimensions_));

  const VkClearValue background{{{0.02f, 0.02f, 0.05f, 1}}};
  VkRenderPassBeginInfo begin{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
  begin.renderPass = render_pass_;
  begin.framebuffer = framebuffer_;
  begin.renderArea = {{0, 0}, extent};
  begin.clearValueCount = 1;
  begin.pClearValues = &background;
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdPushConstants(commands, draw_layout_, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof drawing, &drawing);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, edges_pipeline_);
  vkCmdDraw(commands, 2 * shape.queries * shape.found, 1, 0, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, points_pipeline_);
  vkCmdDraw(commands, count_, 1, 0, 0);
  const Text& text = texts_[frame];
  const Writing writing{text.corners.address, width / text_scale, height / text_scale};
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, text_pipeline_);
  vkCmdPushConstants(commands, text_layout_, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof writing, &writing);
  vkCmdDraw(commands, 6 * text.quads, 1, 0, 0);
  vkCmdEndRenderPass(commands);
}

}  // namespace engine
