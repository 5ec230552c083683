// proxel signatures search: the images, or other signatures, that are nearest to some.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "console.hpp"
#include "csv_field.hpp"
#include "format.hpp"
#include "json_output.hpp"
#include "number_checks.hpp"
#include "outputs.hpp"
#include "progress_bar.hpp"
#include "proxel/signature_index.hpp"
#include "signatures/image_files.hpp"
#include "signatures/searched_signatures.hpp"
#include "signatures/sheet_output.hpp"
#include "signatures/similarity_options.hpp"
#include "table.hpp"
#include "tool.hpp"
#include "trace.hpp"
#include "without_selves.hpp"

namespace proxel::tool::signature_search_command {
namespace {

constexpr const char* examples = R"(Examples:
  proxel signatures search photos.sig --image sunset.jpg -k 20 --sheet like-sunset.html
      the 20 images most like one that is given, and a page that shows them
  proxel signatures search photos.sig --query 17 --query 40 --others --device cuda
      those most like images 17 and 40 of the file, without these themselves
  proxel signatures search photos.sig --queries new.sig --radius 0.1 --csv > pairs.csv
      every image within 0.1 of each of another file
  proxel signatures search photos.sig --image sunset.jpg --alpha 1
      a smaller alpha lets centroids that differ more count as alike
  proxel signatures search photos.sig --query 17 --method krulis --filter pivots --device cuda:0,cuda:1
      as in Krulis et al. 2011, over two devices
  proxel signatures search photos.sig --image sunset.jpg --permutants 64 --recall 0.95
      only signatures that see 64 permutants in a like order are compared (Lopresti et al. 2013); some may be missed
  proxel signatures search sqfd.txt.gz --query 0 --similarity heuristic --alpha 0.2 --json
      of NMSLIB's text; any signatures of one dimensionality can be searched

The distance is the signature quadratic form distance (Beecks, Uysal, Seidl 2010), sqrt(w A w'), A's
entries a similarity of two centroids at Euclidean distance L2: gaussian e^(-alpha L2^2),
heuristic 1 / (alpha + L2), or minus -L2. Without --permutants every signature is compared or
provably need not be: the answer is exact, and the same on every device.)";

struct Options {
  std::string file;
  std::vector<std::string> images;
  std::vector<std::uint64_t> numbers;
  std::string queries_file;
  std::uint64_t k = 10;
  std::optional<float> radius;
  bool others = false;
  SignatureSearchChoice search{.index = image_search_options(), .krulis = {}, .permutation = {}};
  bool method_given = false;
  DeviceOptions devices;
  SheetOptions sheet;
  std::string images_folder;
  bool csv = false, trace = false;
  std::uint64_t show = 3;
};

struct Queries {
  explicit Queries(std::uint32_t dimensions) : signatures(dimensions) {}

  void add(const Signatures& from, std::uint64_t number, std::string name, std::string path,
           std::uint32_t itself = no_neighbor) {
    signatures.add(from.centroids(number), from.weights(number));
    names.push_back(std::move(name));
    paths.push_back(std::move(path));
    selves.push_back(itself);
  }

  Signatures signatures;
  std::vector<std::string> names;
  std::vector<std::string> paths;     // of an image; empty where there is none
  std::vector<std::uint32_t> selves;  // which of the index it is; no_neighbor: none
};

// Where the image is that a name of the file stands for.
std::string path_of(const Options& options, const SignatureFile& file, std::uint64_t number) {
  if (file.names.empty()) return "";
  return options.images_folder.empty() ? file.names[number]
                                       : (std::filesystem::path(options.images_folder) / file.names[number]).string();
}

void check_queries_dimensions(const std::string& of, const Signatures& queries, const SignatureFile& file) {
  if (queries.dimensions() != file.signatures.dimensions())
    throw Error(ErrorCode::invalid_argument, of,
                fmt::format("signatures have {} dimensions, those that are searched have {}", queries.dimensions(),
                            file.signatures.dimensions()));
}

Queries read_queries(const Options& options, const SignatureFile& file, Device& device, const Progress& progress) {
  Queries queries(file.signatures.dimensions());
  if (!options.images.empty()) {
    const ImageSignatures made = make_signatures(options.images, options_of(file, options.file), device, 1, progress);
    for (const ImageFailure& failure : made.failures)
      throw Error(ErrorCode::malformed_file, failure.path, failure.reason);
    check_queries_dimensions("--image", made.file.signatures, file);
    for (std::uint64_t i = 0; i < options.images.size(); ++i)
      queries.add(made.file.signatures, i, options.images[i], options.images[i]);
  }
  for (const std::uint64_t number : options.numbers) {
    if (number >= file.signatures.size())
      throw Error(
          ErrorCode::invalid_argument, "--query",
          fmt::format("{} was given; {} has signatures 0 to {}", number, options.file, file.signatures.size() - 1));
    queries.add(file.signatures, number, name_of(file, number), path_of(options, file, number),
                static_cast<std::uint32_t>(number));
  }
  if (!options.queries_file.empty()) {
    const SignatureFile others = read_signature_file(options.queries_file);
    check_queries_dimensions(options.queries_file, others.signatures, file);
    for (std::uint64_t i = 0; i < others.signatures.size(); ++i)
      queries.add(others.signatures, i, name_of(others, i), path_of(options, others, i));
  }
  if (queries.names.empty())
    throw Error(ErrorCode::invalid_argument, "queries",
                "none were given: --image FILE, --query NUMBER or --queries FILE name what is looked for");
  return queries;
}

RangeNeighbors search(const Options& options, SearchedSignatures& index, const Queries& queries, ProgressBar& bar) {
  bar.set_title("searching");
  if (options.radius) {
    const RangeNeighbors found = index.within(queries.signatures, *options.radius, bar.callback());
    return options.others ? without_selves(found, queries.selves, index.size()) : found;
  }
  const std::uint64_t k = std::min(options.k, index.size());  // there are no more to find
  if (!options.others) return index.nearest(queries.signatures, k, bar.callback());
  const RangeNeighbors found = index.nearest(queries.signatures, std::min(k + 1, index.size()), bar.callback());
  return without_selves(found, queries.selves, options.k);
}

void print_csv(const Queries& queries, const RangeNeighbors& found, const SignatureFile& file) {
  fmt::print("query,rank,index,distance,name\n");
  for (std::uint64_t query = 0; query < queries.names.size(); ++query)
    for (std::uint64_t slot = found.offsets[query]; slot < found.offsets[query + 1]; ++slot)
      fmt::print("{},{},{},{},{}\n", csv_field(queries.names[query]), slot - found.offsets[query] + 1,
                 found.indices[slot], as_float(found.distances[slot]), csv_field(name_of(file, found.indices[slot])));
}

void print_table(const Queries& queries, const RangeNeighbors& found, const SignatureFile& file, std::uint64_t show) {
  Table table({{"query"}, {"rank", true}, {"index", true}, {"distance", true}, {"name"}});
  const std::uint64_t shown = std::min<std::uint64_t>(show, queries.names.size());
  for (std::uint64_t query = 0; query < shown; ++query) {
    const std::string name = printable_name(queries.names[query]);
    if (found.count(query) == 0) table.add({name, "", "", "", "none"});
    for (std::uint64_t slot = found.offsets[query]; slot < found.offsets[query + 1]; ++slot)
      table.add({slot == found.offsets[query] ? name : "", std::to_string(slot - found.offsets[query] + 1),
                 std::to_string(found.indices[slot]), as_float(found.distances[slot]),
                 printable_name(name_of(file, found.indices[slot]))});
  }
  table.print();
  if (shown < queries.names.size())
    fmt::print("… and {}; --csv and --json print them all\n",
               counted(queries.names.size() - shown, "more query", "more queries"));
}

nlohmann::ordered_json answers_of(const Queries& queries, const RangeNeighbors& found, const SignatureFile& file) {
  auto answers = nlohmann::ordered_json::array();
  for (std::uint64_t query = 0; query < queries.names.size(); ++query) {
    auto nearest = nlohmann::ordered_json::array();
    for (std::uint64_t slot = found.offsets[query]; slot < found.offsets[query + 1]; ++slot)
      nearest.push_back({{"index", found.indices[slot]},
                         {"name", name_of(file, found.indices[slot])},
                         {"distance", json_float(found.distances[slot])}});
    answers.push_back({{"query", queries.names[query]}, {"nearest", nearest}});
  }
  return answers;
}

Sheet sheet_of(const Options& options, const Context& context, const Queries& queries, const RangeNeighbors& found,
               const SignatureFile& file) {
  Sheet sheet{.path = options.sheet.path,
              .title = fmt::format("Nearest of {}", options.file),
              .command_line = context.command_line};
  const bool page = options.sheet.path.ends_with(".html");
  for (std::uint64_t query = 0; query < queries.names.size(); ++query) {
    SheetRow row{queries.names[query], {queries.paths[query], "query"}, {}};
    for (std::uint64_t slot = found.offsets[query]; slot < found.offsets[query + 1]; ++slot) {
      const std::uint32_t number = found.indices[slot];
      const std::string distance =
          fmt::format("{}: {}", slot - found.offsets[query] + 1, fmt::format("{:.4f}", found.distances[slot]));
      row.neighbors.push_back(
          {path_of(options, file, number), page ? fmt::format("{} {}", distance, name_of(file, number)) : distance});
    }
    sheet.rows.push_back(std::move(row));
  }
  return sheet;
}

nlohmann::ordered_json document_of(const Options& options, const SignatureFile& file, const SearchedSignatures& index,
                                   const SearchReport& report, const SearchedDevices& devices) {
  nlohmann::ordered_json document = {{"command", "signatures search"},
                                     {"file", options.file},
                                     {"signatures", file.signatures.size()},
                                     {"dimensions", file.signatures.dimensions()},
                                     {"similarity", to_string(options.search.index.similarity.kind)},
                                     {"alpha", json_float(options.search.index.similarity.alpha)}};
  if (options.radius)
    document["radius"] = json_float(*options.radius);
  else
    document["k"] = options.k;
  devices.describe(document);
  document.update({{"method", index.method(report)},
                   {"evaluated", report.evaluated},
                   {"compared", report.compared},
                   {"build_ms", index.build_milliseconds()},
                   {"times", to_json(report)}});
  index.describe(report, document);
  if (index.fraction())
    document["chosen"] = {{"fraction", index.fraction()->fraction}, {"recall", index.fraction()->recall}};
  return document;
}

Outputs plan(const Options& options) {
  std::vector<std::string> inputs = options.images;
  inputs.insert(inputs.end(), {options.file, options.queries_file});
  Outputs outputs(options.sheet.force, inputs);
  plan_sheet(outputs, options.sheet);
  return outputs;
}

int run(Options options, const Context& context) {
  check_signature_search(options.search, options.devices, options.method_given);
  Outputs outputs = plan(options);
  options.search.index.timing = options.trace ? Timing::passes : Timing::whole;
  ProgressBar bar(fmt::format("opening {}", fmt::join(options.devices.devices, ",")));
  const SearchedDevices devices(options.devices);
  bar.set_title("reading " + options.file);
  const SignatureFile file = read_signature_file(options.file);
  if (file.signatures.size() == 0) throw Error(ErrorCode::invalid_argument, options.file, "has no signatures");
  bar.set_title("reading queries");
  const Queries queries = read_queries(options, file, devices.first(), bar.callback());
  SearchedSignatures index(devices, file.signatures, options.search,
                           options.radius ? std::nullopt : std::optional(std::min(options.k, file.signatures.size())),
                           bar);
  const RangeNeighbors found = search(options, index, queries, bar);
  if (!options.sheet.path.empty()) {
    bar.set_title("writing " + options.sheet.path);
    write_sheet(outputs, options.sheet, sheet_of(options, context, queries, found, file),
                "--images says where the names are relative to");
  }
  bar.finish();

  if (context.json) {
    nlohmann::ordered_json document = document_of(options, file, index, found.report, devices);
    document["answers"] = answers_of(queries, found, file);
    if (!options.sheet.path.empty()) document["sheet"] = options.sheet.path;
    print(document);
    return exit_success;
  }
  if (options.csv) {
    print_csv(queries, found, file);
    return exit_success;
  }
  print_table(queries, found, file, options.show);
  const SearchTimes& times = found.report.times;
  if (options.trace) {
    fmt::print("\n");
    trace_table(times.passes).print();
    if (!found.report.rungs.empty()) {
      fmt::print("\n");
      rung_table(found.report.rungs).print();
    }
  }
  fmt::print(
      "\n{} against {}, {} alpha = {}, {}, {} on {}\nbuild {} ms; compute {}, whole call "
      "{} ms; {} distances canonically\n",
      counted(queries.names.size(), "query", "queries"), counted(file.signatures.size(), "signature", "signatures"),
      to_string(options.search.index.similarity.kind), options.search.index.similarity.alpha,
      options.radius ? fmt::format("radius {}", *options.radius) : fmt::format("k = {}", options.k),
      index.method(found.report), devices.description(), significant(index.build_milliseconds()),
      significant(times.compute_milliseconds), significant(times.total_milliseconds),
      with_separators(found.report.evaluated));
  if (const std::string line = index.division(found.report); !line.empty()) fmt::print("{}\n", line);
  if (index.fraction()) fmt::print("{}\n", describe(*index.fraction(), "signatures"));
  if (!options.sheet.path.empty()) fmt::print("wrote {}\n", options.sheet.path);
  return exit_success;
}

}  // namespace

void add(CLI::App& signatures, Context& context) {
  CLI::App* command =
      make_command(signatures, context, "search", "Find the nearest images, or other signatures", examples);
  const auto options = std::make_shared<Options>();
  command->add_option("FILE", options->file, "The signatures that are searched, or NMSLIB's text")
      ->required()
      ->type_name("");
  command->add_option("--image", options->images, "An image to look for; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command->add_option("--query", options->numbers, "A signature of FILE to look for, from 0; may be repeated")
      ->type_name("NUMBER")
      ->allow_extra_args(false);
  command->add_option("--queries", options->queries_file, "A file of signatures to look for")->type_name("FILE");
  auto* k = command->add_option("-k,--k", options->k, "Nearest signatures per query")
                ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{UINT32_MAX} - 1))
                ->type_name("COUNT")
                ->capture_default_str();
  command
      ->add_option("--radius", options->radius, "Every signature that is at most so far away, instead of the k nearest")
      ->check(non_negative_number())
      ->type_name("DISTANCE")
      ->excludes(k);
  command->add_flag("--others", options->others, "Leave out each --query itself");
  add_similarity_options(*command, options->search.index);
  add_krulis_options(*command, options->search.index, options->search.krulis);
  add_device_options(*command, options->devices);
  add_sheet_options(*command, options->sheet, "each query and its neighbours with their distances");
  command->add_option("--images", options->images_folder, "Where the names of images are relative to, for --sheet")
      ->type_name("FOLDER");
  command->add_option("--show", options->show, "Queries whose neighbours are printed in the table")
      ->type_name("COUNT")
      ->capture_default_str();
  command->add_flag("--csv", options->csv, "Print query,rank,index,distance,name instead of a table");
  command->add_flag("--trace", options->trace, "Print every pass with its device time");
  add_permutation_options(*command, options->search.permutation, "signatures");
  command->callback([&context, options, command] {
    options->method_given = command->count("--method") != 0;
    context.action = [&context, options] { return run(*options, context); };
  });
}

}  // namespace proxel::tool::signature_search_command
