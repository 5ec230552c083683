// proxel compare: the same searches on several devices and by several methods,
// with one table, one verdict and one report.

#include <algorithm>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compare/all_comparisons.hpp"
#include "compare/kinds.hpp"
#include "console.hpp"
#include "devices.hpp"
#include "format.hpp"
#include "json_output.hpp"
#include "outputs.hpp"
#include "progress_bar.hpp"
#include "searched_devices.hpp"
#include "tool.hpp"
#include "trace.hpp"

namespace proxel::tool::compare_command {
namespace {

constexpr const char* examples = R"(Examples:
  proxel compare
      everything that proxel searches, over made data, on every usable device against the plain
      CPU reference: a verdict for each kind of search, in seconds
  proxel compare --database base.npy --queries query.npy --metric l1 --k 10
      the k nearest rows on every usable device, by scan and by texel search
  proxel compare --database covtype.csv.gz --labels last --hold-out 1000 --seed 1 \
      --metric l1 --k 5 --report report.html
      holds 1,000 rows out, classifies them by the majority of their neighbours' labels, writes
      a page with plots
  proxel compare --database base.npy --queries query.npy --what range --radius 0.5
  proxel compare --database base.npy --what graph -k 5
      everything within a radius; the 5 nearest rows of every row
  proxel compare --database /usr/share/dict/words
  proxel compare --database photos.sig --what signatures,range
      the nearest words of some of these without a letter; the nearest images
  proxel compare --database words.txt --what permutations --recall 0.95
      the same fraction and the same answer of a permutation index everywhere, and its recall
  proxel compare --database base.npy --queries query.npy --device vulkan:0 --device cuda:0 \
      --method scan --repeats 20
      two devices beside each other
  proxel compare --database base.npy --queries query.npy --device cuda:0 --device cuda:0+cuda:1
      one device, and two that divide the rows
  proxel compare --database base.npy --queries query.npy --device cpu+vulkan:0 --shares 1,3
      two devices together, with a part of the rows for each as it is asked
  proxel compare --json | jq .identical
      for a script; the exit code says the same: 0 identical, 1 different, 2 there was nothing to
      compare, 3 a device failed)";

void check_methods(const CompareOptions& options, const Task& task) {
  const std::vector<std::string> known = task.methods();
  for (const std::string& name : options.methods)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Error(ErrorCode::invalid_argument, "--method",
                  fmt::format("{} was given; {} has {}", name, task.description().what, fmt::join(known, ", ")));
}

Comparison compare_kind(const CompareKind& kind, CompareInput& input, const CompareOptions& options,
                        const std::vector<std::string>& devices, const Watch& watch) {
  watch.title("reading");
  const TaskPointer task = kind.make(input, options, kind.objects_of(input), watch.progress);
  const Effort effort{.repeats = options.repeats,
                      .seconds = options.time_limit,
                      .timing = options.trace ? Timing::passes : Timing::whole,
                      .dividing = options.dividing};
  const std::string reference = options.reference == "auto" ? "" : chosen_devices({options.reference}).front();
  check_methods(options, *task);
  const auto subjects = subjects_of(*task, reference, devices, options.methods);
  // Labels are those of the rows, and the majority is one of k.
  const bool labelled = task->description().what == "vectors";
  return compare(*task, subjects, effort, watch, labelled ? input.labels() : QueryLabels{});
}

void check_options(const CLI::App& command, const CompareOptions& options, const std::vector<const CompareKind*>& kinds,
                   const CompareInput& input) {
  std::vector<std::string> uses;
  const auto add = [&](std::string use) {
    if (std::find(uses.begin(), uses.end(), use) == uses.end()) uses.push_back(std::move(use));
  };
  for (const CompareKind* kind : kinds) {
    add(kind->name);
    add(std::string(to_string(kind->objects_of(input))));
  }
  check_given_options(command, uses);
  if (options.raw && (kinds.size() != 1 || kinds.front()->name != std::string("vectors")))
    throw Error(ErrorCode::invalid_argument, "--raw", "is for the k nearest vectors alone");
  if (kinds.size() == 1 && kinds.front()->name == std::string("graph") && !options.queries.empty())
    throw Error(ErrorCode::invalid_argument, "--queries", "was given; in a graph the rows themselves are the queries");
}

void print_text(const CompareOptions& options, const AllComparisons& all) {
  for (const Comparison& comparison : all.of)
    fmt::print("{}{}: {}\n", all.several() ? comparison.what + ": " : "", comparison.database_path, comparison.task());
  fmt::print("\n");
  all.table().print();
  fmt::print("\n");
  for (const Comparison& comparison : all.of)
    for (const std::string& line : comparison.divisions())
      fmt::print("{}{}\n", all.several() ? comparison.what + ": " : "", line);
  for (const Comparison& comparison : all.of) {
    for (const Measured& row : comparison.measured) {
      if (row.passes.empty()) continue;
      fmt::print("passes of {}{} {}\n", all.several() ? comparison.what + " on " : "", row.device.id, row.method);
      trace_table(row.passes).print();
      fmt::print("\n");
    }
    if (const auto& classes = comparison.classification) {
      fmt::print("held-out rows classified by the majority of their {} nearest neighbours:\n", options.k);
      classes->table().print();
      fmt::print("accuracy {:.2f} % ({} of {}); the most frequent label alone: {:.2f} %\n\n", 100 * classes->accuracy(),
                 with_separators(classes->correct), with_separators(classes->queries), 100 * classes->majority_share());
    }
  }
  if (!options.report.empty()) fmt::print("wrote {}\n", options.report);
  const auto styled_verdict = [](const auto& of) { return styled(of.good() ? Style::good : Style::bad, of.verdict()); };
  if (all.several())
    for (const Comparison& comparison : all.of) fmt::print("{}: {}\n", comparison.what, styled_verdict(comparison));
  fmt::print("verdict: {}\n", styled_verdict(all));
}

int run(const CompareOptions& options, const CLI::App& command, const Context& context) {
  CompareInput input(options);
  const auto kinds = chosen_kinds(options, input);
  check_options(command, options, kinds, input);
  check_shares(options.dividing.shares);
  Outputs outputs(options.force, {options.database, options.queries});
  if (!options.report.empty()) outputs.plan("--report", options.report, FileKind::page);
  ProgressBar bar("looking for devices");
  const std::vector<std::string> devices = chosen_competitors(options.devices, options.dividing);
  AllComparisons all;
  for (const CompareKind* kind : kinds) {
    const std::string before = kinds.size() == 1 ? "" : kind->name + std::string(": ");
    const Watch watch{[&](const std::string& title) { bar.set_title(before + title); }, bar.callback()};
    all.of.push_back(compare_kind(*kind, input, options, devices, watch));
  }
  if (!options.report.empty())
    outputs.write(options.report,
                  [&](const std::string& place) { write_report(all, place, context.command_line, input.notes()); });
  outputs.commit();
  bar.finish();
  if (context.json)
    print(all.json());
  else
    print_text(options, all);
  const int code = all.exit_code();
  // The verdict is an answer; that there is none is an error as well.
  if (code == exit_bad_input) report_error(false, "unsupported", "--device", all.verdict());
  return code;
}

}  // namespace

void add(CLI::App& app, Context& context) {
  CLI::App* command = make_command(
      app, context, "compare", "Run searches of every kind on several devices and compare answers and times", examples);
  const auto options = std::make_shared<CompareOptions>();
  add_compare_options(*command, *options);
  command->callback([&context, options, command] {
    context.action = [&context, options, command] { return run(*options, *command, context); };
  });
}

}  // namespace proxel::tool::compare_command
