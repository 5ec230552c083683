#include "trace.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "format.hpp"

namespace proxel::tool {
namespace {

std::string share_of(double part, double all) { return all > 0 ? fmt::format("{:.1f} %", 100 * part / all) : "–"; }

}  // namespace

Table trace_table(const std::vector<PassTime>& passes) {
  struct Sum {
    std::string label, name;
    std::uint64_t calls = 0;
    double milliseconds = 0;
  };
  std::vector<Sum> sums;
  double total = 0;
  for (const PassTime& pass : passes) {
    auto sum = std::find_if(sums.begin(), sums.end(), [&](const Sum& candidate) {
      return candidate.label == pass.label && candidate.name == pass.name;
    });
    if (sum == sums.end()) sum = sums.insert(sums.end(), {pass.label, pass.name});
    ++sum->calls;
    sum->milliseconds += pass.milliseconds;
    total += pass.milliseconds;
  }
  Table table({{"label"}, {"pass"}, {"calls", true}, {"ms", true}, {"share", true}});
  for (const Sum& sum : sums)
    table.add({sum.label, sum.name, with_separators(sum.calls), significant(sum.milliseconds),
               share_of(sum.milliseconds, total)});
  table.add({Cell("all passes", Style::strong), "", with_separators(passes.size()), significant(total),
             share_of(total, total)});
  return table;
}

Table rung_table(const std::vector<RungCount>& rungs) {
  std::uint64_t all = 0;
  for (const RungCount& rung : rungs) all += rung.queries;
  Table table({{"decided by"}, {"queries", true}, {"share", true}});
  for (const RungCount& rung : rungs)
    table.add({rung.rung, with_separators(rung.queries),
               share_of(static_cast<double>(rung.queries), static_cast<double>(all))});
  return table;
}

}  // namespace proxel::tool
