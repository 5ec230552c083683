// 8-bit codes, for a few queries: encoded by tiles, and compared by runs of them.

#include <array>
#include <atomic>

#include "cpu/machine.hpp"
#include "passes/code_tiles.hpp"
#include "passes/coding.hpp"
#include "passes/grids.hpp"
#include "passes/screen_operand.hpp"

namespace proxel::cpu {

using passes::tile_rows;

void screen_codes(const Pass& pass, Machine& machine) {
  const passes::Coding coding(pass);
  passes::zero_words(coding.parameters);
  if (coding.queries) {
    const std::uint64_t first = std::uint64_t{coding.parameters.first_tile} * tile_rows;
    const std::uint64_t behind =
        std::min<std::uint64_t>(first + std::uint64_t{pass.grid.x} * tile_rows, coding.parameters.rows.count);
    return machine.workers.for_each(behind - std::min(first, behind),
                                    [&](std::uint64_t i) { passes::code_query(coding, first + i); });
  }
  const std::atomic_ref<float> largest_norm(coding.largest_norm());
  machine.workers.for_each(pass.grid.x, [&](std::uint64_t i) {
    const float norm = passes::code_rows(coding, coding.parameters.first_tile + i);
    float largest = largest_norm.load();
    while (largest < norm && !largest_norm.compare_exchange_weak(largest, norm)) {
    }
  });
}

void screen_code_tiles(const Pass& pass, Machine& machine) {
  // Tiles that a thread takes at a time: codes of some hundred kilobytes.
  constexpr std::uint64_t run = 32;
  const passes::CodeTiles tiles(pass);
  const std::uint64_t count = tiles.parameters.tile_count;
  machine.workers.for_each(passes::divide_up(count, run), [&](std::uint64_t item) {
    std::array<std::int32_t, tile_rows> sums;
    for (std::uint64_t i = item * run; i < std::min(count, (item + 1) * run); ++i)
      for (std::uint32_t query = 0; query < tiles.queries; ++query) {
        const std::uint32_t words = tiles.parameters.words;
        machine.kernels.code_sums(
            {tiles.metric, passes::at<const std::uint32_t>(tiles.parameters.rows) + tiles.tile(i) * words * tile_rows,
             passes::at<const std::uint32_t>(tiles.parameters.queries) + std::uint64_t{query} * words, words,
             sums.data()});
        tiles.use(i, query, sums.data());
      }
  });
}

}  // namespace proxel::cpu
