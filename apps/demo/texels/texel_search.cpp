#include "texels/texel_search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "proxel/passes/texel_accumulate.h"
#include "proxel/passes/texel_collect.h"
#include "proxel/passes/texel_minimum.h"
#include "proxel/passes/texel_pack.h"
#include "proxel/passes/texel_reduce.h"
#include "proxel/passes/texel_unpack.h"

namespace demo {
namespace {

using proxel::Buffer;
using proxel::Error;
using proxel::ErrorCode;
using proxel::MemoryKind;
using proxel::Pass;
namespace passes = proxel::passes;

constexpr std::uint32_t half(std::uint32_t extent) { return extent / 2 + extent % 2; }

// Records passes one behind the other; a device that cannot run one says why.
class Steps {
 public:
  explicit Steps(proxel::Device& device) : device_(device), commands_(device.create_commands(proxel::Timing::passes)) {
    commands_->begin();
  }
  void add(const Pass& pass) {
    device_.prepare(pass);
    commands_->record(pass);
    commands_->barrier();
  }
  proxel::Recording& recording() { return *commands_; }
  std::vector<proxel::PassTime> run() {
    commands_->end();
    device_.submit(*commands_);
    device_.wait();
    return commands_->pass_times();
  }

 private:
  proxel::Device& device_;
  std::unique_ptr<proxel::Commands> commands_;
};

std::unique_ptr<Buffer> uploaded(proxel::Device& device, const float* values, std::uint64_t count) {
  auto buffer = device.create_buffer(count * sizeof(float), MemoryKind::device);
  proxel::upload(device, *buffer, values);
  return buffer;
}

}  // namespace

double TexelRun::milliseconds() const {
  double sum = collect_milliseconds;
  for (const TexelState& state : states) sum += state.milliseconds;
  return sum;
}

std::span<const std::uint32_t> TexelRun::distances() const {
  const auto first_other = std::find_if(states.begin(), states.end(),
                                        [](const TexelState& state) { return state.pass != TexelPass::accumulate; });
  return std::prev(first_other)->texels;
}

TexelSearch::TexelSearch(proxel::Device& device, std::shared_ptr<const TexelData> data)
    : device_(device),
      data_(std::move(data)),
      // One block: what is looked at is far from what a texture can hold.
      database_(device, data_->rows.rows(), static_cast<std::uint32_t>(data_->rows.columns()), data_->rows.rows()) {
  if (database_.blocks().size() != 1)
    throw Error(ErrorCode::unsupported, data_->name,
                fmt::format("{} rows do not fit one texture of {}", data_->rows.rows(), device.info().id));
  using proxel::TexelFormat;
  accumulated_ = device.create_texture(width(), height(), 1, TexelFormat::rgba32_float);
  candidates_ = device.create_texture(width(), height(), 1, TexelFormat::rgba32_uint);
  const auto rows = uploaded(device, data_->rows.data(), data_->rows.rows() * data_->rows.columns());
  Steps steps(device);
  passes::TexelPackParameters pack{};
  pack.source = rows->address();
  pack.dimensions = database_.dimensions();
  pack.source_rows = database_.blocks()[0].rows;
  pack.width = width();
  pack.height = height();
  for (const auto& texture : database_.blocks()[0].coordinates) {
    pack.layers = texture->layers();
    steps.add(passes::make_texel_pack(pack, *texture));
    pack.first_dimension += pack.layers;
  }
  steps.run();
}

const float* TexelSearch::values_of(const TexelQuestion& question) const {
  if (question.drawn.size() == database_.dimensions()) return question.drawn.data();
  if (!question.drawn.empty())
    throw Error(ErrorCode::invalid_argument, "query",
                fmt::format("has {} coordinates, the rows have {}", question.drawn.size(), database_.dimensions()));
  if (question.query >= data_->queries.rows())
    throw Error(ErrorCode::invalid_argument, "query",
                fmt::format("{} was given, there are 0 to {}", question.query, data_->queries.rows() - 1));
  return &data_->queries(question.query, 0);
}

TexelRun TexelSearch::run(const TexelQuestion& question) {
  proxel::TexelPlan::check({.dimensions_per_pass = question.dimensions_per_pass});
  const float* values = values_of(question);
  TexelRun run;
  run.question = question;
  run.device = device_.info().id;
  run.rows = data_->rows.rows();
  run.width = width();
  run.height = height();

  // The passes, each with the state that it leaves.
  std::vector<Pass> work;
  const auto query = uploaded(device_, values, database_.dimensions());
  passes::TexelAccumulateParameters accumulate{};
  accumulate.queries = query->address();
  accumulate.dimensions = database_.dimensions();
  accumulate.width = width();
  accumulate.height = height();
  for (const auto& texture : database_.blocks()[0].coordinates)
    for (std::uint32_t layer = 0; layer < texture->layers(); layer += question.dimensions_per_pass) {
      const std::uint32_t count = std::min(question.dimensions_per_pass, texture->layers() - layer);
      accumulate.first_layer = layer;
      accumulate.first = accumulate.first_dimension == 0;
      work.push_back(passes::make_texel_accumulate(accumulate, question.metric, count, 1, *texture, *accumulated_));
      run.states.push_back({TexelPass::accumulate, accumulate.first_dimension, count, width(), height(), 0, {}});
      accumulate.first_dimension += count;
    }
  passes::TexelMinimumParameters minimum{};
  minimum.width = width();
  minimum.height = height();
  minimum.rows = static_cast<std::uint32_t>(run.rows);
  work.push_back(passes::make_texel_minimum(minimum, question.metric, 1, *accumulated_, *candidates_));
  run.states.push_back({TexelPass::minimum, 0, 0, width(), height(), 0, {}});
  for (std::uint32_t w = width(), h = height(); w > 1 || h > 1; w = half(w), h = half(h)) {
    work.push_back(passes::make_texel_reduce({w, h, 1, 0}, 1, *candidates_));
    run.states.push_back({TexelPass::reduce, 0, 0, half(w), half(h), 0, {}});
  }

  const std::uint64_t bytes = std::uint64_t{16} * width() * height();
  if (run.states.size() > most_state_bytes / bytes)
    throw Error(ErrorCode::unsupported, "t",
                fmt::format("{} passes over {} bytes of texels are more than the {} bytes that are kept; take more "
                            "dimensions per pass",
                            run.states.size(), bytes, most_state_bytes));
  const auto kept = device_.create_buffer(bytes * run.states.size(), MemoryKind::readback);
  const auto key = device_.create_buffer(sizeof(std::uint64_t), MemoryKind::readback);
  Steps steps(device_);
  for (std::size_t i = 0; i < work.size(); ++i) {
    steps.add(work[i]);
    const std::uint64_t to = kept->address() + i * bytes;
    const bool sums = run.states[i].pass == TexelPass::accumulate;
    steps.add(
        passes::make_texel_unpack({sums ? to : 0, sums ? 0 : to, width(), height()}, 1, *accumulated_, *candidates_));
  }
  passes::TexelCollectParameters collect{};
  collect.keys = key->address();
  collect.keys_stride = 1;
  collect.queries = 1;
  collect.first_block = 1;
  steps.add(passes::make_texel_collect(collect, *candidates_));

  std::vector<proxel::PassTime> times = steps.run();
  // What makes the states visible is no part of the search.
  std::erase_if(times, [](const proxel::PassTime& time) { return time.name == "texel_unpack" || time.name == "rest"; });
  const auto* words = static_cast<const std::uint32_t*>(kept->mapped());
  for (std::size_t i = 0; i < run.states.size(); ++i) {
    run.states[i].texels.assign(words + i * bytes / 4, words + (i + 1) * bytes / 4);
    if (i < times.size()) run.states[i].milliseconds = times[i].milliseconds;
  }
  if (times.size() == run.states.size() + 1) run.collect_milliseconds = times.back().milliseconds;
  // In memory a key is the index, then the distance.
  run.neighbor = *static_cast<const std::uint32_t*>(key->mapped());
  if (run.neighbor >= run.rows)
    throw Error(ErrorCode::backend_failure, run.device, fmt::format("found row {} of {}", run.neighbor, run.rows));
  run.distance = std::bit_cast<float>(run.distances()[run.neighbor]);
  return run;
}

std::vector<float> TexelSearch::coordinates() {
  const std::uint64_t layer = std::uint64_t{4} * width() * height();
  const auto kept = device_.create_buffer(layer * database_.dimensions() * sizeof(float), MemoryKind::readback);
  Steps steps(device_);
  std::uint64_t to = kept->address();
  for (const auto& texture : database_.blocks()[0].coordinates) {
    steps.add(passes::make_texel_unpack({to, 0, width(), height()}, texture->layers(), *texture, *candidates_));
    to += layer * texture->layers() * sizeof(float);
  }
  steps.run();
  const auto* values = static_cast<const float*>(kept->mapped());
  return {values, values + layer * database_.dimensions()};
}

std::string difference(const TexelRun& a, const TexelRun& b) {
  if (a.question != b.question || a.states.size() != b.states.size() || a.width != b.width || a.height != b.height)
    return "two questions";
  for (std::size_t i = 0; i < a.states.size(); ++i) {
    const bool sums = a.states[i].pass == TexelPass::accumulate;
    const auto is_nan = [&](std::uint32_t word) { return sums && std::isnan(std::bit_cast<float>(word)); };
    for (std::size_t word = 0; word < a.states[i].texels.size(); ++word) {
      const std::uint32_t left = a.states[i].texels[word];
      const std::uint32_t right = b.states[i].texels[word];
      if (left != right && !(is_nan(left) && is_nan(right)))
        return fmt::format("after pass {}: texel {}, {} has 0x{:08X} in channel {}, {} 0x{:08X}", i + 1, word / 4,
                           a.device, left, word % 4, b.device, right);
    }
  }
  return a.neighbor == b.neighbor ? std::string() : fmt::format("row {}, row {}", a.neighbor, b.neighbor);
}

}  // namespace demo
