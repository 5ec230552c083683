#include "groundtruth/truth_options.hpp"

#include <map>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "finite.hpp"
#include "outputs.hpp"

namespace proxel::tool {
namespace {

constexpr const char* how = "How the search runs";

// The field's names beside proxel's own.
Metric metric_of(const std::string& name) {
  static const std::map<std::string, Metric> others = {{"euclidean", Metric::l2sq}, {"angular", Metric::cosine}};
  const auto found = others.find(name);
  return found == others.end() ? metric_from_string(name) : found->second;
}

void add_truth_metric(CLI::App& command, TruthOptions& options) {
  std::vector<std::string> names = {"euclidean", "angular"};
  for (const Metric metric : all_metrics) names.emplace_back(to_string(metric));
  command
      .add_option_function<std::string>("--metric",
                                        [&options](const std::string& name) { options.metric = metric_of(name); },
                                        "l2sq or euclidean (squared, as big-ann-benchmarks has it), l2 (its root, as "
                                        "ann-benchmarks has it), ip (inner "
                                        "product, largest first), cosine or angular (1 - cos), l1, linf or pearson")
      ->check(CLI::IsMember(names))
      ->type_name("NAME")
      ->default_str(std::string(to_string(options.metric)));
}

void add_source_options(CLI::App& command, TruthOptions& options) {
  command
      .add_option("--database", options.database,
                  "File of the rows, of any size: .fbin, .f16bin, .u8bin, .i8bin, .npy, .fvecs and .bvecs are mapped, "
                  "others read; or made:ROWSxCOLUMNS[:SEED], rows that are made as they are needed")
      ->required()
      ->type_name("FILE");
  command.add_option("--queries", options.queries, "File of the queries, or made:ROWSxCOLUMNS[:SEED]")
      ->required()
      ->type_name("FILE");
  add_row_options(command, options);
  command.add_option("--query-rows", options.query_rows.max_rows, "Read at most this many queries")
      ->group("Rows")
      ->type_name("COUNT");
  command.add_option("--first-query", options.query_rows.first_row, "Skip this many queries")
      ->group("Rows")
      ->type_name("COUNT");
}

void add_check_options(CLI::App& command, TruthOptions& options) {
  command
      .add_option("--check", options.check.queries,
                  "Hold this many queries, drawn at random, against brute force on the host before the output is "
                  "written; 0: none")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{UINT32_MAX}))
      ->type_name("QUERIES")
      ->capture_default_str();
  command
      .add_option("--check-rows", options.check.rows,
                  "Rows, drawn at random, that each of them is compared with beside those that were found")
      ->type_name("COUNT")
      ->capture_default_str();
  command.add_option("--check-seed", options.check.seed, "Of what is drawn")
      ->type_name("NUMBER")
      ->capture_default_str();
}

void add_search_limits(CLI::App& command, TruthOptions& options) {
  IndexOptions& index = options.index;
  command
      .add_option("--block-rows", options.block_rows,
                  "Rows that are searched at a time (default: as many as take about ten seconds, at most 2 GiB)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 31))
      ->group(how)
      ->type_name("COUNT");
  add_storage_option(command, index);
  add_row_memory_option(command, index);
  add_scratch_option(command, options);
}

}  // namespace

void add_truth_options(CLI::App& command, TruthOptions& options) {
  add_source_options(command, options);
  add_truth_metric(command, options);
  command
      .add_option_function<std::uint64_t>("-k,--k",
                                          [&options](std::uint64_t k) {
    options.k = k;
    options.k_given = true;
  }, "Neighbours per query (default 100; with --verify as many as that file has)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{UINT32_MAX} / 2))
      ->type_name("COUNT");
  command
      .add_option(
          "--output", options.output,
          "Where the ground truth goes: .ibin (big-ann-benchmarks: ids of 32 bits, then distances), .ivecs (ids), "
          ".npy (ids of 64 bits) or .hdf5 (ann-benchmarks: neighbors and distances)")
      ->type_name("FILE");
  command
      .add_option("--distances", options.distances,
                  "A file for the distances alone, .fvecs, .fbin, .npy or .csv; an .ibin output has then ids alone")
      ->type_name("FILE");
  command
      .add_option(
          "--verify", options.verify,
          "Say what of this ground truth, whoever made it, differs, by ties or by errors; exit code 1 where errors "
          "are among it")
      ->type_name("FILE");
  command
      .add_option("--tolerance", options.tolerance,
                  "With --verify: rows that are farther by this part of the distance at most are no errors (1e-5: what "
                  "binary32 in another order makes)")
      ->check(finite())
      ->check(CLI::Range(0.0, 1.0))
      ->type_name("PART")
      ->capture_default_str();
  add_check_options(command, options);
  command.add_flag("--restart", options.restart, "Begin anew, whatever the checkpoint beside the output holds");
  command
      .add_option("--checkpoint-interval", options.checkpoint_seconds,
                  "Keep what has been found, in FILE.checkpoint, about this often; 0: after every block of rows")
      ->check(finite())
      ->check(CLI::Range(0.0, 1e9))
      ->type_name("SECONDS")
      ->capture_default_str();
  add_force_option(command, options.force);
  add_device_options(command, options.devices);
  add_search_limits(command, options);
}

}  // namespace proxel::tool
