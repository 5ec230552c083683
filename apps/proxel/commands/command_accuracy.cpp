// proxel accuracy: what each method's own arithmetic gets wrong, against double precision.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "accuracy/data_sets.hpp"
#include "accuracy/expansion.hpp"
#include "accuracy/truth.hpp"
#include "console.hpp"
#include "devices.hpp"
#include "format.hpp"
#include "json_output.hpp"
#include "progress_bar.hpp"
#include "search_options.hpp"
#include "table.hpp"
#include "tool.hpp"

namespace proxel::tool::accuracy_command {
namespace {

constexpr const char* examples = R"(Examples:
  proxel accuracy
      published failures, the CoverType sample and a SIFT-like set, on the CPU
  proxel accuracy --data base.fvecs --query-count 1000 --k 20 --device cuda
      the same for rows of your own, 1,000 of them held out as queries; CUDA's product is cuBLAS's
  proxel accuracy --metric l2 --csv > accuracy.csv
      for a spreadsheet

|r|^2 + |q|^2 - 2 q.r costs one matrix product and loses the small distances between
large vectors: the terms cancel, and what is left is their rounding. A neighbour counts as wrong
where in double precision it is farther than the true k-th nearest; a tie with it is not
wrong. The error is that of a returned distance relative to the same row's true distance.
Every method without --raw gives the answer of the row 'proxel'.)";

struct Options {
  std::vector<std::string> devices;
  std::vector<std::string> files;
  std::string metric = "l2sq";
  std::uint64_t k = 10;
  std::uint64_t query_count = 100;
  std::uint64_t seed = 1;
  bool only_files = false;
  bool csv = false;
  InputOptions input;
};

struct Line {
  std::string data;
  std::uint64_t rows, dimensions, queries, k;
  std::string method;
  std::string device;  // empty: none
  AccuracyVerdict verdict;
};

std::vector<AccuracyData> data_sets(const Options& options) {
  std::vector<AccuracyData> sets;
  if (!options.only_files) {
    sets.push_back(two_points());
    sets.push_back(large_offset());
    std::error_code ignored;
    if (const auto sample = covertype_sample(); std::filesystem::exists(sample, ignored)) {
      sets.push_back(from_file(sample.string(), options.query_count, options.seed, {.table = {.labels = "last"}}));
      sets.back().name = "CoverType";
    } else {
      clear_status();
      fmt::print(stderr,
                 "proxel: note: the CoverType sample is left out: there is no {}, which the package "
                 "proxel-data brings; rows of your own are given by --data\n",
                 sample.string());
    }
    sets.push_back(sift_like(options.seed));
  }
  for (const std::string& file : options.files)
    sets.push_back(from_file(file, options.query_count, options.seed, options.input));
  return sets;
}

// The raw answer of a method; nothing where it has none for this search.
std::optional<Neighbors> raw_answer(Device& device, const AccuracyData& data, Method method, std::uint64_t k,
                                    Metric metric, const Progress& progress, std::vector<std::string>& left_out) {
  IndexOptions options;
  options.method = method;
  try {
    Index index(device, data.database.view(), options, progress);
    return index.search(data.queries.view(), k, metric, {.progress = progress, .raw = true});
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unsupported) throw;
    // Methods whose arithmetic is the canonical one are the row 'proxel'.
    if (error.subject() == "raw") return {};
    std::string note = fmt::format("{} on {}: {}", to_string(method), device.info().id, reason(error));
    if (std::find(left_out.begin(), left_out.end(), note) == left_out.end()) left_out.push_back(std::move(note));
    return {};
  }
}

std::vector<Line> judge_all(const Options& options, std::vector<std::string>& left_out) {
  const Metric metric = metric_from_string(options.metric);
  ProgressBar bar("opening devices");
  std::vector<std::unique_ptr<Device>> devices;
  for (const std::string& id : options.devices) devices.push_back(open_checked(id));
  std::vector<Line> lines;
  for (const AccuracyData& data : data_sets(options)) {
    bar.set_title("judging " + data.name);
    // Among all rows there is no wrong one.
    const std::uint64_t k = std::clamp<std::uint64_t>(options.k, 1, data.database.rows() - 1);
    const Truth truth(data.database, data.queries, k);
    const auto add = [&](std::string method, std::string device, const Neighbors& answer) {
      lines.push_back({data.name, data.database.rows(), data.database.columns(), data.queries.rows(), k,
                       std::move(method), std::move(device), truth.judge(answer, metric)});
    };
    add("float32 expansion (cdist's order, here)", "", nearest_by_expansion(data.database, data.queries, k, metric));
    for (const auto& device : devices) {
      for (const std::string& name : method_names()) {
        const Method method = method_from_string(name);
        if (method == Method::automatic) continue;
        if (const auto answer = raw_answer(*device, data, method, k, metric, bar.callback(), left_out))
          add(name + " --raw", device->info().id, *answer);
      }
      Index index(*device, data.database.view(), {}, bar.callback());
      add("proxel", device->info().id, index.search(data.queries.view(), k, metric, {.progress = bar.callback()}));
    }
  }
  bar.finish();
  return lines;
}

std::string error_text(double error) { return std::isinf(error) ? "infinite" : fmt::format("{:.2g}", error); }

void print_json(const std::vector<Line>& lines, const Options& options, const std::vector<std::string>& left_out) {
  auto rows = nlohmann::ordered_json::array();
  for (const Line& line : lines)
    rows.push_back({{"data", line.data},
                    {"rows", line.rows},
                    {"dimensions", line.dimensions},
                    {"queries", line.queries},
                    {"k", line.k},
                    {"method", line.method},
                    {"device", line.device.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(line.device)},
                    {"neighbors", line.verdict.neighbors},
                    {"wrong", line.verdict.wrong},
                    {"share", line.verdict.share()},
                    {"largest_relative_error", json_float(static_cast<float>(line.verdict.largest_relative_error))}});
  print({{"command", "accuracy"}, {"metric", options.metric}, {"results", rows}, {"left_out", left_out}});
}

void print_csv(const std::vector<Line>& lines) {
  fmt::print("data,rows,dimensions,queries,k,method,device,neighbors,wrong,share,largest_relative_error\n");
  for (const Line& line : lines)
    fmt::print("\"{}\",{},{},{},{},\"{}\",{},{},{},{},{}\n", line.data, line.rows, line.dimensions, line.queries,
               line.k, line.method, line.device, line.verdict.neighbors, line.verdict.wrong, line.verdict.share(),
               line.verdict.largest_relative_error);
}

void print_text(const std::vector<Line>& lines, const std::vector<std::string>& left_out) {
  Table table({{"data"},
               {"n × d", true},
               {"queries", true},
               {"k", true},
               {"method"},
               {"device"},
               {"wrong neighbours", true},
               {"share", true},
               {"largest relative error", true}});
  std::string latest;
  for (const Line& line : lines) {
    const bool begins = line.data != latest;
    latest = line.data;
    const AccuracyVerdict& verdict = line.verdict;
    const Style style = verdict.wrong != 0 ? Style::bad : Style::good;
    table.add({begins ? line.data : "",
               begins ? fmt::format("{} × {}", with_separators(line.rows), line.dimensions) : "",
               begins ? with_separators(line.queries) : "",
               begins ? std::to_string(line.k) : "",
               line.method,
               line.device,
               {fmt::format("{} of {}", with_separators(verdict.wrong), with_separators(verdict.neighbors)), style},
               {fmt::format("{:.2f} %", 100 * verdict.share()), style},
               error_text(verdict.largest_relative_error)});
  }
  table.print();
  for (const std::string& note : left_out) fmt::print("left out: {}\n", note);
}

int run(const Options& options, const Context& context) {
  if (options.only_files && options.files.empty())
    throw Error(ErrorCode::invalid_argument, "--only-data", "leaves nothing; give files by --data");
  std::vector<std::string> left_out;
  const std::vector<Line> lines = judge_all(options, left_out);
  if (context.json)
    print_json(lines, options, left_out);
  else if (options.csv)
    print_csv(lines);
  else
    print_text(lines, left_out);
  return exit_success;
}

}  // namespace

void add(CLI::App& app, Context& context) {
  CLI::App* command =
      make_command(app, context, "accuracy",
                   "Count the wrong neighbours of each method's own arithmetic against double precision", examples);
  const auto options = std::make_shared<Options>();
  options->devices = {"cpu"};
  command->add_option("--device", options->devices, std::string(device_help) + "; may be repeated")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("ID")
      ->capture_default_str();
  command
      ->add_option("--data", options->files,
                   "Rows of your own as well, in any format that proxel reads; may be repeated")
      ->type_name("FILE");
  command->add_flag("--only-data", options->only_files, "Judge the files of --data and nothing else");
  command->add_option("--metric", options->metric, "l2sq (squared Euclidean) or l2")
      ->check(CLI::IsMember({"l2sq", "l2"}))
      ->capture_default_str();
  command->add_option("--k", options->k, "Neighbours per query; at most one fewer than there are rows")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1000}))
      ->type_name("COUNT")
      ->capture_default_str();
  command
      ->add_option("--query-count", options->query_count,
                   "Rows of a file that are held out as queries, at most half of them")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 20))
      ->type_name("COUNT")
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Of the shuffle and of synthetic values")
      ->type_name("NUMBER")
      ->capture_default_str();
  add_text_options(*command, options->input);
  command->add_flag("--csv", options->csv, "Print comma-separated values");
  command->callback([&context, options] { context.action = [&context, options] { return run(*options, context); }; });
}

}  // namespace proxel::tool::accuracy_command
