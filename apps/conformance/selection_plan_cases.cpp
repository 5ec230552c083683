// Selections recorded from their plans into guarded memory of the caller, by
// every method; what was recorded once is submitted twice.
#include <algorithm>
#include <bit>
#include <cstring>
#include <tuple>

#include <fmt/format.h>

#include "case.hpp"
#include "guarded_buffer.hpp"
#include "pass_script.hpp"
#include "proxel/passes/group_minima.h"
#include "proxel/selection.hpp"
#include "selection_oracle.hpp"
#include "stream_select_case.hpp"

namespace proxel::conformance {
namespace {

using Role = GuardedBuffer::Role;

struct SelectionCase {
  SelectionDescription description;
  RowKind kind = RowKind::random;
  std::uint32_t skew = 0;  // bytes past a multiple of 256 at which the values start

  std::uint64_t stride() const { return description.row_stride ? description.row_stride : description.columns; }
  std::uint64_t words() const { return (description.rows - 1) * stride() + description.columns; }
  std::uint64_t slots() const { return description.rows * description.k; }

  std::string name() const {
    return fmt::format("selection/{}/rows={},columns={},k={},stride={}{}{}{},skew={},scratch={}KiB/{}",
                       to_string(description.method), description.rows, description.columns, description.k, stride(),
                       description.largest_first ? ",largest" : "", description.sorted ? "" : ",unsorted",
                       description.has_payload ? ",payload" : "", skew, description.scratch_limit >> 10,
                       to_string(kind));
  }
};

// The answer of all rows, indices before values. Each row without an order of
// its own is put in the order of its bits.
std::vector<std::uint32_t> comparable(const SelectionCase& one, std::vector<std::uint32_t> indices,
                                      std::vector<std::uint32_t> values) {
  if (!one.description.sorted) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> row(one.description.k);
    for (std::uint64_t first = 0; first < indices.size(); first += row.size()) {
      for (std::size_t i = 0; i < row.size(); ++i) row[i] = {indices[first + i], values[first + i]};
      std::sort(row.begin(), row.end());
      for (std::size_t i = 0; i < row.size(); ++i) std::tie(indices[first + i], values[first + i]) = row[i];
    }
  }
  indices.insert(indices.end(), values.begin(), values.end());
  return indices;
}

class SelectionCheck : public Check {
 public:
  SelectionCheck(const SelectionCase& one, std::uint64_t seed) : case_(one) {
    Random random(seed);
    const SelectionDescription& description = one.description;
    // What lies between the rows would be selected first if it were read.
    values_.assign(one.words(), description.largest_first ? 1e30f : -1e30f);
    payload_.resize(one.words());
    for (std::uint32_t& word : payload_) word = static_cast<std::uint32_t>(random.bits());
    std::vector<std::uint32_t> indices;
    std::vector<std::uint32_t> values(one.slots());
    for (std::uint64_t row = 0; row < description.rows; ++row) {
      float* of_row = values_.data() + row * one.stride();
      fill_row(one.kind, description.columns, random, of_row);
      const Selected selected =
          select_by_oracle(of_row, description.columns, description.k, description.largest_first,
                           description.has_payload ? payload_.data() + row * one.stride() : nullptr);
      indices.insert(indices.end(), selected.indices.begin(), selected.indices.end());
      std::memcpy(values.data() + row * description.k, selected.values.data(), description.k * 4);
    }
    expected_ = comparable(one, std::move(indices), std::move(values));
  }

  Verdict run(Device& device) override {
    if (const Support support = SelectionPlan::supports(device, case_.description); !support)
      return Verdict::refuse(support);
    const SelectionPlan plan = SelectionPlan::make(device, case_.description);
    GuardedBuffer values(device, "values", Role::input, bytes_of(values_), case_.skew);
    GuardedBuffer payload(device, "payload", Role::input, bytes_of(payload_), 8);
    GuardedBuffer scratch(device, "scratch", Role::scratch,
                          unwritten(std::max<std::uint64_t>(plan.scratch_bytes(), 4)));
    GuardedBuffer indices(device, "indices", Role::output, unwritten(case_.slots() * 4), 4);
    GuardedBuffer selected(device, "selected", Role::output, unwritten(case_.slots() * 4), 12);
    const auto commands = device.create_commands(Timing::none);
    commands->begin();
    plan.record(*commands, {values.view(), payload.view(), scratch.view(), indices.view(), selected.view()});
    commands->end();
    for (int turn = 0; turn < 2; ++turn) {
      for (GuardedBuffer* buffer : {&scratch, &indices, &selected}) buffer->restore();
      device.submit(*commands);
      device.wait();
      for (GuardedBuffer* buffer : {&values, &payload, &scratch, &indices, &selected}) {
        buffer->fetch();
        if (std::string damage = buffer->damage(); !damage.empty()) return Verdict::fail(std::move(damage));
      }
      if (const std::string text = difference(answer(indices, selected)); !text.empty())
        return Verdict::fail(turn == 0 ? text : "submitted again: " + text);
    }
    return Verdict::pass(bytes_of(answer(indices, selected)));
  }

 private:
  std::vector<std::uint32_t> answer(const GuardedBuffer& indices, const GuardedBuffer& selected) const {
    std::vector<std::uint32_t> words[2];
    const GuardedBuffer* buffers[2] = {&indices, &selected};
    for (int i = 0; i < 2; ++i) {
      words[i].resize(case_.slots());
      const auto bytes = buffers[i]->contents();
      std::memcpy(words[i].data(), bytes.data(), bytes.size());
    }
    return comparable(case_, std::move(words[0]), std::move(words[1]));
  }

  std::string difference(const std::vector<std::uint32_t>& actual) const {
    const auto [wanted, got] = std::mismatch(expected_.begin(), expected_.end(), actual.begin());
    if (wanted == expected_.end()) return {};
    const auto word = static_cast<std::uint64_t>(wanted - expected_.begin());
    const std::uint64_t slot = word % case_.slots();
    return fmt::format("row {}, rank {}: {} 0x{:08X} is wanted, 0x{:08X} was found", slot / case_.description.k,
                       slot % case_.description.k, word < case_.slots() ? "index" : "value", *wanted, *got);
  }

  SelectionCase case_;
  std::vector<float> values_;
  std::vector<std::uint32_t> payload_;
  std::vector<std::uint32_t> expected_;
};

void add_case(Cases& cases, const SelectionCase& one, bool quick) {
  cases.push_back({one.name(), quick,
                   [one](const Context& context) { return std::make_unique<SelectionCheck>(one, context.seed); }});
}

constexpr SelectionMethod methods[] = {SelectionMethod::automatic,
                                       SelectionMethod::streaming,
                                       SelectionMethod::threshold,
                                       SelectionMethod::radix_sort,
                                       SelectionMethod::quick_multi_select_subgroup,
                                       SelectionMethod::quick_multi_select_workgroup,
                                       SelectionMethod::quick_sort,
                                       SelectionMethod::radix_select,
                                       SelectionMethod::bucket_select,
                                       SelectionMethod::truncated_bitonic_sort,
                                       SelectionMethod::sample_select};

void add_plans(Cases& cases) {
  struct Shape {
    std::uint64_t rows, columns, k;
  };
  // One value; k past the row; workgroups of every width; k around the pools'
  // sizes; long rows; many rows.
  constexpr Shape shapes[] = {{1, 1, 1},       {3, 2, 5},       {2, 31, 31},      {5, 100, 7},     {300, 33, 4},
                              {4, 511, 64},    {3, 1000, 1000}, {2, 1025, 128},   {7, 2047, 1},    {2, 4099, 16},
                              {3, 5000, 100},  {2, 9001, 512},  {1, 20000, 1024}, {1, 70001, 10},  {2, 40000, 300},
                              {1, 3000, 2500}, {70000, 3, 2},   {2, 12345, 2048}, {1, 6000, 6001}, {1, 150000, 5000}};
  std::size_t step = 0;
  for (const SelectionMethod method : methods)
    for (std::size_t i = 0; i < std::size(shapes); ++i)
      for (std::size_t j = 0; j < std::size(all_row_kinds); ++j) {
        const Shape& shape = shapes[i];
        // A workgroup of 512 for each of so many rows takes a processor minutes.
        if (method == SelectionMethod::sample_select && shape.rows > 1000) continue;
        SelectionCase one;
        one.kind = all_row_kinds[j];
        one.description.rows = shape.rows;
        one.description.columns = shape.columns;
        one.description.k = shape.k;
        one.description.row_stride = step % 3 == 1 ? shape.columns + step % 7 : 0;
        one.description.largest_first = step % 2 == 1;
        one.description.sorted = step % 5 != 4;
        one.description.has_payload = step % 4 >= 2;
        one.description.scratch_limit = step % 3 == 0 ? 1u << 20 : 64u << 20;
        one.description.method = method;
        one.skew = static_cast<std::uint32_t>(step / 3 % 4 * 4);
        ++step;
        const bool quick = (i + 3 * j) % 5 == 0 && shape.columns * shape.rows < 100000;
        add_case(cases, one, quick);
      }
}

// Neighbours by ones around what sampling goes by, its shares of 256, the runs that it sorts and the keys of its parts, and rows from those
// that are selected whole on.
void add_sampled_walk(Cases& cases) {
  std::size_t step = 0;
  for (const std::uint64_t limit : {2u, 64u, 256u, 341u, 512u, 768u, 1024u, 1365u, 2048u, 2730u, 4096u, 5000u, 10000u})
    for (std::uint64_t k = limit - 1; k <= limit + 1; ++k)
      for (const std::uint64_t columns : {k, k + 1, 2 * k - 1, 2 * k + 1, 4 * k, 4 * k + 1, 4 * k + 3, 11 * k + 2}) {
        SelectionCase one;
        one.kind = all_row_kinds[step % std::size(all_row_kinds)];
        one.description.rows = 2;
        one.description.columns = columns;
        one.description.k = k;
        one.description.largest_first = step % 2 == 1;
        one.description.method = SelectionMethod::sample_select;
        one.skew = static_cast<std::uint32_t>(step / 3 % 4 * 4);
        add_case(cases, one, step++ % 7 == 0 && k < 1400);
      }
}

void add_group_minima(Cases& cases) {
  struct Shape {
    std::uint32_t rows, columns, workgroups, merge, skew;
  };
  constexpr Shape shapes[] = {{1, 256, 1, 1, 0},  {3, 1000, 2, 1, 4},  {2, 1029, 2, 4, 12},
                              {1, 5000, 3, 8, 8}, {300, 300, 1, 2, 0}, {1, 70003, 7, 2, 4}};
  for (const Shape& shape : shapes)
    for (const RowKind kind : {RowKind::random, RowKind::specials, RowKind::nan})
      for (const bool largest : {false, true}) {
        constexpr std::uint32_t workgroup = 32;
        cases.push_back({fmt::format("pass/group_minima/rows={},columns={},workgroups={},merge={},skew={}{}/{}",
                                     shape.rows, shape.columns, shape.workgroups, shape.merge, shape.skew,
                                     largest ? ",largest" : "", to_string(kind)),
                         kind == RowKind::specials, [=](const Context& context) {
          Random random(context.seed);
          std::vector<float> values(std::uint64_t{shape.rows} * shape.columns);
          for (std::uint32_t row = 0; row < shape.rows; ++row)
            fill_row(kind, shape.columns, random, values.data() + std::uint64_t{row} * shape.columns);
          return check_passes(context, [=](PassScript& script) {
            passes::GroupMinimaParameters parameters{};
            parameters.rows = {script.input("values", values, shape.skew), shape.rows, shape.columns, shape.columns, 0};
            const std::uint32_t threads = shape.workgroups * workgroup;
            parameters.groups = threads / shape.merge;
            parameters.steps = (shape.columns + 10) / 8 / threads + 1;
            parameters.minima = script.output("minima", std::uint64_t{8} * shape.rows * parameters.groups);
            script.add_pass(passes::make_group_minima(parameters, largest, workgroup, shape.merge));
          });
        }});
      }
}

// Calls use(i, column) with the columns of what a workgroup samples of a row, `sampled` values, which begins `skip` values behind a
// multiple of 16 bytes.
template <typename Use>
void each_sampled(std::uint32_t columns, std::uint32_t skip, std::uint32_t sampled, const Use& use) {
  const std::uint32_t apart = (columns + skip + 3) / 4 / (sampled / 8);
  for (std::uint32_t i = 0; i < sampled; ++i) {
    const std::uint32_t position = 4 * (i / 8 * apart) + i % 8;
    if (position >= skip && position - skip < columns) use(i, position - skip);
  }
}

// Every width of workgroup over one row, pools that overflow at once.
void add_stream_select(Cases& cases) {
  constexpr std::uint32_t columns = 17001;
  for (const std::uint32_t workgroup : {32u, 64u, 128u, 256u, 512u})
    for (const RowKind kind : all_row_kinds)
      for (const std::uint32_t k : {1u, 30u, 200u})
        cases.push_back(stream_select_case(
            fmt::format("pass/stream_select/workgroup={},k={}/{}", workgroup, k, to_string(kind)),
            workgroup == 128 && k == 30, workgroup, k, columns,
            [=](Random& random, std::uint32_t, float* row) { fill_row(kind, columns, random, row); }));
}

// Rows of which a sample misleads, about as long as those that are sampled: it has the smallest values, so that the first bound is too
// low, or none of them, so that it is too high.
void add_misleading_samples(Cases& cases) {
  for (const std::uint32_t workgroup : {32u, 64u, 128u, 256u})
    for (const bool low : {false, true})
      for (const std::uint32_t k : {40u, 100u, 500u})
        for (const std::uint32_t more : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 4001u}) {
          const std::uint32_t sampled = 16 * workgroup, columns = 2 * sampled - 2 + more;
          const auto fill = [=](Random& random, std::uint32_t number, float* row) {
            for (std::uint32_t i = 0; i < columns; ++i) row[i] = random.unit() + (low ? 2.0F : 0.0F);
            each_sampled(columns, number * columns % 4, sampled,
                         [&](std::uint32_t, std::uint32_t column) { row[column] += low ? -2.0F : 2.0F; });
          };
          cases.push_back(stream_select_case(fmt::format("pass/stream_select/workgroup={},k={},columns={}/guess-too-{}",
                                                         workgroup, k, columns, low ? "low" : "high"),
                                             false, workgroup, k, columns, fill));
        }
  // Few numbers, all of them infinite and in the sample, among NaNs of every kind.
  for (const std::uint32_t workgroup : {32u, 64u, 256u})
    for (const bool largest : {false, true})
      for (const std::uint32_t numbers : {3u, 26u, 60u, 199u, 200u, 250u}) {
        constexpr std::uint32_t columns = 17001, k = 200;
        const auto fill = [=](Random& random, std::uint32_t row_number, float* row) {
          const std::uint32_t sign = largest ? 0x80000000u : 0;
          for (std::uint32_t i = 0; i < columns; ++i)
            row[i] = std::bit_cast<float>(i % 50 == 0 ? 0x7F800001u | sign : i % 7 == 0 ? 0xFFC00001u : 0x7FC00000u);
          each_sampled(columns, row_number * columns % 4, 16 * workgroup, [&](std::uint32_t i, std::uint32_t column) {
            if (i < numbers) row[column] = std::bit_cast<float>(0x7F800000u | sign);
          });
          if (numbers == 60u) row[columns - 1] = random.unit();
        };
        cases.push_back(stream_select_case(fmt::format("pass/stream_select/workgroup={},k={}{}/numbers={}", workgroup,
                                                       k, largest ? ",largest" : "", numbers),
                                           false, workgroup, k, columns, fill, largest));
      }
}

}  // namespace

void add_selection_plan_cases(Cases& cases) {
  add_group_minima(cases);
  add_stream_select(cases);
  add_misleading_samples(cases);
  add_plans(cases);
  add_sampled_walk(cases);
}

}  // namespace proxel::conformance
