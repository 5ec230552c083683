#include "proxel/layout.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>

#include "proxel/arithmetic/layout_force.h"
#include "proxel/passes/layout_step.h"
#include "search/bindings.hpp"
#include "search/rehearsal.hpp"
#include "session/run_once.hpp"
#include "session/told.hpp"

namespace proxel {

using namespace search;

namespace {

// Kernels stride over rows in 32 bits.
constexpr std::uint64_t most_layout_rows = std::uint64_t{1} << 31;
constexpr std::uint32_t most_draws = 65536, most_steps = 1'000'000;
constexpr float most_repulsion = 1000, most_rate = 100;

void require_within(const char* what, float value, float most) {
  if (!(value >= 0 && value <= most))
    throw Error(ErrorCode::invalid_argument, what, fmt::format("{} was given, 0 to {} is allowed", value, most));
}

void record_pass(Recording& recording, const LayoutDescription& description, const LayoutBuffers& buffers,
                 std::uint32_t step, float rate) {
  passes::LayoutStepParameters p{};
  p.indices = buffers.indices.address();
  p.from = buffers.from.address();
  p.to = buffers.to.address();
  p.rows = static_cast<std::uint32_t>(description.rows);
  p.neighbors = static_cast<std::uint32_t>(description.neighbors);
  p.draws = description.draws;
  p.step = step;
  p.repulsion = description.repulsion;
  p.rate = rate;
  recording.push_label("layout");
  recording.record(passes::make_layout_step(p, description.dimensions));
  recording.pop_label();
}

}  // namespace

LayoutPlan LayoutPlan::make(Device& device, const LayoutDescription& description) {
  require_range("rows", description.rows, 1, most_layout_rows);
  require_range("neighbors", description.neighbors, 1, most_k);
  require_range("dimensions", description.dimensions, 1, passes::most_layout_dimensions);
  require_range("draws", description.draws, 0, most_draws);
  require_within("repulsion", description.repulsion, most_repulsion);
  LayoutPlan plan;
  plan.description_ = description;
  RehearsalBuffer nowhere(UINT64_MAX);
  rehearse(device,
           [&](Recording& rehearsal) { record_pass(rehearsal, description, {nowhere, nowhere, nowhere}, 0, 0); });
  plan.device_ = PlannedFor(device);
  return plan;
}

LayoutRequirements LayoutPlan::requirements() const {
  device_.device();
  LayoutRequirements needed;
  needed.indices = elements_requirement(description_.rows * description_.neighbors);
  needed.from = needed.to = elements_requirement(description_.rows * description_.dimensions);
  return needed;
}

void LayoutPlan::record(Recording& recording, const LayoutBuffers& buffers, std::uint32_t step, float rate) const {
  require_within("rate", rate, most_rate);
  Bindings bindings(recording, device_.device());
  const LayoutRequirements needed = requirements();
  bindings.reads("indices buffer", buffers.indices, needed.indices);
  bindings.reads("from buffer", buffers.from, needed.from);
  bindings.writes("to buffer", buffers.to, needed.to);
  record_pass(recording, description_, buffers, step, rate);
}

Matrix<float> first_positions(std::uint64_t rows, std::uint32_t dimensions, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Matrix<float> positions(rows, dimensions);
  // Multiples of 2^-12 between -10 and 10; the 32 highest bits say which.
  constexpr std::uint64_t values = 10 * 2 * 4096 + 1;
  for (std::uint64_t i = 0; i < rows * dimensions; ++i)
    positions.data()[i] = static_cast<float>((random() >> 32) * values >> 32) / 4096 - 10;
  return positions;
}

Matrix<float> first_positions(MatrixView<float> positions, std::uint32_t dimensions, float scale) {
  Matrix<float> placed(positions.rows, dimensions);
  for (std::uint64_t row = 0; row < positions.rows; ++row)
    for (std::uint32_t d = 0; d < dimensions; ++d)
      placed(row, d) = d < positions.columns ? arithmetic::placed(scale * positions(row, d)) : 0;
  return placed;
}

Layout layout_graph(Device& device, const Neighbors& graph, const LayoutOptions& options) {
  require_range("steps", options.steps, 0, most_steps);
  require_within("rate", options.rate, most_rate);
  LayoutDescription description;
  description.rows = graph.indices.rows();
  description.neighbors = graph.indices.columns();
  description.dimensions = options.dimensions;
  description.draws = options.draws;
  description.repulsion = options.repulsion;
  const LayoutPlan plan = LayoutPlan::make(device, description);
  if (options.first.data && (options.first.rows != description.rows || options.first.columns != description.dimensions))
    throw Error(ErrorCode::invalid_argument, "first",
                fmt::format("{} x {} positions were given, {} x {} are needed", options.first.rows,
                            options.first.columns, description.rows, description.dimensions));
  const LayoutRequirements needed = plan.requirements();
  const auto indices = device.create_buffer(needed.indices.bytes, MemoryKind::device);
  const std::unique_ptr<Buffer> positions[] = {device.create_buffer(needed.from.bytes, MemoryKind::device),
                                               device.create_buffer(needed.to.bytes, MemoryKind::device)};
  upload(device, *indices, graph.indices.data());
  Layout layout{options.first.data ? first_positions(options.first, description.dimensions)
                                   : first_positions(description.rows, description.dimensions, options.seed)};
  upload(device, *positions[0], layout.positions.data());
  session::Told told(options.progress, options.steps);
  // So many that a submission ends before a driver, or whoever waits for progress, loses patience.
  constexpr double forces_at_once = 1e8;
  const double forces =
      static_cast<double>(description.rows) * (static_cast<double>(description.neighbors) + options.draws + 1);
  const auto at_once = static_cast<std::uint32_t>(std::clamp(forces_at_once / forces, 1.0, double{most_steps}));
  // Layouts of other seeds draw others.
  const auto drawn = static_cast<std::uint32_t>(options.seed * most_steps);
  for (std::uint32_t first = 0; first < options.steps; first += at_once) {
    const std::uint32_t end = std::min(options.steps, first + at_once);
    told.begin(end);
    layout.milliseconds += session::run_once(device, [&](Recording& recording) {
      for (std::uint32_t step = first; step < end; ++step) {
        recording.barrier();
        const float left = 1 - static_cast<float>(step) / static_cast<float>(options.steps);
        plan.record(recording, {*indices, *positions[step % 2], *positions[1 - step % 2]}, drawn + step,
                    options.rate * left);
      }
    }, Timing::whole);
    told.reached(end);
  }
  download(device, *positions[options.steps % 2], layout.positions.data());
  return layout;
}

}  // namespace proxel
