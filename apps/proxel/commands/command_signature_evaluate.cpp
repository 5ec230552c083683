// proxel signatures evaluate: how often the images that are found show what was looked for.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "console.hpp"
#include "divided_output.hpp"
#include "evaluation/precision_output.hpp"
#include "format.hpp"
#include "interrupt.hpp"
#include "json_output.hpp"
#include "padding.hpp"
#include "progress_bar.hpp"
#include "proxel/sharded_signatures.hpp"
#include "searched_devices.hpp"
#include "signatures/image_files.hpp"
#include "signatures/similarity_options.hpp"
#include "tool.hpp"
#include "without_selves.hpp"

namespace proxel::tool::signature_evaluate_command {
namespace {

constexpr const char* examples = R"(Examples:
  proxel signatures evaluate pets
      of pets/cat/*.jpg and pets/dog/*.jpg: how often are cats found by cats, and dogs by dogs?
  proxel signatures build cifar10 -o cifar10.sig && proxel signatures evaluate cifar10.sig --queries 1000
      of a file of signatures whose names are of such folders, 1,000 of them drawn as queries
  proxel signatures evaluate photos.sig --labels classes.csv --alpha 3
      with the classes of a file, a line for each image: name,class
  proxel signatures evaluate cifar10.sig --queries 1000 --device cuda --json | jq .all.precision

Every query is one of the images, and its nearest others by the signature quadratic form
distance are looked at. Precision at 10 is the share of the 10 nearest that are of the query's
class, mean over the queries; beside it stands what as many images drawn by chance would reach,
and below the standard errors of the means. The class of an image is the name of the folder
that it lies in, whatever lies above. The same queries are drawn on every machine (--seed).

Exit codes: 0 measured; 1 measured, but some images could not be read and were left out;
2 there is nothing to measure, or the options are wrong; more in 'proxel --help'.)";

struct EvaluateOptions {
  std::string input, labels;
  DrawnQueries queries;
  SignatureIndexOptions index = image_search_options();
  DeviceOptions devices;
};

struct Evaluated {
  SignatureFile file;
  Classes classes;
  std::uint64_t failures = 0;
};

// The signatures of the images of a folder, by the options that `signatures build` has by itself.
Evaluated of_folder(const std::string& folder, Device& device, ProgressBar& bar) {
  bar.set_title("looking for images");
  const images::ImageFiles found = images::find_images({folder}, throw_if_interrupted);
  if (found.paths.empty())
    throw Error(ErrorCode::not_found, folder, "no JPEG or PNG file is there (.jpg, .jpeg, .jpe, .jfif, .png)");
  bar.set_title(fmt::format("{} images", with_separators(found.paths.size())));
  ImageSignatures made =
      make_signatures(found.paths, {}, device, std::max(1u, std::thread::hardware_concurrency()), bar.callback());
  made.failures.insert(made.failures.begin(), found.failures.begin(), found.failures.end());
  for (const ImageFailure& failure : made.failures)
    warn(fmt::format("{}: {}", printable_name(failure.path), failure.reason));
  return {std::move(made.file), {}, made.failures.size()};
}

Evaluated read_evaluated(const EvaluateOptions& options, Device& device, ProgressBar& bar) {
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(options.input, ignored);
  Evaluated read =
      is_folder ? of_folder(options.input, device, bar) : Evaluated{read_signature_file(options.input), {}, 0};
  std::vector<std::string> names;
  for (std::uint64_t i = 0; i < read.file.signatures.size(); ++i) names.push_back(name_of(read.file, i));
  if (options.labels.empty()) {
    if (!is_folder && read.file.names.empty())
      throw Error(ErrorCode::invalid_argument, options.input,
                  "its signatures have no names, whose folders could be classes; --labels FILE says the classes");
    read.classes = classes_by_folder(names);
  } else {
    if (is_folder)
      for (std::string& name : names) name = std::filesystem::path(name).lexically_relative(options.input).string();
    read.classes = classes_by_file(options.labels, names);
  }
  check_can_be_evaluated(read.classes, options.input);
  return read;
}

int run_evaluate(const EvaluateOptions& options, const Context& context) {
  ProgressBar bar(fmt::format("opening {}", fmt::join(options.devices.devices, ",")));
  const SearchedDevices devices(options.devices);
  bar.set_title("reading " + options.input);
  const Evaluated read = read_evaluated(options, devices.first(), bar);
  const std::vector<std::uint32_t> queries =
      drawn_images(read.classes.of.size(), options.queries.count, options.queries.seed);
  Signatures looked_for(read.file.signatures.dimensions());
  for (const std::uint32_t query : queries)
    looked_for.add(read.file.signatures.centroids(query), read.file.signatures.weights(query));
  bar.set_title("uploading");
  ShardedSignatureIndex index(devices.all(), read.file.signatures, devices.divided(options.index));
  bar.set_title(fmt::format("{} queries", with_separators(queries.size())));
  const RangeNeighbors found =
      without_selves(without_padding(index.search(looked_for, precision_ranks.back() + 1, bar.callback())), queries,
                     precision_ranks.back());
  bar.finish();
  PrecisionCount count(read.classes);
  for (std::uint64_t i = 0; i < queries.size(); ++i)
    count.add(queries[i], std::span(found.indices).subspan(found.offsets[i], found.count(i)));

  const int code = read.failures == 0 ? exit_success : exit_answer_is_no;
  if (context.json) {
    nlohmann::ordered_json document = {{"command", "signatures evaluate"},
                                       {"input", options.input},
                                       {"images", read.classes.of.size()},
                                       {"not_read", read.failures},
                                       {"similarity", to_string(options.index.similarity.kind)},
                                       {"alpha", json_float(options.index.similarity.alpha)},
                                       {"seed", options.queries.seed}};
    devices.describe(document);
    document.update({{"method", found.report.method},
                     {"all", to_json(count.of_all())},
                     {"classes", classes_json(count)},
                     {"times", to_json(found.report)}});
    describe_division(index, found.report, document);
    print(document);
    return code;
  }
  precision_table(count, "images").print();
  fmt::print(
      "\n{}: standard errors of 'all'\n{} of {} images looked for, themselves left out; {} alpha = {}, {} on {}; "
      "compute {} ms\n",
      standard_errors(count.of_all()), with_separators(queries.size()), with_separators(read.classes.of.size()),
      to_string(options.index.similarity.kind), options.index.similarity.alpha, found.report.method,
      devices.description(), significant(found.report.times.compute_milliseconds));
  if (const std::string line = division_line(index, found.report); !line.empty()) fmt::print("{}\n", line);
  if (read.failures != 0) fmt::print("{} could not be read\n", with_separators(read.failures));
  return code;
}

}  // namespace

void add(CLI::App& signatures, Context& context) {
  CLI::App* command =
      make_command(signatures, context, "evaluate", "Measure how often the class looked for is found", examples);
  const auto options = std::make_shared<EvaluateOptions>();
  command
      ->add_option("INPUT", options->input, "A folder with a folder of images for each class, or a file of signatures")
      ->required()
      ->type_name("");
  command
      ->add_option("--labels", options->labels,
                   "Classes by a file instead: lines of name,class (names in a folder "
                   "are relative to it)")
      ->type_name("FILE");
  add_query_options(*command, options->queries);
  add_similarity_options(*command, options->index);
  add_device_options(*command, options->devices);
  command->callback(
      [&context, options] { context.action = [&context, options] { return run_evaluate(*options, context); }; });
}

}  // namespace proxel::tool::signature_evaluate_command
