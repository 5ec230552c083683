// proxel range: every row within a radius of each query.

#include <algorithm>
#include <memory>
#include <span>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "answer_size.hpp"
#include "devices.hpp"
#include "format.hpp"
#include "json_output.hpp"
#include "long_table.hpp"
#include "narrowing.hpp"
#include "outputs.hpp"
#include "progress_bar.hpp"
#include "proxel/ground_truth.hpp"
#include "ranks/part_of_rows.hpp"
#include "search_options.hpp"
#include "table.hpp"
#include "tool.hpp"
#include "trace.hpp"

namespace proxel::tool::range_command {
namespace {

constexpr const char* examples = R"(Examples:
  proxel range --database base.npy --queries query.npy --metric l2 --radius 0.5
      counts the rows within 0.5 of each query and prints those of the first queries
  proxel range --database base.npy --queries query.npy --metric ip --radius 0.9 --output found
      every row with an inner product of at least 0.9: found.offsets.npy [queries + 1],
      found.indices.npy and found.distances.npy; query i's rows are offsets[i] … offsets[i + 1] - 1
  proxel range --database base.npy --queries query.npy --metric l2 --radius 0.5 --table pairs.csv
      one long table, query,rank,id,distance, with a line for every pair that was found
  grep -v test table.csv | proxel range --database - --queries query.csv --ids 1 --radius 2
      rows that another program writes, named by their first column
  proxel range --database rows.csv --queries rows.csv --metric l1 --radius 0 --json
      exact duplicates of every row, itself among them)";

struct Options : SearchOptions {
  float radius = 0;
  DeviceOptions devices;
  std::string filter;
  std::string output, table;
  std::string format = "npy";
  bool force = false;
  std::uint64_t show = 0;  // 0: not given
  bool trace = false;
};

std::vector<std::string> output_files(const Options& options) {
  if (options.output.empty()) return {};
  if (options.format == "rangeres") return {options.output + ".rangeres"};
  return {options.output + ".offsets.npy", options.output + ".indices.npy", options.output + ".distances.npy"};
}

void plan(const Options& options, Outputs& outputs, const Context& context) {
  plan_table(outputs, options.table, context.json);
  if (options.output.empty()) return;
  check_prefix("--output", options.output);
  const auto files = output_files(options);
  if (files.size() == 1) return outputs.plan("--output", files[0], FileKind::values);
  for (const std::string& integers : {files[0], files[1]}) outputs.plan("--output", integers, FileKind::indices);
  outputs.plan("--output", files[2], FileKind::distances);
}

template <typename T>
void write_numbers(Outputs& outputs, const std::string& path, const std::vector<T>& values) {
  outputs.write(path, [&](const std::string& place) { write_list(place, std::span<const T>(values)); });
}

void write(const Options& options, Outputs& outputs, const RangeNeighbors& found, const AnswerNames& names) {
  write_table(outputs, options.table, found, names);
  if (!options.output.empty()) {
    const auto files = output_files(options);
    const std::uint64_t all = found.indices.size();
    if (files.size() == 1) {
      outputs.write(files[0], [&](const std::string& place) { write_range_ground_truth(place, found); });
      return outputs.commit();
    }
    // .npy offsets of 32 bits; more neighbours than that are not written to one file.
    if (all > UINT32_MAX)
      throw Error(ErrorCode::unsupported, "--output",
                  fmt::format("{} neighbours are more than 32-bit offsets can tell apart; search "
                              "fewer queries at a time",
                              all));
    write_numbers(outputs, files[0], std::vector<std::uint32_t>(found.offsets.begin(), found.offsets.end()));
    write_numbers(outputs, files[1], found.indices);
    write_numbers(outputs, files[2], found.distances);
  }
  outputs.commit();
}

void print_neighbors(const RangeNeighbors& found, std::uint64_t queries, std::uint64_t all, const AnswerNames& names) {
  constexpr std::uint64_t most = 10;  // neighbours that are printed of a query
  std::vector<Column> columns = {{"query", true}, {"count", true}, {"rank", true}, {"index", true}, {"distance", true}};
  add_name_columns(columns, names.rows);
  Table table(columns);
  for (std::uint64_t query = 0; query < queries; ++query) {
    const std::uint64_t count = found.count(query);
    const std::string name = one_line(names.queries.id(query));
    if (count == 0) table.add({name, "0"});
    for (std::uint64_t rank = 0; rank < std::min(count, most); ++rank) {
      const std::uint64_t slot = found.offsets[query] + rank;
      std::vector<Cell> cells = {rank == 0 ? name : "", rank == 0 ? with_separators(count) : "",
                                 std::to_string(rank + 1), std::to_string(found.indices[slot]),
                                 as_float(found.distances[slot])};
      add_name_cells(cells, names.rows, found.indices[slot]);
      table.add(std::move(cells));
    }
  }
  table.print();
  if (queries < all)
    fmt::print("… and {}; --output writes them all\n", counted(all - queries, "more query", "more queries"));
}

int run(Options options, const Context& context, const Team& team) {
  team.together([&] {
    check_for_team(options, options.devices, team);
    refuse_trace(options.trace, team);
    check_radius(options.metric, options.radius);
  });
  Outputs outputs(options.force, {options.database, options.queries, options.filter});
  team.first([&] { plan(options, outputs, context); });
  options.index.timing = options.trace ? Timing::passes : Timing::whole;
  ProgressBar bar(fmt::format("opening {}", fmt::join(options.devices.devices, ",")));
  OwnPart own;
  std::optional<SearchedDevices> opened;
  InputPair input;
  team.together([&] {
    own = own_part(options, options.devices, team);
    opened.emplace(own.devices(options.devices, team));
    bar.set_title("reading " + own.options.database);
    input = read_own_pair(own, team);
  });
  require_one_file(own, team);
  const SearchedDevices& devices = *opened;
  const Matrix<float>& database = input.database.rows;
  const Matrix<float>& queries = input.queries.rows;
  const std::uint64_t all_rows = team.sum(database.rows());
  Matrix<std::uint32_t> filter;
  team.first([&] { filter = read_filter(options.filter, all_rows, queries.rows()); });
  const AnswerNames names{input.queries.names, input.database.names};

  bar.set_title("uploading");
  SearchedRows index(team, devices, database.view(), options.index, bar.callback());
  bar.set_title("searching");
  proxel::SearchOptions with;
  with.progress = bar.callback();
  if (filter.rows() != 0) with.filter = filter.view();
  const RangeNeighbors found = index.range_search(queries.view(), options.radius, options.metric, with);
  bar.set_title("writing");
  team.first([&] { write(options, outputs, found, names); });
  bar.finish();
  if (options.table == "-" || !team.leads()) return exit_success;

  const std::uint64_t all = queries.rows();
  std::vector<std::string> files = output_files(options);
  if (!options.table.empty()) files.push_back(options.table);
  const bool print_found = files.empty() || options.show != 0;
  const SearchTimes& times = found.report.times;
  if (context.json) {
    nlohmann::ordered_json document = {
        {"command", "range"},
        {"database", {{"path", options.database}, {"rows", all_rows}, {"dimensions", database.columns()}}},
        {"queries", {{"path", options.queries}, {"rows", all}}},
        {"metric", to_string(options.metric)},
        {"radius", json_float(options.radius)}};
    devices.describe(document);
    document.update(
        {{"build_ms", index.build_milliseconds()}, {"times", to_json(found.report)}, {"found", found.indices.size()}});
    index.describe(found.report, document);
    if (!files.empty()) document["files"] = files;
    if (print_found)
      document["neighbors"] = to_json(found, options.show == 0 ? all : std::min(options.show, all), names);
    print(document);
    return exit_success;
  }
  if (print_found)
    print_neighbors(found, std::min<std::uint64_t>(options.show == 0 ? 3 : options.show, all), all, names);
  if (options.trace) {
    if (print_found) fmt::print("\n");
    trace_table(times.passes).print();
  }
  if (print_found || options.trace) fmt::print("\n");
  fmt::print("{} neighbours of {} queries within {} among {} × {}, {}, on {}\n", with_separators(found.indices.size()),
             with_separators(all), as_float(options.radius), with_separators(all_rows), database.columns(),
             to_string(options.metric), index.searched_by(devices));
  fmt::print("build {} ms; upload {}, compute {}, read-back {}, whole call {} ms\n",
             significant(index.build_milliseconds()), significant(times.upload_milliseconds),
             significant(times.compute_milliseconds), significant(times.readback_milliseconds),
             significant(times.total_milliseconds));
  for (const std::string& remark : index.remarks(found.report)) fmt::print("{}\n", remark);
  if (!files.empty()) fmt::print("wrote {}\n", fmt::join(files, ", "));
  return exit_success;
}

}  // namespace

void add(CLI::App& app, Context& context) {
  CLI::App* command = make_command(app, context, "range", "Find every row within a radius of each query", examples);
  const auto options = std::make_shared<Options>();
  add_file_options(*command, *options, true);
  add_metric_option(*command, *options);
  command
      ->add_option("--radius", options->radius,
                   "Largest distance, as it is returned, that counts as within; for ip the "
                   "smallest. May be inf or -inf")
      ->required()
      ->type_name("DISTANCE");
  add_filter_option(*command, options->filter);
  add_device_options(*command, options->devices);
  add_mpi_option(*command, options->devices.mpi);
  command
      ->add_option("--output", options->output,
                   "Write PREFIX.offsets.npy, PREFIX.indices.npy and PREFIX.distances.npy "
                   "instead of printing")
      ->type_name("PREFIX");
  command
      ->add_option("--format", options->format,
                   "Of the output: npy, or rangeres, the ground truth of big-ann-benchmarks' range searches, one file")
      ->check(CLI::IsMember({"npy", "rangeres"}))
      ->capture_default_str();
  add_table_option(*command, options->table);
  add_force_option(*command, options->force);
  command->add_option("--show", options->show, "Print the neighbours of this many queries (default 3; with --json all)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{UINT32_MAX}))
      ->type_name("COUNT");
  command->add_flag("--trace", options->trace, "Print every pass with its device time");
  add_scratch_option(*command, *options);
  add_storage_option(*command, options->index);
  add_row_memory_option(*command, options->index);
  command->callback([&context, options] {
    context.action = [&context, options] {
      return run_as_team(options->devices.mpi, context.json,
                         [&](const Team& team) { return run(*options, context, team); });
    };
  });
}

}  // namespace proxel::tool::range_command
