#pragma once

#include <string>
#include <vector>

#include "groundtruth/truth_options.hpp"
#include "outputs.hpp"
#include "proxel/ground_truth.hpp"

namespace proxel::tool {

/// Looks at the files that will be written, before there is any work. Throws as Outputs::plan() does.
void plan_truth(const TruthOptions& options, Outputs& outputs);

/// Throws Error(invalid_argument) where the file or memory cannot hold the answer, CannotWrite where the disk has no room for it and
/// for checkpoints.
void check_truth_fits(const TruthOptions& options, std::uint64_t queries, std::uint64_t rows);

void write_truth(const TruthOptions& options, Outputs& outputs, const GroundTruth& truth);

std::vector<std::string> truth_files(const TruthOptions& options);

}  // namespace proxel::tool
