#include "matches/graph_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace demo {
namespace {

#include "shaders/graph.frag.inc"
#include "shaders/graph_edges.vert.inc"
#include "shaders/graph_lines.vert.inc"
#include "shaders/graph_points.vert.inc"

constexpr std::uint32_t corners = 6, ends = 2;  // of two triangles, of a line
// Where there are more, nobody sees whether they are smooth.
constexpr std::uint64_t most_smooth_edges = 400'000;

// The push constants of graph.glsl.
struct Drawing {
  std::array<float, 16> camera;
  VkDeviceAddress points, indices, distances;
  std::uint32_t dimensions, found, light;
  float farthest;
  std::array<float, 2> pixel;
  float half_width, radius, opacity;
  std::uint32_t clusters;
};
static_assert(sizeof(Drawing) == 128);

}  // namespace

bool GraphPicture::Look::operator==(const Look& other) const {
  return camera == other.camera && scale == other.scale && light == other.light &&
         std::memcmp(&background, &other.background, sizeof background) == 0;
}

void GraphPicture::resize(VkExtent2D wanted) {
  if (wanted.width == extent().width && wanted.height == extent().height) return;
  target_ = std::make_unique<gpu::Target>(gpu_, wanted, VK_IMAGE_USAGE_SAMPLED_BIT);
  drawn_ = false;
  if (layout_) return;  // pipelines serve targets of any size
  layout_ = gpu_.create_layout(sizeof(Drawing), VK_SHADER_STAGE_VERTEX_BIT);
  const auto pipeline = [&](gpu::Spirv vertex, VkPrimitiveTopology topology) {
    return gpu::create_graphics_pipeline(gpu_, target_->render_pass(), layout_, vertex, graph_frag, topology);
  };
  edges_ = pipeline(graph_edges_vert, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
  lines_ = pipeline(graph_lines_vert, VK_PRIMITIVE_TOPOLOGY_LINE_LIST);
  points_ = pipeline(graph_points_vert, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
}

void GraphPicture::record(VkCommandBuffer commands, const GraphSearch& graph, const Look& look) {
  const auto width = static_cast<float>(extent().width), height = static_cast<float>(extent().height);
  Drawing drawing{};
  drawing.camera = look.camera.matrix(graph.dimensions(), width / height);
  // A layout is so much wider than the space that points move in; the last column moves what is drawn.
  constexpr float layout_scale = 0.1f;
  if (graph.is_laid_out())
    for (std::size_t i = 0; i < 12; ++i) drawing.camera[i] *= layout_scale;
  drawing.points = graph.points_address();
  drawing.indices = graph.indices_address();
  drawing.distances = graph.distances_address();
  drawing.dimensions = graph.dimensions();
  drawing.found = graph.found();
  drawing.light = look.light ? 1 : 0;
  drawing.farthest = graph.spacing() * graph.spacing();
  drawing.pixel = {2 / width, 2 / height};
  // Many points are small, and many edges faint.
  const float crowd = std::clamp(std::log10(static_cast<float>(graph.points())) - 3, 0.0f, 2.0f);
  drawing.half_width = look.scale * (0.65f - 0.15f * crowd);
  drawing.radius = look.scale * look.camera.zoom * (1.9f - 0.7f * crowd);
  drawing.opacity = 0.9f - 0.25f * crowd;
  drawing.clusters = graph.clusters_place();

  target_->transition(commands, drawn_ ? VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL : VK_IMAGE_LAYOUT_UNDEFINED,
                      VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
  drawn_ = true;
  target_->begin(commands, look.background);
  vkCmdPushConstants(commands, layout_, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof drawing, &drawing);
  const std::uint32_t edges = graph.points() * graph.found();
  const bool smooth = edges <= most_smooth_edges;
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, smooth ? edges_ : lines_);
  vkCmdDraw(commands, (smooth ? corners : ends) * edges, 1, 0, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, points_);
  vkCmdDraw(commands, corners * graph.points(), 1, 0, 0);
  vkCmdEndRenderPass(commands);
  target_->transition(commands, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
}

}  // namespace demo
