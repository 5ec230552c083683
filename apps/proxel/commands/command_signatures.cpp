// proxel signatures: feature signatures of images, made, looked into and searched.

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "console.hpp"
#include "devices.hpp"
#include "format.hpp"
#include "interrupt.hpp"
#include "json_output.hpp"
#include "number_checks.hpp"
#include "outputs.hpp"
#include "progress_bar.hpp"
#include "signatures/image_files.hpp"
#include "table.hpp"
#include "tool.hpp"

namespace proxel::tool::signatures_command {
namespace {

constexpr const char* signatures_examples = R"(Examples:
  proxel signatures build photos -o photos.sig
  proxel signatures info photos.sig
  proxel signatures search photos.sig --image sunset.jpg --sheet like-sunset.html
  proxel signatures evaluate photos.sig

A feature signature says in 7 dimensions (position, colour, texture) what an image is made of:
a few to some dozens of centroids, each with the share of the image that it stands for. Two
images are compared by the signature quadratic form distance of their signatures.)";

constexpr const char* build_examples = R"(Examples:
  proxel signatures build photos -o photos.sig
      of every JPEG and PNG file in the folder and below it
  proxel signatures build holiday.jpg garden.png -o some.sig
      of the files that are named
  proxel signatures build photos -o coarse.sig --joining-distance 0.4 --centroids 16
      shorter signatures: quicker to compare, and telling less
  proxel signatures build photos -o colours.sig --position 0 --texture 0
      colours alone, wherever they are in the image

Points of each image are sampled; each gives x and y (0 … 1 over the image), L, a and b of CIELAB
(/ 100), and contrast and entropy of the grey levels around it (0 … 1). k-means clusters
them, joining centroids that come near each other and giving up those of few points, so
that the number of centroids follows the image. The same pixels and options make the same
bytes on every machine and device.

A file that cannot be read is listed and left out. Exit codes: 0 all were read; 1 some could not be,
the others were written; 2 none could be, or the options are wrong; more in 'proxel --help'.)";

constexpr const char* info_examples = R"(Examples:
  proxel signatures info photos.sig
      number, lengths and dimensions of the signatures, and how they were made
  proxel signatures info sqfd.txt.gz
      the same of the text format of NMSLIB's SQFD space, plain or compressed
  proxel signatures info photos.sig --json | jq .centroids.mean
      for a script)";

struct BuildOptions : images::SignatureOptions {
  std::vector<std::string> inputs;
  std::string output;
  bool force = false;
  unsigned threads = 0;
  std::string device = "cpu";
};

nlohmann::ordered_json lengths_of(const Signatures& signatures) {
  std::uint64_t least = 0;
  for (std::uint64_t i = 0; i < signatures.size(); ++i)
    least = i == 0 ? signatures.length(0) : std::min(least, signatures.length(i));
  const double count = static_cast<double>(std::max<std::uint64_t>(1, signatures.size()));
  return {{"all", signatures.weights().size()},
          {"least", least},
          {"mean", static_cast<double>(signatures.weights().size()) / count},
          {"most", signatures.longest()}};
}

std::string lengths_in_words(const nlohmann::ordered_json& lengths) {
  return fmt::format("{} … {}, mean {:.1f}", lengths["least"].get<std::uint64_t>(),
                     lengths["most"].get<std::uint64_t>(), lengths["mean"].get<double>());
}

int run_build(const BuildOptions& options, const Context& context) {
  ProgressBar bar("opening " + options.device);
  const auto device = open_checked(options.device);
  bar.set_title("looking for images");
  const images::ImageFiles found = images::find_images(options.inputs, throw_if_interrupted);
  std::vector<std::string> inputs = options.inputs;
  inputs.insert(inputs.end(), found.paths.begin(), found.paths.end());
  Outputs outputs(options.force, inputs);
  outputs.plan("--output", options.output, FileKind::signatures);
  const unsigned threads = options.threads != 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  bar.set_title(fmt::format("{} images", with_separators(found.paths.size())));
  const auto start = std::chrono::steady_clock::now();
  ImageSignatures made = make_signatures(found.paths, options, *device, threads, bar.callback());
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  made.failures.insert(made.failures.begin(), found.failures.begin(), found.failures.end());
  const std::uint64_t count = made.file.signatures.size();
  if (count != 0)
    outputs.write(options.output, [&](const std::string& place) { write_signature_file(place, made.file); });
  outputs.commit();
  bar.finish();

  if (context.json) {
    auto failures = nlohmann::ordered_json::array();
    for (const ImageFailure& failure : made.failures)
      failures.push_back({{"path", failure.path}, {"reason", failure.reason}});
    print({{"command", "signatures build"},
           {"output", count == 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(options.output)},
           {"signatures", count},
           {"centroids", lengths_of(made.file.signatures)},
           {"failures", failures},
           {"threads", threads},
           {"device", device->info().id},
           {"total_ms", took.count()}});
  } else {
    for (const ImageFailure& failure : made.failures)
      warn(fmt::format("{}: {}", printable_name(failure.path), failure.reason));
    if (count != 0)
      fmt::print("wrote {}: {} signatures of {} centroids; {} ms, {} an image\n", options.output,
                 with_separators(count), lengths_in_words(lengths_of(made.file.signatures)), significant(took.count()),
                 significant(took.count() / static_cast<double>(count)));
    if (!made.failures.empty())
      fmt::print("{} of {} could not be read\n", with_separators(made.failures.size()),
                 with_separators(found.paths.size() + found.failures.size()));
  }
  if (count == 0) {
    if (made.failures.empty())
      throw Error(ErrorCode::not_found, "FILE", "no JPEG or PNG file is there (.jpg, .jpeg, .jpe, .jfif, .png)");
    return exit_bad_input;
  }
  return made.failures.empty() ? exit_success : exit_answer_is_no;
}

int run_info(const std::string& path, const Context& context) {
  const SignatureFile file = read_signature_file(path);
  const nlohmann::ordered_json lengths = lengths_of(file.signatures);
  const std::uint64_t bytes = std::filesystem::file_size(path);
  if (context.json) {
    // A recipe of another program is shown as the text that it is.
    const auto recipe = nlohmann::ordered_json::parse(file.recipe, nullptr, false);
    print({{"command", "signatures info"},
           {"path", path},
           {"signatures", file.signatures.size()},
           {"dimensions", file.signatures.dimensions()},
           {"centroids", lengths},
           {"names", file.names.size()},
           {"recipe", recipe.is_discarded() ? nlohmann::ordered_json(file.recipe) : recipe},
           {"file_bytes", bytes}});
    return exit_success;
  }
  Table table({{"what"}, {"value"}});
  table.add({"file", path});
  table.add({"signatures", with_separators(file.signatures.size())});
  table.add({"dimensions", std::to_string(file.signatures.dimensions())});
  table.add({"centroids",
             fmt::format("{}: {}", with_separators(file.signatures.weights().size()), lengths_in_words(lengths))});
  table.add({"names", file.names.empty() ? "none"
                                         : fmt::format("{} … {}", printable_name(file.names.front()),
                                                       printable_name(file.names.back()))});
  table.add({"made by", file.recipe.empty() ? "not known" : printable_name(file.recipe)});
  table.add({"size of the file", as_bytes(bytes)});
  table.print();
  return exit_success;
}

void add_build(CLI::App& signatures, Context& context) {
  CLI::App* command = make_command(signatures, context, "build", "Make signatures of images", build_examples);
  const auto options = std::make_shared<BuildOptions>();
  command->add_option("FILE", options->inputs, "JPEG and PNG files, and folders of them")->required()->type_name("");
  command->add_option("-o,--output", options->output, "The file of signatures that is written")
      ->required()
      ->type_name("FILE");
  add_force_option(*command, options->force);
  command->add_option("--points", options->points, "Points that are sampled of each image")
      ->check(CLI::Range(1u, ExtractionOptions::largest_points))
      ->type_name("COUNT")
      ->capture_default_str();
  command
      ->add_option_function<std::string>("--sampling",
                                         [options](const std::string& name) {
    options->sampling = name == "grid" ? Sampling::grid : Sampling::random;
  }, "Where the points are: random, the same places of every image, or an even grid")
      ->check(CLI::IsMember({"random", "grid"}))
      ->type_name("NAME")
      ->default_str("random");
  command->add_option("--seed", options->seed, "Of the random places")->type_name("NUMBER")->capture_default_str();
  command->add_option("--longest-side", options->longest_side, "Larger images are reduced to so many pixels first")
      ->check(CLI::Range(1u, 65536u))
      ->type_name("PIXELS")
      ->capture_default_str();
  command->add_option("--window", options->window, "Texture is that of the pixels so far around a point")
      ->check(CLI::Range(1u, ExtractionOptions::largest_window))
      ->type_name("PIXELS")
      ->capture_default_str();
  command->add_option("--centroids", options->most_centroids, "Centroids of a signature, at most")
      ->check(CLI::Range(1u, ExtractionOptions::largest_most_centroids))
      ->type_name("COUNT")
      ->capture_default_str();
  command
      ->add_option("--joining-distance", options->joining_distance,
                   "Nearer centroids become one: larger makes shorter signatures")
      ->check(non_negative_number())
      ->type_name("DISTANCE")
      ->capture_default_str();
  command
      ->add_option("--smallest-cluster", options->smallest_cluster,
                   "After iteration i, clusters of fewer than i times so many points are given up")
      ->check(CLI::Range(0u, ExtractionOptions::largest_points))
      ->type_name("POINTS")
      ->capture_default_str();
  command->add_option("--iterations", options->iterations, "Iterations of k-means")
      ->check(CLI::Range(1, 100))
      ->type_name("COUNT")
      ->capture_default_str();
  const auto add_factor = [&](const char* name, float& factor, const char* of) {
    command->add_option(name, factor, fmt::format("{} are multiplied with it; 0 leaves them out", of))
        ->check(non_negative_number())
        ->type_name("FACTOR")
        ->capture_default_str();
  };
  add_factor("--position", options->position, "x and y");
  add_factor("--colour", options->colour, "L, a and b");
  add_factor("--texture", options->texture, "Contrast and entropy");
  command->add_option("--device", options->device, device_help)->type_name("ID")->capture_default_str();
  command->add_option("--threads", options->threads, "Threads that read (default: as many as the processor has)")
      ->check(CLI::Range(1u, 1024u))
      ->type_name("COUNT");
  command->callback(
      [&context, options] { context.action = [&context, options] { return run_build(*options, context); }; });
}

void add_info(CLI::App& signatures, Context& context) {
  const auto path = std::make_shared<std::string>();
  CLI::App* command = make_command(signatures, context, "info", "Say what a file of signatures holds", info_examples);
  command->add_option("FILE", *path, "A file of signatures, or NMSLIB's text")->required()->type_name("");
  command->callback([&context, path] { context.action = [&context, path] { return run_info(*path, context); }; });
}

}  // namespace

void add(CLI::App& app, Context& context) {
  CLI::App* signatures = app.add_subcommand("signatures", "Feature signatures of images: make, search and judge them");
  signatures->footer(signatures_examples);
  signatures->require_subcommand(1);
  add_build(*signatures, context);
  add_info(*signatures, context);
  signature_search_command::add(*signatures, context);
  signature_evaluate_command::add(*signatures, context);
}

}  // namespace proxel::tool::signatures_command
