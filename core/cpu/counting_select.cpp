// A row per item: its numbers counted one by one where a table of all of them is small.

#include <algorithm>
#include <vector>

#include "cpu/machine.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/counting_select.h"

namespace proxel::cpu {
namespace {

constexpr std::uint32_t most_counted = 1u << 17;

template <typename Number>
void answer(const passes::CountingSelectParameters& p, std::uint64_t row) {
  const Number* numbers = passes::at<const Number>(p.numbers) + row * p.row_stride;
  std::vector<std::uint32_t> counts(std::size_t{p.largest} + 1);
  for (std::uint32_t column = 0; column < p.columns; ++column) ++counts[numbers[column]];
  std::uint32_t number = 0;
  std::uint32_t wanted = p.k;  // of those equal to `number`
  while (counts[number] < wanted) wanted -= counts[number++];
  auto* found = passes::at<std::uint32_t>(p.columns_found) + row * p.found_stride;
  for (std::uint32_t column = 0; column < p.columns; ++column) {
    const bool equal = numbers[column] == number;
    if (numbers[column] > number || (equal && wanted == 0)) continue;
    if (equal) --wanted;
    *found++ = column;
  }
}

}  // namespace

void counting_select(const Pass& pass, Machine& machine) {
  const auto p = pass.as<passes::CountingSelectParameters>();
  const std::uint32_t number_bytes = pass.constants_as<passes::CountingSelectConstants>().number_bytes;
  if (p.largest >= most_counted) return reference::run(pass);
  machine.workers.for_each(p.rows, [&](std::uint64_t row) {
    number_bytes == 2 ? answer<std::uint16_t>(p, row) : answer<std::uint32_t>(p, row);
  });
}

}  // namespace proxel::cpu
