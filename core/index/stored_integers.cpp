#include "index/stored_integers.hpp"

#include "index/choice_limits.hpp"
#include "index/expected_times.hpp"
#include "index/query_values.hpp"
#include "search/screened_plan.hpp"
#include "session/compute_times.hpp"
#include "session/queries_at_once.hpp"

namespace proxel::index {

StoredIntegers::StoredIntegers(Device& device, std::uint64_t rows, std::uint32_t dimensions,
                               const IndexOptions& options)
    : WholeCopy(device, rows, dimensions,
                options.storage == ElementType::uint8 ? ScreenOperand::uint8 : ScreenOperand::int8,
                room_for_integers(device, rows * dimensions), options) {}

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
  const std::uint64_t most = session::queries_at_once((dimensions_ + 2 * wanted.k + words) * 4);
  const auto plan = [&](const SearchDescription& nearest) {
    return std::make_unique<PlannedScreened>(device_, nearest, &rows,
                                             tiled_rows(rows.packed().address(), rows_, dimensions_), nullptr);
  };
  Answer answer{session().nearest(call(queries, wanted, filter, most, plan), wanted.k, pace(), progress)};
  answer.undecided = session::leaves_undecided(answer.found.report) ? 1 : 0;
  return answer;
}

}  // namespace proxel::index
