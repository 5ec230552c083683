#include "engine.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "gpu/screenshot.hpp"
#include "proxel/index.hpp"

namespace engine {
namespace {

constexpr float seconds_per_frame = 1.0f / 60;
constexpr std::uint64_t frames_without_window = 100;

double milliseconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

}  // namespace

Engine::Engine(const Settings& settings)
    : settings_(settings),
      window_(settings.offscreen ? nullptr : open_window(settings.extent, "proxel-engine")),
      gpu_(options()),
      frames_(gpu_),
      scene_(gpu_, settings.extent) {
  if (window_ && !(gpu_.draws && window_->attach(gpu_))) {
    window_->detach();
    window_.reset();
  }
  if (gpu_.draws) interface_ = make_interface(gpu_, scene_.target(), window_.get());
  if (!window_ && settings_.frames == 0) settings_.frames = frames_without_window;
  summary_.device = gpu_.properties.deviceName;
  summary_.shown = window_ ? "window" : gpu_.draws ? "offscreen" : "not drawn: the device has no graphics";
}

Engine::~Engine() {
  vkDeviceWaitIdle(gpu_.device);
  interface_.reset();
  if (window_) window_->detach();
}

Gpu::Options Engine::options() const {
  Gpu::Options options;
  options.program = "proxel-engine";
  options.pipeline_cache = settings_.pipeline_cache;
  options.device = settings_.device;
  if (window_) {
    options.instance_extensions = window_->instance_extensions();
    options.suits = [this](VkInstance instance, VkPhysicalDevice device, std::uint32_t family) {
      return window_->presents(instance, device, family);
    };
  } else if (!options.device) {
    options.device = 0;  // which may be one that computes alone
  }
  return options;
}

// The time of the first search is that from a device that knows nothing of proxel to neighbours that have been found.
void Engine::take_shape() {
  vkDeviceWaitIdle(gpu_.device);
  for (std::uint32_t slot = 0; slot < gpu::frames_in_flight; ++slot) frames_.take(slot);
  frame_.reset();
  neighbors_.reset();
  summary_.shape = choices_.shape;
  scene_.place(choices_.shape.points, choices_.shape.dimensions);

  const Clock::time_point begin = Clock::now();
  neighbors_ = std::make_unique<Neighbors>(gpu_, choices_.shape, scene_.points());
  const VkCommandBuffer commands = gpu_.begin();
  if (neighbors_->has_boxes()) {
    neighbors_->record_boxes(commands);
    gpu::barrier(commands);
  }
  neighbors_->record_search(commands);
  gpu_.finish(commands);
  summary_.first_search_milliseconds = milliseconds_between(begin, Clock::now());

  frame_ = std::make_unique<Frame>(gpu_, scene_, *neighbors_, now_, window_ != nullptr);
  std::vector<std::string> passes;
  for (const FrameGraph::Pass& pass : frame_->graph().passes()) passes.push_back(pass.name);
  report_ = Report(std::move(passes));
  last_ = Clock::now();
}

void Engine::run() {
  take_shape();
  while (next_frame()) ++now_.number;
  for (std::uint32_t slot = 0; slot < gpu::frames_in_flight; ++slot) finish(slot);
  if (!settings_.screenshot.empty()) {
    if (!gpu_.draws)
      throw proxel::Error(proxel::ErrorCode::unsupported, settings_.screenshot, "the device draws no picture");
    gpu::write_screenshot(gpu_, scene_.target().picture(), settings_.screenshot);
  }
  if (settings_.check) check();
}

bool Engine::next_frame() {
  if (settings_.frames != 0 && now_.number == settings_.frames) return false;
  now_.slot = static_cast<std::uint32_t>(now_.number % gpu::frames_in_flight);
  finish(now_.slot);
  std::uint32_t image = 0;
  if (window_) {
    if (window_->closed()) return false;
    now_.shown = window_->acquire(frames_.slot(now_.slot).acquired, image);
    if (!now_.shown) return true;
    now_.shown_extent = window_->extent();
  }
  if (now_.number < settings_.keys.size()) press(static_cast<unsigned char>(settings_.keys[now_.number]), choices_);
  if (interface_) interface_->build({frame_->graph(), report_, summary_, window_ != nullptr}, choices_);
  now_.interface = choices_.shown ? interface_.get() : nullptr;
  now_.seconds = choices_.still ? 0 : seconds_per_frame;
  now_.lines = choices_.lines;

  frame_->record(frames_.begin(now_.slot), choices_.within);
  frames_.submit(now_.slot, window_ ? window_->drawn(image) : VK_NULL_HANDLE);
  if (window_) window_->present(image);
  const Clock::time_point time = Clock::now();
  report_.add_frame(milliseconds_between(last_, time));
  last_ = time;
  if (choices_.shape != summary_.shape) take_shape();
  return true;
}

void Engine::finish(std::uint32_t slot) {
  if (frames_.take(slot)) report_.add(frame_->times().read(slot));
}

// Compares what the last frame found with the processor's answer for the same points.
void Engine::check() {
  constexpr std::uint32_t enough = 2000;
  const Shape& shape = neighbors_->shape();
  const auto points = gpu::read_back(gpu_, scene_.points());
  const auto indices = gpu::read_back(gpu_, neighbors_->indices());
  const auto distances = gpu::read_back(gpu_, neighbors_->distances());
  const proxel::MatrixView<float> rows(reinterpret_cast<const float*>(points.data()), shape.points, shape.dimensions);
  const auto host = proxel::open_device("cpu");
  summary_.checked_queries = std::min(shape.queries(), enough);
  std::vector<std::uint32_t> selves(summary_.checked_queries);
  std::iota(selves.begin(), selves.end(), 0u);
  proxel::SearchOptions others;
  if (shape.method == Method::boxes) others.self = selves;
  const proxel::Neighbors expected =
      proxel::Index(*host, rows)
          .search(rows.slice(0, summary_.checked_queries), shape.found(), proxel::Metric::l2sq, others);
  const std::uint64_t row_bytes = std::uint64_t{shape.found()} * 4;
  for (std::uint64_t query = 0; query < summary_.checked_queries; ++query)
    if (std::memcmp(indices.data() + query * row_bytes, expected.indices.data() + query * shape.found(), row_bytes) !=
            0 ||
        std::memcmp(distances.data() + query * row_bytes, expected.distances.data() + query * shape.found(),
                    row_bytes) != 0)
      ++summary_.different_queries;
  if (!shape.clusters() && !shape.laid_out()) return;
  proxel::Neighbors graph{{shape.points, shape.found()}, {shape.points, shape.found()}};
  std::memcpy(graph.indices.data(), indices.data(), indices.size());
  std::memcpy(graph.distances.data(), distances.data(), distances.size());
  if (shape.clusters()) check_clusters(*host, graph);
  if (shape.laid_out()) check_layout(*host, graph);
}

void Engine::check_clusters(proxel::Device& host, const proxel::Neighbors& graph) {
  const Shape& shape = neighbors_->shape();
  const proxel::Components joined = proxel::connected_components(host, graph, shape.joins());
  const auto clusters = gpu::read_back(gpu_, neighbors_->clusters());
  summary_.clusters = joined.count;
  for (std::uint64_t point = 0; point <= shape.points; ++point) {
    const std::uint64_t expected_value = point < shape.points ? joined.of_rows[point] : joined.count;
    if (reinterpret_cast<const std::uint32_t*>(clusters.data())[point] != expected_value) ++summary_.different_clusters;
  }
}

// The last frame's step once more, from where the frame before it had left the points.
void Engine::check_layout(proxel::Device& host, const proxel::Neighbors& graph) {
  const std::uint64_t last = now_.number - 1;
  const auto before = gpu::read_back(gpu_, neighbors_->positions(last + 1));
  const auto after = gpu::read_back(gpu_, neighbors_->positions(last));
  const auto on_host = [&](const void* data, std::uint64_t bytes) {
    auto buffer = host.create_buffer(bytes, proxel::MemoryKind::device);
    proxel::upload(host, *buffer, data);
    return buffer;
  };
  const auto from = on_host(before.data(), before.size());
  const auto to = host.create_buffer(after.size(), proxel::MemoryKind::device);
  const auto indices = on_host(graph.indices.data(), graph.indices.rows() * graph.indices.columns() * 4);
  const auto plan =
      proxel::LayoutPlan::make(host, {graph.indices.rows(), graph.indices.columns(), Neighbors::layout_dimensions});
  const auto commands = host.create_commands(proxel::Timing::none);
  commands->begin();
  plan.record(*commands, {*indices, *from, *to}, static_cast<std::uint32_t>(last), Neighbors::layout_rate);
  commands->end();
  host.submit(*commands);
  host.wait();
  std::vector<std::byte> expected(after.size());
  proxel::download(host, *to, expected.data());
  summary_.laid_out = true;
  constexpr std::uint64_t bytes = Neighbors::layout_dimensions * 4;
  for (std::uint64_t point = 0; point < graph.indices.rows(); ++point)
    if (std::memcmp(expected.data() + point * bytes, after.data() + point * bytes, bytes) != 0)
      ++summary_.different_positions;
}

nlohmann::ordered_json Engine::report() const {
  nlohmann::ordered_json json = report_.json(summary_);
  const auto& passes = frame_->graph().passes();
  for (const FrameGraph::Pass& pass : passes) {
    nlohmann::ordered_json waits = nlohmann::ordered_json::object();
    for (const FrameGraph::Wait& wait : pass.waits) {
      auto& one = waits[wait.resource->name()];
      one = {{"from", names_of(wait.from)}, {"to", names_of(wait.to)}, {"behind", nlohmann::ordered_json::array()}};
      for (const std::size_t other : wait.behind) one["behind"].push_back(passes[other].name);
    }
    json["graph"].push_back({{"pass", pass.name}, {"by", pass.by_proxel ? "proxel" : "engine"}, {"waits", waits}});
  }
  if (interface_) json["interface"] = interface_->areas();
  return json;
}

}  // namespace engine
