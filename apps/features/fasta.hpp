#pragma once

// Sequences of nucleotides in FASTA files, and words of them: the substrings that an index of strings is tried with.

#include <cstdint>
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

struct SequenceWord {
  std::uint64_t record = 0, start = 0;  ///< of its first letter, from 0
};

/// Where the words of a record begin that hold A, C, G, T and U alone, which words of whole records need not.
/// @param left_out  adds those that hold others
void add_words(const FastaRecord& record, std::uint64_t number, const WordOptions& options,
               std::vector<SequenceWord>& words, std::uint64_t& left_out);

}  // namespace proxel::features
