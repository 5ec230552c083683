#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "compare/task.hpp"
#include "permutation_options.hpp"
#include "proxel/signature_index.hpp"
#include "search_options.hpp"

namespace proxel::tool {

/// What `proxel compare` is asked for.
struct CompareOptions : SearchOptions {
  std::vector<std::string> what;  ///< names of kinds, or "all"; none: what the file holds, without a file all
  std::vector<std::string> devices;
  Dividing dividing;                 ///< of those that are joined
  std::vector<std::string> methods;  ///< none: the usual ones of each kind
  std::string reference = "auto";
  std::uint64_t query_count = 50;  ///< that are made, or taken from what is searched
  std::uint64_t hold_out = 0;
  std::uint32_t repeats = 5;
  double time_limit = 10;
  std::string report;
  bool force = false;
  bool trace = false;
  std::optional<float> radius;
  bool exclude_self = true;
  bool bytes = false;
  StringDistance distance = StringDistance::levenshtein;
  SimilarityFunction similarity = {.alpha = 10};
  PermutationChoice permutation{.permutants = 64};
};

/// Adds them to the command. Options of one kind of search alone stand in a group of that kind's.
void add_compare_options(CLI::App& command, CompareOptions& options);

/// Throws Error(invalid_argument) where an option was given of a group that nothing looks at.
/// @param uses  kinds of searches that are compared, and of the objects that they search
void check_given_options(const CLI::App& command, const std::vector<std::string>& uses);

}  // namespace proxel::tool
