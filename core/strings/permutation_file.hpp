#pragma once

// The file in which a permutation index is saved (docs/permutation-file.md).

#include <cstdint>
#include <string>
#include <vector>

#include "data/block_writer.hpp"
#include "data/byte_source.hpp"
#include "proxel/passes/permutation_distance.h"
#include "proxel/strings.hpp"

namespace proxel::strings {

/// All that a permutation index is.
struct PermutationFile {
  StringDistance string_distance = StringDistance::levenshtein;
  StringUnits units = StringUnits::code_points;  ///< of objects and permutants
  passes::PermutationDistance distance = passes::PermutationDistance::footrule;
  /// Nearest permutants of each object and query that count: 1 … permutants.
  std::uint32_t kept = 0;
  Strings objects;                         ///< in the order of their identifiers; may be none
  std::vector<std::uint32_t> identifiers;  ///< [objects], ascending, without repeats
  std::uint32_t next_identifier = 0;       ///< above all that there are and ever were
  Strings permutants;                      ///< 1 … passes::most_permutants
  /// [permutants]: the object that each was chosen as, which may be there no more.
  std::vector<std::uint32_t> permutant_identifiers;
  /// [passes::permutation_bytes(objects, permutants) / 4] as the pass `permutations`
  /// writes them; words of objects past the last are 0.
  std::vector<std::uint32_t> positions;
};

/// Writes the file, whole or not at all. The same index is the same bytes on every machine.
/// Throws Error(invalid_argument) that says which of the above does not hold, and
/// Error(input_output).
void write_permutation_file(const std::string& path, const PermutationFile& file);
/// Hands the file's bytes on, in order.
/// @param name  what errors call it
void write_permutation_file(const data::BlockWriter::Sink& sink, const std::string& name, const PermutationFile& file);

/// Reads what was written, if every checksum and all of the above holds.
/// Throws Error: not_found; input_output; malformed_file, which says what is damaged;
/// unsupported for files of another version or of other objects; out_of_memory.
PermutationFile read_permutation_file(const std::string& path);
PermutationFile read_permutation_file(const data::ByteSource& source);

}  // namespace proxel::strings
