#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "command_line.hpp"
#include "proxel/permutation.hpp"

namespace proxel::tool {

/// What commands that compare all objects, or some through a permutation index, ask for.
struct PermutationChoice {
  std::uint32_t permutants = 0;  ///< 0: all are compared, and none of the others is given
  std::uint32_t prefix = 0;
  std::optional<double> fraction;  ///< of the objects, that is compared
  std::optional<double> recall;    ///< for which the fraction is chosen instead
  std::string distance = "footrule";
  std::uint64_t seed = 1;

  static constexpr double usual_fraction = 0.1;
};

/// Under which help lists those options.
inline constexpr const char* permutation_group = "Permutation index";

/// @param objects  what the help calls them: "words", "rows"
void add_permutation_options(CLI::App& command, PermutationChoice& choice, const std::string& objects);

/// Throws Error(invalid_argument) where something is given that needs permutants, or a share
/// that is none.
void check_permutations(const PermutationChoice& choice);

/// @param limits  scratch memory and timing
PermutationOptions permutation_options(const PermutationChoice& choice, const StringIndexOptions& limits);

/// What a recall led to, as a sentence without its end.
/// @param objects  as above
std::string describe(const FractionChoice& choice, const std::string& objects);

}  // namespace proxel::tool
