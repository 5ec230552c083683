#include "groundtruth/truth_output.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "answer_size.hpp"
#include "console.hpp"
#include "format.hpp"
#include "proxel/data.hpp"

namespace proxel::tool {

void plan_truth(const TruthOptions& options, Outputs& outputs) {
  if (options.output.empty() && options.verify.empty())
    throw Error(ErrorCode::invalid_argument, "--output", "is missing; so is --verify, of which one at least is needed");
  if (options.output.empty() && !options.distances.empty())
    throw Error(ErrorCode::invalid_argument, "--distances", "are written beside an --output, which is missing");
  if (options.output.empty()) return;
  holds_distances(options.output);  // refuses names that are no format's
  outputs.plan("--output", options.output, FileKind::ground_truth);
  if (!options.distances.empty()) {
    outputs.plan("--distances", options.distances, FileKind::distances);
    check_matrix_file(options.distances, false);
  }
  outputs.plan("--output", options.checkpoint(), FileKind::checkpoint);
}

void check_truth_fits(const TruthOptions& options, std::uint64_t queries, std::uint64_t rows) {
  // What was found before, what a block adds and what both become are there at once, and a checkpoint's bytes.
  constexpr std::uint64_t slot_bytes = 60;
  if (const std::uint64_t memory = free_memory(); options.k > memory / slot_bytes / std::max<std::uint64_t>(queries, 1))
    throw Error(ErrorCode::invalid_argument, "--k",
                fmt::format("{} neighbours of {} queries do not fit the {} of memory that are free; search some of the "
                            "queries at a time (--first-query, --query-rows)",
                            with_separators(options.k), with_separators(queries), as_bytes(memory)));
  if (options.output.empty()) return;
  check_ground_truth_file(options.output, queries, options.k, rows);
  // Ids of 8 bytes and distances of 4: two checkpoints are there while one replaces the other, and the output comes
  // before the last is removed.
  check_space(options.output, 3 * 12 * queries * options.k, " with its checkpoints");
}

void write_truth(const TruthOptions& options, Outputs& outputs, const GroundTruth& truth) {
  const bool apart = !options.distances.empty();
  outputs.write(options.output, [&](const std::string& place) {
    write_ground_truth(place, apart && options.output.ends_with("ibin") ? GroundTruth{truth.ids, {}} : truth,
                       options.metric);
  });
  if (apart)
    outputs.write(options.distances, [&](const std::string& place) { write_matrix(place, truth.distances.view()); });
  outputs.commit();
}

std::vector<std::string> truth_files(const TruthOptions& options) {
  std::vector<std::string> files;
  for (const std::string& file : {options.output, options.distances})
    if (!file.empty()) files.push_back(file);
  return files;
}

}  // namespace proxel::tool
