#include "search/over_queries.hpp"

#include <algorithm>
#include <thread>

#include "search/check.hpp"

namespace proxel::search {
namespace {

// Some hundred microseconds of merging: more than a thread takes to start.
constexpr std::uint64_t slots_of_a_block = std::uint64_t{1} << 14;
// It takes a thread longer to wake up than to copy less.
constexpr std::uint64_t slots_of_a_thread = std::uint64_t{1} << 15;
// Memory is what more would wait for.
constexpr std::uint64_t most_threads = 16;

}  // namespace

cpu::Workers& KeptThreads::of(std::uint32_t count) {
  if (!workers_ || workers_->thread_count() != count) workers_.emplace(count);
  return *workers_;
}

OverQueries::OverQueries(std::uint64_t queries, std::uint64_t slots, KeptThreads& kept)
    : block_(std::clamp<std::uint64_t>(slots_of_a_block / std::max<std::uint64_t>(slots, 1), 1,
                                       std::max<std::uint64_t>(queries, 1))) {
  // Of more slots than can be counted there are enough.
  const std::uint64_t worthwhile = slots > UINT64_MAX / std::max<std::uint64_t>(queries, 1)
                                       ? most_threads
                                       : divide_up(queries * slots, slots_of_a_thread);
  const std::uint64_t threads = std::min<std::uint64_t>(
      {divide_up(queries, block_), worthwhile, most_threads, std::thread::hardware_concurrency()});
  if (threads > 1) workers_ = &kept.of(static_cast<std::uint32_t>(threads));
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
