// A small engine that embeds proxel: points move, their nearest neighbours are found,
// and both are drawn, in one command buffer per frame.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>

#include "frame_graph.hpp"
#include "gpu/frames.hpp"
#include "gpu/screenshot.hpp"
#include "neighbors.hpp"
#include "proxel/index.hpp"
#include "report.hpp"
#include "scene.hpp"
#ifdef PROXEL_ENGINE_WITH_WINDOW
#include "window.hpp"
#endif

namespace engine {
namespace {

using gpu::frames_in_flight;
using gpu::require;
constexpr float seconds_per_frame = 1.0f / 60;
constexpr float turn_per_frame = 0.005f;

struct Settings {
  Neighbors::Shape shape{100000, 3, 0, 17};
  std::uint64_t frames = 0;
  bool offscreen = false;
  bool json = false;
  bool check = false;
  std::string screenshot;
  std::uint32_t device = 0;
  Gpu::Options gpu;
  VkExtent2D extent{1280, 720};
};

using Clock = std::chrono::steady_clock;
double milliseconds_since(Clock::time_point then) {
  return std::chrono::duration<double, std::milli>(Clock::now() - then).count();
}

// What changes from frame to frame.
struct Now {
  std::uint32_t slot = 0;  // of the frames in flight
  std::uint64_t number = 0;
  VkImage shown = VK_NULL_HANDLE;
};

// The frame: which pass touches what, in which way.
class Frame {
 public:
  Frame(Gpu& gpu, Scene& scene, Neighbors& neighbors, const Now& now, std::optional<VkExtent2D> window)
      : picture_(gpu.draws ? scene.target().picture().handle : VK_NULL_HANDLE) {
    namespace edges = proxel::vulkan::edges;
    constexpr VkAccessFlags both = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
    const Use moved{VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, both};
    graph_.add({"move", {{&points_, moved}, {&velocities_, moved}},
                [&scene](VkCommandBuffer commands) { scene.record_move(commands, seconds_per_frame); }});
    // Boxes and search use the same scratch memory, and what proxel keeps on the device.
    graph_.add({"boxes", {{&points_, Use::of(edges::inputs)}, {&scratch_, Use::of(edges::written)}},
                [&neighbors](VkCommandBuffer commands) { neighbors.record_boxes(commands); }});
    graph_.add({"search",
                {{&points_, Use::of(edges::inputs)}, {&scratch_, Use::of(edges::written)},
                 {&found_, Use::of(edges::written)}},
                [&neighbors](VkCommandBuffer commands) { neighbors.record_search(commands); }});
    if (!gpu.draws) return;
    const Use drawn{VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT};
    graph_.add({"draw",
                {{&points_, drawn}, {&found_, drawn},
                 {&picture_, {VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                              VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                              VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL}}},
                [&scene, &neighbors, &now](VkCommandBuffer commands) {
                  scene.record_draw(commands, neighbors, turn_per_frame * static_cast<float>(now.number), now.slot);
                }});
    const Use copied{VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};
    if (!window) {
      graph_.add({"keep", {{&picture_, copied}}, [](VkCommandBuffer) {}});
      return;
    }
    graph_.add({"show",
                {{&picture_, copied},
                 {&shown_, {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL}}},
                [&scene, &now, extent = *window](VkCommandBuffer commands) {
                  const auto corner = [](VkExtent2D of) {
                    return VkOffset3D{static_cast<std::int32_t>(of.width), static_cast<std::int32_t>(of.height), 1};
                  };
                  VkImageBlit region{};
                  region.srcSubresource = region.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
                  region.srcOffsets[1] = corner(scene.target().picture().extent);
                  region.dstOffsets[1] = corner(extent);
                  vkCmdBlitImage(commands, scene.target().picture().handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, now.shown,
                                 VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region, VK_FILTER_NEAREST);
                }});
    graph_.add({"hand over", {{&shown_, {VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR}}},
                [](VkCommandBuffer) {}});
  }

  FrameGraph& graph() { return graph_; }
  void show(VkImage image) { shown_.reset(image); }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const FrameGraph::Pass& pass : graph_.passes()) names.push_back(pass.name);
    return names;
  }

 private:
  FrameGraph graph_;
  Resource points_, velocities_, scratch_, found_, picture_, shown_;
};

// From a device that knows nothing of proxel to neighbours that have been found.
double first_search(Gpu& gpu, const Neighbors::Shape& shape, const GpuBuffer& points,
                    std::unique_ptr<Neighbors>& neighbors) {
  const Clock::time_point begin = Clock::now();
  neighbors = std::make_unique<Neighbors>(gpu, shape, points);
  const VkCommandBuffer commands = gpu.begin();
  neighbors->record_boxes(commands);
  neighbors->record_search(commands);
  gpu.finish(commands);
  return milliseconds_since(begin);
}

// Compares what the last frame found with the processor's answer for the same points.
void check(Gpu& gpu, const Scene& scene, const Neighbors& neighbors, Report::Summary& summary) {
  constexpr std::uint32_t enough = 2000;
  const Neighbors::Shape& shape = neighbors.shape();
  const auto points = gpu::read_back(gpu, scene.points());
  const auto indices = gpu::read_back(gpu, neighbors.indices());
  const auto distances = gpu::read_back(gpu, neighbors.distances());
  const proxel::MatrixView<float> rows(reinterpret_cast<const float*>(points.data()), shape.points, shape.dimensions);
  const auto host = proxel::open_device("cpu");
  const std::uint32_t queries = std::min(shape.queries, enough);
  const proxel::Neighbors expected =
      proxel::Index(*host, rows).search(rows.slice(0, queries), shape.found, proxel::Metric::l2sq);
  const std::uint64_t row_bytes = std::uint64_t{shape.found} * 4;
  for (std::uint64_t query = 0; query < queries; ++query)
    if (std::memcmp(indices.data() + query * row_bytes, expected.indices.data() + query * shape.found, row_bytes) != 0 ||
        std::memcmp(distances.data() + query * row_bytes, expected.distances.data() + query * shape.found, row_bytes) != 0)
      ++summary.different_queries;
  summary.checked_queries = queries;
}

// The frames, and how long their passes took.
class Loop {
 public:
  Loop(Gpu& gpu, Frame& frame, Report& report) : gpu_(gpu), frame_(frame), report_(report), frames_(gpu) {
    VkQueryPoolCreateInfo times{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    times.queryType = VK_QUERY_TYPE_TIMESTAMP;
    times.queryCount = frames_in_flight * frame.graph().timestamps();
    require(vkCreateQueryPool(gpu.device, &times, nullptr, &times_), "vkCreateQueryPool");
  }
  ~Loop() {
    vkDeviceWaitIdle(gpu_.device);
    vkDestroyQueryPool(gpu_.device, times_, nullptr);
  }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  gpu::InFlight& slot(std::uint32_t number) { return frames_.slot(number); }

  // Waits until the frame that had the slot before is over, and reads its times.
  void take(std::uint32_t number) {
    if (!frames_.take(number)) return;
    const std::uint32_t count = frame_.graph().timestamps();
    std::vector<std::uint64_t> ticks(count);
    require(vkGetQueryPoolResults(gpu_.device, times_, number * count, count, count * 8, ticks.data(), 8,
                                  VK_QUERY_RESULT_64_BIT), "vkGetQueryPoolResults");
    report_.add(ticks, static_cast<double>(gpu_.properties.limits.timestampPeriod));
  }

  void submit(std::uint32_t number, bool shows) {
    const std::uint32_t count = frame_.graph().timestamps();
    const VkCommandBuffer commands = frames_.begin(number);
    vkCmdResetQueryPool(commands, times_, number * count, count);
    frame_.graph().record(commands, times_, number * count);
    frames_.submit(number, shows);
  }

 private:
  Gpu& gpu_;
  Frame& frame_;
  Report& report_;
  gpu::Frames frames_;
  VkQueryPool times_ = VK_NULL_HANDLE;
};

int run(Settings settings) {
#ifdef PROXEL_ENGINE_WITH_WINDOW
  std::optional<Window> window;
  if (!settings.offscreen && Window::available()) {
    settings.gpu.instance_extensions = Window::instance_extensions();
    window.emplace(settings.extent, "proxel-engine");
  }
#endif
  settings.gpu.program = "proxel-engine";
  settings.gpu.device = settings.device;
  Gpu gpu(settings.gpu);
  std::optional<VkExtent2D> shown;
#ifdef PROXEL_ENGINE_WITH_WINDOW
  if (window && gpu.draws && window->attach(gpu)) shown = window->extent();
#endif
  if (!shown && settings.frames == 0) settings.frames = 100;

  Scene scene(gpu, settings.shape.points, settings.shape.dimensions, settings.extent, frames_in_flight);
  Report::Summary summary;
  summary.device = gpu.properties.deviceName;
  summary.shape = settings.shape;
  summary.shown = shown ? "window" : gpu.draws ? "offscreen" : "not drawn: the device has no graphics";
  std::unique_ptr<Neighbors> neighbors;
  summary.first_search_milliseconds = first_search(gpu, settings.shape, scene.points(), neighbors);

  Now now;
  Frame frame(gpu, scene, *neighbors, now, shown);
  Report report(frame.names());
  {
    Loop loop(gpu, frame, report);
    Clock::time_point last = Clock::now();
    for (; settings.frames == 0 || now.number < settings.frames; ++now.number) {
      now.slot = static_cast<std::uint32_t>(now.number % frames_in_flight);
      loop.take(now.slot);
      [[maybe_unused]] std::uint32_t image = 0;
#ifdef PROXEL_ENGINE_WITH_WINDOW
      if (shown) {
        if (window->closed()) break;
        now.shown = window->acquire(loop.slot(now.slot).acquired, image);
        if (!now.shown) continue;
        frame.show(now.shown);
      }
#endif
      scene.set_text(now.slot, report.text(settings.shape));
      loop.submit(now.slot, shown.has_value());
#ifdef PROXEL_ENGINE_WITH_WINDOW
      if (shown) window->present(image, loop.slot(now.slot).drawn);
#endif
      report.add_frame(milliseconds_since(last));
      last = Clock::now();
    }
    for (std::uint32_t i = 0; i < frames_in_flight; ++i) loop.take(i);
  }

  if (!settings.screenshot.empty() && (!gpu.draws || !gpu::write_screenshot(gpu, scene.target().picture(), settings.screenshot))) {
    std::fprintf(stderr, "proxel-engine: %s could not be written\n", settings.screenshot.c_str());
    return EXIT_FAILURE;
  }
  if (settings.check) check(gpu, scene, *neighbors, summary);
  if (settings.json)
    std::puts(report.json(summary).c_str());
  else
    std::printf("%s\n%s", summary.device.c_str(), report.text(settings.shape).c_str());
#ifdef PROXEL_ENGINE_WITH_WINDOW
  vkDeviceWaitIdle(gpu.device);
  if (window && shown) window->detach();
#endif
  return summary.different_queries == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace engine

int main(int argc, char** argv) {
  engine::Settings settings;
  std::uint32_t neighbours = 16;
  CLI::App app{"Moving points and their nearest neighbours, found by proxel in every frame."};
  app.add_option("--points", settings.shape.points, "how many points move")->check(CLI::Range(2u, 10000000u))->capture_default_str();
  app.add_option("--dimensions", settings.shape.dimensions, "of the space they move in")->check(CLI::Range(1u, 8u))->capture_default_str();
  app.add_option("--neighbours,-k", neighbours, "nearest neighbours of each")->check(CLI::Range(1u, 1000u))->capture_default_str();
  app.add_option("--queries", settings.shape.queries, "how many of the points ask; 0: all")->capture_default_str();
  app.add_option("--frames", settings.frames, "frames until it ends; 0: until the window is closed")->capture_default_str();
  app.add_flag("--offscreen", settings.offscreen, "no window, even where there is a display");
  app.add_option("--screenshot", settings.screenshot, "write the last frame to this PNG file");
  app.add_flag("--json", settings.json, "print times and shape as JSON");
  app.add_flag("--check", settings.check, "compare the last frame's neighbours with the processor's");
  app.add_option("--device", settings.device, "position among the Vulkan devices")->capture_default_str();
  app.add_option("--pipeline-cache", settings.gpu.pipeline_cache, "file that keeps compiled pipelines between runs");
  app.add_option("--width", settings.extent.width, "of the picture")->check(CLI::Range(16u, 16384u))->capture_default_str();
  app.add_option("--height", settings.extent.height, "of the picture")->check(CLI::Range(16u, 16384u))->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  settings.shape.found = neighbours + 1;
  if (settings.shape.queries == 0) settings.shape.queries = settings.shape.points;
  settings.shape.queries = std::min(settings.shape.queries, settings.shape.points);
  try {
    return engine::run(std::move(settings));
  } catch (const proxel::Error& error) {
    std::fprintf(stderr, "proxel-engine: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
