#include "scene.hpp"

#include <array>
#include <cmath>
#include <random>

#include "camera.hpp"

namespace engine {
namespace {

#include "shaders/color.frag.inc"
#include "shaders/edges.vert.inc"
#include "shaders/move.comp.inc"
#include "shaders/points.vert.inc"

constexpr std::uint32_t move_workgroup = 64;  // of move.comp

// The push constants of the shaders.
struct Moving {
  VkDeviceAddress points, velocities;
  std::uint32_t values;
  float seconds;
};
struct Drawing {
  std::array<float, 16> camera;
  VkDeviceAddress points, indices, distances, clusters;
  std::uint32_t count, dimensions, found;
  float farthest, scale;
};

// A layout is so much wider than the space that points move in.
constexpr float layout_scale = 0.2f;

}  // namespace

Scene::Scene(Gpu& gpu, VkExtent2D extent) : gpu_(gpu) {
  move_layout_ = gpu.create_layout(sizeof(Moving), VK_SHADER_STAGE_COMPUTE_BIT);
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = gpu.create_shader(move_comp, sizeof move_comp);
  info.stage.pName = "main";
  info.layout = move_layout_;
  gpu::require(vkCreateComputePipelines(gpu.device, gpu.pipeline_cache, 1, &info, nullptr, &move_),
               "vkCreateComputePipelines");
  gpu.keep(move_);
  if (!gpu.draws) return;

  target_ = std::make_unique<gpu::Target>(gpu, extent, VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
  draw_layout_ = gpu.create_layout(sizeof(Drawing), VK_SHADER_STAGE_VERTEX_BIT);
  const auto pipeline = [&](gpu::Spirv vertex, VkPrimitiveTopology topology) {
    return create_graphics_pipeline(gpu, target_->render_pass(), draw_layout_, vertex, color_frag, topology);
  };
  points_pipeline_ = pipeline(points_vert, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
  edges_pipeline_ = pipeline(edges_vert, VK_PRIMITIVE_TOPOLOGY_LINE_LIST);
}

Scene::~Scene() {
  gpu_.destroy(points_);
  gpu_.destroy(velocities_);
}

void Scene::place(std::uint32_t points, std::uint32_t dimensions) {
  gpu_.destroy(points_);
  gpu_.destroy(velocities_);
  count_ = points;
  dimensions_ = dimensions;
  const std::uint64_t values = std::uint64_t{points} * dimensions;
  points_ = gpu_.create_buffer(values * 4, false);
  velocities_ = gpu_.create_buffer(values * 4, false);
  const GpuBuffer staging = gpu_.create_buffer(values * 8, true);
  auto* staged = static_cast<float*>(staging.mapped);
  std::mt19937 generator(1);
  std::uniform_real_distribution<float> place(-1, 1);
  std::normal_distribution<float> speed(0, 0.15f);
  for (std::uint64_t i = 0; i < values; ++i) staged[i] = place(generator);
  for (std::uint64_t i = 0; i < values; ++i) staged[values + i] = speed(generator);
  const VkCommandBuffer commands = gpu_.begin();
  const VkBufferCopy first{0, 0, values * 4}, second{values * 4, 0, values * 4};
  vkCmdCopyBuffer(commands, staging.handle, points_.handle, 1, &first);
  vkCmdCopyBuffer(commands, staging.handle, velocities_.handle, 1, &second);
  gpu::barrier(commands);
  gpu_.finish(commands);
  gpu_.destroy(staging);
}

void Scene::record_move(VkCommandBuffer commands, float seconds) const {
  const Moving moving{points_.address, velocities_.address, count_ * dimensions_, seconds};
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, move_);
  vkCmdPushConstants(commands, move_layout_, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof moving, &moving);
  vkCmdDispatch(commands, (moving.values + move_workgroup - 1) / move_workgroup, 1, 1);
}

void Scene::record_draw(VkCommandBuffer commands, const Neighbors& neighbors, std::uint64_t frame, float angle,
                        bool lines) const {
  const VkExtent2D extent = target_->extent();
  const Shape& shape = neighbors.shape();
  Drawing drawing{camera_at(angle, static_cast<float>(extent.width) / static_cast<float>(extent.height)),
                  shape.laid_out() ? neighbors.positions(frame).address : points_.address,
                  neighbors.indices().address,
                  neighbors.distances().address,
                  neighbors.clusters().address,
                  count_,
                  shape.laid_out() ? Neighbors::layout_dimensions : dimensions_,
                  shape.found(),
                  shape.spacing(),
                  shape.laid_out() ? layout_scale : 1};
  vkCmdPushConstants(commands, draw_layout_, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof drawing, &drawing);
  if (lines) {
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, edges_pipeline_);
    vkCmdDraw(commands, 2 * shape.queries() * shape.found(), 1, 0, 0);
  }
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, points_pipeline_);
  vkCmdDraw(commands, count_, 1, 0, 0);
}

}  // namespace engine
