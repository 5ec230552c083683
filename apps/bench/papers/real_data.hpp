#pragma once

#include <string>
#include <vector>

#include "bench/suite.hpp"
#include "proxel/matrix.hpp"

namespace proxel::tool::papers {

/// Rows of one data set of a paper, and where they are from, in a sentence.
struct NamedRows {
  std::string origin;
  Matrix<float> rows;
};

/// What Bustos 2006, figure 4 (left), searches: CoverType, image histograms, shape descriptors, at the paper's sizes
/// (a tenth with --quick). CoverType from --data, else from the data that come with the programs, else made.
std::vector<NamedRows> bustos_data(const BenchOptions& options);

/// The words that Lopresti 2013 searches: of --data, else those that come with the programs, else made. Each once, in
/// an order that the seed decides.
struct NamedWords {
  std::string origin;
  std::vector<std::string> words;
};
NamedWords lopresti_words(const BenchOptions& options);

}  // namespace proxel::tool::papers
