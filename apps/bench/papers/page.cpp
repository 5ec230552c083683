#include "bench/papers/page.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/outcome.hpp"
#include "bench/papers/charts.hpp"
#include "bench/papers/papers.hpp"
#include "exit_code.hpp"
#include "format.hpp"

namespace proxel::tool::papers {
namespace {

const Quantity& quantity_of(const Exhibit& exhibit, const std::string& name) {
  return *std::find_if(exhibit.quantities.begin(), exhibit.quantities.end(),
                       [&](const Quantity& one) { return one.name == name; });
}

std::string number_text(const Exhibit& exhibit, const Claim& claim) {
  const bool ratio = claim.combine == Combine::growth || claim.combine == Combine::spread;
  const std::string unit = ratio ? "×" : quantity_of(exhibit, claim.quantity).unit;
  return fmt::format("{} {}{}{}", claim.direction == Direction::at_least ? "≥" : "≤", significant(claim.number),
                     unit.empty() ? "" : " ", unit);
}

std::string rule_text(const Exhibit& exhibit, const Claim& claim) {
  std::string text = fmt::format("{}, {}", claim.quantity, to_string(claim.combine));
  if (!claim.method.empty()) text += fmt::format(", of {}", claim.method);
  if (!claim.curves.empty()) text += fmt::format(", {}", fmt::join(claim.curves, "; "));
  if (claim.at)
    text += exhibit.categories.empty()
                ? fmt::format(", at {} = {:g}", exhibit.x_label, *claim.at)
                : fmt::format(", {}", exhibit.categories.at(static_cast<std::size_t>(*claim.at)));
  return text;
}

Style style_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
    case Verdict::holds_by_more:
      return Style::good;
    case Verdict::does_not_hold:
      return Style::bad;
    case Verdict::not_measured:
      break;
  }
  return Style::faint;
}

void add_exhibit(Report& report, const Exhibit& exhibit, const std::vector<Judged>& devices) {
  report.subheading(full_name(exhibit));
  report.paragraph(exhibit.caption);
  report.paragraph("Data here: " + exhibit.data);
  for (const std::string& text : exhibit.absent) report.paragraph("Absent: " + text + ".");
  Table table({{"the paper says"}, {"number"}, {"made of"}, {"device"}, {"measured", true}, {"verdict"}, {"why"}});
  for (const Judgement& judged : judge(exhibit, devices))
    table.add({judged.claim->words, number_text(exhibit, *judged.claim), rule_text(exhibit, *judged.claim),
               judged.device, judged.verdict == Verdict::not_measured ? "–" : significant(judged.measured),
               Cell(std::string(to_string(judged.verdict)), style_of(judged.verdict)), judged.why});
  report.table(table);
  add_charts(report, exhibit);
  for (const Quantity& quantity : exhibit.quantities) {
    const Table values = pivot(exhibit, quantity);
    if (values.rows().empty()) continue;
    report.paragraph(fmt::format("{}{} over {}:", quantity.name,
                                 quantity.unit.empty() ? "" : fmt::format(" ({})", quantity.unit),
                                 exhibit.categories.empty() ? exhibit.x_label : "data sets"));
    report.table(values);
  }
}

}  // namespace

std::string full_name(const Exhibit& exhibit) {
  return fmt::format("{}, {}", paper_named(exhibit.paper).title, exhibit.name);
}

Table verdicts(const std::vector<Exhibit>& exhibits, const std::vector<Judged>& devices) {
  Table table({{"exhibit"}, {"device"}, {"verdict"}, {"measured", true}, {"number"}, {"the paper says"}});
  for (const Exhibit& exhibit : exhibits)
    for (const Judgement& judged : judge(exhibit, devices))
      table.add({full_name(exhibit), judged.device,
                 Cell(std::string(to_string(judged.verdict)), style_of(judged.verdict)),
                 judged.verdict == Verdict::not_measured ? "–" : significant(judged.measured),
                 number_text(exhibit, *judged.claim), judged.claim->words});
  return table;
}

Report page(const std::vector<Exhibit>& exhibits, const std::vector<Judged>& devices, const Recorder& recorder) {
  Report report("The tables and figures of five papers, measured again");
  report.verdict(exit_code(recorder) == exit_success, verdict(recorder));
  for (const std::string& text : recorder.differences()) report.paragraph(text);
  for (const std::string& text : recorder.failures()) report.paragraph(text);
  report.heading("How it was measured");
  for (const std::string& note : recorder.notes()) report.paragraph(note);
  report.heading("What holds");
  report.paragraph(rules_of_judging());
  for (const Judged& device : devices) report.paragraph(tally(exhibits, device) + ".");
  report.table(verdicts(exhibits, devices));
  std::string paper;
  for (const Exhibit& exhibit : exhibits) {
    if (exhibit.paper != paper) report.heading(paper_named(exhibit.paper).citation);
    paper = exhibit.paper;
    add_exhibit(report, exhibit, devices);
  }
  return report;
}

}  // namespace proxel::tool::papers
