#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/papers/exhibit.hpp"

namespace proxel::tool::papers {

enum class Verdict { holds, holds_by_more, does_not_hold, not_measured };
/// "holds", "holds by more", "does not hold", "not measured".
std::string_view to_string(Verdict verdict);

/// A device that was measured.
struct Judged {
  std::string id;
  bool processor = false;  ///< a processor, posing as a GPU or not
};

/// What became of a claim on a device, and why, made from rows alone.
struct Judgement {
  const Claim* claim = nullptr;
  std::string device;
  Verdict verdict = Verdict::not_measured;
  double measured = 0;  ///< the claim's number of this run's rows; 0 where there are none
  std::string why;
};

/// A claim holds where the measured number reaches the paper's, up to `noise` of it, and by more where it passes it
/// by `clearly`.
inline constexpr double noise = 0.05;
inline constexpr double clearly = 0.25;

/// The number that a claim is about, of this run's rows of a role on a device; nothing without such rows.
/// Rows of role `best` are taken whatever the claim's method.
std::optional<double> measured_number(const Exhibit& exhibit, const Claim& claim, const std::string& device, Role role);

Verdict verdict_of(const Claim& claim, double measured);

Judgement judge(const Exhibit& exhibit, const Claim& claim, const Judged& device);

/// Every claim on every device.
std::vector<Judgement> judge(const Exhibit& exhibit, const std::vector<Judged>& devices);

/// "vulkan:0: of the papers' claims 3 hold by more, 2 hold, 1 do not hold, 0 were not measured"
std::string tally(const std::vector<Exhibit>& exhibits, const Judged& device);

/// The rules above in words, for a page.
std::string rules_of_judging();

}  // namespace proxel::tool::papers
