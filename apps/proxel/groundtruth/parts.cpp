#include "groundtruth/parts.hpp"

#include <algorithm>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace proxel::tool {
namespace {

// What one thread takes in is bounded by memory, which a few of them keep busy.
constexpr std::uint64_t most_threads = 16;

}  // namespace

void in_parts(std::uint64_t count, const std::function<void(std::uint64_t first, std::uint64_t count)>& part) {
  const std::uint64_t threads =
      std::clamp<std::uint64_t>(std::min<std::uint64_t>(std::thread::hardware_concurrency(), count), 1, most_threads);
  std::vector<std::exception_ptr> failures(threads);
  const auto run = [&](std::uint64_t i) {
    const std::uint64_t first = count * i / threads, end = count * (i + 1) / threads;
    try {
      if (first != end) part(first, end - first);
    } catch (...) {
      failures[i] = std::current_exception();
    }
  };
  std::vector<std::thread> started;
  for (std::uint64_t i = 1; i < threads; ++i) {
    try {
      started.emplace_back(run, i);
    } catch (const std::system_error&) {  // no more threads to be had
      run(i);
    }
  }
  run(0);
  for (std::thread& thread : started) thread.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace proxel::tool
