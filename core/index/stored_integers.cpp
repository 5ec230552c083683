#include "index/stored_integers.hpp"

#include "index/choice_limits.hpp"
#include "index/expected_times.hpp"
#include "index/query_values.hpp"
#include "index/upload.hpp"
#include "search/screened_plan.hpp"
#include "session/compute_times.hpp"
#include "session/queries_at_once.hpp"

namespace proxel::index {

StoredIntegers::StoredIntegers(Device& device, std::uint64_t rows, std::uint32_t dimensions,
                               const IndexOptions& options)
    : WholeCopy(device, rows, dimensions,
                options.storage == ElementType::uint8 ? ScreenOperand::uint8 : ScreenOperand::int8,
                room_beside(device, rows * dimensions)),
      method_(options.method),
      pace_(device, true),
      session_(device, options.timing) {}

bool StoredIntegers::serves(const SearchDescription& wanted, QueryValues values) const {
  const bool chosen = method_ == Method::fused || (method_ == Method::automatic && rows_ >= worthwhile_rows &&
                                                   !device_.capabilities().runs_on_host);
  return chosen && serves_still(wanted) && !wanted.continued && !wanted.raw && wanted.k <= search::most_refined &&
         may_be(values, operand_) && multiplies_integers(device_, wanted.metric, rows_, dimensions_) &&
         ScreenedPlan::supports(device_, wanted, operand_);
}

bool StoredIntegers::serves(SearchDescription& wanted, const MatrixView<float>& queries) {
  if (!serves(wanted, QueryValues::either)) return false;
  wanted.values = values_of(queries);
  return serves(wanted, wanted.values);
}

WholeCopy::Answer StoredIntegers::search_copy(const ScreenedRows& rows, const MatrixView<float>& queries,
                                              const SearchDescription& wanted, LiveFilter& filter,
                                              const Progress& progress) {
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
  Answer answer{session_.nearest(call, wanted.k, pace_, progress)};
  answer.undecided = session::leaves_undecided(answer.found.report) ? 1 : 0;
  return answer;
}

}  // namespace proxel::index
