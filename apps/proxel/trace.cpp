#include "trace.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "format.hpp"

namespace proxel::tool {

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
               total > 0 ? fmt::format("{:.1f} %", 100 * sum.milliseconds / total) : "–"});
  table.add({Cell("all passes", Style::strong), "", with_separators(passes.size()),
             significant(total), total > 0 ? "100.0 %" : "–"});
  return table;
}

}  // namespace proxel::tool
