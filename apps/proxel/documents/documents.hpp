#pragma once

// Texts of folders as rows that a search compares: how often terms occur, where what few texts have weighs more.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/find_files.hpp"
#include "proxel/index.hpp"
#include "proxel/matrix.hpp"

namespace proxel::tool {

struct Documents {
  std::vector<std::string> paths;            ///< of those that could be read, and have a term
  Matrix<float> rows;                        ///< [paths.size() x dimensions], weighed
  std::vector<double> weights;               ///< of each dimension
  std::vector<files::FileFailure> failures;  ///< of the others
  std::uint64_t without_terms = 0;           ///< texts that have none, which are left out
};

/// Reads texts by several threads. @param dimensions  to which terms are hashed (docs/features.md)
/// Throws Error(not_found) where no text has a term, and what the progress throws.
Documents read_documents(const std::vector<std::string>& folders, std::uint32_t dimensions, bool all_files,
                         const Progress& progress);

/// The row of a text, weighed as the documents are, to `row`. @param name  of the text, for errors
/// Throws Error(invalid_argument) where it has no term that could be looked for; malformed_file for a zero byte.
void row_of_text(const std::string& name, std::string_view text, const Documents& like, float* row);

/// The terms that two texts share, those first that count most: at most so many.
std::vector<std::string> shared_terms(std::string_view text, std::string_view other, const Documents& like,
                                      std::size_t most);

}  // namespace proxel::tool
