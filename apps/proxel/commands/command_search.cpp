// proxel search: the k nearest rows of each query.

#include <algorithm>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "answer_size.hpp"
#include "commands/search_help.hpp"
#include "divided_output.hpp"
#include "format.hpp"
#include "json_output.hpp"
#include "long_table.hpp"
#include "narrowing.hpp"
#include "outputs.hpp"
#include "permutation_options.hpp"
#include "progress_bar.hpp"
#include "proxel/ground_truth.hpp"
#include "ranks/part_of_rows.hpp"
#include "search_options.hpp"
#include "table.hpp"
#include "tool.hpp"
#include "trace.hpp"
#include "write_text.hpp"

namespace proxel::tool::search_command {
namespace {

struct Options : SearchOptions {
  DeviceOptions devices;
  std::string method = "auto";
  std::string output, table, save;
  bool force = false;
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
  double build_milliseconds = 0;
  std::string method;
  std::uint64_t rows = 0;  // of all devices and processes
  std::string searched_by;
  // How several devices or processes divided it, and whether rows passed in blocks:
  std::vector<std::string> remarks;
  nlohmann::ordered_json devices;
  // Through a permutation index:
  std::uint64_t permutants = 0;
  double fraction = 1;
  std::uint64_t compared = 0;
  std::optional<FractionChoice> choice;
};

// What --output names: indices and distances, or one file with both.
std::vector<std::string> output_files(const Options& options) {
  if (options.output.empty()) return {};
  if (options.format == "json" || options.format == "ibin") {
    const std::string ending = "." + options.format;
    return {options.output.ends_with(ending) ? options.output : options.output + ending};
  }
  const bool vecs = options.format == "vecs";
  return {fmt::format("{}.indices.{}", options.output, vecs ? "ivecs" : options.format),
          fmt::format("{}.distances.{}", options.output, vecs ? "fvecs" : options.format)};
}

void plan(const Options& options, Outputs& outputs, const Context& context) {
  plan_table(outputs, options.table, context.json);
  if (!options.save.empty()) outputs.plan("--save", options.save, FileKind::vector_index);
  if (options.output.empty()) return;
  check_prefix("--output", options.output);
  const auto files = output_files(options);
  if (files.size() == 1)
    return outputs.plan("--output", files[0],
                        options.format == "ibin" ? FileKind::ground_truth : FileKind::neighbors_json);
  outputs.plan("--output", files[0], FileKind::indices);
  outputs.plan("--output", files[1], FileKind::distances);
}

Matrix<std::int64_t> as_ids(const Matrix<std::uint32_t>& indices) {
  Matrix<std::int64_t> ids(indices.rows(), indices.columns());
  std::transform(indices.data(), indices.data() + indices.rows() * indices.columns(), ids.data(),
                 [](std::uint32_t index) { return index == no_neighbor ? -1 : std::int64_t{index}; });
  return ids;
}

void write(const Options& options, Outputs& outputs, const Neighbors& found, const AnswerNames& names) {
  write_table(outputs, options.table, found, names);
  const auto files = output_files(options);
  if (options.format == "ibin" && files.size() == 1) {
    outputs.write(files[0], [&](const std::string& place) {
      write_ground_truth(place, {as_ids(found.indices), found.distances}, options.metric);
    });
    return outputs.commit();
  }
  if (files.size() == 1)
    outputs.write(files[0], [&](const std::string& place) {
      write_text(place, to_text(to_json(found, 0, found.indices.rows(), names)));
    });
  if (files.size() == 2) {
    outputs.write(files[0], [&](const std::string& place) { write_matrix(place, found.indices.view()); });
    outputs.write(files[1], [&](const std::string& place) { write_matrix(place, found.distances.view()); });
  }
  outputs.commit();
}

void print_neighbors(const Neighbors& found, std::uint64_t queries, const AnswerNames& names) {
  std::vector<Column> columns = {{"query", true}, {"rank", true}, {"index", true}, {"distance", true}};
  add_name_columns(columns, names.rows);
  Table table(columns);
  for (std::uint64_t query = 0; query < queries; ++query)
    for (std::uint64_t slot = 0; slot < found.indices.columns(); ++slot) {
      const std::uint32_t index = found.indices(query, slot);
      std::vector<Cell> cells = {slot == 0 ? one_line(names.queries.id(query)) : "", std::to_string(slot + 1),
                                 index == no_neighbor ? "none" : std::to_string(index),
                                 as_float(found.distances(query, slot))};
      if (index != no_neighbor) add_name_cells(cells, names.rows, index);
      table.add(std::move(cells));
    }
  table.print();
  if (queries < found.indices.rows())
    fmt::print("… and {}; --output writes them all\n",
               counted(found.indices.rows() - queries, "more query", "more queries"));
}

Answer search_all(const Options& options, const Team& team, const SearchedDevices& devices, DatabaseFile& database,
                  std::uint64_t rows, const Matrix<float>& queries, Outputs& outputs, ProgressBar& bar) {
  Matrix<std::uint32_t> filter;
  Neighbors after;
  team.first([&] {
    filter = read_filter(options.filter, rows, queries.rows());
    if (!options.after.empty()) after = read_next_page(options.after, queries.rows(), rows, options.metric);
  });
  bar.set_title("uploading");
  SearchedRows index = database.index(team, devices, options.index, bar.callback());
  bar.set_title("searching");
  proxel::SearchOptions with;
  with.progress = bar.callback();
  with.raw = options.raw;
  if (filter.rows() != 0) with.filter = filter.view();
  if (!options.after.empty()) with.after = &after;
  Answer answer;
  answer.rows = rows;
  answer.searched_by = index.searched_by(devices);
  answer.found = index.search(queries.view(), options.k, options.metric, with);
  team.together([&] { database.require_unchanged(); });
  if (!options.save.empty()) {
    bar.set_title("saving");
    outputs.write(options.save, [&](const std::string& place) { index.save(place, bar.callback()); });
  }
  answer.build_milliseconds = index.build_milliseconds();
  answer.method = answer.found.report.method;
  answer.remarks = index.remarks(answer.found.report);
  index.describe(answer.found.report, answer.devices);
  return answer;
}

// What a permutation index does not do.
void check_permutation_search(const Options& options) {
  check_permutations(options.permutation);
  if (options.permutation.permutants == 0) return;
  const auto refuse = [](bool given, const char* option, const char* why) {
    if (given) throw Error(ErrorCode::invalid_argument, option, why);
  };
  refuse(!options.save.empty(), "--save", "writes an index of all rows; without --permutants it is followed");
  refuse(options.method != "auto", "--method", "compares all rows; without --permutants it is followed");
  refuse(options.raw, "--raw", "is for methods that compare all rows; a permutation index returns exact distances");
  refuse(!options.filter.empty(), "--filter", "is not served by a permutation index");
  refuse(!options.after.empty(), "--after", "is not served by a permutation index; ask for a larger k");
  refuse(options.index.storage != ElementType::float32, "--storage",
         "is float32 with --permutants: a permutation index keeps rows as they are");
  refuse(options.index.memory_limit != 0, "--memory-limit",
         "is for a search of all rows, which pass in blocks; a permutation index has all of them on the device");
}

Answer search_some(const Options& options, const SearchedDevices& devices, const DatabaseFile& database,
                   const Matrix<float>& queries, ProgressBar& bar) {
  bar.set_title("uploading");
  const PermutationOptions permutations = permutation_options(
      options.permutation, {.scratch_limit = options.index.scratch_limit, .timing = options.index.timing});
  ShardedVectorPermutationIndex index(devices.all(), database.view(), options.metric, devices.divided(permutations),
                                      bar.callback());
  Answer answer;
  answer.rows = database.rows();
  answer.searched_by = devices.description();
  answer.fraction = options.permutation.fraction.value_or(PermutationChoice::usual_fraction);
  if (options.permutation.recall) {
    bar.set_title("choosing the fraction");
    answer.choice = index.choose_fraction(*options.permutation.recall, options.k, {}, bar.callback());
    answer.fraction = answer.choice->fraction;
  }
  bar.set_title("searching");
  answer.found = index.search(queries.view(), options.k, answer.fraction, bar.callback());
  answer.build_milliseconds = index.build_milliseconds();
  answer.method = "permutation";
  if (devices.several()) answer.remarks = {division_line(index, answer.found.report)};
  describe_division(index, answer.found.report, answer.devices);
  answer.permutants = index.permutants().size();
  answer.compared = index.candidates(options.k, answer.fraction);
  return answer;
}

// Whether neighbours are printed: also beside files where that was asked for.
bool prints_found(const Options& options) {
  return (options.output.empty() && options.table.empty()) || options.show != 0;
}

// Of so many queries those whose neighbours are printed. @param usual  where nothing was asked for
std::uint64_t queries_shown(const Options& options, std::uint64_t usual, std::uint64_t queries) {
  return std::min(options.show == 0 ? usual : options.show, queries);
}

// Queries whose neighbours become JSON, printed or in a file.
std::uint64_t queries_as_json(const Options& options, bool prints_json, std::uint64_t queries) {
  if (options.format == "json" && !options.output.empty()) return queries;
  return prints_json && prints_found(options) ? queries_shown(options, queries, queries) : 0;
}

nlohmann::ordered_json document_of(const Options& options, const Answer& answer, const DatabaseFile& database,
                                   std::uint64_t queries, const SearchedDevices& devices) {
  nlohmann::ordered_json document = {
      {"command", "search"},
      {"database", {{"path", options.database}, {"rows", answer.rows}, {"dimensions", database.columns()}}},
      {"queries", {{"path", options.queries}, {"rows", queries}}},
      {"metric", to_string(options.metric)},
      {"k", options.k}};
  devices.describe(document);
  document.update({{"method", answer.method},
                   {"raw", options.raw},
                   {"build_ms", answer.build_milliseconds},
                   {"times", to_json(answer.found.report)}});
  if (!answer.devices.is_null()) document.update(answer.devices);
  if (answer.permutants == 0) return document;
  document["permutants"] = answer.permutants;
  document["prefix"] = options.permutation.prefix;
  document["permutation_distance"] = options.permutation.distance;
  document["fraction"] = answer.fraction;
  document["compared_per_query"] = answer.compared;
  if (answer.choice)
    document["choice"] = {
        {"fraction", answer.choice->fraction}, {"recall", answer.choice->recall}, {"queries", answer.choice->queries}};
  return document;
}

// What one of several processes does not do.
void check_search_for_team(const Options& options, const Team& team) {
  check_for_team(options, options.devices, team);
  if (!team.is_several()) return;
  const auto refuse = [](bool given, const char* option, const char* why) {
    if (given) throw Error(ErrorCode::unsupported, option, why);
  };
  refuse(options.permutation.permutants != 0, "--permutants", "a permutation index is searched by one process");
  refuse(!options.save.empty(), "--save", "an index is saved by one process");
  refuse_trace(options.trace, team);
}

int run(Options options, const Context& context, const Team& team) {
  team.together([&] {
    check_search_for_team(options, team);
    check_permutation_search(options);
    options.index.method = method_from_string(options.method);
    check_method_options(options.index, options.raw);
  });
  Outputs outputs(options.force, {options.database, options.queries, options.filter, options.after});
  team.first([&] { plan(options, outputs, context); });
  options.index.timing = options.trace ? Timing::passes : Timing::whole;
  ProgressBar bar(fmt::format("opening {}", fmt::join(options.devices.devices, ",")));
  std::optional<OwnPart> own;
  std::optional<SearchedDevices> opened;
  team.together([&] {
    own = own_part(options, options.devices, team);
    opened.emplace(own->devices(options.devices, team));
  });
  const SearchedDevices& devices = *opened;
  if (devices.several() && !options.save.empty())
    throw Error(ErrorCode::unsupported, "--save", "an index is saved of one device");
  bar.set_title("reading " + own->options.database);
  std::optional<DatabaseFile> file;
  InputRows queries;
  team.together([&] {
    file = own->has_rows ? DatabaseFile(own->options, devices, bar.callback()) : DatabaseFile::none(own->columns);
    if (file->is_saved_index() && options.permutation.permutants != 0)
      throw Error(ErrorCode::invalid_argument, "--permutants",
                  "is for rows, and the database is a saved index of them all");
    if (!team.leads()) return;
    bar.set_title("reading " + options.queries);
    queries = file->read_queries(options);
  });
  DatabaseFile& database = *file;
  require_one_file(*own, team);
  const std::uint64_t all_rows = team.sum(database.rows());
  team.first([&] {
    const std::uint64_t asked = queries.rows.rows();
    check_answer_size(asked, options.k, all_rows, queries_as_json(options, context.json, asked));
    if (options.format == "ibin" && !options.output.empty())
      check_ground_truth_file(output_files(options)[0], queries.rows.rows(), options.k, all_rows);
  });
  const AnswerNames names{queries.names, database.names()};
  const Answer answer = options.permutation.permutants == 0
                            ? search_all(options, team, devices, database, all_rows, queries.rows, outputs, bar)
                            : search_some(options, devices, database, queries.rows, bar);
  const Neighbors& found = answer.found;
  bar.set_title("writing");
  team.first([&] { write(options, outputs, found, names); });
  bar.finish();
  if (options.table == "-" || !team.leads()) return exit_success;

  const std::uint64_t all = found.indices.rows();
  std::vector<std::string> files = output_files(options);
  if (!options.table.empty()) files.push_back(options.table);
  const bool print_found = prints_found(options);
  if (!options.save.empty()) files.push_back(options.save);
  const SearchTimes& times = found.report.times;
  if (context.json) {
    nlohmann::ordered_json document = document_of(options, answer, database, queries.rows.rows(), devices);
    if (!files.empty()) document["files"] = files;
    if (print_found) document["neighbors"] = to_json(found, 0, queries_shown(options, all, all), names);
    if (answer.permutants == 0) document["next"] = next_page(found);
    print(document);
    return exit_success;
  }
  if (print_found) print_neighbors(found, queries_shown(options, 3, all), names);
  if (options.trace) {
    if (print_found) fmt::print("\n");
    trace_table(times.passes).print();
    if (!devices.timestamps()) fmt::print("this device has no timestamps; passes are not timed\n");
    if (!found.report.rungs.empty()) {
      fmt::print("\n");
      rung_table(found.report.rungs).print();
    }
  }
  if (print_found || options.trace) fmt::print("\n");
  fmt::print("{} against {} × {}, {}, k = {}, {}{} on {}\n", counted(all, "query", "queries"),
             with_separators(answer.rows), database.columns(), to_string(options.metric), options.k, answer.method,
             options.raw ? " (raw)" : "", answer.searched_by);
  fmt::print("build {} ms; upload {}, compute {}, read-back {}, whole call {} ms\n",
             significant(answer.build_milliseconds), significant(times.upload_milliseconds),
             significant(times.compute_milliseconds), significant(times.readback_milliseconds),
             significant(times.total_milliseconds));
  for (const std::string& remark : answer.remarks) fmt::print("{}\n", remark);
  if (answer.choice) fmt::print("{}\n", describe(*answer.choice, "rows"));
  if (answer.permutants != 0)
    fmt::print(
        "{} of {} rows were compared with each query, by the order of {} permutants; nearer ones may be missing\n",
        with_separators(answer.compared), with_separators(database.rows()), answer.permutants);
  if (!files.empty()) fmt::print("wrote {}\n", fmt::join(files, " and "));
  return exit_success;
}

}  // namespace

void add(CLI::App& app, Context& context) {
  CLI::App* command = make_command(app, context, "search", "Find the k nearest rows of each query", search_examples);
  const auto options = std::make_shared<Options>();
  add_search_options(*command, *options, true);
  add_device_options(*command, options->devices);
  add_mpi_option(*command, options->devices.mpi);
  command->add_option("--method", options->method, "All methods give the same answer to the bit")
      ->check(CLI::IsMember(method_names()))
      ->capture_default_str();
  command->add_flag("--raw", options->raw, raw_help);
  add_filter_option(*command, options->filter);
  command
      ->add_option("--after", options->after,
                   "Continue behind the neighbours found last: what --json printed of the page "
                   "before, for the same queries")
      ->type_name("FILE");
  command->add_option("--output", options->output, "Write PREFIX.indices.* and PREFIX.distances.* instead of printing")
      ->type_name("PREFIX");
  command
      ->add_option("--format", options->format,
                   "Of the output: npy, csv, vecs (.ivecs and .fvecs), or one file: json, or ibin, big-ann-benchmarks' "
                   "ground truth")
      ->check(CLI::IsMember({"npy", "csv", "vecs", "json", "ibin"}))
      ->capture_default_str();
  command
      ->add_option("--save", options->save,
                   "Write the index of the rows to a file, which --database may be another time: it is mapped, and "
                   "10 GB open at once")
      ->type_name("FILE");
  add_table_option(*command, options->table);
  add_force_option(*command, options->force);
  command->add_option("--show", options->show, "Print the neighbours of this many queries (default 3; with --json all)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{UINT32_MAX}))
      ->type_name("COUNT");
  command->add_flag("--trace", options->trace, "Print every pass with its device time");
  add_permutation_options(*command, options->permutation, "rows");
  command->callback([&context, options] {
    context.action = [&context, options] {
      return run_as_team(options->devices.mpi, context.json,
                         [&](const Team& team) { return run(*options, context, team); });
    };
  });
}

}  // namespace proxel::tool::search_command
