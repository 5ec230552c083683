// proxel groundtruth: the true neighbours of queries among any number of rows, as a file that benchmarks read.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "answer_size.hpp"
#include "file_state.hpp"
#include "format.hpp"
#include "groundtruth/comparison_of_truths.hpp"
#include "groundtruth/run_identity.hpp"
#include "groundtruth/run_lock.hpp"
#include "groundtruth/truth_output.hpp"
#include "groundtruth/walk.hpp"
#include "json_output.hpp"
#include "ranks/launcher.hpp"
#include "tool.hpp"

namespace proxel::tool::groundtruth_command {
namespace {

constexpr const char* examples = R"(Examples:
  proxel groundtruth --database base.1B.u8bin --queries query.u8bin --metric euclidean --k 100 --output gt.ibin --device cuda
      any number of rows, in blocks; killed at any moment, the same command goes on from gt.ibin.checkpoint
  proxel groundtruth --database base.fbin --queries query.fbin --metric ip --k 100 --output gt.ibin --device cuda:0,cuda:1
      two devices share every block of rows, with the same answer to the bit
  proxel groundtruth --database sift.hdf5 --queries 'sift.hdf5#test' --metric l2 --output truth.hdf5
      neighbors and distances as ann-benchmarks has them
  proxel groundtruth --database base.bvecs --queries query.bvecs --k 1000 --output gt.ivecs --distances gt.fvecs
  proxel groundtruth --database base.fbin --queries query.fbin --verify theirs.ibin --device cuda
      how many ids of another program's file differ, by ties or by errors
  proxel groundtruth --database base.fbin --queries query.fbin --output gt.ibin --check 100 --check-rows 1000000
      100 queries are compared with a million rows each by brute force before gt.ibin is written
  proxel groundtruth --database made:200000000x96 --queries made:10000x96:2 --output gt.ibin --device cuda --json
      a measurement without files: rows are made as they are needed ('proxel data make' writes the same ones)

Equal distances are in the order of the rows' numbers. Where k is more than there are rows the rest is -1, at distance
infinity (of ip -infinity).)";

// Rows of queries, and ground truth that somebody made of them.
struct Input {
  Matrix<float> queries;
  std::optional<GroundTruth> theirs;
};

Matrix<float> read_or_make_queries(const TruthOptions& options, std::uint64_t dimensions) {
  const auto made = made_rows(options.queries);
  if (!made) return read_queries(options.queries, options.query_rows, options.input, dimensions).rows;
  const ReadOptions& rows = options.query_rows;
  const std::uint64_t first = std::min(rows.first_row, made->rows);
  Matrix<float> queries(std::min(made->rows - first, rows.max_rows), made->columns);
  if (queries.rows() == 0) throw Error(ErrorCode::invalid_argument, "--queries", "are none");
  made->fill(first, queries.rows(), queries.data());
  return queries;
}

template <typename T>
Matrix<T> part_of(const Matrix<T>& all, std::uint64_t first, std::uint64_t rows, std::uint64_t columns) {
  if (all.columns() == 0) return {};
  Matrix<T> part(rows, columns);
  for (std::uint64_t row = 0; row < rows; ++row)
    std::copy_n(all.data() + (first + row) * all.columns(), columns, part.data() + row * columns);
  return part;
}

// Those of the queries that were read, and as many neighbours as are asked for.
GroundTruth read_theirs(TruthOptions& options, std::uint64_t queries) {
  const GroundTruth all = read_ground_truth(options.verify);
  if (!options.k_given) options.k = all.ids.columns();
  const auto refuse = [&](const std::string& why) { throw Error(ErrorCode::invalid_argument, "--verify", why); };
  const bool some = options.query_rows.first_row != 0 || options.query_rows.max_rows != UINT64_MAX;
  const std::uint64_t first = some && all.ids.rows() != queries ? options.query_rows.first_row : 0;
  if (some ? first > all.ids.rows() || all.ids.rows() - first < queries : all.ids.rows() != queries)
    refuse(fmt::format("{} has the neighbours of {} queries, {} were given", options.verify, all.ids.rows(), queries));
  if (all.ids.columns() < options.k)
    refuse(fmt::format("{} has {} neighbours of each query, {} were asked for", options.verify, all.ids.columns(),
                       options.k));
  return {part_of(all.ids, first, queries, options.k), part_of(all.distances, first, queries, options.k)};
}

// What a run before has left, unless it is to begin anew.
void take_up(const TruthOptions& options, const nlohmann::json& identity, Walk& walk) {
  std::error_code missing;
  if (options.output.empty() || options.restart || !std::filesystem::exists(options.checkpoint(), missing)) return;
  Checkpoint kept = read_checkpoint(options.checkpoint());
  const std::string differs = difference(kept.run, identity);
  const bool fits = kept.nearest.ids.rows() == identity["queries"]["rows"] && kept.nearest.ids.columns() == options.k &&
                    kept.rows_done <= identity["database"]["rows"];
  if (!differs.empty() || !fits)
    throw Error(ErrorCode::invalid_argument, options.checkpoint(),
                fmt::format("is of another run ({}); --restart begins anew",
                            differs.empty() ? "its answer has another shape" : differs));
  walk.continue_from(std::move(kept));
}

nlohmann::ordered_json to_json(const WalkReport& report, std::uint64_t rows, std::uint64_t queries) {
  const auto searched = static_cast<double>(rows - report.first_row);
  const double seconds = std::max(report.seconds, 1e-9);
  return {{"first_row", report.first_row},
          {"blocks", report.blocks},
          {"largest_block_rows", report.largest_block},
          {"method", report.method},
          {"seconds", report.seconds},
          {"rows_per_second", searched / seconds},
          {"distances_per_second", searched * static_cast<double>(queries) / seconds},
          {"waiting_for_rows_s", report.waiting},
          {"building_s", report.building},
          {"searching_s", report.searching},
          {"merging_s", report.merging},
          {"checkpoints_s", report.keeping}};
}

void print_report(const TruthOptions& options, const RowSource& source, std::uint64_t queries, const WalkReport& report,
                  const SearchedDevices& devices) {
  fmt::print("{} against {} × {} {}, {}, k = {}, {} on {}\n", counted(queries, "query", "queries"),
             with_separators(source.rows()), source.columns(), to_string(source.type()), to_string(options.metric),
             options.k, report.method.empty() ? "all found before" : report.method, devices.description());
  if (report.first_row != 0)
    fmt::print("the first {} rows were searched by a run before\n", with_separators(report.first_row));
  const double rate = static_cast<double>(source.rows() - report.first_row) / std::max(report.seconds, 1e-9);
  fmt::print(
      "{} s in {} of up to {} rows: {} million rows a second, {} million distances; waiting for rows {}, "
      "building {}, searching {}, merging {}, checkpoints {} s\n",
      significant(report.seconds), counted(report.blocks, "block", "blocks"), with_separators(report.largest_block),
      significant(rate / 1e6), significant(rate / 1e6 * static_cast<double>(queries)), significant(report.waiting),
      significant(report.building), significant(report.searching), significant(report.merging),
      significant(report.keeping));
}

// Several processes would write one file.
void require_one_process() {
  const std::optional<Launch> launch = launched();
  if (launch && launch->size > 1)
    throw Error(ErrorCode::unsupported, "groundtruth",
                fmt::format("is the work of one process, and {} says that this is one of {}; --device a,b divides it "
                            "over several devices",
                            launch->told_by, launch->size));
}

int run(TruthOptions options, const Context& context) {
  require_one_process();
  const auto file = [](const std::string& name) { return made_rows(name) ? std::string() : name; };
  Outputs outputs(options.force, {file(options.database), file(options.queries), options.verify});
  plan_truth(options, outputs);
  std::optional<RunLock> lock;
  if (!options.output.empty()) lock.emplace(options.lock());
  ProgressBar bar(fmt::format("opening {}", fmt::join(options.devices.devices, ",")));
  SearchedDevices devices(options.devices);
  bar.set_title("reading " + options.database);
  const std::optional<FileState> state = state_of(options.database);
  const RowSource source(options.database, options.database_rows, options.index.storage);
  bar.set_title("reading " + options.queries);
  const Matrix<float> queries = read_or_make_queries(options, source.columns());
  check_dimensions(source.columns(), queries.columns());
  std::optional<GroundTruth> theirs;
  if (!options.verify.empty()) theirs = read_theirs(options, queries.rows());
  check_truth_fits(options, queries.rows(), source.rows());
  check_answer_size(queries.rows(), options.k, source.rows());
  const nlohmann::json identity = identity_of(options, state, source, queries);
  Walk walk(source, queries, options, devices, identity);
  take_up(options, identity, walk);

  const GroundTruth truth = walk.run(bar);
  require_unchanged(state, "searched");
  CheckResult check;
  std::optional<TruthDifference> difference;
  try {
    bar.set_title("checking");
    check = check_by_sampling(source, queries, truth, options.metric, options.check, [&] { bar.update(0, 0); });
    if (theirs) difference = compare_truths(source, queries, truth, *theirs, options.metric, options.tolerance);
    if (!options.output.empty() && check.right()) {
      bar.set_title("writing");
      write_truth(options, outputs, truth);
      remove_checkpoint(options.checkpoint());
    }
  } catch (...) {
    walk.keep_what_is_done();
    throw;
  }
  bar.finish();

  const bool right = check.right() && (!difference || difference->right());
  if (context.json) {
    nlohmann::ordered_json document = {{"command", "groundtruth"},
                                       {"database",
                                        {{"path", options.database},
                                         {"rows", source.rows()},
                                         {"dimensions", source.columns()},
                                         {"type", to_string(source.type())},
                                         {"how", source.way()}}},
                                       {"queries", {{"path", options.queries}, {"rows", queries.rows()}}},
                                       {"metric", to_string(options.metric)},
                                       {"k", options.k}};
    devices.describe(document);
    document.update(
        {{"walk", to_json(walk.report(), source.rows(), queries.rows())}, {"check", to_json(check, options.check)}});
    if (difference) document["verify"] = to_json(*difference);
    if (check.right()) document["files"] = truth_files(options);
    print(document);
    return right ? exit_success : exit_answer_is_no;
  }
  print_report(options, source, queries.rows(), walk.report(), devices);
  fmt::print("{}\n", describe(check, options.metric));
  if (difference) fmt::print("{}\n", describe(*difference, options.verify));
  if (!check.right())
    fmt::print("nothing was written; --restart begins anew\n");
  else if (!options.output.empty())
    fmt::print("wrote {}\n", fmt::join(truth_files(options), " and "));
  return right ? exit_success : exit_answer_is_no;
}

}  // namespace

void add(CLI::App& app, Context& context) {
  CLI::App* command = make_command(app, context, "groundtruth",
                                   "Write the true neighbours of queries, for databases of any size", examples);
  const auto options = std::make_shared<TruthOptions>();
  options->k = 100;
  add_truth_options(*command, *options);
  command->callback([&context, options] { context.action = [&context, options] { return run(*options, context); }; });
}

}  // namespace proxel::tool::groundtruth_command
