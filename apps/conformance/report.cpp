#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conformance.hpp"
#include "pipelines.hpp"

namespace proxel::conformance {
namespace {

// Counts of one device, or of one pair.
std::map<std::string, Totals> totals_by_device(const Report& report) {
  std::map<std::string, Totals> all;
  for (const CaseReport& one : report.cases) {
    Totals& totals = all[one.device];
    switch (one.outcome) {
      case Outcome::passed:
        ++totals.passed;
        break;
      case Outcome::failed:
        ++totals.failed;
        break;
      case Outcome::unsupported:
        ++totals.unsupported;
        break;
      case Outcome::listed:
        ++totals.listed;
        break;
    }
  }
  return all;
}

void append_case(std::string& text, const CaseReport& one) {
  text += fmt::format("{:<11} {:<18} {}\n", to_string(one.outcome), one.device, one.name);
  if (!one.message.empty()) text += fmt::format("            {}\n", one.message);
  if (one.outcome == Outcome::failed) text += fmt::format("            repeat: {}\n", one.repeat);
}

// Cases that a device refused for the same reason are one line.
void append_unsupported(std::string& text, const Report& report) {
  std::map<std::pair<std::string, std::string>, std::vector<const CaseReport*>> reasons;
  for (const CaseReport& one : report.cases)
    if (one.outcome == Outcome::unsupported) reasons[{one.device, one.message}].push_back(&one);
  for (const auto& [reason, cases] : reasons) {
    text += fmt::format("unsupported {:<18} {}\n", reason.first, reason.second);
    text += fmt::format("            {} case{}: {}{}\n", cases.size(), cases.size() == 1 ? "" : "s",
                        cases.front()->name, cases.size() == 1 ? "" : ", …");
  }
}

nlohmann::ordered_json to_object(const Totals& totals) {
  return {{"passed", totals.passed},
          {"failed", totals.failed},
          {"unsupported", totals.unsupported},
          {"listed", totals.listed}};
}

std::string sample_of(const Report& report) {
  return report.one_in == 1 ? "" : fmt::format(", one in {}", report.one_in);
}

}  // namespace

std::string to_table(const Report& report, bool every_case) {
  std::string text;
  if (report.totals.listed > 0) {
    for (const CaseReport& one : report.cases) text += one.name + "\n";
    return text + fmt::format("{} cases of the {} tier{}\n", report.totals.listed, report.quick ? "quick" : "full",
                              sample_of(report));
  }
  for (const DeviceReport& device : report.devices) {
    if (device.left_out.empty())
      text += fmt::format("{:<14} {} ({})\n", device.id, device.name, device.driver);
    else
      text += fmt::format("{:<14} left out: {}\n", device.id, device.left_out);
  }
  text += "\n";
  for (const CaseReport& one : report.cases)
    if (one.outcome == Outcome::failed || (every_case && one.outcome == Outcome::passed)) append_case(text, one);
  append_unsupported(text, report);

  text += pipelines_table(report, every_case);
  text += "\ndevice                            passed   failed   unsupported\n";
  for (const auto& [device, totals] : totals_by_device(report))
    text += fmt::format("{:<30} {:>9} {:>8} {:>13}\n", device, totals.passed, totals.failed, totals.unsupported);
  if (!report.accuracy.empty()) text += "\nlargest relative error of canonical values against double precision\n";
  for (const AccuracyReport& accuracy : report.accuracy)
    text += fmt::format("{:<6} {:.3g}  {}\n", accuracy.metric, accuracy.largest_relative_error, accuracy.name);
  text += fmt::format("\n{}{}: {} passed, {} failed, {} unsupported, seed {}, {:.1f} s\n",
                      report.conforms() ? "conforms" : "DOES NOT CONFORM", sample_of(report), report.totals.passed,
                      report.totals.failed, report.totals.unsupported, report.seed, report.milliseconds / 1000.0);
  return text;
}

std::string to_json(const Report& report) {
  nlohmann::ordered_json root;
  root["conforms"] = report.conforms();
  root["tier"] = report.quick ? "quick" : "full";
  if (report.one_in != 1) root["one_in"] = report.one_in;
  root["seed"] = report.seed;
  root["milliseconds"] = report.milliseconds;
  root["totals"] = to_object(report.totals);
  root["devices"] = nlohmann::ordered_json::array();
  const auto by_device = totals_by_device(report);
  for (const DeviceReport& device : report.devices) {
    nlohmann::ordered_json entry{{"id", device.id}, {"name", device.name}, {"driver", device.driver}};
    if (!device.left_out.empty()) entry["left_out"] = device.left_out;
    if (!device.untold.empty()) entry["no_statistics"] = device.untold;
    if (const auto totals = by_device.find(device.id); totals != by_device.end())
      entry["totals"] = to_object(totals->second);
    root["devices"].push_back(std::move(entry));
  }
  root["accuracy"] = nlohmann::ordered_json::array();
  for (const AccuracyReport& accuracy : report.accuracy)
    root["accuracy"].push_back({{"metric", accuracy.metric},
                                {"largest_relative_error", accuracy.largest_relative_error},
                                {"case", accuracy.name}});
  root["cases"] = nlohmann::ordered_json::array();
  for (const CaseReport& one : report.cases) {
    nlohmann::ordered_json entry{{"name", one.name}, {"outcome", to_string(one.outcome)}};
    if (!one.device.empty()) entry["device"] = one.device;
    if (!one.message.empty()) entry["message"] = one.message;
    if (!one.repeat.empty()) entry["repeat"] = one.repeat;
    if (one.outcome != Outcome::listed) entry["milliseconds"] = one.milliseconds;
    root["cases"].push_back(std::move(entry));
  }
  if (!report.pipelines.empty()) root["pipelines"] = pipelines_json(report);
  // A driver may name itself in bytes that are no UTF-8.
  return root.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string print(const Options& options, const Report& report) {
  return options.json ? to_json(report) : to_table(report);
}

}  // namespace proxel::conformance
