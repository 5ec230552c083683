// proxel range: every row within a radius of each query, on one device.

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "devices.hpp"
#include "format.hpp"
#include "json_output.hpp"
#include "narrowing.hpp"
#include "progress_bar.hpp"
#include "search_options.hpp"
#include "table.hpp"
#include "text_file.hpp"
#include "tool.hpp"
#include "trace.hpp"

namespace proxel::tool {
namespace {

constexpr const char* examples = R"(Examples:
  proxel range --database base.npy --queries query.npy --metric l2 --radius 0.5
      counts the rows within 0.5 of each query and prints those of the first queries
  proxel range --database base.npy --queries query.npy --metric ip --radius 0.9 --output found
      every row with an inner product of at least 0.9: found.offsets.npy [queries + 1],
      found.indices.npy and found.distances.npy; query i's rows are offsets[i] … offsets[i + 1] - 1
  proxel range --database rows.csv --queries rows.csv --metric l1 --radius 0 --json
      exact duplicates of every row, itself among them)";

struct Options : SearchOptions {
  float radius = 0;
  std::string device = "cpu";
  std::string filter;
  std::string output;
  std::uint64_t show = 0;  // 0: not given
  bool trace = false;
};

std::vector<std::string> output_files(const Options& options) {
  return {options.output + ".offsets.npy", options.output + ".indices.npy",
          options.output + ".distances.npy"};
}

void write(const Options& options, const RangeNeighbors& found) {
  const auto files = output_files(options);
  const std::uint64_t all = found.indices.size();
  // .npy offsets of 32 bits; more neighbours than that are not written to one file.
  if (all > UINT32_MAX)
    throw Error(ErrorCode::unsupported, "--output",
                fmt::format("{} neighbours are more than 32-bit offsets can tell apart; search "
                            "fewer queries at a time", all));
  const std::vector<std::uint32_t> offsets(found.offsets.begin(), found.offsets.end());
  write_matrix(files[0], MatrixView<std::uint32_t>(offsets.data(), offsets.size(), 1));
  write_matrix(files[1], MatrixView<std::uint32_t>(found.indices.data(), all, 1));
  write_matrix(files[2], MatrixView<float>(found.distances.data(), all, 1));
}

void print_neighbors(const RangeNeighbors& found, std::uint64_t queries, std::uint64_t all) {
  constexpr std::uint64_t most = 10;  // neighbours that are printed of a query
  Table table({{"query", true}, {"count", true}, {"rank", true}, {"index", true}, {"distance", true}});
  for (std::uint64_t query = 0; query < queries; ++query) {
    const std::uint64_t count = found.count(query);
    if (count == 0) table.add({std::to_string(query), "0", "", "", ""});
    for (std::uint64_t rank = 0; rank < std::min(count, most); ++rank) {
      const std::uint64_t slot = found.offsets[query] + rank;
      table.add({rank == 0 ? std::to_string(query) : "", rank == 0 ? with_separators(count) : "",
                 std::to_string(rank + 1), std::to_string(found.indices[slot]),
                 as_float(found.distances[slot])});
    }
  }
  table.print();
  if (queries < all)
    fmt::print("… and {} more queries; --output writes them all\n", with_separators(all - queries));
}

int run(Options options, const Context& context) {
  if (!options.output.empty()) check_output_folder("--output", options.output);
  options.index.timing = options.trace ? Timing::passes : Timing::whole;
  const auto device = open_checked(options.device);
  const Matrix<float> database = read(options.database, options.database_rows);
  const Matrix<float> queries = read(options.queries, options.query_rows);
  check_dimensions(database.columns(), queries.columns());
  const Matrix<std::uint32_t> filter = read_filter(options.filter, database.rows(), queries.rows());

  ProgressBar bar("uploading");
  Index index(*device, database.view(), options.index, bar.callback());
  bar.set_title("searching");
  proxel::SearchOptions with;
  with.progress = bar.callback();
  if (filter.rows() != 0) with.filter = filter.view();
  const RangeNeighbors found =
      index.range_search(queries.view(), options.radius, options.metric, with);
  if (!options.output.empty()) write(options, found);

  const std::uint64_t all = queries.rows();
  const bool print_found = options.output.empty() || options.show != 0;
  const SearchTimes& times = index.times();
  if (context.json) {
    nlohmann::ordered_json document = {
        {"command", "range"},
        {"database", {{"path", options.database}, {"rows", database.rows()}, {"dimensions", database.columns()}}},
        {"queries", {{"path", options.queries}, {"rows", all}}},
        {"metric", to_string(options.metric)},
        {"radius", json_float(options.radius)},
        {"device", device->info().id},
        {"device_name", device->info().name},
        {"build_ms", index.build_milliseconds()},
        {"times", to_json(times)},
        {"found", found.indices.size()}};
    if (!options.output.empty()) document["files"] = output_files(options);
    if (print_found)
      document["neighbors"] = to_json(found, options.show == 0 ? all : std::min(options.show, all));
    print(document);
    return exit_success;
  }
  if (print_found)
    print_neighbors(found, std::min<std::uint64_t>(options.show == 0 ? 3 : options.show, all), all);
  if (options.trace) {
    if (print_found) fmt::print("\n");
    trace_table(times.passes).print();
  }
  if (print_found || options.trace) fmt::print("\n");
  fmt::print("{} neighbours of {} queries within {} among {} × {}, {}, on {}, {}\n",
             with_separators(found.indices.size()), with_separators(all), as_float(options.radius),
             with_separators(database.rows()), database.columns(), to_string(options.metric),
             device->info().id, full_name(device->info()));
  fmt::print("build {} ms; upload {}, compute {}, read-back {}, whole call {} ms\n",
             significant(index.build_milliseconds()), significant(times.upload_milliseconds),
             significant(times.compute_milliseconds), significant(times.readback_milliseconds),
             significant(times.total_milliseconds));
  if (!options.output.empty()) fmt::print("wrote {}\n", fmt::join(output_files(options), ", "));
  return exit_success;
}

}  // namespace

void add_range(CLI::App& app, Context& context) {
  CLI::App* command = make_command(app, context, "range",
                                   "Find every row within a radius of each query", examples);
  const auto options = std::make_shared<Options>();
  add_file_options(*command, *options, true);
  add_metric_option(*command, *options);
  command->add_option("--radius", options->radius,
                      "Largest distance, as it is returned, that counts as within; for ip the "
                      "smallest. May be inf or -inf")
      ->required()->type_name("DISTANCE");
  add_filter_option(*command, options->filter);
  command->add_option("--device", options->device, device_help)
      ->type_name("ID")->capture_default_str();
  command->add_option("--output", options->output,
                      "Write PREFIX.offsets.npy, PREFIX.indices.npy and PREFIX.distances.npy "
                      "instead of printing")
      ->type_name("PREFIX");
  command->add_option("--show", options->show,
                      "Print the neighbours of this many queries (default 3; with --json all)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{UINT32_MAX}))->type_name("COUNT");
  command->add_flag("--trace", options->trace, "Print every pass with its device time");
  add_scratch_option(*command, *options);
  command->callback([&context, options] {
    context.action = [&context, options] { return run(*options, context); };
  });
}

}  // namespace proxel::tool
