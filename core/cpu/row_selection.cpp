// The passes that select whole rows. They are shared out by rows, or by row and
// part of its groups.

#include <algorithm>
#include <array>
#include <cstring>

#include "cpu/machine.hpp"
#include "cpu/smallest_keys.hpp"
#include "passes/reference.hpp"
#include "passes/selection_rows.hpp"
#include "passes/smallest.hpp"
#include "proxel/passes/group_minima.h"
#include "proxel/passes/group_select.h"
#include "proxel/passes/sample_bound.h"
#include "proxel/passes/sample_list.h"
#include "proxel/passes/sample_select.h"
#include "proxel/passes/stream_select.h"

namespace proxel::cpu {
namespace {

void select_row(const Kernels& kernels, const passes::SelectionRows& rows, const passes::SelectionResult& result,
                std::uint64_t row, bool largest_first) {
  // Looked at together: too few to be worth a look one by one, most of the time.
  constexpr std::uint32_t run = 256;
  const float* values = passes::row_values(rows, row);
  SmallestKeys smallest(result.k, passes::After(0, 0, 0), passes::Filter(0, 0, 0));
  std::array<std::uint32_t, run> keys;
  for (std::uint32_t column = 0; column < rows.columns;) {
    const std::uint32_t count = std::min(run, rows.columns - column);
    for (std::uint32_t i = 0; i < count; ++i) keys[i] = passes::distance_key(values[column + i], largest_first);
    smallest.offer(kernels, keys.data(), count, column);
    column += count;
  }
  std::vector<std::uint64_t> list(result.k);
  smallest.write(list.data());
  passes::write_selected(result, rows, row, largest_first, list.data());
}

template <typename Parameters, typename Constants>
void select_rows_of(const Pass& pass, Machine& machine) {
  const auto parameters = pass.as<Parameters>();
  const bool largest_first = pass.constants_as<Constants>().largest_first != 0;
  machine.workers.for_each(parameters.rows.rows, [&](std::uint64_t row) {
    select_row(machine.kernels, parameters.rows, parameters.result, row, largest_first);
  });
}

// Has the reference do every row by itself.
// @param move_on  changes parameters of the first row to those of another: move_on(parameters, row)
template <typename Parameters, typename MoveOn>
void each_row_of(const Pass& pass, Machine& machine, const MoveOn& move_on) {
  const auto whole = pass.as<Parameters>();
  machine.workers.for_each(whole.rows.rows, [&](std::uint64_t row) {
    Parameters part = whole;
    part.rows.values += row * whole.rows.row_stride * sizeof(float);
    part.rows.rows = 1;
    move_on(part, row);
    Pass one = pass;
    std::memcpy(one.parameters.data(), &part, sizeof part);
    reference::run(one);
  });
}

}  // namespace

void stream_select(const Pass& pass, Machine& machine) {
  select_rows_of<passes::StreamSelectParameters, passes::StreamSelectConstants>(pass, machine);
}

void group_select(const Pass& pass, Machine& machine) {
  select_rows_of<passes::GroupSelectParameters, passes::GroupSelectConstants>(pass, machine);
}

void group_minima(const Pass& pass, Machine& machine) {
  each_row_of<passes::GroupMinimaParameters>(
      pass, machine, [](auto& part, std::uint64_t row) { part.minima += row * part.groups * sizeof(std::uint64_t); });
}

void sample_bound(const Pass& pass, Machine& machine) {
  each_row_of<passes::SampleBoundParameters>(pass, machine, [](auto& part, std::uint64_t row) {
    part.bounds += row * part.parts * sizeof(std::uint64_t);
    part.counters += row * part.parts * sizeof(std::uint32_t);
  });
}

void sample_list(const Pass& pass, Machine& machine) {
  each_row_of<passes::SampleListParameters>(pass, machine, [](auto& part, std::uint64_t row) {
    part.bounds += row * part.parts * sizeof(std::uint64_t);
    part.counters += row * part.parts * sizeof(std::uint32_t);
    part.lists += 2 * row * part.parts * part.room * sizeof(std::uint64_t);
  });
}

void sample_select(const Pass& pass, Machine& machine) {
  const auto parameters = pass.as<passes::SampleSelectParameters>();
  const bool largest_first = pass.constants_as<passes::SampleSelectConstants>().largest_first != 0;
  const std::uint32_t k = parameters.result.k;
  machine.workers.for_each(parameters.rows.rows, [&](std::uint64_t row) {
    // Nothing is listed where a workgroup is to list its row by itself.
    const std::uint64_t parts = parameters.counters == 0 ? 0 : parameters.parts;
    const auto* counts = passes::at<const std::uint32_t>(parameters.counters) + row * parts;
    const auto* lists = passes::at<const std::uint64_t>(parameters.lists) + 2 * row * parts * parameters.room;
    std::vector<std::uint64_t> keys, smallest(k);
    bool fits = true;
    for (std::uint64_t part = 0; part < parts; ++part) {
      const auto* list = lists + part * parameters.room;
      fits = fits && counts[part] <= parameters.room;
      if (fits) keys.insert(keys.end(), list, list + counts[part]);
    }
    if (keys.size() < k || !fits)
      return select_row(machine.kernels, parameters.rows, parameters.result, row, largest_first);
    passes::write_smallest(keys, k, smallest.data());
    passes::write_selected(parameters.result, parameters.rows, row, largest_first, smallest.data());
  });
}

}  // namespace proxel::cpu
