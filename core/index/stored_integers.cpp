#include "index/stored_integers.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "index/choice_limits.hpp"
#include "index/expected_times.hpp"
#include "index/query_values.hpp"
#include "index/upload.hpp"
#include "search/screened_plan.hpp"
#include "session/compute_times.hpp"
#include "session/queries_at_once.hpp"
#include "session/room.hpp"
#include "session/stopwatch.hpp"

namespace proxel::index {

namespace {

ScreenOperand operand_of(ElementType type) {
  return type == ElementType::uint8 ? ScreenOperand::uint8 : ScreenOperand::int8;
}

// Rows whose copy is in one buffer of the device, as many as there may be.
std::uint64_t rows_of_a_buffer(const Device& device, std::uint32_t dimensions, ScreenOperand operand) {
  const std::uint64_t tile = ScreenedRows::bytes(passes::tile_rows, dimensions, false, operand);
  return std::max<std::uint64_t>(device.capabilities().max_allocation_bytes / tile, 1) * passes::tile_rows;
}

// @param most  rows of a part, a multiple of 128
std::vector<std::uint64_t> parts_of(std::uint64_t rows, std::uint64_t first_part, std::uint64_t most) {
  if (rows <= std::min(2 * first_part, most)) return {rows};
  std::vector<std::uint64_t> parts;
  for (std::uint64_t before = 0; before != rows; before += parts.back())
    parts.push_back(std::min({rows - before, most, before == 0 ? first_part : before}));
  // The last two are about as large as each other: a few rows are not worth a search, nor enough for one.
  std::uint64_t &last = parts.back(), &other = parts[parts.size() - 2];
  if (last < other) {
    const std::uint64_t both = last + other;
    other = (both / 2 + passes::tile_rows - 1) / passes::tile_rows * passes::tile_rows;
    last = both - other;
  }
  return parts;
}

// The words of a filter that are of some of the rows. @param first_row  a multiple of 32
MatrixView<std::uint32_t> words_of(MatrixView<std::uint32_t> filter, std::uint64_t first_row, std::uint64_t rows) {
  filter.data += first_row / 32 * filter.column_stride;
  filter.columns = filter_words(rows);
  return filter;
}

}  // namespace

StoredIntegers::StoredIntegers(Device& device, std::uint64_t rows, std::uint32_t dimensions,
                               const IndexOptions& options, std::uint64_t first_part)
    : WholeCopy(device, rows, dimensions, operand_of(options.storage),
                room_beside(device, rows * dimensions, integer_memory_share), options,
                parts_of(rows, first_part, rows_of_a_buffer(device, dimensions, operand_of(options.storage)))),
      scratch_limit_(options.scratch_limit),
      told_(std::make_shared<session::MemoryPool>(device)) {}

bool StoredIntegers::serves(const SearchDescription& wanted, QueryValues values) const {
  const bool chosen = method_ == Method::fused || (method_ == Method::automatic && rows_ >= worthwhile_rows &&
                                                   !device_.capabilities().runs_on_host);
  const auto [least, most] = std::minmax_element(part_rows().begin(), part_rows().end());
  SearchDescription of_part = wanted;
  of_part.rows = *least;
  return chosen && serves_still(wanted) && !wanted.continued && !wanted.raw && wanted.k <= search::most_refined &&
         may_be(values, operand_) && multiplies_integers(device_, wanted.metric, *most, dimensions_) &&
         ScreenedPlan::supports(device_, of_part, operand_);
}

bool StoredIntegers::serves(SearchDescription& wanted, const MatrixView<float>& queries) {
  if (!serves(wanted, QueryValues::either)) return false;
  wanted.values = values_of(queries);
  return serves(wanted, wanted.values);
}

session::Call<WholeCopy::Shape> StoredIntegers::call_of(const Shape& shape, std::uint64_t queries,
                                                        Encode encode) const {
  const SearchDescription& nearest = shape.nearest;
  const std::uint64_t words = nearest.filter == FilterKind::per_query ? filter_words(nearest.rows) : 0;
  const std::uint64_t most = session::queries_at_once((dimensions_ + 2 * nearest.k + words) * 4);
  const auto plan = [this, part = shape.part](const SearchDescription& of_block) {
    return std::make_unique<PlannedScreened>(device_, of_block, part,
                                             tiled_rows(part->packed().address(), part->rows(), dimensions_), told_);
  };
  return call(shape, queries, most, plan, std::move(encode));
}

WholeCopy::Answer StoredIntegers::search_copy(const std::vector<ScreenedRows>& parts, const MatrixView<float>& queries,
                                              const SearchDescription& wanted, LiveFilter& filter,
                                              const Progress& progress) {
  if (parts.size() > 1) return search_parts(parts, queries, wanted, filter, progress);
  const auto search = [&] {
    Shape shape{wanted, &parts.front()};
    shape.nearest.cautious = cautious_;
    Answer answer{session().nearest(call_of(shape, queries.rows, encode_all(queries, wanted, filter)), wanted.k, pace(),
                                    progress)};
    answer.undecided = session::leaves_undecided(answer.found.report) ? 1 : 0;
    return answer;
  };
  Answer answer = search();
  return answer.undecided != 0 && becomes_cautious() ? search() : std::move(answer);
}

struct StoredIntegers::Kept {
  KeptAnswers& answers;
  const std::vector<ScreenedRows>& parts;
  const SearchDescription& wanted;
  LiveFilter& filter;
  std::uint64_t first, count;                    // queries
  std::function<void(std::uint64_t rows)> tell;  // that so many rows have been searched for them
  SearchReport& report;
};

bool StoredIntegers::becomes_cautious() {
  return rows_ >= ScreenedRows::fewest_sampled_rows && !std::exchange(cautious_, true);
}

bool StoredIntegers::let_go() {
  cautious_ = false;
  const bool kept = std::exchange(kept_, nullptr) != nullptr;
  return WholeCopy::let_go() || kept;
}

// Whether all queries were decided.
bool StoredIntegers::search_part(Kept& kept, std::size_t number, bool unsampled) {
  const std::uint64_t before =
      std::accumulate(part_rows().begin(), part_rows().begin() + static_cast<std::ptrdiff_t>(number), std::uint64_t{0});
  Shape shape{kept.wanted, &kept.parts[number], true};
  shape.nearest.rows = shape.part->rows();
  shape.nearest.k = std::min(kept.wanted.k, shape.nearest.rows);
  shape.nearest.ordered = shape.nearest.bounded = true;
  shape.nearest.unsampled = unsampled;
  shape.nearest.cautious = cautious_;
  const auto encode = [&](session::Round& round, std::uint64_t first, std::uint64_t count) {
    if (kept.wanted.filter != FilterKind::none)
      asked_copy_.run(words_of(kept.filter.of(kept.first + first, count), before, shape.nearest.rows),
                      static_cast<std::uint32_t*>(round.filter()));
    kept.answers.copy_queries(round, first, count);
  };
  const auto take = [&](const session::Round& round, std::uint64_t first, std::uint64_t count) {
    kept.answers.add(round, first, count, shape.nearest.k, static_cast<std::uint32_t>(before), kept.wanted.metric);
  };
  Progress progress;
  if (kept.tell)
    progress = [&](std::uint64_t done, std::uint64_t total) { kept.tell(before + shape.nearest.rows * done / total); };
  SearchReport latest = session().each_answer(call_of(shape, kept.count, encode), pace(), progress, take);
  const bool decided = !session::leaves_undecided(latest);
  latest.rungs.clear();
  session::add(kept.report, latest);
  return decided;
}

WholeCopy::Answer StoredIntegers::search_parts(const std::vector<ScreenedRows>& parts, const MatrixView<float>& queries,
                                               const SearchDescription& wanted, LiveFilter& filter,
                                               const Progress& progress) {
  const std::uint64_t k = wanted.k;
  Answer answer{session::neighbors_room(queries.rows, k)};
  std::uint64_t at_once =
      std::clamp<std::uint64_t>(scratch_limit_ / KeptAnswers::bytes(1, dimensions_, k), 1, queries.rows);
  for (std::uint64_t first = 0, count = 0; first < queries.rows; first += count) {
    count = std::min(at_once, queries.rows - first);
    while (!KeptAnswers::keep(kept_, device_, count, dimensions_, k)) {
      if (count == 1) session::fail_for_neighbors(count, k);
      count = at_once = (count + 1) / 2;
    }
    const session::Stopwatch bringing;
    kept_->begin(queries.slice(first, count));
    answer.found.report.times.upload_milliseconds += bringing.milliseconds();
    std::function<void(std::uint64_t)> tell;
    if (progress) tell = [&](std::uint64_t rows) { progress(first * rows_ + count * rows, queries.rows * rows_); };
    Kept kept{*kept_, parts, wanted, filter, first, count, tell, answer.found.report};
    // Whether the distances so far tell how far to look. Of rows in an order, far ones first, too many are within them.
    bool known = false, tells = true;
    const auto decided = [&](std::size_t number) {
      const bool tried = known && tells;
      const bool found = tried && search_part(kept, number, true);
      if (!found && !search_part(kept, number, false) && !(becomes_cautious() && search_part(kept, number, false)))
        return false;
      if (tried) tells = found;
      known = true;
      kept_->end_part();
      return true;
    };
    // A part of which a filter leaves too few rows is searched when others have told how far to look.
    std::vector<std::size_t> later;
    for (std::size_t number = 0; number < parts.size(); ++number)
      if (!decided(number)) later.push_back(number);
    tells = true;
    if (!std::all_of(later.begin(), later.end(), decided)) {
      answer.undecided = 1;
      return answer;
    }
    const session::Stopwatch reading;
    const Metric metric = wanted.ordered ? accumulated(wanted.metric) : wanted.metric;
    if (count == queries.rows) {
      kept_->read(metric, answer.found);
    } else {
      Neighbors some = session::neighbors_room(count, k);
      kept_->read(metric, some);
      std::copy_n(some.indices.data(), count * k, answer.found.indices.data() + first * k);
      std::copy_n(some.distances.data(), count * k, answer.found.distances.data() + first * k);
    }
    answer.found.report.times.readback_milliseconds += reading.milliseconds();
  }
  answer.found.report.rungs = {{std::string(to_string(operand_)), queries.rows}};
  return answer;
}

}  // namespace proxel::index
