// Range searches recorded from their plans: every row within a radius, in two
// calls and with a capacity, over every layout, compared with the oracle.
#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "case.hpp"
#include "guarded_buffer.hpp"
#include "layout.hpp"
#include "oracle.hpp"
#include "proxel/range.hpp"
#include "range_check.hpp"
#include "row_filter.hpp"
#include "shapes.hpp"
#include "values.hpp"

namespace proxel::conformance {
namespace {

using Role = GuardedBuffer::Role;

enum class Form {
  two_calls,  ///< count, then memory for exactly as many
  ample,      ///< one call, with more memory than needed
  capped,     ///< one call, with memory for about half
};

constexpr const char* form_names[] = {"two-calls", "ample", "capped"};

struct RangeCase {
  std::vector<Layout> segments;
  Metric metric;
  Kind kind;
  Shape shape;  // k is the rank of the tie
  Radius radius;
  Form form;
  FilterChoice filter;
  std::uint64_t scratch_limit = std::uint64_t{1} << 20;

  std::string name() const {
    std::string layout;
    for (const Layout one : segments) layout += fmt::format("{}{}", layout.empty() ? "" : "+", to_string(one));
    return fmt::format("range/{}/{}/n={},d={},q={},radius={},{}{}/{}", layout, to_string(metric), shape.n, shape.d,
                       shape.q, to_string(radius), form_names[static_cast<int>(form)], filter.name(), to_string(kind));
  }
};

float radius_of(const RangeCase& c, const Question& question) {
  if (c.radius != Radius::tie) return edge_radius(c.radius, c.metric);
  const Neighbors all = oracle_answer(question);
  const float distance = all.distances(0, c.shape.k - 1);
  return std::isnan(distance) ? 1.0f : distance;
}

class RangeRun {
 public:
  RangeRun(Device& device, const RangeCase& range_case, const Data& data, const Matrix<std::uint8_t>& filter,
           float radius)
      : device_(device), commands_(device.create_commands(Timing::none)) {
    description_.metric = range_case.metric;
    description_.rows = range_case.shape.n;
    description_.dimensions = static_cast<std::uint32_t>(range_case.shape.d);
    description_.queries = static_cast<std::uint32_t>(range_case.shape.q);
    description_.radius = radius;
    description_.scratch_limit = range_case.scratch_limit;
    if (range_case.filter.given)
      description_.filter = range_case.filter.per_query ? FilterKind::per_query : FilterKind::shared;
    const std::uint64_t count = range_case.segments.size();
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t first = range_case.shape.n * i * i / (count * count);
      const std::uint64_t end = range_case.shape.n * (i + 1) * (i + 1) / (count * count);
      if (first == end) continue;
      const Layout layout = range_case.segments[i];
      const MatrixView<float> rows = data.database.view().slice(first, end - first);
      const auto leading = static_cast<std::uint32_t>(layout == Layout::column_major ? rows.rows + 1 : rows.columns);
      const GuardedBuffer& buffer = add("segment", Role::input, bytes_of(arranged(rows, layout, leading)));
      segments_.push_back({describe_rows(buffer.address(), rows, layout, leading), first});
    }
    plan_ = std::make_unique<RangePlan>(RangePlan::make(device, description_, segments_));
    buffers_.queries =
        add("queries", Role::input, bytes_of(data.queries.data(), range_case.shape.q * range_case.shape.d)).view();
    buffers_.scratch = add("scratch", Role::scratch, unwritten(plan_->scratch_bytes())).view();
    if (range_case.filter.given) buffers_.filter = add("filter", Role::input, bytes_of(words_of(filter))).view();
    offsets_ = &add("offsets", Role::output, unwritten((range_case.shape.q + 1) * 8), 8);
    buffers_.offsets = offsets_->view();
  }

  // Counts, and leaves the offsets for offsets().
  std::string count() {
    return submit([&] { plan_->record(*commands_, segments_, buffers_, SearchPart::count); });
  }
  void take_memory(std::uint64_t slots) {
    // No device gives 0 bytes.
    const std::uint64_t bytes = std::max<std::uint64_t>(slots, 1) * 4;
    indices_ = &add("indices", Role::output, unwritten(bytes), 4);
    distances_ = &add("distances", Role::output, unwritten(bytes), 8);
    buffers_.indices = indices_->view();
    buffers_.distances = distances_->view();
  }
  std::string fill() {
    return submit([&] { plan_->record(*commands_, segments_, buffers_, SearchPart::fill); });
  }
  std::string search() {
    return submit([&] { plan_->record(*commands_, segments_, buffers_); });
  }

  template <typename T>
  static std::vector<T> contents(const GuardedBuffer& buffer) {
    const auto bytes = buffer.contents();
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
    return values;
  }
  RangeAnswer answer() const {
    return {contents<std::uint64_t>(*offsets_), contents<std::uint32_t>(*indices_), contents<float>(*distances_)};
  }
  std::vector<std::uint64_t> offsets() const { return contents<std::uint64_t>(*offsets_); }

 private:
  GuardedBuffer& add(std::string name, Role role, std::vector<std::byte> contents, std::uint32_t skew = 0) {
    held_.push_back(std::make_unique<GuardedBuffer>(device_, std::move(name), role, std::move(contents), skew));
    return *held_.back();
  }

  template <typename Record>
  std::string submit(const Record& record) {
    commands_->begin();
    record();
    commands_->end();
    device_.submit(*commands_);
    device_.wait();
    return fetch_all(held_);
  }

  Device& device_;
  RangeDescription description_;
  std::vector<std::unique_ptr<GuardedBuffer>> held_;
  GuardedBuffer* offsets_ = nullptr;
  GuardedBuffer* indices_ = nullptr;
  GuardedBuffer* distances_ = nullptr;
  std::vector<RowsSegment> segments_;
  SearchBuffers buffers_;
  std::unique_ptr<RangePlan> plan_;
  std::unique_ptr<Commands> commands_;
};

class RangeCheck : public Check {
 public:
  RangeCheck(const RangeCase& range_case, std::uint64_t seed)
      : case_(range_case),
        data_(make_data(range_case.kind, range_case.shape.n, range_case.shape.d, range_case.shape.q, seed)),
        filter_(make_filter(range_case.filter, range_case.shape.n, range_case.shape.q, seed + 1)),
        question_{data_.database.view(), data_.queries.view(), range_case.metric, range_case.shape.k} {
    radius_ = radius_of(case_, question_);
    if (case_.filter.given) question_.allowed = filter_.view();
    expected_ = oracle_range(question_, radius_);
  }

  Verdict run(Device& device) override {
    RangeRun run(device, case_, data_, filter_, radius_);
    const std::uint64_t all = expected_.indices.size();
    std::uint64_t capacity = all;
    if (case_.form == Form::two_calls) {
      if (std::string damage = run.count(); !damage.empty()) return Verdict::fail(std::move(damage));
      if (run.offsets() != expected_.offsets)
        return Verdict::fail(fmt::format("{} neighbours were counted, there are {}", run.offsets().back(), all));
      run.take_memory(all);
      if (std::string damage = run.fill(); !damage.empty()) return Verdict::fail(std::move(damage));
    } else {
      capacity = case_.form == Form::ample ? all + 100 : (all + 1) / 2;
      run.take_memory(capacity);
      if (std::string damage = run.search(); !damage.empty()) return Verdict::fail(std::move(damage));
    }
    const RangeAnswer answer = run.answer();
    if (std::string text = difference(expected_, answer, capacity); !text.empty())
      return Verdict::fail(std::move(text));
    return Verdict::pass(bytes_of(answer.offsets));
  }

 private:
  RangeCase case_;
  Data data_;
  Matrix<std::uint8_t> filter_;
  Question question_;
  float radius_ = 0;
  RangeAnswer expected_;
};

void add_range_case(Cases& cases, const RangeCase& c, bool quick) {
  cases.push_back(
      {c.name(), quick, [c](const Context& context) { return std::make_unique<RangeCheck>(c, context.seed); }});
}

}  // namespace

void add_range_cases(Cases& cases) {
  constexpr auto tiles = Layout::tiles;
  constexpr auto rows = Layout::row_major;
  constexpr auto columns = Layout::column_major;
  const std::vector<Layout> storages[] = {{tiles}, {rows}, {columns}, {tiles, tiles, tiles}, {columns, rows, tiles}};
  constexpr Shape shapes[] = {{1, 1, 1, 1},     {129, 7, 1, 40},    {1000, 33, 5, 100},
                              {777, 5, 65, 30}, {5000, 3, 2, 2500}, {600, 4, 300, 7}};
  constexpr Kind kinds[] = {Kind::integers, Kind::gaussian, Kind::nan, Kind::zeros, Kind::infinity};
  constexpr Radius radii[] = {Radius::tie, Radius::infinite, Radius::tie, Radius::zero, Radius::tie, Radius::nothing};
  // Plans of the other metrics take normalised rows, which range searches through
  // the index try.
  constexpr Metric metrics[] = {Metric::l1, Metric::l2sq, Metric::l2, Metric::linf, Metric::ip};
  constexpr Form forms[] = {Form::two_calls, Form::ample, Form::capped};
  std::size_t step = 0;
  for (const auto& storage : storages)
    for (const Shape& shape : shapes)
      for (const Metric metric : metrics)
        for (const Form form : forms) {
          const RangeCase c{storage,
                            metric,
                            kinds[step % 5],
                            shape,
                            radii[step % 6],
                            form,
                            {step % 4 == 3, all_filter_patterns[step / 4 % 6], step % 8 == 7}};
          const bool quick = step % 7 == 0;
          ++step;
          add_range_case(cases, c, quick);
        }
  // Long runs of matches, and several blocks of queries in little scratch memory.
  for (const Metric metric : {Metric::l2, Metric::ip})
    for (const Form form : forms)
      add_range_case(cases, {{tiles}, metric, Kind::gaussian, {20000, 2, 12, 9000}, Radius::tie, form, {}},
                     form == Form::ample);
}

}  // namespace proxel::conformance
