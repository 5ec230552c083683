#include "signatures/krulis_options.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "proxel/error.hpp"
#include "sizes.hpp"

namespace proxel::tool {

void add_krulis_options(CLI::App& command, SignatureIndexOptions& index, KrulisChoice& choice) {
  constexpr const char* group = "--method krulis";
  command.remove_option(command.get_option("--method"));
  command
      .add_option_function<std::string>(
          "--method",
          [&index, &choice](const std::string& name) {
    choice.wanted = name == "krulis";
    if (!choice.wanted) index.method = signature_method_from_string(name);
  },
          "All but krulis give the same answer to the bit; krulis searches as Krulis et al. 2011 do: blocks of a query "
          "and many signatures, divided over all --device, behind --filter")
      ->check(CLI::IsMember({"auto", "canonical", "screened", "filtered", "krulis"}))
      ->type_name("NAME")
      ->default_str("auto");
  command
      .add_option_function<std::string>("--filter",
                                        [&choice](const std::string& name) {
    choice.set = "--filter";
    choice.options.filter = signature_filter_from_string(name);
  }, "What leaves signatures out: none, the triangle inequality over pivots, Ptolemy's over pairs of them")
      ->check(CLI::IsMember({"none", "pivots", "ptolemaic"}))
      ->group(group)
      ->type_name("NAME")
      ->default_str("none");
  command
      .add_option_function<std::uint32_t>("--pivots",
                                          [&choice](std::uint32_t count) {
    choice.set = "--pivots";
    choice.options.pivot_count = count;
  }, "Signatures that serve as pivots")
      ->check(CLI::Range(1, 256))
      ->group(group)
      ->type_name("COUNT")
      ->default_str(std::to_string(choice.options.pivot_count));
  command
      .add_option_function<std::string>("--precision",
                                        [&choice](const std::string& name) {
    choice.set = "--precision";
    choice.options.precision = name == "float64" ? SqfdPrecision::float64 : SqfdPrecision::float32;
  }, "Of the sums of a distance")
      ->check(CLI::IsMember({"float32", "float64"}))
      ->group(group)
      ->type_name("NAME")
      ->default_str("float32");
  CLI::Option* memory_limit = command.add_option_function<std::uint64_t>(
      "--memory-limit",
      [&choice](std::uint64_t bytes) {
    choice.set = "--memory-limit";
    choice.options.memory_limit = bytes;
  },
      "Memory of each device that signatures may take, with a unit: 512MiB, 1.5GiB. Those that need more pass through "
      "in "
      "groups, of which one has to fit beside the pivots (default: four fifths of the device's memory)");
  take_size(memory_limit, 1)->group(group);
}

KrulisIndex make_krulis_index(const KrulisChoice& choice, const SignatureIndexOptions& like,
                              const std::vector<Device*>& devices, const Signatures& signatures,
                              const Progress& progress) {
  if (like.similarity.kind != Similarity::gaussian)
    throw Error(ErrorCode::unsupported, "--similarity",
                fmt::format("{} was given; krulis computes the gaussian", to_string(like.similarity.kind)));
  KrulisOptions options = choice.options;
  options.alpha = like.similarity.alpha;
  return {devices, signatures, options, progress};
}

}  // namespace proxel::tool
