// proxel-bench: suites of timed searches, in a form that joins with the peers'.

#include <algorithm>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/outcome.hpp"
#include "bench/papers/papers.hpp"
#include "bench/suite.hpp"
#include "bench/suite_options.hpp"
#include "devices.hpp"
#include "finite.hpp"
#include "json_output.hpp"
#include "number_checks.hpp"
#include "outputs.hpp"
#include "program.hpp"
#include "report/report.hpp"

namespace proxel::tool {
namespace {

constexpr const char* examples = R"(Suites:
  bustos     the experiments of Bustos 2006: time over dimensions, over t, over rows
  scan       one l1 query against the read bandwidth of the same run, and a batch of 1,000
  latency    a recorded query from submit to result, against an empty submission
  calls      whole calls with as many queries as the call before, and with one more or fewer
  garcia     table 1 of Garcia 2010: n points against n queries, k = 20, over n and d
  practical  k-NN at the sizes that people search: up to 10,000,000 rows and 10,000 queries
  graph      k-NN graphs (Komarov 2013): every row's k nearest among the others, and what leaving itself out costs
  layout     a step of the layout of such a graph, k = 15, by the number of its vertices
  shards     one search by several devices together, dividing rows or queries: --device cuda:0,cuda:1
  streaming  rows that pass through a device in blocks, beside rows that stay on it and the rate of the link
  parts      the same by ones around the sizes at which its blocks or its copies change
  narrow     rows stored as float16, uint8 and int8, beside the same rows as float32
  bytes      500,000,000 rows of 128 uint8, 64 GB, or as many as a device and the host hold
  sift       SIFT matching of Garcia 2010, section 3.2, FAISS and ANN on the processor beside
  cpu-knn    proxel's cpu device, one thread and all, beside FAISS, hnswlib and ANN
  select     the k smallest of each row of a matrix, by every method (Komarov 2013)
  sort       whole rows sorted: GPU-Qsort (Lopresti 2013), the modern selection, CUB, std::sort
  recorded   searches that their caller records: with queries that the device counts, and within a radius
  cliffs     walks by ones around every limit in the code: the chosen method beside all others, and
             steps of one in n, q, d and k that make a search much slower
  filters    searches with a filter of each query's own beside searches of all rows
  updates    searches under filters, and rows added, removed and taken out
  words      nearest words, by brute force and by permutation indexes with their recall (Lopresti 2013)
  permutation
             the same of vectors: documents under cosine, or a file by any metric
  krulis     signatures: sequential scan and pivot tables of Krulis 2011, one device and several
  signatures nearest feature signatures by the quadratic form distance, at the size of Krulis 2011
  extraction feature signatures made of images, by one thread, all and every device
  papers     every table and figure of five papers (Bustos 2006, Garcia 2010, Krulis 2011, Komarov 2013,
             Lopresti 2013): their digits, their methods at their sizes here, the processor's baselines,
             today's best, and whether what they claim holds

Examples:
  proxel-bench bustos --report bustos.html
      on every usable device, with plots
  proxel-bench papers --report papers.html
      a page of charts and verdicts, and papers.csv with every value: columns
      paper,exhibit,whose,role,device,method,curve,x_label,x,quantity,y,source
  proxel-bench papers --paper garcia --data features.fvecs --device cuda:0
      one paper, over data of one's own: rows (bustos), features (garcia), words (lopresti), signatures (krulis)
  proxel-bench papers --quick --device cpu
      small sizes, to see that everything works: its verdicts say nothing about the papers
  proxel-bench garcia --device cuda:0 --methods auto,scan --rows 65536 --csv > garcia.csv
      columns group,name,metric,n,q,d,k,median_ms,min_ms
  proxel-bench practical --quick --json | jq '.rows[] | select(.yardsticks) | .yardsticks'
      small sizes, to see that everything works
  proxel-bench cliffs --device cuda:0 --time 600 --report cliffs.html
      a line for each cliff, with the command that shows it again
  proxel-bench bustos --data shapes.npy
      over rows of a file: CAD parts, as 'proxel data features shapes' makes them

The tables of garcia and practical show figures of other libraries. They were published for one
NVIDIA H200 (driver 580, CUDA 13.0), device time, float32: FAISS 1.15 bfKnn, cuVS 26.08 fused L2,
PyTorch 2.11 addmm and topk, kNN-CUDA of Garcia 2010; measured earlier with those versions, not in
your run. scripts/peers_torch.py measures PyTorch's again, scripts/join_bench.py joins the two.

Exit codes: 0 success; 1 an answer differs from the CPU's, or cliffs were found;
)";

struct Options : BenchOptions, papers::Choice {
  std::string suite;
  double seconds = 0;  // 0: not given
  std::vector<std::string> method_names = {"auto"};
};

struct Suite {
  std::string name;
  void (*run)(const BenchOptions&, Recorder&, ProgressBar&);
  std::uint64_t largest_rows;  // unless --largest-rows says otherwise
};

// It has a page, a CSV and JSON of its own.
constexpr const char* papers_suite = "papers";
// It judges times, of many searches that each take little.
constexpr const char* cliffs_suite = "cliffs";

const std::vector<Suite>& suites() {
  static const std::vector<Suite> all = {{"bustos", run_bustos, 7'500'000},
                                         {"scan", run_scan, 7'500'000},
                                         {"latency", run_latency, 7'500'000},
                                         {"calls", run_calls, 1'000'000},
                                         {"garcia", run_garcia, 65'536},
                                         {"practical", run_practical, 10'000'000},
                                         {"graph", run_graph, 1'000'000},
                                         {"layout", run_layout, 1'000'000},
                                         {"shards", run_shards, 10'000'000},
                                         {"streaming", run_streaming, 4'000'000},
                                         {"parts", run_parts, 4'000'000},
                                         {"narrow", run_narrow, 1'000'000},
                                         {"bytes", run_bytes, 500'000'000},
                                         {"sift", run_sift, 65'536},
                                         {"cpu-knn", run_cpu_knn, 1'000'000},
                                         {"select", run_select, 7'500'000},
                                         {"sort", run_sort, 7'500'000},
                                         {"recorded", run_recorded, 1'000'000},
                                         {"cliffs", run_cliffs, 7'500'000},
                                         {"filters", run_filters, 1'000'000},
                                         {"updates", run_updates, 1'000'000},
                                         {"words", run_words, 7'500'000},
                                         {"permutation", run_permutation, 7'500'000},
                                         {"krulis", run_krulis, 72'000},
                                         {"signatures", run_signatures, 72'000},
                                         {"extraction", run_extraction, 32'768}};
  return all;
}

const Suite& suite_named(const std::string& name) {
  return *std::find_if(suites().begin(), suites().end(), [&](const Suite& suite) { return suite.name == name; });
}

// Null where something is not known.
nlohmann::ordered_json yardsticks_json(const Yardsticks& held) {
  const auto known = [](double value) { return value > 0 ? nlohmann::ordered_json(value) : nlohmann::ordered_json(); };
  nlohmann::ordered_json json = {{"target_ms", known(held.target_ms.value_or(0))},
                                 {"published_on_h200", nullptr},
                                 {"floors_ms",
                                  {{"read", known(held.floors.read_ms)},
                                   {"float", known(held.floors.float_ms)},
                                   {"matrix", known(held.floors.matrix_ms)}}},
                                 {"scratch_bytes", held.scratch_bytes}};
  if (held.peer)
    json["published_on_h200"] = {
        {"name", held.peer->name}, {"ms", held.peer->ms}, {"same_kind_of_device", held.same_device}};
  if (!held.rungs.empty()) json["rungs"] = tool::to_json(held.rungs);
  return json;
}

nlohmann::ordered_json to_json(const Options& options, const Recorder& recorder) {
  nlohmann::ordered_json document = {
      {"command", "bench"}, {"suite", options.suite}, {"devices", options.devices}, {"seed", options.seed}};
  document["rows"] = nlohmann::ordered_json::array();
  for (const BenchRow& row : recorder.rows()) {
    document["rows"].push_back({{"group", row.group},
                                {"name", row.name},
                                {"metric", row.metric},
                                {"n", row.n},
                                {"q", row.q},
                                {"d", row.d},
                                {"k", row.k},
                                {"median_ms", row.median_ms},
                                {"min_ms", row.min_ms},
                                {"remark", row.remark}});
    if (row.yardsticks) document["rows"].back()["yardsticks"] = yardsticks_json(*row.yardsticks);
  }
  document["notes"] = recorder.notes();
  document["differences"] = recorder.differences();
  document["failures"] = recorder.failures();
  document["findings"] = recorder.findings();
  document["verdict"] = verdict(recorder);
  return document;
}

void write_report(const Options& options, Outputs& outputs, const Recorder& recorder, const Context& context) {
  Report report("proxel-bench " + options.suite);
  report.verdict(exit_code(recorder) == exit_success, verdict(recorder));
  for (const std::string& text : recorder.differences()) report.paragraph(text);
  for (const std::string& text : recorder.failures()) report.paragraph(text);
  for (const std::string& text : recorder.findings()) report.paragraph(text);
  if (recorder.summary()) report.table(*recorder.summary());
  for (const LineChart& chart : recorder.charts())
    report.figure(to_svg(chart), chart.title + ". The table below holds every number.");
  report.heading("What was measured");
  for (const std::string& note : recorder.notes()) report.paragraph(note);
  report.heading("Every number (milliseconds unless it says otherwise)");
  report.table(recorder.table());
  report.origin(context.command_line);
  outputs.write(options.report, [&](const std::string& place) { report.write(place); });
  outputs.commit();
}

// Devices by their full ids, methods by their names, and how long to measure.
void complete(Options& options) {
  options.devices = chosen_devices(options.devices);
  if (options.suite == papers_suite) options.patience = {0.05, 3, 200};
  if (options.suite == cliffs_suite) options.patience = {0.03, 5, 200};
  if (options.quick) options.patience = {0.02, 3, 20};
  if (options.seconds > 0) options.patience.seconds = options.seconds;
  options.methods.clear();
  for (const std::string& name : options.method_names) options.methods.push_back(method_from_string(name));
}

int run(Options options, const Context& context) {
  if (options.suite == papers_suite) {
    complete(options);
    return papers::run(options, options, context);
  }
  Outputs outputs(options.force, {options.data, options.queries});
  if (!options.report.empty()) outputs.plan("--report", options.report, FileKind::page);
  complete(options);
  const Suite& suite = suite_named(options.suite);
  if (options.largest_rows == 0) options.largest_rows = suite.largest_rows;
  Recorder recorder(options.csv);
  {
    ProgressBar bar("bench " + options.suite);
    suite.run(options, recorder, bar);
    bar.finish();
  }
  if (!options.report.empty()) write_report(options, outputs, recorder, context);
  if (context.json) {
    print(to_json(options, recorder));
  } else if (!options.csv) {
    recorder.summary().value_or(recorder.table()).print();
    fmt::print("\n");
    for (const std::string& note : recorder.notes()) fmt::print("{}\n", note);
    if (!options.report.empty()) fmt::print("wrote {}\n", options.report);
    const bool good = exit_code(recorder) == exit_success;
    fmt::print("verdict: {}\n", styled(good ? Style::good : Style::bad, verdict(recorder)));
  }
  return exit_code(recorder);
}

void add_options(CLI::App& app, Context& context) {
  app.footer(std::string(examples) + failing_exit_codes);
  add_common_options(app, context);
  const auto options = std::make_shared<Options>();
  std::vector<std::string> names;
  for (const Suite& suite : suites()) names.push_back(suite.name);
  names.emplace_back(papers_suite);
  app.add_option("SUITE", options->suite, fmt::format("{}", fmt::join(names, ", ")))
      ->required()
      ->check(CLI::IsMember(names))
      ->type_name("");
  auto* csv =
      app.add_flag("--csv", options->csv,
                   "Print group,name,metric,n,q,d,k,median_ms,min_ms on stdout (papers: every row of every exhibit)");
  csv->excludes(app.get_option("--json"));
  app.add_option("--report", options->report,
                 "Write a self-contained page with plots; papers: and its rows beside it, as FILE.csv")
      ->type_name("FILE.html");
  std::vector<std::string> paper_names;
  for (const papers::Paper& paper : papers::all_papers()) paper_names.push_back(paper.name);
  app.add_option("--paper", options->papers, "papers: only the tables and figures of these (default: of all)")
      ->delimiter(',')
      ->check(CLI::IsMember(paper_names))
      ->type_name("NAME");
  add_force_option(app, options->force);
  app.add_option("--device", options->devices,
                 std::string(device_help) + "; may be repeated (default: every usable one)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("ID");
  app.add_flag("--quick", options->quick, "Small sizes and few repeats");
  options->largest_rows = 0;
  app.add_option("--largest-rows", options->largest_rows,
                 "Rows of the largest database (default: the suite's own largest)")
      ->check(CLI::Range(std::uint64_t{128}, std::uint64_t{UINT32_MAX} - 1))
      ->type_name("COUNT");
  app.add_option("--seconds", options->seconds,
                 "Repeat each measurement for this long (default 0.3; papers 0.05, cliffs 0.03)")
      ->check(CLI::Range(0.001, 600.0))
      ->check(finite())
      ->type_name("SECONDS");
  app.add_option("--seed", options->seed, "Of the random data")->type_name("NUMBER")->capture_default_str();
  const char* knn = "k-NN suites (garcia, practical, graph, sift, cpu-knn)";
  app.add_option("--methods", options->method_names,
                 "Methods to time; auto is the default; cliffs: beside the chosen one (default: all)")
      ->delimiter(',')
      ->type_name("NAME")
      ->group(knn);
  app.add_option("--rows", options->rows, "Only databases of so many rows")
      ->delimiter(',')
      ->type_name("COUNT")
      ->group(knn);
  app.add_option("--dimensions", options->dimensions, "Only so many dimensions")
      ->delimiter(',')
      ->type_name("COUNT")
      ->group(knn);
  app.add_option("--float-rate", options->float_rate,
                 "The device's 10^12 binary32 operations per second, for the floors")
      ->check(positive_number())
      ->check(finite())
      ->type_name("RATE")
      ->group(knn);
  app.add_option("--matrix-rate", options->matrix_rate, "The same of its matrix units in half precision")
      ->check(positive_number())
      ->check(finite())
      ->type_name("RATE")
      ->group(knn);
  app.add_option("--data", options->data,
                 "bustos, scan, garcia, practical, graph, sift, permutation: rows of a file instead of made ones; "
                 "words: a word per line; krulis, signatures: a file of signatures; "
                 "papers: the data of one paper")
      ->type_name("FILE")
      ->group(knn);
  app.add_option("--queries", options->queries,
                 "words: queries from a file, a word per line, instead of held-out words; "
                 "permutation: the same of vectors")
      ->type_name("FILE")
      ->group(knn);
  const char* cliffs = "cliffs";
  app.add_option("--only", options->only,
                 "Only this point, metric=l2sq,n=65536,q=100,d=8,k=10; of two in succession the step from one to the "
                 "other is judged too; may be repeated")
      ->allow_extra_args(false)
      ->type_name("POINT")
      ->group(cliffs);
  app.add_option("--walk", options->walks, "Only this walk, k_many_queries, as the table names it; may be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME")
      ->group(cliffs);
  app.add_option("--random", options->random_points,
                 "Instead of walks so many points of all sizes, drawn by --seed: what no walk comes to")
      ->check(CLI::Range(1, 1000000))
      ->excludes("--only")
      ->excludes("--walk")
      ->type_name("COUNT")
      ->group(cliffs);
  app.add_option(
         "--time", options->time,
         "For all walks on all devices; what there is no time for is counted, and what has begun is not cut short "
         "(default 300, with --quick 40)")
      ->check(CLI::Range(1.0, 86400.0))
      ->check(finite())
      ->type_name("SECONDS")
      ->group(cliffs);
  app.add_option_function<double>("--slack",
                                  [options](double given) {
    options->slack_us = given;
  }, "What a time may be above what is allowed before it is a cliff (default 20, where a processor is the device 200)")
      ->check(CLI::Range(0.0, 1e6))
      ->check(finite())
      ->type_name("MICROSECONDS")
      ->group(cliffs);
  std::vector<std::string> metrics;
  for (const Metric metric : all_metrics) metrics.emplace_back(to_string(metric));
  app.add_option_function<std::string>(
         "--metric", [options](const std::string& name) { options->metric = metric_from_string(name); },
         "permutation: by which vectors are compared")
      ->check(CLI::IsMember(metrics))
      ->type_name("NAME")
      ->default_str("cosine")
      ->group(knn);
  app.add_option("--reductions-per-pass", options->reductions_per_pass,
                 "bustos: 4:1 reductions per pass; 1 as in the paper, 0 lets proxel fuse them")
      ->check(CLI::Range(0, 16))
      ->type_name("COUNT")
      ->capture_default_str();
  app.callback([&app, &context, options] {
    context.action = [&app, &context, options] {
      check_suite_options(app, options->suite);
      return run(*options, context);
    };
  });
}

}  // namespace
}  // namespace proxel::tool

int main(int count, char** words) {
  return proxel::tool::run_program(
      {"proxel-bench", "suites of timed searches, every answer checked", proxel::tool::add_options}, count, words);
}
