// Range searches that an index plans and its caller records, over guarded memory with more room than is
// needed and with less: what range_search() of the same object finds, to the bit.
#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "case.hpp"
#include "guarded_buffer.hpp"
#include "proxel/index.hpp"
#include "proxel/permutation.hpp"
#include "proxel/vector_permutation.hpp"
#include "range_check.hpp"
#include "row_filter.hpp"
#include "shapes.hpp"
#include "string_oracle.hpp"
#include "values.hpp"

namespace proxel::conformance {
namespace {

using Role = GuardedBuffer::Role;

enum class Form {
  ample,   ///< with more memory than needed
  capped,  ///< with memory for about half
  halves,  ///< counted, then written
};
constexpr const char* form_names[] = {"ample", "capped", "halves"};

// A search as its caller has it, whatever the index.
struct Planned {
  std::vector<std::vector<std::byte>> inputs;
  std::uint64_t scratch_bytes = 0;
  /// @param memory  scratch memory and results; of what is read the inputs have the buffers
  std::function<void(Recording&, std::span<const BufferView> inputs, const SearchBuffers& memory)> record;
};

class Run {
 public:
  Run(Device& device, const Planned& planned, std::uint64_t queries, std::uint64_t capacity)
      : device_(device), commands_(device.create_commands(Timing::none)) {
    // No device gives 0 bytes.
    const std::uint64_t bytes = std::max<std::uint64_t>(capacity, 1) * 4;
    std::vector<BufferView> inputs;
    for (const auto& input : planned.inputs) inputs.push_back(add("input", Role::input, input).view());
    SearchBuffers memory;
    memory.scratch = add("scratch", Role::scratch, unwritten(planned.scratch_bytes)).view();
    offsets_ = &add("offsets", Role::output, unwritten((queries + 1) * 8), 8);
    indices_ = &add("indices", Role::output, unwritten(bytes), 4);
    distances_ = &add("distances", Role::output, unwritten(bytes), 12);
    memory.offsets = offsets_->view();
    memory.indices = indices_->view();
    memory.distances = distances_->view();
    commands_->begin();
    planned.record(*commands_, inputs, memory);
    commands_->end();
  }

  // Scrambles what was there, searches and fetches. Returns what was written where it may not be.
  std::string search() {
    for (const auto& buffer : held_)
      if (buffer->role() != Role::input) buffer->restore();
    device_.submit(*commands_);
    device_.wait();
    return fetch_all(held_);
  }
  RangeAnswer answer() const {
    return {contents<std::uint64_t>(*offsets_), contents<std::uint32_t>(*indices_), contents<float>(*distances_)};
  }

 private:
  template <typename T>
  static std::vector<T> contents(const GuardedBuffer& buffer) {
    const std::vector<std::byte> bytes = buffer.contents();
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  GuardedBuffer& add(std::string name, Role role, std::vector<std::byte> contents, std::uint32_t skew = 0) {
    held_.push_back(std::make_unique<GuardedBuffer>(device_, std::move(name), role, std::move(contents), skew));
    return *held_.back();
  }

  Device& device_;
  std::vector<std::unique_ptr<GuardedBuffer>> held_;
  GuardedBuffer* offsets_ = nullptr;
  GuardedBuffer* indices_ = nullptr;
  GuardedBuffer* distances_ = nullptr;
  std::unique_ptr<Commands> commands_;
};

// @param found  by range_search()
Verdict judge(Device& device, const Planned& planned, const RangeNeighbors& found, Form form) {
  const RangeAnswer expected{found.offsets, found.indices, found.distances};
  const std::uint64_t all = expected.indices.size();
  const std::uint64_t capacity = form == Form::capped ? (all + 1) / 2 : all + 100;
  Run run(device, planned, expected.offsets.size() - 1, capacity);
  // Twice: what was recorded is submitted again.
  for (int turn = 0; turn < 2; ++turn) {
    if (std::string damage = run.search(); !damage.empty()) return Verdict::fail(std::move(damage));
    if (std::string text = difference(expected, run.answer(), capacity); !text.empty())
      return Verdict::fail(std::move(text));
  }
  std::vector<std::byte> answer = bytes_of(expected.offsets);
  const std::vector<std::byte> indices = bytes_of(expected.indices);
  answer.insert(answer.end(), indices.begin(), indices.end());
  return Verdict::pass(std::move(answer));
}

// Records a search of vectors: the queries are the first input, and a filter the second.
void record(const Plan& plan, Recording& recording, std::span<const BufferView> inputs, SearchBuffers memory,
            Form form) {
  memory.queries = inputs[0];
  if (inputs.size() > 1) memory.filter = inputs[1];
  if (form != Form::halves) return plan.record(recording, memory);
  plan.record(recording, memory, SearchPart::count);
  recording.barrier();
  plan.record(recording, memory, SearchPart::fill);
}

struct VectorCase {
  Metric metric;
  Kind kind;
  Shape shape;  // k is the rank of the tie
  Radius radius;
  Form form;
  FilterChoice filter = {};
  bool removed = false;  // every third row, from an index of all rows
  double fraction = 0;   // by permutations, or 0

  std::string name() const {
    const std::string index = fraction == 0 ? "rows" : fmt::format("permutations,fraction={}", fraction);
    return fmt::format("planned-range/{}/{}/n={},d={},q={},radius={},{}{}{}/{}", index, proxel::to_string(metric),
                       shape.n, shape.d, shape.q, to_string(radius), form_names[static_cast<int>(form)], filter.name(),
                       removed ? ",removed" : "", to_string(kind));
  }
};

// The distance of the row of that rank, as the index finds it.
float tie(const Neighbors& nearest, std::uint64_t rank) {
  const float distance = nearest.distances(0, rank - 1);
  return std::isnan(distance) ? 1.0f : distance;
}

Planned planned(const Plan& plan, const Data& data, const VectorCase& c) {
  Planned made;
  made.inputs = {bytes_of(data.queries.data(), c.shape.q * c.shape.d)};
  made.scratch_bytes = plan.scratch_bytes();
  made.record = [&plan, form = c.form](Recording& recording, std::span<const BufferView> inputs,
                                       const SearchBuffers& memory) { record(plan, recording, inputs, memory, form); };
  return made;
}

Verdict check_rows(Device& device, const VectorCase& c, const Data& data, const Matrix<std::uint8_t>& filter) {
  Index index(device, data.database.view());
  if (c.removed) {
    std::vector<std::uint32_t> gone;
    for (std::uint32_t row = 0; row < c.shape.n; row += 3) gone.push_back(row);
    index.remove(gone);
  }
  const auto queries = static_cast<std::uint32_t>(c.shape.q);
  const float radius = c.radius == Radius::tie ? tie(index.search(data.queries.view(), c.shape.k, c.metric), c.shape.k)
                                               : edge_radius(c.radius, c.metric);
  PlanOptions options;
  SearchOptions with;
  const std::vector<std::uint32_t> words = words_of(filter);
  if (c.filter.given) {
    options.filter = c.filter.per_query ? FilterKind::per_query : FilterKind::shared;
    with.filter = {words.data(), filter.rows(), filter_words(c.shape.n)};
  }
  const auto plan = index.plan_range(queries, radius, c.metric, options);
  Planned made = planned(*plan, data, c);
  if (c.filter.given) made.inputs.push_back(bytes_of(words));
  return judge(device, made, index.range_search(data.queries.view(), radius, c.metric, with), c.form);
}

Verdict check_permutations(Device& device, const VectorCase& c, const Data& data) {
  VectorPermutationIndex index(device, data.database.view(), c.metric, {.permutants = 16});
  const float radius = c.radius == Radius::tie
                           ? tie(index.search(data.queries.view(), c.shape.k, c.fraction), c.shape.k)
                           : edge_radius(c.radius, c.metric);
  const auto plan = index.plan_range(static_cast<std::uint32_t>(c.shape.q), radius, c.fraction);
  return judge(device, planned(*plan, data, c), index.range_search(data.queries.view(), radius, c.fraction), c.form);
}

void add_vectors(Cases& cases, const VectorCase& c, bool quick) {
  cases.push_back({c.name(), quick, [c](const Context& context) {
    const Shape& shape = c.shape;
    auto data = std::make_shared<Data>(make_data(c.kind, shape.n, shape.d, shape.q, context.seed));
    auto filter = std::make_shared<Matrix<std::uint8_t>>(make_filter(c.filter, shape.n, shape.q, context.seed + 1));
    return make_check([=](Device& device) {
      return c.fraction == 0 ? check_rows(device, c, *data, *filter) : check_permutations(device, c, *data);
    });
  }});
}

struct WordCase {
  StringKind kind;
  std::uint64_t strings, queries;
  float radius;
  Form form;
  double fraction = 0;  // by permutations, or 0
  std::uint64_t scratch_limit = std::uint64_t{256} << 20;

  std::string name() const {
    return fmt::format("planned-range/strings{}/n={},q={},radius={},{}{}/{}",
                       fraction == 0 ? "" : fmt::format(",fraction={}", fraction), strings, queries, radius,
                       form_names[static_cast<int>(form)], scratch_limit >> 20 == 256 ? "" : ",scratch=1MiB",
                       to_string(kind));
  }
};

Planned planned(const StringPlan& plan, const Strings& asked) {
  EncodedStrings encoded = plan.encode(asked);
  // No device gives 0 bytes.
  if (encoded.symbols.empty()) encoded.symbols.push_back(0);
  Planned made;
  made.inputs = {bytes_of(encoded.symbols), bytes_of(encoded.offsets)};
  made.scratch_bytes = plan.scratch_bytes();
  made.record = [&plan](Recording& recording, std::span<const BufferView> inputs, SearchBuffers memory) {
    memory.queries = inputs[0];
    memory.query_offsets = inputs[1];
    plan.record(recording, memory);
  };
  return made;
}

void add_words(Cases& cases, const WordCase& c, bool quick) {
  cases.push_back({c.name(), quick, [c](const Context& context) {
    const std::vector<Symbols> database = make_strings(c.kind, c.strings, context.seed);
    std::vector<Symbols> queries = make_strings(c.kind, c.queries, context.seed + 1);
    for (std::size_t i = 0; i < queries.size(); i += 3) queries[i] = database[(i * 7919) % database.size()];
    auto rows = std::make_shared<Strings>(), asked = std::make_shared<Strings>();
    for (const Symbols& one : database) rows->add(encoded(one));
    for (const Symbols& one : queries) asked->add(encoded(one));
    return make_check([=](Device& device) -> Verdict {
      StringIndexOptions options;
      options.scratch_limit = c.scratch_limit;
      const auto count = static_cast<std::uint32_t>(c.queries), longest = static_cast<std::uint32_t>(asked->longest());
      if (c.fraction == 0) {
        StringIndex index(device, *rows, options);
        const auto plan = index.plan_range(count, longest, c.radius);
        return judge(device, planned(*plan, *asked), index.range_search(*asked, c.radius), c.form);
      }
      PermutationIndex index(device, *rows,
                             {.string_distance = options.distance, .scratch_limit = options.scratch_limit});
      const auto plan = index.plan_range(count, longest, c.radius, c.fraction);
      return judge(device, planned(*plan, *asked), index.range_search(*asked, c.radius, c.fraction), c.form);
    });
  }});
}

void add_all_vectors(Cases& cases) {
  constexpr Shape shapes[] = {{1, 1, 1, 1}, {129, 7, 2, 40}, {777, 5, 65, 30}, {2000, 3, 9, 700}};
  constexpr Kind kinds[] = {Kind::integers, Kind::gaussian, Kind::duplicates, Kind::nan, Kind::zeros, Kind::infinity};
  constexpr Radius radii[] = {Radius::tie, Radius::zero, Radius::tie, Radius::infinite, Radius::nothing};
  constexpr Form forms[] = {Form::ample, Form::capped, Form::halves};
  std::size_t step = 0;
  for (const Metric metric : all_metrics)
    for (const Shape& shape : shapes)
      for (const bool permutations : {false, true}) {
        VectorCase c{metric, kinds[step / 2 % 6], shape, radii[step % 5], forms[step % 3]};
        if (permutations) {
          c.fraction = step % 4 == 1 ? 0.3 : 1;
          if (c.form == Form::halves) c.form = Form::ample;
        } else {
          c.filter = {step % 8 == 2, all_filter_patterns[step / 8 % 6], step % 16 == 10};
          c.removed = step % 8 == 4;
        }
        // A filter, removed rows, permutations.
        add_vectors(cases, c, step % 8 == 2 || step % 8 == 4 || step % 8 == 5);
        ++step;
      }
  // Queries in several chunks, and more than a workgroup sorts at once.
  add_vectors(cases, {Metric::l2, Kind::integers, {9000, 2, 33, 4000}, Radius::tie, Form::capped}, false);
  add_vectors(cases, {Metric::cosine, Kind::gaussian, {9000, 9, 33, 900}, Radius::tie, Form::ample, {}, false, 0.5},
              true);
}

void add_all_words(Cases& cases) {
  struct Sizes {
    std::uint64_t strings, queries;
    float radius;
  };
  constexpr Sizes sizes[] = {{1, 2, 0}, {129, 9, -1}, {400, 7, 3.5f}, {260, 5, 1e30f}, {300, 4, 0}};
  std::size_t step = 0;
  for (const StringKind kind : all_string_kinds)
    for (const Sizes& s : sizes)
      if (kind != StringKind::long_ones || s.strings < 300)
        for (const double fraction : {0.0, 0.4}) {
          add_words(cases, {kind, s.strings, s.queries, s.radius, step % 4 < 2 ? Form::ample : Form::capped, fraction},
                    step % 5 == 0);
          ++step;
        }
  add_words(cases, {StringKind::words, 3000, 90, 2, Form::capped, 0, std::uint64_t{1} << 20}, true);
}

}  // namespace

void add_planned_range_cases(Cases& cases) {
  add_all_vectors(cases);
  add_all_words(cases);
}

}  // namespace proxel::conformance
