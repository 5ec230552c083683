#include "index/stored_integers.hpp"

#include <utility>

#include "index/choice_limits.hpp"
#include "index/expected_times.hpp"
#include "index/upload.hpp"
#include "search/screened_plan.hpp"
#include "session/compute_times.hpp"
#include "session/queries_at_once.hpp"

namespace proxel::index {

StoredIntegers::StoredIntegers(Device& device, std::uint64_t rows, std::uint32_t dimensions,
                               const IndexOptions& options)
    : device_(device),
      rows_(rows),
      dimensions_(dimensions),
      method_(options.method),
      operand_(options.storage == ElementType::uint8 ? ScreenOperand::uint8 : ScreenOperand::int8),
      pace_(device, true),
      session_(device, options.timing) {}

bool StoredIntegers::serves(const SearchDescription& wanted, QueryValues values) const {
  const bool chosen = method_ == Method::fused || (method_ == Method::automatic && rows_ >= worthwhile_rows &&
                                                   !device_.capabilities().runs_on_host);
  return chosen && !no_room_ && decisions_[kind_of(wanted)].suffice() && !wanted.continued && !wanted.raw &&
         wanted.k <= search::most_refined && may_be(values, operand_) &&
         multiplies_integers(device_, wanted.metric, rows_, dimensions_) &&
         ScreenedPlan::supports(device_, wanted, operand_);
}

bool StoredIntegers::packed(Metric metric) const {
  const auto found = copies_.find(accumulated(metric));
  return found != copies_.end() && found->second.packed;
}

bool StoredIntegers::make_room(Metric metric) {
  const Metric kind = accumulated(metric);
  if (copies_.contains(kind)) return true;
  const std::uint64_t bytes =
      rows_ * dimensions_ + (copies_.size() + 1) * ScreenedRows::bytes(rows_, dimensions_, false, operand_);
  no_room_ = static_cast<double>(bytes) > memory_share * static_cast<double>(device_.capabilities().memory_bytes);
  if (no_room_) return false;
  try {
    copies_.emplace(kind, Copy{ScreenedRows(device_, kind, rows_, dimensions_, false, 0, operand_)});
    return true;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::out_of_memory) throw;
    let_go();
    return false;
  }
}

bool StoredIntegers::let_go() {
  session_.forget();
  no_room_ = true;
  return std::exchange(copies_, {}).size() != 0;
}

void StoredIntegers::record_pack(Recording& recording, Metric metric, const passes::Rows& rows,
                                 std::uint64_t first) const {
  copies_.at(accumulated(metric)).rows.record_some(recording, rows, first);
}

void StoredIntegers::end_packing(Metric metric) { copies_.at(accumulated(metric)).packed = true; }

std::optional<Neighbors> StoredIntegers::search(const MatrixView<float>& queries, const SearchDescription& wanted,
                                                LiveFilter& filter, const Progress& progress) {
  const ScreenedRows& rows = copies_.at(accumulated(wanted.metric)).rows;
  const std::uint64_t words = wanted.filter == FilterKind::per_query ? filter_words(rows_) : 0;
  Shape shape{wanted};
  shape.nearest.copy_alone = true;
  session::Call<Shape> call;
  call.work = {queries.rows, session::queries_at_once((dimensions_ + 2 * wanted.k + words) * 4),
               static_cast<double>(rows_) * dimensions_};
  call.shape = [&](std::uint64_t, std::uint64_t count) {
    shape.nearest.queries = static_cast<std::uint32_t>(count);
    return shape;
  };
  call.plan = [&](const Shape& of, const session::Prepare& prepare) {
    prepare(std::make_unique<PlannedScreened>(device_, of.nearest, &rows,
                                              tiled_rows(rows.packed().address(), rows_, dimensions_), nullptr),
            {});
  };
  call.encode = [&](session::Round& round, const Shape&, std::uint64_t first, std::uint64_t count) {
    copy_rows(queries.slice(first, count), static_cast<float*>(round.queries()));
    if (wanted.filter != FilterKind::none)
      copy_rows(filter.of(first, count), static_cast<std::uint32_t*>(round.filter()));
  };
  Progress of_queries;
  if (progress) of_queries = [&](std::uint64_t done, std::uint64_t total) { progress(done * rows_ / total, rows_); };
  Neighbors found;
  try {
    found = session_.nearest(call, wanted.k, pace_, of_queries);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::out_of_memory) throw;
    let_go();
    return {};
  }
  const bool decided = !session::leaves_undecided(found.report);
  decisions_[kind_of(wanted)].add(1, decided ? 0 : 1);
  if (!decided) return {};
  found.report.method = to_string(Method::fused);
  return found;
}

}  // namespace proxel::index
