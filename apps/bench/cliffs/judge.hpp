#pragma once

// What a cliff is. Functions of times alone, which measure nothing.

#include <optional>
#include <span>
#include <string>

namespace proxel::tool::cliffs {

/// What is allowed. A time passes where it is at most ratio * (the time beside it) + slack.
struct Tolerance {
  double choice = 1.25;    ///< of the method that was chosen to the best one
  double step = 1.5;       ///< of a search to one whose sizes differ by one
  double slack_ms = 0.02;  ///< so that what starting work costs, which varies, is no cliff
};

/// What a search took. Times of 0 or less, and those that are not finite, say that it was not measured.
struct MethodTime {
  std::string method;
  double ms = 0;

  bool measured() const;
};

/// A time that is too long beside another.
struct Cliff {
  MethodTime slow, fast;
  double allowed = 0;  ///< the ratio
  double ratio() const { return slow.ms / fast.ms; }
};

/// Whether `slow` takes longer than is allowed beside `fast`; both were measured.
bool too_slow(double slow_ms, double fast_ms, double allowed, double slack_ms);

/// The chosen method beside the best of the others, of several equally good ones the first. Nothing where the choice is
/// good enough, or one of the two sides was not measured.
std::optional<Cliff> judge_choice(const MethodTime& chosen, std::span<const MethodTime> others,
                                  const Tolerance& allowed);

/// Two searches a step of one apart, the slower beside the faster. Nothing where they are near enough, or one was not
/// measured.
std::optional<Cliff> judge_step(const MethodTime& one, const MethodTime& other, const Tolerance& allowed);

/// Both sides measured again, one after the other.
struct Round {
  double slow_ms = 0, fast_ms = 0;
};
inline constexpr std::size_t fewest_rounds = 3;

/// What a suspicion comes to when it was measured again: the cliff with the medians of the rounds. Nothing unless there
/// were at least fewest_rounds and every one of them shows it, so that a machine that was busy once makes no cliff.
std::optional<Cliff> confirm(const Cliff& suspected, std::span<const Round> rounds, double slack_ms);

}  // namespace proxel::tool::cliffs
