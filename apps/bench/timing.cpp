#include "bench/timing.hpp"

#include <algorithm>
#include <chrono>

#include "interrupt.hpp"
#include "median.hpp"

namespace proxel::tool {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

Timed repeat(const Patience& patience, const std::function<double(std::uint32_t)>& once) {
  std::uint32_t turn = 0;
  // Warm-up: pipelines, page faults and clock frequencies settle.
  const auto warm_up = Clock::now();
  do {
    throw_if_interrupted();
    once(turn++);
  } while (turn < 3 && since(warm_up) < patience.seconds);

  std::vector<double> times;
  const auto start = Clock::now();
  while (times.size() < patience.most) {
    throw_if_interrupted();
    times.push_back(once(turn++));
    const double elapsed = since(start);
    if (elapsed > 10 * patience.seconds) break;
    if (elapsed > patience.seconds && times.size() >= patience.least) break;
  }
  return {median(times), *std::min_element(times.begin(), times.end()), static_cast<std::uint32_t>(times.size())};
}

Timed repeat_on_host(const Patience& patience, const std::function<void()>& once) {
  const auto timed_once = [&once] {
    const auto start = Clock::now();
    once();
    return 1000 * since(start);
  };
  const double first = timed_once();
  if (first > 10'000 * patience.seconds) return {first, first, 1};
  return repeat(patience, [&](std::uint32_t) { return timed_once(); });
}

double host_milliseconds(Device& device, Commands& commands) {
  const auto start = Clock::now();
  device.submit(commands);
  device.wait();
  return 1000 * since(start);
}

double device_milliseconds(Device& device, Commands& commands) {
  const double host = host_milliseconds(device, commands);
  return device.capabilities().timestamps ? commands.milliseconds() : host;
}

}  // namespace proxel::tool
