#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "console.hpp"
#include "features/feature_kinds.hpp"
#include "files/take_turns.hpp"
#include "format.hpp"
#include "interrupt.hpp"
#include "outputs.hpp"
#include "progress_bar.hpp"
#include "proxel/data.hpp"
#include "signatures/image_files.hpp"
#include "write_text.hpp"

namespace proxel::tool {
namespace {

void print_json(const FeatureKind& kind, const FeatureOptions& options, const FeaturesMade& made, std::size_t files,
                unsigned threads, double milliseconds) {
  auto failures = nlohmann::ordered_json::array();
  for (const files::FileFailure& failure : made.failures)
    failures.push_back({{"path", failure.path}, {"reason", failure.reason}});
  const auto written = [&](const std::string& path) {
    return made.objects == 0 || path.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(path);
  };
  nlohmann::ordered_json document = {{"command", "data features"},
                                     {"kind", kind.name},
                                     {"output", written(options.output)},
                                     {"names", written(options.names)},
                                     {"files", files}};
  document.update(made.facts);
  document["failures"] = failures;
  document["threads"] = threads;
  document["total_ms"] = milliseconds;
  print(document);
}

}  // namespace

int run_features(const FeatureKind& kind, const FeatureOptions& options, const Context& context,
                 const std::function<FeaturesMade(FeatureWork&&)>& make) {
  NamesFile names(options.names);
  ProgressBar bar("looking for " + kind.files);
  files::FoundFiles found = files::find_files(options.inputs, kind.endings, throw_if_interrupted);
  std::vector<std::string> inputs = options.inputs;
  inputs.insert(inputs.end(), found.paths.begin(), found.paths.end());
  Outputs outputs(options.force, inputs);
  outputs.plan("--output", options.output, FileKind::values);
  if (names.is_wanted()) outputs.plan("--names", options.names, FileKind::values);
  const std::size_t count = found.paths.size();
  bar.set_title(fmt::format("{} {}", with_separators(count), kind.files));
  const unsigned threads = options.threads != 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  const auto start = std::chrono::steady_clock::now();
  FeaturesMade made = make({std::move(found.paths), threads, bar.callback(), std::move(names)});
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  made.failures.insert(made.failures.begin(), found.failures.begin(), found.failures.end());
  if (made.objects != 0) {
    outputs.write(options.output, made.write);
    if (made.names.is_wanted())
      outputs.write(options.names, [&](const std::string& place) { write_text(place, made.names.text()); });
  }
  outputs.commit();
  bar.finish();

  if (context.json) {
    print_json(kind, options, made, count, threads, took.count());
  } else {
    for (const files::FileFailure& failure : made.failures)
      warn(fmt::format("{}: {}", printable_name(failure.path), failure.reason));
    if (made.objects != 0) fmt::print("wrote {}: {}; {} ms\n", options.output, made.summary, significant(took.count()));
    if (!made.failures.empty())
      fmt::print("{} of {} could not be read\n", with_separators(made.failures.size()),
                 with_separators(count + found.failures.size()));
  }
  if (made.objects == 0 && made.failures.empty()) {
    if (count == 0)
      throw Error(ErrorCode::not_found, "FILE",
                  fmt::format("there are no {} ({})", kind.files, fmt::join(kind.endings, ", ")));
    throw Error(ErrorCode::not_found, "FILE", fmt::format("nothing was found in {} {}", count, kind.files));
  }
  if (made.objects == 0) return exit_bad_input;
  return made.failures.empty() ? exit_success : exit_answer_is_no;
}

FileRows rows_of_files(const FeatureWork& work, std::uint64_t dimensions,
                       const std::function<void(std::size_t, float*)>& visit) {
  Matrix<float> all(work.paths.size(), dimensions);
  FileRows result;
  result.failures = files::take_turns(work.paths, work.threads, [&](std::size_t number) {
    visit(number, all.data() + number * dimensions);
  }, work.progress);
  const files::FileFailure* failed = result.failures.data();
  for (std::size_t i = 0; i < work.paths.size(); ++i) {
    if (failed != result.failures.data() + result.failures.size() && failed->path == work.paths[i])
      ++failed;  // both are in the order of the paths
    else
      result.of.push_back(i);
  }
  result.rows = Matrix<float>(result.of.size(), dimensions);
  for (std::size_t row = 0; row < result.of.size(); ++row)
    std::copy_n(all.data() + result.of[row] * dimensions, dimensions, result.rows.data() + row * dimensions);
  return result;
}

void set_rows(FeaturesMade& made, Matrix<float>&& rows) {
  made.objects = rows.rows();
  made.summary = fmt::format("{} rows of {} values", with_separators(rows.rows()), rows.columns());
  made.facts["rows"] = rows.rows();
  made.facts["columns"] = rows.columns();
  const auto kept = std::make_shared<Matrix<float>>(std::move(rows));
  made.write = [kept](const std::string& place) { write_matrix(place, kept->view()); };
}

void add_feature_options(CLI::App& command, FeatureOptions& options, const std::string& files,
                         const std::string& output) {
  command.add_option("FILE", options.inputs, files)->required()->type_name("");
  command.add_option("-o,--output", options.output, output)->required()->type_name("FILE");
  command
      .add_option("--names", options.names,
                  "What each row is of, a line for each: .csv with a heading, or .txt with tabs")
      ->type_name("FILE");
  add_force_option(command, options.force);
  command.add_option("--threads", options.threads, "Threads that read files (default: as many as there are)")
      ->check(CLI::Range(1, 1024))
      ->type_name("COUNT");
}

}  // namespace proxel::tool
