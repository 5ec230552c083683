#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <nlohmann/json.hpp>

#include "file_kinds.hpp"
#include "proxel/ground_truth.hpp"

namespace proxel::tool {

/// How far a run has come: enough to go on with after the process was killed.
///
/// The file is: checkpoint_heading; the length of a JSON object as a number of 64 bits; that object, which is `run`; queries, k and
/// rows done as numbers of 64 bits; the ids, of 64 bits each; the distances as binary32; and the CRC-32 of all that. All
/// numbers have their lowest byte first.
struct Checkpoint {
  nlohmann::json run;  ///< what the run is of: a checkpoint of another run is none
  std::uint64_t rows_done = 0;
  GroundTruth nearest;  ///< RunningAnswer::so_far()
};

/// Writes it beside the file of that name first, whose place it then takes, so that there is a whole one at any moment.
/// Throws Error(input_output).
void write_checkpoint(const std::string& path, const Checkpoint& checkpoint);

/// Throws Error(not_found | input_output | malformed_file | out_of_memory).
Checkpoint read_checkpoint(const std::string& path);
/// The same of a file's content. @param name  what errors call it
Checkpoint read_checkpoint(std::span<const std::byte> content, const std::string& name);

/// Its bytes.
std::string checkpoint_bytes(const Checkpoint& checkpoint);

/// Removes a checkpoint, and what was left of one that was being written when the process was killed.
void remove_checkpoint(const std::string& path);

}  // namespace proxel::tool
