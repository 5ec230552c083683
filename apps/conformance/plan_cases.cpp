// Searches recorded from their plans into memory of the caller: every buffer
// is guarded, rows lie in every layout and in several segments, and what was
// recorded once is submitted twice.
#include <algorithm>
#include <cstring>
#include <deque>

#include <fmt/format.h>

#include "guarded_buffer.hpp"
#include "layout.hpp"
#include "proxel/papers/bustos.hpp"
#include "proxel/search.hpp"
#include "row_filter.hpp"
#include "search_check.hpp"

namespace proxel::conformance {
namespace {

using Role = GuardedBuffer::Role;

// How the rows of a plan case are stored.
struct Storage {
  const char* name;
  std::vector<Layout> segments;  // one layout per segment
  bool loose = false;            // gaps between rows, starts off the 16-byte grid
  bool texel = false;
  std::uint64_t block_rows = 1u << 20;
};

struct PlanCase {
  Storage storage;
  Metric metric;
  Kind kind;
  Shape shape;
  std::uint64_t scratch_limit;
  FilterChoice filter = {};
  // Searches of k neighbours that continue behind each other; their answers
  // together are one of pages * k.
  std::uint32_t pages = 1;

  std::string name() const {
    return fmt::format("plan/{}/{}/n={},d={},q={},k={}{}{},scratch={}KiB/{}", storage.name, to_string(metric), shape.n,
                       shape.d, shape.q, shape.k, pages > 1 ? fmt::format(",pages={}", pages) : "", filter.name(),
                       scratch_limit >> 10, to_string(kind));
  }
};

// Everything one device needs to answer a plan case.
class PlanRun {
 public:
  PlanRun(Device& device, const PlanCase& plan_case, const Data& data, const Matrix<std::uint8_t>& filter)
      : device_(device), case_(plan_case) {
    description_ = {plan_case.metric,
                    plan_case.shape.n,
                    static_cast<std::uint32_t>(plan_case.shape.d),
                    static_cast<std::uint32_t>(plan_case.shape.q),
                    plan_case.shape.k,
                    plan_case.scratch_limit,
                    !plan_case.filter.given      ? FilterKind::none
                    : plan_case.filter.per_query ? FilterKind::per_query
                                                 : FilterKind::shared};
    queries_ = &add("queries", Role::input, bytes_of(data.queries.data(), plan_case.shape.q * plan_case.shape.d));
    const std::uint64_t slots = plan_case.shape.q * plan_case.shape.k;
    for (std::uint32_t page = 0; page < plan_case.pages; ++page) {
      indices_.push_back(&add("indices", Role::output, unwritten(slots * 4), 4));
      distances_.push_back(&add("distances", Role::output, unwritten(slots * 4), 8));
    }
    if (plan_case.filter.given) filter_ = &add("filter", Role::input, bytes_of(words_of(filter)), 4);
    commands_ = device.create_commands(Timing::none);
    if (plan_case.storage.texel)
      prepare_texel(data);
    else
      prepare_scan(data);
  }

  // Scrambles what earlier runs left, runs what was recorded, and fetches.
  std::string run(Neighbors& answer) {
    for (const auto& buffer : buffers_)
      if (buffer->role() != Role::input) buffer->restore();
    device_.submit(*commands_);
    device_.wait();
    const std::uint64_t k = case_.shape.k;
    answer = {Matrix<std::uint32_t>(case_.shape.q, case_.pages * k), Matrix<float>(case_.shape.q, case_.pages * k)};
    if (std::string damage = fetch_all(buffers_); !damage.empty()) return damage;
    for (std::uint32_t page = 0; page < case_.pages; ++page) {
      const auto indices = indices_[page]->contents();
      const auto distances = distances_[page]->contents();
      for (std::uint64_t query = 0; query < case_.shape.q; ++query) {
        std::memcpy(&answer.indices(query, page * k), indices.data() + query * k * 4, k * 4);
        std::memcpy(&answer.distances(query, page * k), distances.data() + query * k * 4, k * 4);
      }
    }
    return {};
  }

 private:
  GuardedBuffer& add(std::string name, Role role, std::vector<std::byte> contents, std::uint32_t skew = 0) {
    buffers_.push_back(std::make_unique<GuardedBuffer>(device_, std::move(name), role, std::move(contents), skew));
    return *buffers_.back();
  }

  // Records every page: `record(plan, buffers)` of a plan that `make` made.
  template <typename Make, typename Record>
  void record_pages(const Make& make, const Record& record) {
    for (std::uint32_t page = 0; page < case_.pages; ++page) {
      description_.continued = page != 0;
      const auto& plan = make();
      const GuardedBuffer& scratch = add("scratch", Role::scratch, unwritten(plan.scratch_bytes()));
      SearchBuffers buffers{queries_->view(), scratch.view(), indices_[page]->view(), distances_[page]->view()};
      if (filter_) buffers.filter = filter_->view();
      if (page != 0) {
        // The last neighbour of every query, where the page before left it.
        const std::uint64_t skipped = (case_.shape.k - 1) * 4;
        const auto last = [&](const GuardedBuffer& found) {
          return found.view().part(skipped, found.view().bytes - skipped);
        };
        buffers.after = {last(*distances_[page - 1]), last(*indices_[page - 1]),
                         static_cast<std::uint32_t>(case_.shape.k)};
        commands_->barrier();
      }
      record(plan, buffers);
    }
  }

  void prepare_scan(const Data& data) {
    const std::uint64_t count = case_.storage.segments.size();
    for (std::uint64_t i = 0; i < count; ++i) {
      // Segments of different lengths, none of them empty.
      const std::uint64_t first = case_.shape.n * i * i / (count * count);
      const std::uint64_t end = case_.shape.n * (i + 1) * (i + 1) / (count * count);
      if (first == end) continue;
      const Layout layout = case_.storage.segments[i];
      const MatrixView<float> rows = data.database.view().slice(first, end - first);
      auto leading =
          static_cast<std::uint32_t>(layout == Layout::column_major ? (rows.rows + 3) / 4 * 4 : rows.columns);
      if (case_.storage.loose) leading += 1;
      const bool skewed = case_.storage.loose && layout != Layout::tiles;
      const GuardedBuffer& buffer =
          add(fmt::format("segment {}", i), Role::input, bytes_of(arranged(rows, layout, leading)), skewed ? 4 : 0);
      segments_.push_back({describe_rows(buffer.address(), rows, layout, leading), first});
    }
    commands_->begin();
    record_pages([&]() -> const ScanPlan& {
      return scan_plans_.emplace_back(ScanPlan::make(device_, description_, segments_));
    }, [&](const ScanPlan& plan, const SearchBuffers& buffers) { plan.record(*commands_, segments_, buffers); });
    commands_->end();
  }

  void prepare_texel(const Data& data) {
    texels_ =
        std::make_unique<TexelDatabase>(device_, case_.shape.n, description_.dimensions, case_.storage.block_rows);
    const GuardedBuffer& source =
        add("source", Role::input, bytes_of(data.database.data(), case_.shape.n * case_.shape.d));
    const std::uint64_t row_bytes = case_.shape.d * 4;
    commands_->begin();
    for (const TexelDatabase::Block& block : texels_->blocks()) {
      // Two pieces; the second starts at a multiple of 4 within the block.
      const std::uint32_t piece = block.rows / 2 / 4 * 4;
      const auto pack = [&](std::uint64_t first, std::uint32_t rows) {
        if (rows == 0) return;
        texels_->record_pack(*commands_, source.view().part(first * row_bytes, rows * row_bytes), first, rows);
        commands_->barrier();
      };
      pack(block.first_row, piece);
      pack(block.first_row + piece, block.rows - piece);
    }
    record_pages([&]() -> const TexelPlan& {
      return texel_plans_.emplace_back(TexelPlan::make(device_, description_, *texels_, BustosOptions{}));
    }, [&](const TexelPlan& plan, const SearchBuffers& buffers) { plan.record(*commands_, *texels_, buffers); });
    commands_->end();
  }

  Device& device_;
  const PlanCase& case_;
  SearchDescription description_;
  std::vector<std::unique_ptr<GuardedBuffer>> buffers_;
  GuardedBuffer* queries_ = nullptr;
  GuardedBuffer* filter_ = nullptr;
  std::vector<GuardedBuffer*> indices_;  // of each page
  std::vector<GuardedBuffer*> distances_;
  std::vector<RowsSegment> segments_;
  std::deque<ScanPlan> scan_plans_;  // outlive the work that they recorded
  std::unique_ptr<TexelDatabase> texels_;
  std::deque<TexelPlan> texel_plans_;
  std::unique_ptr<Commands> commands_;
};

class PlanCheck : public Check {
 public:
  PlanCheck(const PlanCase& plan_case, std::uint64_t seed)
      : case_(plan_case),
        data_(make_data(plan_case.kind, plan_case.shape.n, plan_case.shape.d, plan_case.shape.q, seed)),
        filter_(make_filter(plan_case.filter, plan_case.shape.n, plan_case.shape.q, seed + 1)),
        question_{data_.database.view(), data_.queries.view(), plan_case.metric, plan_case.pages * plan_case.shape.k,
                  filter_view()},
        expected_(oracle_answer(question_)) {}

  Verdict run(Device& device) override {
    std::unique_ptr<PlanRun> plan_run;
    try {
      plan_run = std::make_unique<PlanRun>(device, case_, data_, filter_);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::unsupported) throw;
      return Verdict::refuse(error);
    }
    Neighbors first;
    if (std::string damage = plan_run->run(first); !damage.empty()) return Verdict::fail(std::move(damage));
    Verdict verdict = judge(device, question_, case_.kind, expected_, first);
    if (verdict.outcome != Outcome::passed) return verdict;
    Neighbors second;
    if (std::string damage = plan_run->run(second); !damage.empty()) return Verdict::fail("submitted again: " + damage);
    if (const std::string text = difference(first, second); !text.empty())
      return Verdict::fail("submitted again: " + text);
    return verdict;
  }

 private:
  PlanCase case_;
  // A view without data where there is no filter.
  MatrixView<std::uint8_t> filter_view() const {
    return case_.filter.given ? filter_.view() : MatrixView<std::uint8_t>{};
  }

  Data data_;
  Matrix<std::uint8_t> filter_;
  Question question_;
  Neighbors expected_;
};

void add_plan_case(Cases& cases, const PlanCase& c, bool quick) {
  cases.push_back(
      {c.name(), quick, [c](const Context& context) { return std::make_unique<PlanCheck>(c, context.seed); }});
}

}  // namespace

void add_plan_cases(Cases& cases) {
  constexpr auto tiles = Layout::tiles;
  constexpr auto rows = Layout::row_major;
  constexpr auto columns = Layout::column_major;
  const Storage storages[] = {
      {"tiles", {tiles}},
      {"rows", {rows}},
      {"columns", {columns}},
      {"rows-loose", {rows}, true},
      {"columns-loose", {columns}, true},
      {"segments", {tiles, tiles, tiles}},
      {"segments-mixed", {columns, rows, tiles}, true},
      {"texel", {}, false, true},
      {"texel-blocks", {}, false, true, 64},
  };
  // The scan's three ways, k over several rounds, padding, a partial tile.
  constexpr Shape shapes[] = {{1, 1, 1, 1},     {129, 7, 1, 3},    {1000, 33, 2, 16},
                              {777, 16, 9, 1},  {777, 5, 130, 1},  {1000, 9, 12, 10},
                              {600, 4, 70, 65}, {100, 54, 3, 150}, {2500, 3, 1, 1100}};
  constexpr Kind kinds[] = {Kind::integers, Kind::gaussian, Kind::nan, Kind::duplicates};
  // Plans of the other metrics take normalised rows, which searches try.
  constexpr Metric metrics[] = {Metric::l1, Metric::l2sq, Metric::l2, Metric::linf, Metric::ip};
  std::size_t step = 0;
  for (std::size_t s = 0; s < std::size(storages); ++s)
    for (std::size_t i = 0; i < std::size(shapes); ++i)
      for (std::size_t m = 0; m < std::size(metrics); ++m) {
        const bool quick = m == (s + 2 * i) % std::size(metrics) && (s + i) % 2 == 0;
        const std::uint64_t scratch = (s / 2 + i) % 2 == 0 ? 1u << 20 : 64u << 20;
        PlanCase c{storages[s], metrics[m], kinds[step++ % std::size(kinds)], shapes[i], scratch};
        add_plan_case(cases, c, quick);
        // The same filtered, and in pages, in turn; with k of 1,100 the pages are many
        // passes for a texture, and what is left of a row of textures is soon empty.
        if (c.storage.texel && c.shape.k > 200) continue;
        c.filter = {step % 3 != 0, all_filter_patterns[step / 3 % 6], step % 2 == 0};
        c.pages = step % 3 == 1 ? 1 : 3;
        add_plan_case(cases, c, quick);
      }
  // More neighbours than are found at a time: of few queries and more, of all rows and past them, in blocks.
  constexpr Shape many[] = {{3001, 5, 9, 1025}, {1300, 3, 70, 1299}, {1500, 4, 8, 1501},
                            {4203, 2, 3, 4200}, {3300, 3, 9, 3299},  {300, 3, 9, 1500}};
  for (std::size_t s = 0; s < std::size(storages); ++s) {
    if (storages[s].texel) continue;
    for (std::size_t i = 0; i < std::size(many); ++i)
      for (std::size_t m = 0; m < std::size(metrics); ++m) {
        const bool quick = m == (s + 2 * i) % std::size(metrics) && (s + i) % 3 == 0;
        PlanCase c{storages[s], metrics[m], kinds[step++ % std::size(kinds)], many[i], 1u << (step % 2 == 0 ? 20 : 26)};
        add_plan_case(cases, c, quick);
        c.filter = {step % 3 != 0, all_filter_patterns[step / 3 % 6], step % 2 == 0};
        c.pages = step % 3 == 1 ? 1 : 2;
        add_plan_case(cases, c, quick);
      }
  }
  // Rows that are numbered in several parts, and in two turns.
  PlanCase numbered{storages[1],           Metric::l2sq, Kind::integers,
                    {140'001, 2, 9, 3200}, 64u << 20,    {true, FilterPattern::half, true}};
  numbered.pages = 2;
  add_plan_case(cases, numbered, true);
  numbered.kind = Kind::nan;
  numbered.storage = storages[5];
  numbered.shape.q = 3;
  add_plan_case(cases, numbered, false);
}

}  // namespace proxel::conformance
