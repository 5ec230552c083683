#pragma once

// Every table and figure of the five papers that measures something: their digits, their methods run here at their
// sizes, their baselines, today's best, and what became of their claims.

#include <string>
#include <vector>

#include "bench/papers/exhibit.hpp"
#include "bench/suite.hpp"
#include "program.hpp"

namespace proxel::tool::papers {

/// A paper, and what measures its exhibits on the devices of the options.
struct Paper {
  std::string name;      ///< "bustos"
  std::string title;     ///< "Bustos 2006"
  std::string citation;  ///< authors, title, year
  std::string data;      ///< what --data brings it; empty: nothing
  std::vector<Exhibit> (*measure)(const BenchOptions&, Recorder&, ProgressBar&);
};
const std::vector<Paper>& all_papers();
/// One of them, by its name.
const Paper& paper_named(const std::string& name);

std::vector<Exhibit> bustos(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);
std::vector<Exhibit> garcia(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);
std::vector<Exhibit> komarov(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);
std::vector<Exhibit> lopresti(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);
std::vector<Exhibit> krulis(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);

/// What the command line says beside the options that all suites have.
struct Choice {
  std::vector<std::string> papers;  ///< names; empty: all
  bool csv = false;                 ///< the rows on stdout
  std::string report;               ///< a page there, and its rows beside it as .csv; empty: neither
  bool force = false;               ///< see Outputs
};

/// Measures, judges and tells: the suite `papers`.
/// @return an ExitCode. Throws Error, also where --data is given to papers that have no use for it
int run(const BenchOptions& options, const Choice& choice, const Context& context);

}  // namespace proxel::tool::papers
