#include "bench/plain_loop.hpp"

#include <algorithm>
#include <barrier>
#include <thread>
#include <vector>

#include "bench/plain_loop_kernel.hpp"

namespace proxel::tool {

struct PlainLoop::Team {
  Team(MatrixView<float> view, std::uint32_t threads_wanted)
      : rows(view),
        size(threads_wanted != 0 ? threads_wanted : std::max(1u, std::thread::hardware_concurrency())),
        found(size),
        start(static_cast<std::ptrdiff_t>(size)),
        finish(static_cast<std::ptrdiff_t>(size)) {
    for (std::uint32_t member = 1; member < size; ++member)
      threads.emplace_back([this, member] {
        for (;;) {
          start.arrive_and_wait();
          if (ending) return;
          work(member);
          finish.arrive_and_wait();
        }
      });
  }
  ~Team() {
    ending = true;
    start.arrive_and_wait();
    for (std::thread& thread : threads) thread.join();
  }
  void work(std::uint32_t member) {
    const std::uint64_t first = rows.rows * member / size;
    const std::uint64_t last = rows.rows * (member + 1) / size;
    plain_nearest(rows.data, first, last, rows.columns, query, &found[member].index, &found[member].distance);
  }

  struct alignas(64) Slot : Nearest {};
  MatrixView<float> rows;
  const float* query = nullptr;
  std::uint32_t size;
  std::vector<Slot> found;
  bool ending = false;
  std::barrier<> start, finish;
  std::vector<std::thread> threads;
};

PlainLoop::PlainLoop(MatrixView<float> rows, std::uint32_t threads) : team_(std::make_unique<Team>(rows, threads)) {}
PlainLoop::~PlainLoop() = default;

PlainLoop::Nearest PlainLoop::search(const float* query) {
  team_->query = query;
  team_->start.arrive_and_wait();
  team_->work(0);
  team_->finish.arrive_and_wait();
  Nearest best = team_->found[0];
  for (const auto& slot : team_->found)
    if (slot.distance < best.distance) best = slot;
  return best;
}

}  // namespace proxel::tool
