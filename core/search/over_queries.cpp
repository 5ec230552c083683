#include "search/over_queries.hpp"

#include <algorithm>
#include <thread>

#include "cpu/workers.hpp"
#include "search/check.hpp"

namespace proxel::search {
namespace {

// Some hundred microseconds of merging: more than a thread takes to start.
constexpr std::uint64_t slots_of_a_block = std::uint64_t{1} << 14;
// Memory is what more would wait for.
constexpr std::uint64_t most_threads = 16;

}  // namespace

void over_queries(std::uint64_t queries, std::uint64_t slots,
                  const std::function<void(std::uint64_t first, std::uint64_t count)>& work) {
  if (queries == 0) return;
  const std::uint64_t block =
      std::clamp<std::uint64_t>(slots_of_a_block / std::max<std::uint64_t>(slots, 1), 1, queries);
  const std::uint64_t blocks = divide_up(queries, block);
  const std::uint64_t threads = std::min<std::uint64_t>({blocks, most_threads, std::thread::hardware_concurrency()});
  if (threads <= 1) return work(0, queries);
  cpu::Workers workers(static_cast<std::uint32_t>(threads));
  workers.for_each(blocks, [&](std::uint64_t number) {
    const std::uint64_t first = number * block;
    work(first, std::min(block, queries - first));
  });
}

}  // namespace proxel::search
