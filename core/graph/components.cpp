#include "proxel/components.hpp"

#include <fmt/format.h>

#include "proxel/passes/component_begin.h"
#include "proxel/passes/component_flatten.h"
#include "proxel/passes/component_link.h"
#include "search/bindings.hpp"
#include "search/rehearsal.hpp"
#include "session/run_once.hpp"

namespace proxel {

using namespace search;

namespace {

// Kernels stride over rows in 32 bits.
constexpr std::uint64_t most_graph_rows = std::uint64_t{1} << 31;

void record_passes(Recording& recording, const ComponentsDescription& description, const ComponentsBuffers& buffers) {
  const ComponentsOptions& options = description.options;
  const auto rows = static_cast<std::uint32_t>(description.rows);
  recording.push_label("components");
  recording.record(passes::make_component_begin(
      {.components = buffers.components.address(), .count = buffers.count.address(), .rows = rows}));
  recording.barrier();
  passes::ComponentLinkParameters link{};
  link.indices = buffers.indices.address();
  link.components = buffers.components.address();
  link.rows = rows;
  link.neighbors = static_cast<std::uint32_t>(description.neighbors);
  link.mutual = options.mutual;
  if (options.limit) {
    link.distances = buffers.distances.address();
    link.limit = *options.limit;
    link.largest_first = largest_first(options.metric);
  }
  recording.record(passes::make_component_link(link));
  recording.barrier();
  recording.record(passes::make_component_flatten(
      {.components = buffers.components.address(), .count = buffers.count.address(), .rows = rows}));
  recording.pop_label();
}

}  // namespace

ComponentsPlan ComponentsPlan::make(Device& device, const ComponentsDescription& description) {
  require_range("rows", description.rows, 1, most_graph_rows);
  require_range("neighbors", description.neighbors, 1, most_k);
  if (description.options.limit) require_metric(description.options.metric);
  ComponentsPlan plan;
  plan.description_ = description;
  RehearsalBuffer nowhere(UINT64_MAX);
  rehearse(device,
           [&](Recording& rehearsal) { record_passes(rehearsal, description, {nowhere, nowhere, nowhere, nowhere}); });
  plan.device_ = PlannedFor(device);
  return plan;
}

ComponentsRequirements ComponentsPlan::requirements() const {
  device_.device();
  ComponentsRequirements needed;
  needed.indices = elements_requirement(description_.rows * description_.neighbors);
  if (description_.options.limit) needed.distances = needed.indices;
  needed.components = elements_requirement(description_.rows);
  needed.count = elements_requirement(1);
  return needed;
}

void ComponentsPlan::record(Recording& recording, const ComponentsBuffers& buffers) const {
  Bindings bindings(recording, device_.device());
  const ComponentsRequirements needed = requirements();
  bindings.reads("indices buffer", buffers.indices, needed.indices);
  bindings.reads("distances buffer", buffers.distances, needed.distances);
  bindings.writes("components buffer", buffers.components, needed.components);
  bindings.writes("count buffer", buffers.count, needed.count);
  record_passes(recording, description_, buffers);
}

Components connected_components(Device& device, const Neighbors& graph, const ComponentsOptions& options) {
  const ComponentsPlan plan = ComponentsPlan::make(device, {graph.indices.rows(), graph.indices.columns(), options});
  const ComponentsRequirements needed = plan.requirements();
  const auto indices = device.create_buffer(needed.indices.bytes, MemoryKind::device);
  const auto components = device.create_buffer(needed.components.bytes, MemoryKind::device);
  const auto count = device.create_buffer(needed.count.bytes, MemoryKind::device);
  ComponentsBuffers buffers{*indices, {}, *components, *count};
  upload(device, *indices, graph.indices.data());
  std::unique_ptr<Buffer> distances;
  if (options.limit) {
    distances = device.create_buffer(needed.distances.bytes, MemoryKind::device);
    buffers.distances = *distances;
    upload(device, *distances, graph.distances.data());
  }
  Components found;
  found.milliseconds =
      session::run_once(device, [&](Recording& recording) { plan.record(recording, buffers); }, Timing::whole);
  found.of_rows.resize(graph.indices.rows());
  download(device, *components, found.of_rows.data());
  std::uint32_t counted = 0;
  download(device, *count, &counted);
  found.count = counted;
  return found;
}

}  // namespace proxel
