#include "bench/papers/judging.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "format.hpp"

namespace proxel::tool::papers {
namespace {

using Curves = std::map<std::string, std::vector<const Row*>>;  // by ascending x

bool listed(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

Curves rows_of(const Exhibit& exhibit, const Claim& claim, const std::string& device, Role role) {
  Curves curves;
  for (const Row& row : exhibit.rows)
    if (!row.of_paper && row.role == role && row.device == device && row.quantity == claim.quantity &&
        listed(claim.curves, row.curve) && (!claim.at || *claim.at == row.x) &&
        (role == Role::best || row.method.starts_with(claim.method)))
      curves[row.curve + '\n' + row.method].push_back(&row);
  for (auto& [name, rows] : curves)
    std::stable_sort(rows.begin(), rows.end(), [](const Row* a, const Row* b) { return a->x < b->x; });
  return curves;
}

bool lower(const Row* a, const Row* b) { return a->y < b->y; }

// The number of one curve; nothing where it has too few points.
std::optional<double> of_curve(const std::vector<const Row*>& rows, Combine combine) {
  if (combine == Combine::at_last) return rows.back()->y;
  if (rows.size() < 2) return std::nullopt;
  if (combine == Combine::growth) return rows.back()->y / rows.front()->y;
  const auto [smallest, largest] = std::minmax_element(rows.begin(), rows.end(), lower);
  return (*largest)->y / (*smallest)->y;
}

std::vector<const Row*> all_of(const Curves& curves) {
  std::vector<const Row*> all;
  for (const auto& [name, rows] : curves) all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

std::string place(const Exhibit& exhibit, const Row& row) {
  const std::string x = exhibit.categories.empty() ? fmt::format("{} = {:g}", exhibit.x_label, row.x)
                                                   : exhibit.categories.at(static_cast<std::size_t>(row.x));
  return row.curve.empty() ? x : fmt::format("{}, {}", x, row.curve);
}

// "from 2.1 × (n = 128) to 8 × (n = 65,536)"
std::string range_text(const Exhibit& exhibit, const Claim& claim, const Curves& curves) {
  const std::vector<const Row*> all = all_of(curves);
  const auto [smallest, largest] = std::minmax_element(all.begin(), all.end(), lower);
  const auto quantity = std::find_if(exhibit.quantities.begin(), exhibit.quantities.end(),
                                     [&](const Quantity& one) { return one.name == claim.quantity; });
  const std::string unit = quantity == exhibit.quantities.end() ? "" : " " + quantity->unit;
  return fmt::format("{}: from {}{} ({}) to {}{} ({})", claim.quantity, significant((*smallest)->y), unit,
                     place(exhibit, **smallest), significant((*largest)->y), unit, place(exhibit, **largest));
}

// By how much a role's times fell from the paper to this run, the geometric mean over what both have.
std::optional<double> faster_than_paper(const Exhibit& exhibit, Role role, const std::string& device) {
  double sum = 0;
  std::size_t count = 0;
  for (const Row& old : exhibit.rows) {
    if (!old.of_paper || old.role != role || old.quantity != "time" || old.y <= 0) continue;
    for (const Row& row : exhibit.rows)
      if (!row.of_paper && row.role == role && row.device == device && row.quantity == "time" &&
          row.curve == old.curve && row.x == old.x && row.method.starts_with(old.method) && row.y > 0) {
        sum += std::log(old.y / row.y);
        ++count;
      }
  }
  if (count == 0) return std::nullopt;
  return std::exp(sum / static_cast<double>(count));
}

std::string why_not(const Exhibit& exhibit, const Claim& claim, const Judged& device) {
  std::string text;
  if (device.processor) text += "; the device is a processor itself";
  if (const auto best = measured_number(exhibit, claim, device.id, Role::best))
    text += verdict_of(claim, *best) == Verdict::does_not_hold
                ? fmt::format("; nor does it of the best method of today, which has {}", significant(*best))
                : fmt::format("; it does of the best method of today, which has {}", significant(*best));
  const auto method = faster_than_paper(exhibit, Role::faithful, device.id);
  const auto baseline = faster_than_paper(exhibit, Role::one_thread, "host");
  if (method)
    text += fmt::format("; since the paper its method became {} as fast here{}", as_speed_up(*method),
                        baseline ? fmt::format(", the processor's {}", as_speed_up(*baseline)) : std::string());
  return text;
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::holds_by_more:
      return "holds by more";
    case Verdict::does_not_hold:
      return "does not hold";
    case Verdict::not_measured:
      return "not measured";
  }
  return "";
}

std::optional<double> measured_number(const Exhibit& exhibit, const Claim& claim, const std::string& device,
                                      Role role) {
  const Curves curves = rows_of(exhibit, claim, device, role);
  const std::vector<const Row*> all = all_of(curves);
  if (all.empty()) return std::nullopt;
  switch (claim.combine) {
    case Combine::mean: {
      double sum = 0;
      for (const Row* row : all) sum += row->y;
      return sum / static_cast<double>(all.size());
    }
    case Combine::largest:
      return (*std::max_element(all.begin(), all.end(), lower))->y;
    case Combine::smallest:
      return (*std::min_element(all.begin(), all.end(), lower))->y;
    case Combine::at_last:
    case Combine::growth:
    case Combine::spread:
      break;
  }
  std::optional<double> worst;
  for (const auto& [name, rows] : curves)
    if (const auto number = of_curve(rows, claim.combine))
      worst = !worst                                   ? *number
              : claim.direction == Direction::at_least ? std::min(*worst, *number)
                                                       : std::max(*worst, *number);
  return worst;
}

Verdict verdict_of(const Claim& claim, double measured) {
  const bool least = claim.direction == Direction::at_least;
  if (least ? measured < (1 - noise) * claim.number : measured > (1 + noise) * claim.number)
    return Verdict::does_not_hold;
  const bool passed = least ? measured >= (1 + clearly) * claim.number : measured <= claim.number / (1 + clearly);
  return passed ? Verdict::holds_by_more : Verdict::holds;
}

Judgement judge(const Exhibit& exhibit, const Claim& claim, const Judged& device) {
  Judgement judgement{&claim, device.id, Verdict::not_measured, 0, ""};
  const auto measured = measured_number(exhibit, claim, device.id, Role::faithful);
  if (!measured) {
    judgement.why = exhibit.absent.empty() ? fmt::format("{} has too few rows of it", device.id)
                                           : fmt::format("{}", fmt::join(exhibit.absent, "; "));
    return judgement;
  }
  judgement.measured = *measured;
  judgement.verdict = verdict_of(claim, *measured);
  judgement.why = range_text(exhibit, claim, rows_of(exhibit, claim, device.id, Role::faithful));
  if (judgement.verdict == Verdict::does_not_hold) judgement.why += why_not(exhibit, claim, device);
  return judgement;
}

std::vector<Judgement> judge(const Exhibit& exhibit, const std::vector<Judged>& devices) {
  std::vector<Judgement> all;
  for (const Claim& claim : exhibit.claims)
    for (const Judged& device : devices) all.push_back(judge(exhibit, claim, device));
  return all;
}

std::string tally(const std::vector<Exhibit>& exhibits, const Judged& device) {
  std::map<Verdict, int> counts;
  for (const Exhibit& exhibit : exhibits)
    for (const Claim& claim : exhibit.claims) ++counts[judge(exhibit, claim, device).verdict];
  return fmt::format("{}: of the papers' claims {} hold by more, {} hold, {} do not hold, {} were not measured",
                     device.id, counts[Verdict::holds_by_more], counts[Verdict::holds], counts[Verdict::does_not_hold],
                     counts[Verdict::not_measured]);
}

std::string rules_of_judging() {
  return fmt::format(
      "A verdict is computed from the rows. Each claim names a quantity, how one number is made of its rows (of "
      "the paper's method, on one device), and the paper's number. It holds where the measured number reaches the "
      "paper's to within {:.0f} %, and by more where it passes it by {:.0f} %. Of several curves the one that is "
      "worst for the claim counts where a rule says so. Where a claim does not hold, the reason says whether the "
      "device is a processor, whether today's best method would keep it, and, where the paper has times, by how "
      "much method and baseline have become faster since (geometric means over the cells that both have).",
      100 * noise, 100 * clearly);
}

}  // namespace proxel::tool::papers
