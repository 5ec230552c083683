#include "permutation_options.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace proxel::tool {

void add_permutation_options(CLI::App& command, PermutationChoice& choice, const std::string& objects) {
  const CLI::Range counts(0u, std::uint32_t{passes::most_permutants});
  command
      .add_option("--permutants", choice.permutants,
                  fmt::format("Compare only the {} whose order of this many permutants is most like the "
                              "query's; 0 compares all, and the answer is exact",
                              objects))
      ->check(counts)
      ->type_name("COUNT")
      ->capture_default_str()
      ->group(permutation_group);
  auto* fraction = command
                       .add_option("--fraction", choice.fraction,
                                   fmt::format("Of the {}, that is compared; {} where it is not given", objects,
                                               PermutationChoice::usual_fraction))
                       ->type_name("SHARE")
                       ->group(permutation_group);
  command
      .add_option("--recall", choice.recall,
                  fmt::format("Choose the fraction that finds so many of the right {}, on a sample of the "
                              "{} themselves, each looked for among the others",
                              objects, objects))
      ->type_name("SHARE")
      ->group(permutation_group)
      ->excludes(fraction);
  command
      .add_option("--prefix", choice.prefix,
                  fmt::format("Go by the nearest so many permutants of each of the {} alone; 0 goes by all", objects))
      ->check(counts)
      ->type_name("COUNT")
      ->capture_default_str()
      ->group(permutation_group);
  command.add_option("--permutation-distance", choice.distance, "Between two orders of the permutants")
      ->check(CLI::IsMember({"footrule", "spearman-rho", "kendall-tau"}))
      ->type_name("NAME")
      ->capture_default_str()
      ->group(permutation_group);
  command.add_option("--seed", choice.seed, "Of the choice of permutants")
      ->type_name("NUMBER")
      ->capture_default_str()
      ->group(permutation_group);
}

namespace {

void check_share(const char* option, const std::optional<double>& share) {
  if (share && !(*share > 0 && *share <= 1))
    throw Error(ErrorCode::invalid_argument, option,
                fmt::format("{} was given, more than 0 and at most 1 is allowed", *share));
}

}  // namespace

void check_permutations(const PermutationChoice& choice) {
  check_share("--fraction", choice.fraction);
  check_share("--recall", choice.recall);
  if (choice.permutants != 0) {
    if (choice.prefix > choice.permutants)
      throw Error(ErrorCode::invalid_argument, "--prefix",
                  fmt::format("{} was given, and there are {} permutants", choice.prefix, choice.permutants));
    return;
  }
  const char* needing = choice.recall        ? "--recall"
                        : choice.fraction    ? "--fraction"
                        : choice.prefix != 0 ? "--prefix"
                                             : nullptr;
  if (needing)
    throw Error(ErrorCode::invalid_argument, needing,
                "is for a permutation index: --permutants says how many permutants it has");
}

PermutationOptions permutation_options(const PermutationChoice& choice, const StringIndexOptions& limits) {
  PermutationOptions options;
  options.permutants = choice.permutants;
  options.seed = choice.seed;
  options.prefix = choice.prefix;
  options.distance = permutation_distance_from_string(choice.distance);
  options.string_distance = limits.distance;
  options.scratch_limit = limits.scratch_limit;
  options.timing = limits.timing;
  return options;
}

std::string describe(const FractionChoice& choice, const std::string& objects) {
  return fmt::format("compares {:.3g} % of the {}, for a recall of {:.3f} on a sample of {} queries",
                     100 * choice.fraction, objects, choice.recall, choice.queries);
}

}  // namespace proxel::tool
