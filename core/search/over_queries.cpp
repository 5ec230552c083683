#include "search/over_queries.hpp"

#include <algorithm>
#include <thread>

#include "search/check.hpp"

namespace proxel::search {
namespace {

// Some hundred microseconds of merging: more than a thread takes to start.
constexpr std::uint64_t slots_of_a_block = std::uint64_t{1} << 14;
// Memory is what more would wait for.
constexpr std::uint64_t most_threads = 16;

}  // namespace

OverQueries::OverQueries(std::uint64_t queries, std::uint64_t slots)
    : block_(std::clamp<std::uint64_t>(slots_of_a_block / std::max<std::uint64_t>(slots, 1), 1,
                                       std::max<std::uint64_t>(queries, 1))) {
  const std::uint64_t threads =
      std::min<std::uint64_t>({divide_up(queries, block_), most_threads, std::thread::hardware_concurrency()});
  if (threads > 1) workers_.emplace(static_cast<std::uint32_t>(threads));
}

void OverQueries::run(std::uint64_t count, const std::function<void(std::uint64_t first, std::uint64_t count)>& work) {
  if (count == 0) return;
  if (!workers_) return work(0, count);
  workers_->for_each(divide_up(count, block_), [&](std::uint64_t number) {
    const std::uint64_t first = number * block_;
    work(first, std::min(block_, count - first));
  });
}

}  // namespace proxel::search
