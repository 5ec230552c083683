#include "index/streamed_codes.hpp"

#include <algorithm>
#include <atomic>

#include "index/choice_limits.hpp"
#include "index/planned_codes.hpp"
#include "index/upload.hpp"
#include "proxel/passes/screen_origin.h"
#include "session/compute_times.hpp"
#include "session/room.hpp"
#include "session/run_once.hpp"

namespace proxel::index {
namespace {

using passes::tile_rows;

// What the rows that are collected for a query count as, where the host's threads divide queries: each is worth one.
constexpr std::uint64_t rows_of_a_list = std::uint64_t{1} << 15;

// The rows as passes are told of them; a stride that they cannot be told of gives none.
std::optional<passes::Rows> at_host_addresses(const MatrixView<float>& rows) {
  // Offsets within a tile stay below 2^31 (proxel/passes/types.h).
  constexpr std::uint64_t most = std::uint64_t{1} << 31;
  if (rows.row_stride > most / tile_rows || rows.column_stride > most / std::max<std::uint64_t>(rows.columns, 1) ||
      tile_rows * rows.row_stride + rows.columns * rows.column_stride >= most)
    return std::nullopt;
  passes::Rows told{};
  told.address = reinterpret_cast<std::uintptr_t>(rows.data);
  told.count = static_cast<std::uint32_t>(rows.rows);
  told.row_stride = static_cast<std::uint32_t>(rows.row_stride);
  told.dimension_stride = static_cast<std::uint32_t>(rows.column_stride);
  told.tile_stride = tile_rows * told.row_stride;
  return told;
}

std::uint64_t sampled_rows(const MatrixView<float>& rows) {
  return std::min<std::uint64_t>(
      rows.rows, std::clamp<std::uint64_t>(passes::screen_origin_values / rows.columns,
                                           passes::screen_origin_least_samples, passes::screen_origin_most_samples));
}

}  // namespace

StreamedCodes::StreamedCodes(Device& device, const HostRows& rows, const IndexOptions& options, std::uint64_t room)
    : WholeCopy(device, rows.all.rows, static_cast<std::uint32_t>(rows.all.columns), ScreenOperand::codes, room,
                options),
      host_(rows),
      scratch_limit_(options.scratch_limit) {}

std::uint64_t StreamedCodes::bytes(const Device& device, const MatrixView<float>& rows, const IndexOptions& options) {
  const bool chosen =
      options.method == Method::fused || (options.method == Method::automatic && !device.capabilities().runs_on_host &&
                                          rows.columns > few_dimensions && rows.rows >= worthwhile_rows);
  if (!chosen || !at_host_addresses(rows)) return 0;
  const auto dimensions = static_cast<std::uint32_t>(rows.columns);
  if (!ScreenedRows::supports(device, Metric::l2sq, rows.rows, dimensions, ScreenOperand::codes)) return 0;
  return ScreenedRows::bytes(rows.rows, dimensions, false, ScreenOperand::codes);
}

bool StreamedCodes::serves(SearchDescription& wanted, const MatrixView<float>& queries) {
  if (!serves_still(wanted) || wanted.continued || wanted.raw || normalizes(wanted.metric)) return false;
  if (queries.rows > most_streamed_code_queries(device_)) return false;
  // A filter takes a number for each row.
  const std::uint64_t filters = wanted.filter == FilterKind::none     ? 0
                                : wanted.filter == FilterKind::shared ? 1
                                                                      : ScreenedPlan::most_coded_queries;
  if (filters * rows_ * sizeof(float) > scratch_limit_) return false;
  SearchDescription at_once = wanted;
  at_once.queries = 1;
  at_once.copy_alone = true;
  if (!ScreenedPlan::supports(device_, at_once, ScreenOperand::codes)) return false;
  return method_ == Method::fused || asked_[accumulated(wanted.metric)]++ != 0;
}

void StreamedCodes::begin_packing(Metric metric) {
  // From everywhere, as those that come first may be unlike the rest.
  const std::uint64_t count = sampled_rows(host_.all);
  const auto sample = device_.create_buffer(count * dimensions_ * 4, MemoryKind::upload);
  auto* to = static_cast<float*>(sample->mapped());
  for (std::uint64_t i = 0; i < count; ++i) copy_rows(host_.slice(i * rows_ / count, 1), to + i * dimensions_);
  session::run_once(device_, [&](Recording& recording) {
    parts(metric).front().record_frame(recording, row_major_rows(sample->address(), count, dimensions_));
  });
}

void StreamedCodes::end_packing(Metric metric) {
  const BufferView bounds = parts(metric).front().row_bounds();
  std::vector<float>& on_host = row_bounds_[accumulated(metric)];
  on_host.resize(bounds.bytes / sizeof(float));
  download(device_, bounds, on_host.data());
  WholeCopy::end_packing(metric);
}

WholeCopy::Answer StreamedCodes::search_copy(const std::vector<ScreenedRows>& parts, const MatrixView<float>& queries,
                                             const SearchDescription& wanted, LiveFilter& filter,
                                             const Progress& progress) {
  const ScreenedRows& rows = parts.front();
  const passes::Rows on_host = at_host_addresses(host_.all).value();
  const float* const row_bounds = row_bounds_.at(accumulated(wanted.metric)).data();
  Matrix<float> own(queries.rows, queries.columns);
  copy_rows(queries, own.data());
  const std::uint64_t k = wanted.k;
  const auto plan = [&](const SearchDescription& nearest) {
    return std::make_unique<PlannedCodes>(device_, nearest, rows);
  };
  Answer answer{session::neighbors_room(queries.rows, k)};
  std::atomic<std::uint64_t> undecided{0};
  // Four queries are evaluated while the device collects for the next.
  CollectedRows collected;
  std::uint64_t collected_first = 0;
  search::OverQueries over(std::min<std::uint64_t>(queries.rows, ScreenedPlan::most_coded_queries), rows_of_a_list,
                           threads_);
  const auto evaluate = [&] {
    over.run(collected.queries(), [&](std::uint64_t from, std::uint64_t count) {
      for (std::uint64_t i = from; i < from + count; ++i) {
        const std::uint64_t query = collected_first + i;
        if (!collected.answer(i, &own(query, 0), on_host, row_bounds, answer.found.indices.data() + query * k,
                              answer.found.distances.data() + query * k))
          ++undecided;
      }
    });
    collected = {};
  };
  const auto take = [&](const session::Round& round, std::uint64_t first, std::uint64_t) {
    collected = static_cast<const PlannedCodes&>(round.plan()).collected();
    collected_first = first;
  };
  answer.found.report = session().each_answer(call({wanted, &rows}, queries.rows, ScreenedPlan::most_coded_queries,
                                                   plan, encode_all(own.view(), wanted, filter)),
                                              pace(), progress, take, evaluate);
  const session::Stopwatch evaluating;
  evaluate();
  answer.found.report.times.readback_milliseconds += evaluating.milliseconds();
  answer.asked = queries.rows;
  answer.undecided = undecided;
  session::add_rungs(answer.found.report, {{std::string(to_string(operand_)), queries.rows - undecided}});
  return answer;
}

}  // namespace proxel::index
