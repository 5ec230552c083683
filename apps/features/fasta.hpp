#pragma once

// Sequences of nucleotides in FASTA files, and words of them: the substrings that an index of strings is tried with.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "proxel/data_text.hpp"

namespace proxel::features {

struct FastaRecord {
  std::string name;     ///< what follows '>' up to a blank; may be empty
  std::string letters;  ///< capital: ACGTU, and the codes for several of them (RYSWKMBDHVN); '-' for a gap
};

/// The records of a file: lines that begin with '>' name them, those with ';' are comments, and blanks within a
/// sequence and a '*' at its end are passed over.
/// @param name  of the file, for errors
/// Throws Error(malformed_file) that names file and line: for what stands before the first '>', for a letter that is
/// no nucleotide, and for a record without any.
std::vector<FastaRecord> parse_fasta(const TextLines& text, const std::string& name);

struct WordOptions {
  std::uint32_t length = 12;  ///< letters of a word; 0: each record is one
  std::uint32_t stride = 1;   ///< letters from a word's first to the next one's; at least 1
};

/// Gives where the words of a record begin, from 0. Those that hold other letters than A, C, G, T and U are left out,
/// but for words of whole records.
/// @return how many were left out
std::uint64_t for_each_word(const FastaRecord& record, const WordOptions& options,
                            const std::function<void(std::uint64_t start)>& take);

}  // namespace proxel::features
