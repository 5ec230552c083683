#include "index/whole_copy.hpp"

#include <utility>

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
    forget_searches();
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
  forget_searches();
  no_room_ = true;
  return std::exchange(copies_, {}).size() != 0;
}

void WholeCopy::record_pack(Recording& recording, Metric metric, const passes::Rows& rows, std::uint64_t first) const {
  copy(metric).record_some(recording, rows, first);
}

void WholeCopy::end_packing(Metric metric) { copies_.at(accumulated(metric)).packed = true; }

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
