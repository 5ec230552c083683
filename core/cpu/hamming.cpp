// The reference's work, shared among threads.

#include <algorithm>

#include "cpu/machine.hpp"
#include "passes/grids.hpp"
#include "passes/string_items.hpp"

namespace proxel::cpu {
namespace {

constexpr std::uint64_t compared_at_a_time = 4096;

}  // namespace

void hamming(const Pass& pass, Machine& machine) {
  const auto p = pass.as<passes::LevenshteinParameters>();
  const std::uint32_t symbol_bytes = pass.constants_as<passes::LevenshteinConstants>().symbol_bytes;
  const std::uint64_t parts = passes::divide_up(passes::StringItems(p, 0).count(), compared_at_a_time);
  machine.workers.for_each(parts * pass.grid.y, [&](std::uint64_t part) {
    const passes::StringItems items(p, part / parts);
    const std::uint64_t first = part % parts * compared_at_a_time;
    for (std::uint64_t item = first; item < std::min(first + compared_at_a_time, items.count()); ++item) {
      const std::uint64_t place = items.place(item);
      items.put(item, place, items.hamming_distance(place, symbol_bytes));
    }
  });
}

}  // namespace proxel::cpu
