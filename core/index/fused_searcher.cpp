#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "index/choice_limits.hpp"
#include "index/expected_times.hpp"
#include "index/planned_screened.hpp"
#include "index/searcher.hpp"
#include "proxel/screened.hpp"
#include "search/list_length.hpp"
#include "search/screened_plan.hpp"
#include "session/compute_times.hpp"
#include "session/memory_pool.hpp"
#include "session/run_once.hpp"

namespace proxel::index {
namespace {

class FusedSearcher : public Searcher {
 public:
  explicit FusedSearcher(const SearcherContext& context)
      : storage_(context.storage),
        passing_(context.passing),
        timing_(context.options.timing),
        spare_(context.spare),
        told_(std::make_shared<session::MemoryPool>(context.storage.device())) {}

  Support supports(Metric metric, std::uint64_t k) const override { return serves(describe_one(storage_, metric, k)); }
  Support serves(const SearchDescription& description) const override {
    if (storage_.segments().size() > 1)
      return Support::no(
          "thresholds need the rows in one buffer, and the device's largest is too "
          "small for them");
    return ScreenedPlan::supports(
        storage_.device(), describe_one(description),
        on_matrix_units(storage_, description.metric) ? std::optional(ScreenOperand::halves) : std::nullopt);
  }
  std::uint64_t fewest_rows(std::uint64_t k) const override { return search::fewest_screened_rows(k); }

  bool worthwhile(const SearchDescription& description) const override {
    if (description.rows < worthwhile_rows) return false;
    const bool codes_answer = on_codes(description);
    if (codes_answer && description.dimensions <= few_dimensions) return false;
    const BackendKind backend = storage_.device().info().backend;
    if (backend == BackendKind::cpu)
      return counted_on_codes_ >= worthwhile_searches_on_cpu && codes_answer && codes_spare_time_on_cpu(description);
    if (storage_.device().capabilities().runs_on_host) return false;
    const double scan = expected_scan_milliseconds(description, backend);
    if (codes_answer) return expected_codes_milliseconds(description, backend) < scan;
    // A scan for more neighbours than one list holds takes longer. What multiplies without matrix units takes as long for one query as for a
    // tile of them.
    const bool many = description.k > search::longest_list;
    return (many || multiplies_halves(description.metric) || description.queries >= worthwhile_fused_queries) &&
           expected_fused_milliseconds(description, backend, on_matrix_units(storage_, description.metric)) < scan;
  }

  Support supports_narrowing(const SearchDescription& description) const override {
    return ScreenedPlan::supports_narrowing(description);
  }

  void count(const SearchDescription& description, std::uint64_t searches) override {
    // Elsewhere nothing depends on it.
    if (storage_.device().info().backend == BackendKind::cpu && on_codes(description)) counted_on_codes_ += searches;
  }

  void rows_changed(std::uint64_t first) override {
    counted_on_codes_ = 0;
    for (auto& [of, copy] : copies_) {
      copy.current = std::min(copy.current, first);
      // Rows that pass are parts of the same data, and what was planned for one part serves the next.
      if (!passing_) copy.certain = {};
      // Rows behind others are likely to be as those are.
      if (!passing_ && first == 0) {
        copy.estimates = {};
        copy.half_sums = {};
      }
      if (!holds_integers(of.second) || (first == 0 && !passing_)) copy.holds = true;
    }
  }

  bool follow(Metric metric) override {
    bool all = true;
    for (auto& [of, copy] : copies_) {
      if (of.first != kind_of(metric) || !copy.rows) continue;
      // Of rows that pass, what the latest plan does not read would be packed for nothing.
      if (passing_ && of.second != planned_[of.first])
        let_go(copy);
      else
        all = screened(metric, of.second) && all;
    }
    return all;
  }

  void add_times(SearchTimes& times) override {
    if (std::exchange(packs_, false)) session::add_compute_times(times, *packing_);
  }

  bool may_go_unsampled(const SearchDescription& description) const override {
    return description.bounded && description.k <= search::most_refined &&
           on_matrix_units(storage_, description.metric);
  }

  bool asks_for_values(const SearchDescription& description) const override {
    return description.queries > ScreenedPlan::most_coded_queries && on_integers(description.metric) &&
           used_values(description, QueryValues::either) != QueryValues::any;
  }
  // Of values that are integers of either kind, the kind of the copy that there is.
  QueryValues used_values(const SearchDescription& description, QueryValues values) const override {
    QueryValues used = QueryValues::any;
    for (const ScreenOperand operand : {ScreenOperand::int8, ScreenOperand::uint8}) {
      const auto copy = copies_.find({kind_of(description.metric), operand});
      const bool made = copy != copies_.end();
      if (!may_be(values, operand) || (made && !copy->second.holds)) continue;
      const QueryValues kind = operand == ScreenOperand::uint8 ? QueryValues::uint8 : QueryValues::int8;
      if (made && copy->second.rows) return kind;
      used = used == QueryValues::any ? kind : QueryValues::either;
    }
    return used;
  }

  bool gives_up(Metric metric) override {
    bool given_up = false;
    for (auto& [of, copy] : copies_) {
      if (of.first != kind_of(metric) || !copy.rows) continue;
      for (HalfSums& sums : copy.half_sums)
        given_up =
            (!sums.decisions->suffice(HalfSums::one_undecided_in) && !std::exchange(sums.given_up, true)) || given_up;
      for (Estimates& estimates : copy.estimates)
        given_up = (!estimates.decisions->suffice() && !std::exchange(estimates.cautious, true)) || given_up;
      // Nothing is sooner than halves.
      if (of.second == ScreenOperand::halves) continue;
      bool ends = false;
      for (std::size_t i = 0; i < copy.certain.size(); ++i) {
        if (copy.certain[i].decisions->suffice() || std::exchange(copy.certain[i].given_up, true)) continue;
        given_up = true;
        // A filter may leave too few rows for any threshold, which says nothing of searches without one.
        ends = ends || i % 2 == 0;
      }
      if (!ends) continue;
      let_go(copy);
      // Codes that serve few queries, or many, are made again for those.
      copy.holds = of.second == ScreenOperand::codes &&
                   (copy.certain[0].decisions->suffice() || copy.certain[2].decisions->suffice());
    }
    return given_up;
  }

  std::unique_ptr<Plan> plan(const SearchDescription& description) override {
    if (on_codes(description))
      if (auto plan = planned_on(description, ScreenOperand::codes)) return plan;
    if (on_integers(description.metric))
      for (const ScreenOperand operand : {ScreenOperand::uint8, ScreenOperand::int8})
        if (may_be(description.values, operand))
          if (auto plan = planned_on(description, operand)) return plan;
    if (!on_matrix_units(storage_, description.metric)) return planned(description, nullptr);
    try {
      return planned(description, screened(description.metric, ScreenOperand::halves));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::out_of_memory) throw;
      // Codes take half the memory of halves, whichever are sooner.
      if (codes_serve(description))
        if (auto plan = planned_on(description, ScreenOperand::codes)) return plan;
      if (!give_back(description.metric)) throw;
      return planned(description, screened(description.metric, ScreenOperand::halves));
    }
  }

 private:
  // Whether the device has matrix units, which products of halves of the rows are made by.
  bool multiplies_halves(Metric metric) const {
    return on_matrix_units(storage_, metric) && ScreenedPlan::on_matrix_units(storage_.device(), ScreenOperand::halves);
  }

  // Few queries, for which more bytes are read than is computed, or many whose metric matrix units do not serve.
  bool on_codes(const SearchDescription& description) const {
    const bool sooner =
        description.dimensions > few_dimensions && codes_before_halves(description, storage_.device().info().backend);
    return (sooner || !multiplies_halves(description.metric)) && codes_serve(description);
  }

  bool codes_serve(const SearchDescription& description) const {
    // Rows that are searched once are not worth encoding.
    if (passing_ || !ScreenedPlan::supports(storage_.device(), description, ScreenOperand::codes)) return false;
    if (description.queries > ScreenedPlan::most_coded_queries &&
        !codes_before_distances(description, storage_.device().info().backend))
      return false;
    const auto copy = copies_.find({kind_of(description.metric), ScreenOperand::codes});
    if (copy == copies_.end()) return true;
    // Where searches without a filter are left undecided, so are those with one.
    const auto suffice = [&](std::size_t thresholds) { return copy->second.certain[thresholds].decisions->suffice(); };
    return suffice(of_thresholds(description)) && suffice(of_thresholds(description) - of_filter(description));
  }

  bool on_integers(Metric metric) const {
    return multiplies_integers(storage_.device(), metric, storage_.rows(), storage_.dimensions());
  }

  // Lets go of all copies but that of halves of this metric. Returns whether there were any.
  bool give_back(Metric metric) {
    bool any = false;
    for (auto& [of, copy] : copies_) {
      if (of == std::pair{kind_of(metric), ScreenOperand::halves} || !copy.rows) continue;
      let_go(copy);
      any = true;
    }
    return any;
  }

  // Nothing where the rows are no such integers, or memory does not allow the copy: halves serve as well.
  std::unique_ptr<Plan> planned_on(const SearchDescription& description, ScreenOperand operand) {
    try {
      const bool many = description.queries > ScreenedPlan::most_listed_queries;
      const Copy* const copy = screened(description.metric, operand, many);
      return copy ? planned(description, copy) : nullptr;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::out_of_memory && error.code() != ErrorCode::unsupported) throw;
      return nullptr;
    }
  }

  const passes::Rows& rows_of(Metric metric) { return storage_.segments(metric).front().rows; }

  // Which of four is of searches with filters, and of many queries, of which codes are compared otherwise.
  static std::size_t of_thresholds(const SearchDescription& description) {
    return of_filter(description) + (description.queries > ScreenedPlan::most_listed_queries ? 2 : 0);
  }
  // Which of two is of searches with filters.
  static std::size_t of_filter(const SearchDescription& description) {
    return description.filter == FilterKind::none ? 0 : 1;
  }

  // What has come of certain thresholds.
  struct Certain {
    std::shared_ptr<Decisions> decisions = std::make_shared<Decisions>();
    bool given_up = false;  // whether plans by them have been given up
  };
  // What has come of estimated thresholds.
  struct Estimates {
    std::shared_ptr<Decisions> decisions = std::make_shared<Decisions>();
    bool cautious = false;  // whether too many were not borne out
  };
  // What has come of sums in half precision, and of the thresholds beside them: what leaves queries undecided is not told apart. Those
  // of binary32 are nearly as soon, and the next rung takes much longer, so that few undecided queries are reason enough.
  struct HalfSums {
    static constexpr std::uint64_t one_undecided_in = 64;
    std::shared_ptr<Decisions> decisions = std::make_shared<Decisions>();
    bool given_up = false;
  };
  struct Copy {
    std::optional<ScreenedRows> rows;
    std::uint64_t current = 0;  // rows that have been packed as they are
    // Whether it may be searched: of integers, whether all rows are such. Rows that pass end it for good where one is not.
    bool holds = true;
    bool row_major = false;  // whether the rows that it leaves are many, and read sooner where each lies in one piece
    std::array<Certain, 4> certain;  // as of_thresholds() says
    std::array<Estimates, 2> estimates;
    std::array<HalfSums, 2> half_sums;
  };

  // @param copy  null: thresholds come from canonical distances
  std::unique_ptr<Plan> planned(SearchDescription description, const Copy* copy) {
    planned_[kind_of(description.metric)] = copy ? std::optional(copy->rows->operand()) : std::nullopt;
    if (!copy)
      return std::make_unique<PlannedScreened>(storage_.device(), description, nullptr, rows_of(description.metric),
                                               told_);
    const Estimates& estimates = copy->estimates[of_filter(description)];
    const HalfSums& half_sums = copy->half_sums[of_filter(description)];
    description.cautious = estimates.cautious;
    description.binary32_sums = half_sums.given_up;
    return std::make_unique<PlannedScreened>(storage_.device(), description, &*copy->rows, rows_of(description.metric),
                                             told_, copy->certain[of_thresholds(description)].decisions,
                                             estimates.decisions, half_sums.decisions);
  }

  void let_go(Copy& copy) {
    if (passing_) session::end_work(storage_.device());  // rows that pass are perhaps being packed
    copy.rows.reset();
  }

  static Metric kind_of(Metric metric) { return normalizes(metric) ? metric : accumulated(metric); }

  // The copy for this kind of metric, made when it is first needed; it follows
  // the rows when it is next needed. Null where it is of integers and rows are not.
  // @param many  whether queries are many: so are the rows then that are evaluated canonically, which of few queries are read as they lie
  const Copy* screened(Metric metric, ScreenOperand operand, bool many = false) {
    const Metric kind = kind_of(metric);
    Copy& copy = copies_[{kind, operand}];
    if (!copy.holds) return nullptr;
    const std::uint64_t rows = storage_.rows();
    const bool wants_rows = !copy.row_major && !holds_integers(operand) && (operand == ScreenOperand::halves || many);
    copy.row_major = copy.row_major || wants_rows;
    if (!copy.rows || copy.rows->capacity() < rows || wants_rows) {
      if (passing_) session::end_work(storage_.device());
      make(copy, kind, rows, operand);
    }
    if (copy.current < rows) {
      copy.rows->set_rows(rows);
      const auto pack = [&](Recording& recording) {
        copy.rows->record(recording, rows_of(metric), copy.current);
        if (holds_integers(operand)) recording.copy(copy.rows->others(), *others());
      };
      if (passing_) {
        session::start(storage_.device(), packing_, pack, timing_);
        packs_ = true;
        // Nothing needs to be known of halves before they are searched.
        if (holds_integers(operand)) storage_.device().wait();
      } else {
        session::run_once(storage_.device(), pack);
      }
      copy.current = rows;
      copy.holds = !holds_integers(operand) || *static_cast<const std::uint32_t*>(others()->mapped()) == 0;
    }
    if (copy.holds) return &copy;
    let_go(copy);
    return nullptr;
  }

  // Where the device says how many rows are no integers.
  Buffer* others() {
    if (!others_) others_ = storage_.device().create_buffer(4, MemoryKind::readback);
    return others_.get();
  }

  // Where rows have been added there is room for half as many again.
  void make(Copy& copy, Metric kind, std::uint64_t rows, ScreenOperand operand) {
    Device& device = storage_.device();
    const std::uint32_t dimensions = storage_.dimensions();
    const std::uint64_t had = copy.rows ? copy.rows->capacity() : 0;
    const bool grows =
        had != 0 && had < rows && ScreenedRows::supports(device, kind, rows / 2 * 3, dimensions, operand);
    const std::uint64_t capacity = std::max({rows, had, grows ? rows / 2 * 3 : 0});
    copy = {
        .row_major = copy.row_major, .certain = copy.certain, .estimates = copy.estimates, .half_sums = copy.half_sums};
    spare_();
    const double room = memory_for_rows_and_copies(device);
    const auto make_for = [&](std::uint64_t places, bool row_major) {
      const auto with_copy =
          static_cast<double>(rows * dimensions * 4 + ScreenedRows::bytes(places, dimensions, row_major, operand));
      copy.rows.emplace(device, kind, rows, dimensions, row_major && with_copy < room, places, operand);
    };
    for (const std::uint64_t places : {capacity, rows}) try {
        return make_for(places, copy.row_major);
      } catch (const Error& error) {
        if (error.code() != ErrorCode::out_of_memory) throw;
      }
    // What takes the least memory.
    make_for(rows, false);
  }

  Storage& storage_;
  bool passing_;
  Timing timing_;
  std::function<void()> spare_;
  std::shared_ptr<session::MemoryPool> told_;  // of all its plans, which may outlive it
  std::unique_ptr<Buffer> others_;
  std::map<Metric, std::optional<ScreenOperand>> planned_;  // what the latest plan of each kind of metric reads
  std::uint64_t counted_on_codes_ = 0;                      // searches that codes would serve, since rows changed
  std::map<std::pair<Metric, ScreenOperand>, Copy> copies_;
  bool packs_ = false;                 // whether rows that pass have been packed, and nobody was told what it took
  std::unique_ptr<Commands> packing_;  // it goes first
};

}  // namespace

std::unique_ptr<Searcher> make_fused_searcher(const SearcherContext& context) {
  return std::make_unique<FusedSearcher>(context);
}

}  // namespace proxel::index
