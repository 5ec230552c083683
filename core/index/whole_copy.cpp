#include "index/whole_copy.hpp"

#include <algorithm>
#include <utility>

#include "index/upload.hpp"
#include "passes/memory.hpp"

namespace proxel::index {

bool WholeCopy::packed(Metric metric) const {
  const auto found = copies_.find(accumulated(metric));
  return found != copies_.end() && found->second.packed;
}

bool WholeCopy::make_room(Metric metric) {
  const Metric kind = accumulated(metric);
  if (copies_.contains(kind)) return true;
  std::uint64_t bytes = 0;
  for (const std::uint64_t rows : part_rows_) bytes += ScreenedRows::bytes(rows, dimensions_, false, operand_);
  no_room_ = bytes > room_;
  if (no_room_) return false;
  if ((copies_.size() + 1) * bytes > room_) {
    session_.forget();
    copies_.clear();
  }
  try {
    Copy made;
    for (const std::uint64_t rows : part_rows_)
      made.parts.emplace_back(device_, kind, rows, dimensions_, false, 0, operand_);
    copies_.emplace(kind, std::move(made));
    return true;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::out_of_memory) throw;
    let_go();
    return false;
  }
}

bool WholeCopy::let_go() {
  session_.forget();
  no_room_ = true;
  return std::exchange(copies_, {}).size() != 0;
}

void WholeCopy::record_pack(Recording& recording, Metric metric, const passes::Rows& rows, std::uint64_t first) const {
  std::uint64_t part_first = 0;
  for (const ScreenedRows& part : parts(metric)) {
    const std::uint64_t from = std::max(first, part_first);
    const std::uint64_t end = std::min(first + rows.count, part_first + part.rows());
    if (from < end) {
      passes::Rows some = passes::from_row(rows, from - first);
      some.count = static_cast<std::uint32_t>(end - from);
      part.record_some(recording, some, from - part_first);
    }
    part_first += part.rows();
  }
}

void WholeCopy::end_packing(Metric metric) { copies_.at(accumulated(metric)).packed = true; }

WholeCopy::Encode WholeCopy::encode_all(const MatrixView<float>& queries, const SearchDescription& wanted,
                                        LiveFilter& filter) {
  return [this, queries, filtered = wanted.filter != FilterKind::none, &filter](
             session::Round& round, std::uint64_t first, std::uint64_t count) {
    asked_copy_.run(queries.slice(first, count), static_cast<float*>(round.queries()));
    if (filtered) asked_copy_.run(filter.of(first, count), static_cast<std::uint32_t*>(round.filter()));
  };
}

session::Call<WholeCopy::Shape> WholeCopy::call(const Shape& shape, std::uint64_t queries, std::uint64_t most,
                                                std::function<std::unique_ptr<Plan>(const SearchDescription&)> plan,
                                                Encode encode) const {
  session::Call<Shape> call;
  call.work = {queries, most, static_cast<double>(shape.nearest.rows) * dimensions_};
  call.shape = [of_all = shape](std::uint64_t, std::uint64_t count) {
    Shape of_block = of_all;
    of_block.nearest.copy_alone = true;
    of_block.nearest.queries = static_cast<std::uint32_t>(count);
    return of_block;
  };
  call.plan = [plan = std::move(plan)](const Shape& of, const session::Prepare& prepare) {
    prepare(plan(of.nearest), {.queries_on_device = of.on_device, .answers_on_device = of.on_device});
  };
  call.encode = [encode = std::move(encode)](session::Round& round, const Shape&, std::uint64_t first,
                                             std::uint64_t count) { encode(round, first, count); };
  return call;
}

std::optional<Neighbors> WholeCopy::search(const MatrixView<float>& queries, const SearchDescription& wanted,
                                           LiveFilter& filter, const Progress& progress) {
  Progress of_queries;
  if (progress)
    of_queries = [&](std::uint64_t done, std::uint64_t total) {
      const double part = static_cast<double>(done) / static_cast<double>(total);
      progress(static_cast<std::uint64_t>(part * static_cast<double>(rows_)), rows_);
    };
  Answer answer;
  try {
    answer = search_copy(parts(wanted.metric), queries, wanted, filter, of_queries);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::out_of_memory && error.code() != ErrorCode::unsupported) throw;
    let_go();
    return {};
  }
  decisions_[kind_of(wanted)].add(answer.asked, answer.undecided);
  if (answer.undecided != 0) return {};
  answer.found.report.method = to_string(Method::fused);
  return std::move(answer.found);
}

}  // namespace proxel::index
