// proxel compare: the same search on several devices and by several methods,
// with one table, one verdict and one report.

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "answer_size.hpp"
#include "compare/comparison.hpp"
#include "devices.hpp"
#include "finite.hpp"
#include "format.hpp"
#include "json_output.hpp"
#include "outputs.hpp"
#include "progress_bar.hpp"
#include "search_options.hpp"
#include "tool.hpp"
#include "trace.hpp"

namespace proxel::tool {
namespace {

constexpr const char* examples = R"(Examples:
  proxel compare --database base.npy --queries query.npy --metric l1 --k 10
      on every usable device, by scan and by texel search, against the plain CPU reference
  proxel compare --database covtype.csv.gz --labels last --hold-out 1000 --seed 1 \
      --metric l1 --k 5 --report report.html
      holds 1,000 rows out, classifies them by the majority of their neighbours' labels, writes
      a page with plots
  proxel compare --database base.npy --queries query.npy --device vulkan:0 --device cuda:0 \
      --method scan --repeats 20
      two devices beside each other
  proxel compare --database base.npy --queries query.npy --json | jq .identical
      for a script; the exit code says the same: 0 identical, 1 different, 3 a device failed)";

// Distance terms up to which the plain reference answers in reasonable time.
constexpr double reference_terms = 4e9;

struct Options : SearchOptions {
  std::vector<std::string> devices;
  std::vector<std::string> methods = {"scan", "texel"};
  std::string reference = "auto";
  std::uint64_t hold_out = 0;
  std::uint64_t seed = 1;
  std::uint32_t repeats = 5;
  double time_limit = 10;
  std::string report;
  bool force = false;
  bool trace = false;
};

HeldOut load(const Options& options, std::vector<std::string>& notes) {
  if (options.hold_out != 0 && !options.queries.empty())
    throw Error(ErrorCode::invalid_argument, "--hold-out",
                "takes the queries out of the database; --queries was given as well");
  if (options.hold_out == 0 && options.queries.empty())
    throw Error(ErrorCode::invalid_argument, "--queries",
                "is missing; give a file, or --hold-out N to take queries out of the database");
  HeldOut split;
  if (options.hold_out != 0) {
    InputRows input = read_rows(options.database, options.database_rows, options.input);
    make_classes({&input.names.labels});
    split = hold_out(input.rows, input.names.labels, options.hold_out, options.seed);
    notes.push_back(fmt::format("The rows were shuffled with seed {}; {} were held out as queries.", options.seed,
                                with_separators(options.hold_out)));
    const Scaling scaling(split.database, options.input.scale);
    for (Matrix<float>* rows : {&split.database, &split.queries})
      if (options.input.scale != Scale::none) scaling.apply(*rows);
  } else {
    InputPair input = read_pair(options);
    if (input.database.names.has_labels() != input.queries.names.has_labels())
      throw Error(ErrorCode::invalid_argument, "--labels",
                  fmt::format("'{}' is no column of the queries", options.input.table.labels));
    make_classes({&input.database.names.labels, &input.queries.names.labels});
    split = {std::move(input.database.rows), std::move(input.queries.rows), std::move(input.database.names.labels),
             std::move(input.queries.names.labels)};
  }
  if (options.input.scale != Scale::none) notes.emplace_back(describe(options.input.scale));
  return split;
}

std::string reference_id(const Options& options, const HeldOut& data) {
  if (options.reference != "auto") return chosen_devices({options.reference}).front();
  const double terms = static_cast<double>(data.database.rows()) * static_cast<double>(data.queries.rows()) *
                       static_cast<double>(data.database.columns());
  return terms <= reference_terms ? "cpu:reference" : "cpu";
}

Comparison measure_all(const Options& options, const HeldOut& data, ProgressBar& bar) {
  Comparison comparison;
  comparison.database_path = options.database;
  comparison.rows = data.database.rows();
  comparison.dimensions = data.database.columns();
  comparison.queries = data.queries.rows();
  comparison.k = options.k;
  comparison.metric = options.metric;

  const std::string reference = reference_id(options, data);
  std::vector<std::pair<std::string, Method>> plan = {{reference, Method::scan}};
  for (const std::string& device : chosen_devices(options.devices))
    for (const std::string& name : options.methods) {
      const Method method = method_from_string(name) == Method::automatic ? Method::scan : method_from_string(name);
      const std::pair<std::string, Method> entry = {device, method};
      if (std::find(plan.begin(), plan.end(), entry) == plan.end()) plan.push_back(entry);
    }

  Task task{data.database.view(), data.queries.view(), options.k,         options.metric,
            options.index,        options.repeats,     options.time_limit};
  task.raw = options.raw;
  if (options.trace) task.options.timing = Timing::passes;
  std::optional<Neighbors> expected;
  bar.set_title("comparing");
  const Watch watch{[&bar](std::string title) { bar.set_title(std::move(title)); }, bar.callback()};
  for (const auto& [device, method] : plan) {
    Task one = task;
    // The plain reference is there to be right; its time means nothing.
    if (device == "cpu:reference") one.seconds = 0;
    comparison.measured.push_back(measure(device, method, one, expected, watch));
  }
  if (!data.query_labels.empty() && expected)
    comparison.classification = classify(*expected, data.database_labels, data.query_labels);
  return comparison;
}

void print_text(const Options& options, const Comparison& comparison) {
  fmt::print("{}: {}\n\n", options.database, comparison.task());
  comparison.table().print();
  fmt::print("\n");
  for (const Measured& row : comparison.measured) {
    if (row.passes.empty()) continue;
    fmt::print("passes of {} {}\n", row.device.id, to_string(row.method));
    trace_table(row.passes).print();
    fmt::print("\n");
  }
  if (const auto& classes = comparison.classification) {
    fmt::print("held-out rows classified by the majority of their {} nearest neighbours:\n", options.k);
    classes->table().print();
    fmt::print("accuracy {:.2f} % ({} of {}); the most frequent label alone: {:.2f} %\n\n", 100 * classes->accuracy(),
               with_separators(classes->correct), with_separators(classes->queries), 100 * classes->majority_share());
  }
  if (!options.report.empty()) fmt::print("wrote {}\n", options.report);
  fmt::print("verdict: {}\n", styled(comparison.good() ? Style::good : Style::bad, comparison.verdict()));
}

int run(const Options& options, const Context& context) {
  Outputs outputs(options.force, {options.database, options.queries});
  if (!options.report.empty()) outputs.plan("--report", options.report, FileKind::page);
  ProgressBar bar("reading " + options.database);
  std::vector<std::string> notes;
  const HeldOut data = load(options, notes);
  check_answer_size(data.queries.rows(), options.k, data.database.rows());
  const Comparison comparison = measure_all(options, data, bar);
  if (!options.report.empty())
    outputs.write(options.report,
                  [&](const std::string& place) { write_report(comparison, place, context.command_line, notes); });
  outputs.commit();
  bar.finish();
  if (context.json)
    print(comparison.json());
  else
    print_text(options, comparison);
  return comparison.exit_code();
}

}  // namespace

void add_compare(CLI::App& app, Context& context) {
  CLI::App* command = make_command(app, context, "compare",
                                   "Run one search on several devices and compare answers and times", examples);
  const auto options = std::make_shared<Options>();
  add_search_options(*command, *options, false);
  command
      ->add_option("--device", options->devices,
                   std::string(device_help) + "; may be repeated (default: every usable one)")
      ->delimiter(',')
      ->type_name("ID");
  command->add_option("--method", options->methods, "auto, or any other of search's methods; may be repeated")
      ->delimiter(',')
      ->check(CLI::IsMember(method_names()))
      ->capture_default_str();
  command->add_flag("--raw", options->raw, raw_help);
  command
      ->add_option("--reference", options->reference,
                   "Device whose scan the answers are compared with; auto is cpu:reference "
                   "for small work and cpu otherwise")
      ->type_name("ID")
      ->capture_default_str();
  command->add_option("--repeats", options->repeats, "Timed searches per device and method")
      ->check(CLI::Range(1, 10000))
      ->type_name("COUNT")
      ->capture_default_str();
  command->add_option("--time-limit", options->time_limit, "Begin no further repeat after this many seconds")
      ->check(CLI::Range(0.0, 86400.0))
      ->check(finite())
      ->type_name("SECONDS")
      ->capture_default_str();
  command->add_option("--report", options->report, "Write a self-contained page with plots")->type_name("FILE.html");
  add_force_option(*command, options->force);
  command->add_flag("--trace", options->trace, "Print every pass with its device time");
  const std::string labels = "Held-out rows";
  command->add_option("--hold-out", options->hold_out, "Shuffle the database and hold this many rows out as queries")
      ->group(labels)
      ->type_name("COUNT");
  command->add_option("--seed", options->seed, "Of the shuffle")
      ->group(labels)
      ->type_name("NUMBER")
      ->capture_default_str();
  command->callback([&context, options] { context.action = [&context, options] { return run(*options, context); }; });
}

}  // namespace proxel::tool
