// proxel search: the k nearest rows of each query, on one device.

#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "devices.hpp"
#include "format.hpp"
#include "json_output.hpp"
#include "narrowing.hpp"
#include "permutation_options.hpp"
#include "progress_bar.hpp"
#include "proxel/vector_permutation.hpp"
#include "search_options.hpp"
#include "table.hpp"
#include "text_file.hpp"
#include "tool.hpp"
#include "trace.hpp"

namespace proxel::tool {
namespace {

constexpr const char* examples = R"(Examples:
  proxel search --database base.npy --queries query.npy
      prints the 10 nearest rows (squared Euclidean) of the first queries
  proxel search --database base.fvecs --queries query.fvecs --metric l1 --k 1 --device vulkan --trace
      on the first Vulkan device, with the device time of every pass
  proxel search --database sift.hdf5 --queries 'sift.hdf5#test' --k 100 --output found
      writes found.indices.npy [queries x 100] and found.distances.npy
  proxel search --database rows.csv.gz --queries rows.csv.gz --query-rows 3 --method texel \
      --dimensions-per-pass 8 --scratch-limit 64MiB --json
      texel search as in Bustos 2006, with one JSON document as the answer
  proxel search --database base.npy --queries query.npy --k 20 --json > page1.json
  proxel search --database base.npy --queries query.npy --k 20 --after page1.json --json > page2.json
      the 20 nearest rows, and the 20 that follow them, ties included
  proxel search --database base.npy --queries query.npy --filter allowed.csv
      rows whose number in allowed.csv is 0 are never found
  proxel search --database documents.npy --queries query.npy --metric cosine --permutants 64 --recall 0.95
      compares only as many rows as find 95 % of the nearest, those that a permutation index
      puts first: quicker where comparing is dear ('proxel bench permutation' tells))";

struct Options : SearchOptions {
  std::string device = "cpu";
  std::string method = "auto";
  std::string output;
  std::string format = "npy";
  std::string filter;
  std::string after;
  std::uint64_t show = 0;  // 0: not given
  bool trace = false;
  PermutationChoice permutation;
};

// A search that has been done.
struct Answer {
  Neighbors found;
  SearchTimes times;
  double build_milliseconds = 0;
  std::string method;
  std::uint64_t block_rows = 0;  // see Index
  // Through a permutation index:
  std::uint64_t permutants = 0;
  double fraction = 1;
  std::uint64_t compared = 0;
  std::optional<FractionChoice> choice;
};

std::vector<std::string> output_files(const Options& options) {
  if (options.format == "json") return {options.output + ".json"};
  const bool vecs = options.format == "vecs";
  return {fmt::format("{}.indices.{}", options.output, vecs ? "ivecs" : options.format),
          fmt::format("{}.distances.{}", options.output, vecs ? "fvecs" : options.format)};
}

void write(const Options& options, const Neighbors& found) {
  const auto files = output_files(options);
  if (options.format == "json") {
    write_text(files[0], to_text(to_json(found, 0, found.indices.rows())));
    return;
  }
  write_matrix(files[0], found.indices.view());
  write_matrix(files[1], found.distances.view());
}

void print_neighbors(const Neighbors& found, std::uint64_t queries) {
  Table table({{"query", true}, {"rank", true}, {"index", true}, {"distance", true}});
  for (std::uint64_t query = 0; query < queries; ++query)
    for (std::uint64_t slot = 0; slot < found.indices.columns(); ++slot) {
      const std::uint32_t index = found.indices(query, slot);
      table.add({slot == 0 ? std::to_string(query) : "", std::to_string(slot + 1),
                 index == no_neighbor ? "none" : std::to_string(index),
                 as_float(found.distances(query, slot))});
    }
  table.print();
  if (queries < found.indices.rows())
    fmt::print("… and {} more queries; --output writes them all\n",
               with_separators(found.indices.rows() - queries));
}

Answer search_all(const Options& options, Device& device, const DatabaseFile& database,
                  const Matrix<float>& queries) {
  const Matrix<std::uint32_t> filter = read_filter(options.filter, database.rows(), queries.rows());
  Neighbors after;
  if (!options.after.empty()) after = read_next_page(options.after, queries.rows());
  ProgressBar bar("uploading");
  Index index = database.index(device, options.index, bar.callback());
  bar.set_title("searching");
  proxel::SearchOptions with;
  with.progress = bar.callback();
  with.raw = options.raw;
  if (filter.rows() != 0) with.filter = filter.view();
  if (!options.after.empty()) with.after = &after;
  Answer answer;
  answer.found = index.search(queries.view(), options.k, options.metric, with);
  answer.times = index.times();
  answer.build_milliseconds = index.build_milliseconds();
  answer.method = to_string(index.method());
  answer.block_rows = index.block_rows();
  return answer;
}

// What a permutation index does not do.
void check_permutation_search(const Options& options) {
  check_permutations(options.permutation);
  if (options.permutation.permutants == 0) return;
  const auto refuse = [](bool given, const char* option, const char* why) {
    if (given) throw Error(ErrorCode::invalid_argument, option, why);
  };
  refuse(options.method != "auto", "--method", "compares all rows; without --permutants it is followed");
  refuse(options.raw, "--raw", "is for methods that compare all rows; a permutation index returns exact distances");
  refuse(!options.filter.empty(), "--filter", "is not served by a permutation index");
  refuse(!options.after.empty(), "--after", "is not served by a permutation index; ask for a larger k");
  refuse(options.index.storage != ElementType::float32, "--storage",
         "is float32 with --permutants: a permutation index keeps rows as they are");
}

Answer search_some(const Options& options, Device& device, const DatabaseFile& database,
                   const Matrix<float>& queries) {
  ProgressBar bar("uploading");
  const PermutationOptions permutations =
      permutation_options(options.permutation, {.scratch_limit = options.index.scratch_limit, .timing = options.index.timing});
  VectorPermutationIndex index(device, database.view(), options.metric, permutations, bar.callback());
  Answer answer;
  answer.fraction = options.permutation.fraction.value_or(PermutationChoice::usual_fraction);
  if (options.permutation.recall) {
    bar.set_title("choosing the fraction");
    answer.choice = index.choose_fraction(*options.permutation.recall, options.k, {}, bar.callback());
    answer.fraction = answer.choice->fraction;
  }
  bar.set_title("searching");
  answer.found = index.search(queries.view(), options.k, answer.fraction, bar.callback());
  answer.times = index.times();
  answer.build_milliseconds = index.build_milliseconds();
  answer.method = "permutation";
  answer.permutants = index.permutants().size();
  answer.compared = index.candidates(options.k, answer.fraction);
  return answer;
}

nlohmann::ordered_json document_of(const Options& options, const Answer& answer, const DatabaseFile& database,
                                   std::uint64_t queries, const DeviceInfo& device) {
  nlohmann::ordered_json document = {
      {"command", "search"},
      {"database", {{"path", options.database}, {"rows", database.rows()}, {"dimensions", database.columns()}}},
      {"queries", {{"path", options.queries}, {"rows", queries}}},
      {"metric", to_string(options.metric)},
      {"k", options.k},
      {"device", device.id},
      {"device_name", device.name},
      {"method", answer.method},
      {"raw", options.raw},
      {"build_ms", answer.build_milliseconds},
      {"times", to_json(answer.times)}};
  if (answer.block_rows != 0) document["block_rows"] = answer.block_rows;
  if (answer.permutants == 0) return document;
  document["permutants"] = answer.permutants;
  document["prefix"] = options.permutation.prefix;
  document["permutation_distance"] = options.permutation.distance;
  document["fraction"] = answer.fraction;
  document["compared_per_query"] = answer.compared;
  if (answer.choice)
    document["choice"] = {{"fraction", answer.choice->fraction}, {"recall", answer.choice->recall},
                          {"queries", answer.choice->queries}};
  return document;
}

int run(Options options, const Context& context) {
  if (!options.output.empty()) check_output_folder("--output", options.output);
  check_permutation_search(options);
  options.index.method = method_from_string(options.method);
  options.index.timing = options.trace ? Timing::passes : Timing::whole;
  const auto device = open_checked(options.device);
  const DatabaseFile database(options.database, options.database_rows, *device, options.index);
  const Matrix<float> queries = read(options.queries, options.query_rows);
  check_dimensions(database.columns(), queries.columns());
  const Answer answer = options.permutation.permutants == 0 ? search_all(options, *device, database, queries)
                                                            : search_some(options, *device, database, queries);
  const Neighbors& found = answer.found;
  if (!options.output.empty()) write(options, found);

  const std::uint64_t all = found.indices.rows();
  const bool print_found = options.output.empty() || options.show != 0;
  const SearchTimes& times = answer.times;
  if (context.json) {
    nlohmann::ordered_json document = document_of(options, answer, database, queries.rows(), device->info());
    if (!options.output.empty()) document["files"] = output_files(options);
    if (print_found)
      document["neighbors"] = to_json(found, 0, options.show == 0 ? all : std::min(options.show, all));
    if (answer.permutants == 0) document["next"] = next_page(found);
    print(document);
    return exit_success;
  }
  if (print_found)
    print_neighbors(found, std::min<std::uint64_t>(options.show == 0 ? 3 : options.show, all));
  if (options.trace) {
    if (print_found) fmt::print("\n");
    trace_table(times.passes).print();
    if (!device->capabilities().timestamps)
      fmt::print("this device has no timestamps; passes are not timed\n");
    if (!times.rungs.empty()) {
      fmt::print("\n");
      rung_table(times.rungs).print();
    }
  }
  if (print_found || options.trace) fmt::print("\n");
  fmt::print("{} queries against {} × {}, {}, k = {}, {}{} on {}, {}\n", with_separators(all),
             with_separators(database.rows()), database.columns(), to_string(options.metric),
             options.k, answer.method, options.raw ? " (raw)" : "", device->info().id, full_name(device->info()));
  fmt::print("build {} ms; upload {}, compute {}, read-back {}, whole call {} ms\n",
             significant(answer.build_milliseconds), significant(times.upload_milliseconds),
             significant(times.compute_milliseconds), significant(times.readback_milliseconds),
             significant(times.total_milliseconds));
  if (answer.block_rows != 0)
    fmt::print("the search passed over the rows in blocks of {}\n",
               with_separators(answer.block_rows));
  if (answer.choice) fmt::print("{}\n", describe(*answer.choice, "rows"));
  if (answer.permutants != 0)
    fmt::print("{} of {} rows were compared with each query, by the order of {} permutants; nearer ones may be missing\n",
               with_separators(answer.compared), with_separators(database.rows()), answer.permutants);
  if (!options.output.empty())
    fmt::print("wrote {}\n", fmt::join(output_files(options), " and "));
  return exit_success;
}

}  // namespace

void add_search(CLI::App& app, Context& context) {
  CLI::App* command =
      make_command(app, context, "search", "Find the k nearest rows of each query", examples);
  const auto options = std::make_shared<Options>();
  add_search_options(*command, *options, true);
  command->add_option("--device", options->device, device_help)
      ->type_name("ID")->capture_default_str();
  command->add_option("--method", options->method, "All methods give the same answer to the bit")
      ->check(CLI::IsMember(method_names()))->capture_default_str();
  command->add_flag("--raw", options->raw, raw_help);
  add_filter_option(*command, options->filter);
  command->add_option("--after", options->after,
                      "Continue behind the neighbours found last: what --json printed of the page "
                      "before, for the same queries")
      ->type_name("FILE");
  command->add_option("--output", options->output,
                      "Write PREFIX.indices.* and PREFIX.distances.* instead of printing")
      ->type_name("PREFIX");
  command->add_option("--format", options->format,
                      "Of the output: npy, csv, vecs (.ivecs and .fvecs) or json (one file)")
      ->check(CLI::IsMember({"npy", "csv", "vecs", "json"}))->capture_default_str();
  command->add_option("--show", options->show,
                      "Print the neighbours of this many queries (default 3; with --json all)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{UINT32_MAX}))->type_name("COUNT");
  command->add_flag("--trace", options->trace, "Print every pass with its device time");
  add_permutation_options(*command, options->permutation, "rows");
  command->callback([&context, options] {
    context.action = [&context, options] { return run(*options, context); };
  });
}

}  // namespace proxel::tool
