#include "index/whole_copy.hpp"

#include <utility>

#include "index/upload.hpp"

namespace proxel::index {

bool WholeCopy::packed(Metric metric) const {
  const auto found = copies_.find(accumulated(metric));
  return found != copies_.end() && found->second.packed;
}

bool WholeCopy::make_room(Metric metric) {
  const Metric kind = accumulated(metric);
  if (copies_.contains(kind)) return true;
  const std::uint64_t bytes = ScreenedRows::bytes(rows_, dimensions_, false, operand_);
  no_room_ = bytes > room_;
  if (no_room_) return false;
  if ((copies_.size() + 1) * bytes > room_) {
    session_.forget();
    copies_.clear();
  }
  try {
    copies_.emplace(kind, Copy{ScreenedRows(device_, kind, rows_, dimensions_, false, 0, operand_)});
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
  copy(metric).record_some(recording, rows, first);
}

void WholeCopy::end_packing(Metric metric) { copies_.at(accumulated(metric)).packed = true; }

session::Call<WholeCopy::Shape> WholeCopy::call(
    const MatrixView<float>& queries, const SearchDescription& wanted, LiveFilter& filter, std::uint64_t most,
    std::function<std::unique_ptr<Plan>(const SearchDescription&)> plan) const {
  Shape shape{wanted};
  shape.nearest.copy_alone = true;
  session::Call<Shape> call;
  call.work = {queries.rows, most, static_cast<double>(rows_) * dimensions_};
  call.shape = [shape](std::uint64_t, std::uint64_t count) mutable {
    shape.nearest.queries = static_cast<std::uint32_t>(count);
    return shape;
  };
  call.plan = [plan = std::move(plan)](const Shape& of, const session::Prepare& prepare) {
    prepare(plan(of.nearest), {});
  };
  call.encode = [queries, filtered = wanted.filter != FilterKind::none, &filter](
                    session::Round& round, const Shape&, std::uint64_t first, std::uint64_t count) {
    copy_rows(queries.slice(first, count), static_cast<float*>(round.queries()));
    if (filtered) copy_rows(filter.of(first, count), static_cast<std::uint32_t*>(round.filter()));
  };
  return call;
}

std::optional<Neighbors> WholeCopy::search(const MatrixView<float>& queries, const SearchDescription& wanted,
                                           LiveFilter& filter, const Progress& progress) {
  Progress of_queries;
  if (progress) of_queries = [&](std::uint64_t done, std::uint64_t total) { progress(done * rows_ / total, rows_); };
  Answer answer;
  try {
    answer = search_copy(copy(wanted.metric), queries, wanted, filter, of_queries);
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
