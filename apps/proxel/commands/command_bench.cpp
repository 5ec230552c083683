// proxel bench: suites of timed searches, in a form that joins with the peers'.

#include <memory>

#include <fmt/format.h>

#include "bench/suite.hpp"
#include "devices.hpp"
#include "json_output.hpp"
#include "report/report.hpp"
#include "text_file.hpp"
#include "tool.hpp"

namespace proxel::tool {
namespace {

constexpr const char* examples = R"(Suites:
  bustos    the experiments of Bustos 2006: time over dimensions, over t, over rows
  scan      one l1 query against the read bandwidth of the same run, and a batch of 1,000
  latency   a recorded query from submit to result, against an empty submission

Examples:
  proxel bench bustos --report bustos.html
      on every usable device, with plots
  proxel bench scan --device vulkan:0 --device cuda:0 --csv > scan.csv
      columns group,name,metric,n,q,d,k,median_ms,min_ms
  proxel bench bustos --quick --json | jq '.rows[] | select(.group == "bustos_t")'
      small sizes, to see that everything works

Exit codes: 1 where an answer differs from the CPU's, 3 where a device failed.)";

struct Options : BenchOptions {
  std::string suite;
  bool csv = false;
  double seconds = 0;  // 0: not given
  std::string report;
};

void run_suite(const Options& options, Recorder& recorder) {
  ProgressBar bar("bench " + options.suite);
  if (options.suite == "bustos") run_bustos(options, recorder, bar);
  else if (options.suite == "scan") run_scan(options, recorder, bar);
  else run_latency(options, recorder, bar);
}

std::string verdict(const Recorder& recorder) {
  if (!recorder.differences().empty())
    return fmt::format("{} answers differ from the CPU's", recorder.differences().size());
  if (!recorder.failures().empty())
    return fmt::format("{} devices or shapes failed", recorder.failures().size());
  return "every answer is identical to the CPU's";
}

int exit_code(const Recorder& recorder) {
  if (!recorder.differences().empty()) return exit_answer_is_no;
  return recorder.failures().empty() ? exit_success : exit_device_failure;
}

nlohmann::ordered_json to_json(const Options& options, const Recorder& recorder) {
  nlohmann::ordered_json document = {{"command", "bench"}, {"suite", options.suite},
                                     {"devices", options.devices}, {"seed", options.seed}};
  document["rows"] = nlohmann::ordered_json::array();
  for (const BenchRow& row : recorder.rows())
    document["rows"].push_back({{"group", row.group}, {"name", row.name}, {"metric", row.metric},
                                {"n", row.n}, {"q", row.q}, {"d", row.d}, {"k", row.k},
                                {"median_ms", row.median_ms}, {"min_ms", row.min_ms},
                                {"remark", row.remark}});
  document["notes"] = recorder.notes();
  document["differences"] = recorder.differences();
  document["failures"] = recorder.failures();
  document["verdict"] = verdict(recorder);
  return document;
}

void write_report(const Options& options, const Recorder& recorder, const Context& context) {
  Report report("proxel bench " + options.suite);
  report.verdict(exit_code(recorder) == exit_success, verdict(recorder));
  for (const std::string& text : recorder.differences()) report.paragraph(text);
  for (const std::string& text : recorder.failures()) report.paragraph(text);
  for (const LineChart& chart : recorder.charts())
    report.figure(to_svg(chart), chart.title + ". The table below holds every number.");
  report.heading("What was measured");
  for (const std::string& note : recorder.notes()) report.paragraph(note);
  report.heading("Every number (milliseconds unless it says otherwise)");
  report.table(recorder.table());
  report.origin(context.command_line);
  report.write(options.report);
}

int run(Options options, const Context& context) {
  if (!options.report.empty()) check_output_folder("--report", options.report);
  options.devices = chosen_devices(options.devices);
  if (options.quick) options.patience = {0.02, 3, 20};
  if (options.seconds > 0) options.patience.seconds = options.seconds;
  Recorder recorder(options.csv);
  run_suite(options, recorder);
  if (!options.report.empty()) write_report(options, recorder, context);
  if (context.json) {
    print(to_json(options, recorder));
  } else if (!options.csv) {
    recorder.table().print();
    fmt::print("\n");
    for (const std::string& note : recorder.notes()) fmt::print("{}\n", note);
    if (!options.report.empty()) fmt::print("wrote {}\n", options.report);
    const bool good = exit_code(recorder) == exit_success;
    fmt::print("verdict: {}\n", styled(good ? Style::good : Style::bad, verdict(recorder)));
  }
  return exit_code(recorder);
}

}  // namespace

void add_bench(CLI::App& app, Context& context) {
  CLI::App* command =
      make_command(app, context, "bench", "Time suites of searches, answers checked", examples);
  const auto options = std::make_shared<Options>();
  command->add_option("SUITE", options->suite, "bustos, scan or latency")
      ->required()->check(CLI::IsMember({"bustos", "scan", "latency"}))->type_name("");
  auto* csv = command->add_flag("--csv", options->csv,
                                "Print group,name,metric,n,q,d,k,median_ms,min_ms on stdout");
  csv->excludes(command->get_option("--json"));
  command->add_option("--report", options->report, "Write a self-contained page with plots")
      ->type_name("FILE.html");
  command->add_option("--device", options->devices,
                      std::string(device_help) + "; may be repeated (default: every usable one)")
      ->delimiter(',')->type_name("ID");
  command->add_flag("--quick", options->quick, "Small sizes and few repeats");
  command->add_option("--largest-rows", options->largest_rows,
                      "Rows of the largest database of bustos and scan (64 dimensions)")
      ->check(CLI::Range(std::uint64_t{1000}, std::uint64_t{UINT32_MAX} - 1))
      ->type_name("COUNT")->capture_default_str();
  command->add_option("--seconds", options->seconds,
                      "Repeat each measurement for this long (default 0.3)")
      ->check(CLI::Range(0.001, 600.0))->type_name("SECONDS");
  command->add_option("--seed", options->seed, "Of the random data")
      ->type_name("NUMBER")->capture_default_str();
  command->callback([&context, options] {
    context.action = [&context, options] { return run(*options, context); };
  });
}

}  // namespace proxel::tool
