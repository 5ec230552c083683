#include "bench/cliffs/judge.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "median.hpp"

namespace proxel::tool::cliffs {

bool MethodTime::measured() const { return std::isfinite(ms) && ms > 0; }

bool too_slow(double slow_ms, double fast_ms, double allowed, double slack_ms) {
  return slow_ms > allowed * fast_ms + slack_ms;
}

std::optional<Cliff> judge_choice(const MethodTime& chosen, std::span<const MethodTime> others,
                                  const Tolerance& allowed) {
  const MethodTime* best = nullptr;
  for (const MethodTime& other : others)
    if (other.measured() && (!best || other.ms < best->ms)) best = &other;
  if (!best || !chosen.measured() || !too_slow(chosen.ms, best->ms, allowed.choice, allowed.slack_ms))
    return std::nullopt;
  return Cliff{chosen, *best, allowed.choice};
}

std::optional<Cliff> judge_step(const MethodTime& one, const MethodTime& other, const Tolerance& allowed) {
  if (!one.measured() || !other.measured()) return std::nullopt;
  const auto& [fast, slow] = std::minmax(one, other, [](const auto& a, const auto& b) { return a.ms < b.ms; });
  if (!too_slow(slow.ms, fast.ms, allowed.step, allowed.slack_ms)) return std::nullopt;
  return Cliff{slow, fast, allowed.step};
}

std::optional<Cliff> confirm(const Cliff& suspected, std::span<const Round> rounds, double slack_ms) {
  if (rounds.size() < fewest_rounds) return std::nullopt;
  std::vector<double> slow, fast;
  for (const Round& round : rounds) {
    const MethodTime one{suspected.slow.method, round.slow_ms}, other{suspected.fast.method, round.fast_ms};
    if (!one.measured() || !other.measured() || !too_slow(one.ms, other.ms, suspected.allowed, slack_ms))
      return std::nullopt;
    slow.push_back(one.ms);
    fast.push_back(other.ms);
  }
  Cliff confirmed = suspected;
  confirmed.slow.ms = median(slow);
  confirmed.fast.ms = median(fast);
  return confirmed;
}

}  // namespace proxel::tool::cliffs
