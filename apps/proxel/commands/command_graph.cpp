// proxel graph: the k nearest rows of every row.

#include <algorithm>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "answer_size.hpp"
#include "commands/graph_clusters.hpp"
#include "commands/graph_layout.hpp"
#include "devices.hpp"
#include "format.hpp"
#include "json_output.hpp"
#include "long_table.hpp"
#include "outputs.hpp"
#include "progress_bar.hpp"
#include "proxel/graph.hpp"
#include "ranks/part_of_rows.hpp"
#include "search_options.hpp"
#include "table.hpp"
#include "tool.hpp"
#include "trace.hpp"

namespace proxel::tool::graph_command {
namespace {

constexpr const char* examples = R"(Examples:
  proxel graph rows.npy -k 10 --output graph.npz
      every row's 10 nearest other rows as a sparse matrix: in Python,
      scipy.sparse.load_npz("graph.npz") has their distances
  proxel graph rows.fvecs -k 20 --metric cosine --output graph
      as matrices [rows x 20]: graph.indices.npy and graph.distances.npy
  proxel graph rows.npy -k 10 --table edges.csv.gz
      one long table, query,rank,id,distance, with a line for every edge
  proxel graph sift.hdf5 -k 100 --self keep --device cuda --trace --output sift.npz
      each row is among its own neighbours, as a rule at distance 0; the device
      time of every pass is printed
  proxel graph table.csv -k 5 --columns x,y,z --ids name --missing drop
      some columns of a table, rows without a value left out
  proxel graph rows.npy -k 10 --clusters clusters.csv --cut 0.5 --mutual
      what hangs together: every row with the smallest row of its cluster, joined
      by edges up to 0.5 between neighbours of each other; sizes are printed
  proxel graph digits.csv.gz -k 15 --labels last --layout map.svg
      a map, on which rows that are neighbours lie together, coloured by their labels
  proxel graph rows.csv.gz -k 5 --method komarov --json
      as in Komarov 2013; one JSON document with all neighbours)";

struct Options : SearchOptions {
  DeviceOptions devices;
  std::string method = "auto";
  std::string self = "exclude";
  std::string output, table;
  bool force = false;
  std::uint64_t show = 0;  // 0: not given
  bool trace = false;
  ClusterOptions clusters;
  GraphLayoutOptions layout;
};

bool writes_npz(const Options& options) { return options.output.ends_with(".npz"); }

std::vector<std::string> output_files(const Options& options) {
  if (options.output.empty()) return {};
  if (writes_npz(options)) return {options.output};
  return {options.output + ".indices.npy", options.output + ".distances.npy"};
}

void plan(const Options& options, Outputs& outputs, const Context& context) {
  plan_table(outputs, options.table, context.json);
  plan_clusters(options.clusters, options.metric, outputs);
  plan_layout(options.layout, outputs);
  if (options.output.empty()) return;
  if (const Support npz = npz_support(); writes_npz(options) && !npz)
    throw Error(ErrorCode::unsupported, "--output", npz.reason);
  const auto files = output_files(options);
  if (files.size() == 1) return outputs.plan("--output", files[0], FileKind::graph);
  check_prefix("--output", options.output);
  outputs.plan("--output", files[0], FileKind::indices);
  outputs.plan("--output", files[1], FileKind::distances);
}

void write(const Options& options, Outputs& outputs, const Neighbors& graph, const AnswerNames& names,
           const std::optional<Clusters>& clusters, const std::optional<Layout>& layout) {
  write_table(outputs, options.table, graph, names);
  if (clusters) clusters->write(outputs);
  if (layout)
    write_layout(outputs, options.layout, *layout, fmt::format("{}, k = {}", options.database, options.k),
                 map_kinds(names.rows, clusters ? &clusters->components() : nullptr));
  const auto files = output_files(options);
  if (files.size() == 1)
    outputs.write(files[0], [&](const std::string& place) { write_npz(place, to_csr(graph, graph.indices.rows())); });
  if (files.size() == 2) {
    outputs.write(files[0], [&](const std::string& place) { write_matrix(place, graph.indices.view()); });
    outputs.write(files[1], [&](const std::string& place) { write_matrix(place, graph.distances.view()); });
  }
  outputs.commit();
}

std::uint64_t count_edges(const Neighbors& graph) {
  const std::uint32_t* first = graph.indices.data();
  const std::uint64_t slots = graph.indices.rows() * graph.indices.columns();
  return slots - static_cast<std::uint64_t>(std::count(first, first + slots, no_neighbor));
}

void print_graph(const Neighbors& graph, std::uint64_t rows, const RowNames& names) {
  std::vector<Column> columns = {{"row", true}, {"rank", true}, {"neighbour", true}, {"distance", true}};
  add_name_columns(columns, names);
  Table table(columns);
  for (std::uint64_t row = 0; row < rows; ++row)
    for (std::uint64_t slot = 0; slot < graph.indices.columns(); ++slot) {
      const std::uint32_t index = graph.indices(row, slot);
      std::vector<Cell> cells = {slot == 0 ? one_line(names.id(row)) : "", std::to_string(slot + 1),
                                 index == no_neighbor ? "none" : std::to_string(index),
                                 as_float(graph.distances(row, slot))};
      if (index != no_neighbor) add_name_cells(cells, names, index);
      table.add(std::move(cells));
    }
  table.print();
  if (rows < graph.indices.rows())
    fmt::print("… and {} more rows; --output writes them all\n", with_separators(graph.indices.rows() - rows));
}

int run(Options options, const Context& context, const Team& team) {
  team.together([&] {
    check_for_team(options, options.devices, team);
    refuse_trace(options.trace, team);
    options.index.method = method_from_string(options.method);
    check_method_options(options.index, false);
  });
  Outputs outputs(options.force, {options.database});
  team.first([&] { plan(options, outputs, context); });
  options.index.timing = options.trace ? Timing::passes : Timing::whole;
  ProgressBar bar(fmt::format("opening {}", fmt::join(options.devices.devices, ",")));
  OwnPart own;
  std::optional<SearchedDevices> opened;
  InputRows input;
  team.together([&] {
    own = own_part(options, options.devices, team);
    opened.emplace(own.devices(options.devices, team));
    bar.set_title("reading " + own.options.database);
    input = read_own_rows(own);
  });
  require_one_file(own, team);
  const SearchedDevices& devices = *opened;
  const Matrix<float>& rows = input.rows;
  const std::uint64_t all = team.sum(rows.rows());
  team.first([&] { check_answer_size(all, options.k, all); });
  const AnswerNames names{input.names, input.names};

  bar.set_title("uploading");
  SearchedRows index(team, devices, rows.view(), options.index, bar.callback());
  bar.set_title("searching");
  GraphOptions with;
  with.exclude_self = options.self == "exclude";
  // Texel search keeps its rows as textures, which cannot be read back.
  if (options.index.method == Method::texel) with.rows = rows.view();
  with.progress = bar.callback();
  const Neighbors graph = index.graph(options.k, options.metric, with);
  std::optional<Clusters> clusters;
  std::optional<Layout> layout;
  team.first([&] {
    if (options.clusters.wanted()) {
      bar.set_title("joining clusters");
      clusters.emplace(devices.first(), graph, options.metric, options.clusters);
    }
    if (options.layout.wanted()) {
      bar.set_title("laying the graph out");
      LayoutOptions how = options.layout.layout;
      how.progress = bar.callback();
      layout = layout_graph(devices.first(), graph, how);
    }
    bar.set_title("writing");
    write(options, outputs, graph, names, clusters, layout);
  });
  bar.finish();
  if (options.table == "-" || !team.leads()) return exit_success;

  std::vector<std::string> files = output_files(options);
  if (!options.table.empty()) files.push_back(options.table);
  const bool print_found = (files.empty() && !clusters && !layout) || options.show != 0;
  if (clusters) files.push_back(options.clusters.output);
  if (layout) files.push_back(options.layout.output);
  const SearchTimes& times = graph.report.times;
  if (context.json) {
    nlohmann::ordered_json document = {
        {"command", "graph"},
        {"rows", {{"path", options.database}, {"rows", all}, {"dimensions", rows.columns()}}},
        {"metric", to_string(options.metric)},
        {"k", options.k},
        {"self", options.self},
        {"edges", count_edges(graph)}};
    devices.describe(document);
    document.update(
        {{"method", graph.report.method}, {"build_ms", index.build_milliseconds()}, {"times", to_json(graph.report)}});
    index.describe(graph.report, document);
    if (clusters) document["clusters"] = clusters->json();
    if (layout)
      document["layout"] = {{"dimensions", layout->positions.columns()},
                            {"steps", options.layout.layout.steps},
                            {"seed", options.layout.layout.seed},
                            {"compute_ms", layout->milliseconds}};
    if (!files.empty()) document["files"] = files;
    if (print_found)
      document["neighbors"] = to_json(graph, 0, options.show == 0 ? all : std::min(options.show, all), names);
    print(document);
    return exit_success;
  }
  if (print_found) print_graph(graph, std::min<std::uint64_t>(options.show == 0 ? 3 : options.show, all), names.rows);
  if (options.trace) {
    if (print_found) fmt::print("\n");
    trace_table(times.passes).print();
    if (!devices.timestamps()) fmt::print("this device has no timestamps; passes are not timed\n");
  }
  if (print_found || options.trace) fmt::print("\n");
  if (clusters) {
    clusters->print(names.rows);
    fmt::print("\n");
  }
  fmt::print("{} edges among {} rows × {}, {}, k = {}, self {}, {} on {}\n", with_separators(count_edges(graph)),
             with_separators(all), rows.columns(), to_string(options.metric), options.k,
             with.exclude_self ? "excluded" : "kept", graph.report.method, index.searched_by(devices));
  fmt::print("build {} ms; rows as queries {}, compute {}, read-back {}, whole graph {} ms\n",
             significant(index.build_milliseconds()), significant(times.upload_milliseconds),
             significant(times.compute_milliseconds), significant(times.readback_milliseconds),
             significant(times.total_milliseconds));
  if (layout)
    fmt::print("laid out in {} dimensions by {} steps, {} ms\n", layout->positions.columns(),
               options.layout.layout.steps, significant(layout->milliseconds));
  for (const std::string& remark : index.remarks(graph.report)) fmt::print("{}\n", remark);
  if (!files.empty()) fmt::print("wrote {}\n", fmt::join(files, " and "));
  return exit_success;
}

}  // namespace

void add(CLI::App& app, Context& context) {
  CLI::App* command =
      make_command(app, context, "graph", "Build the k-NN graph: the k nearest rows of every row", examples);
  const auto options = std::make_shared<Options>();
  command->add_option("data", options->database, std::string("File of the rows: ") + row_formats)
      ->required()
      ->type_name("FILE");
  add_metric_options(*command, *options);
  command
      ->add_option("--self", options->self,
                   "Whether a row may be among its own neighbours; exclude leaves out the row "
                   "itself, never its duplicates")
      ->check(CLI::IsMember({"exclude", "keep"}))
      ->capture_default_str();
  add_device_options(*command, options->devices);
  add_mpi_option(*command, options->devices.mpi);
  command
      ->add_option_function<std::string>("--method",
                                         [options](const std::string& name) {
    method_from_string(name);
    options->method = name;
  }, "As for search: all methods give the same answer to the bit")
      ->type_name("NAME")
      ->default_str(options->method);
  command
      ->add_option("--output", options->output,
                   "Write instead of printing: NAME.npz as a sparse matrix, any other NAME as "
                   "NAME.indices.npy and NAME.distances.npy")
      ->type_name("NAME");
  add_cluster_options(*command, options->clusters);
  add_layout_options(*command, options->layout);
  add_table_option(*command, options->table);
  add_force_option(*command, options->force);
  command->add_option("--show", options->show, "Print the neighbours of this many rows (default 3; with --json all)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{UINT32_MAX}))
      ->type_name("COUNT");
  command->add_flag("--trace", options->trace, "Print every pass with its device time");
  add_row_options(*command, *options);
  add_input_options(*command, options->input, false);
  add_index_options(*command, *options);
  command->callback([&context, options] {
    context.action = [&context, options] {
      return run_as_team(options->devices.mpi, context.json,
                         [&](const Team& team) { return run(*options, context, team); });
    };
  });
}

}  // namespace proxel::tool::graph_command
