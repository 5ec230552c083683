#include "bench/suite_options.hpp"

#include <map>
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "proxel/error.hpp"

namespace proxel::tool {
namespace {

using Suites = std::set<std::string>;

// Which suites look at an option; all look at those that are not here.
const std::map<std::string, Suites>& readers() {
  static const std::map<std::string, Suites> all = {
      {"--paper", {"papers"}},
      {"--methods", {"garcia", "practical", "graph", "sift", "cpu-knn", "cliffs"}},
      {"--rows", {"garcia", "practical", "graph", "sift", "cpu-knn", "layout"}},
      {"--dimensions", {"garcia", "practical", "graph", "sift", "cpu-knn"}},
      {"--float-rate", {"garcia", "practical", "sift"}},
      {"--matrix-rate", {"garcia", "practical", "sift"}},
      {"--data",
       {"bustos", "scan", "garcia", "practical", "graph", "sift", "permutation", "words", "krulis", "signatures",
        "papers"}},
      {"--queries", {"words", "permutation"}},
      {"--metric", {"permutation"}},
      {"--reductions-per-pass", {"bustos"}},
      {"--only", {"cliffs"}},
      {"--walk", {"cliffs"}},
      {"--random", {"cliffs"}},
      {"--time", {"cliffs"}},
      {"--slack", {"cliffs"}},
      {"--largest-rows",
       {"bustos",    "scan",   "calls",       "garcia", "practical",  "graph",     "layout", "shards",
        "streaming", "narrow", "bytes",       "sift",   "cpu-knn",    "recorded",  "cliffs", "filters",
        "updates",   "words",  "permutation", "krulis", "signatures", "extraction"}}};
  return all;
}

// Why a suite has no use for given data.
const std::map<std::string, std::string>& reasons() {
  static const std::map<std::string, std::string> all = {
      {"latency", "it measures what submitting costs, which rows do not change"},
      {"calls", "it times calls by their numbers of queries, on rows that it makes"},
      {"select", "it selects from matrices of numbers whose sizes are those of the paper"},
      {"sort", "it sorts matrices of numbers whose sizes are those of the paper"},
      {"recorded", "it makes rows, words and permutations of the sizes that it compares"},
      {"shards", "it divides rows that it makes, of sizes that several devices are worth"},
      {"streaming", "it makes rows of the sizes that it compares"},
      {"parts", "it makes rows of the sizes around which it walks"},
      {"narrow", "it makes rows that every type of number holds exactly"},
      {"bytes", "it makes bytes, of as many rows as fit"},
      {"filters", "it makes rows and filters of the sizes that it compares"},
      {"updates", "it adds and removes rows that it makes"},
      {"cpu-knn", "it compares libraries at sizes of garcia and practical; 'sift --data' does so over rows of a file"},
      {"layout", "it lays out graphs of rows that it makes"},
      {"cliffs", "it walks through sizes, for which it makes rows"},
      {"extraction", "it makes images of two sizes; 'proxel signatures build' reads folders of them"}};
  return all;
}

}  // namespace

void check_suite_options(const CLI::App& app, const std::string& suite) {
  for (const auto& [option, suites] : readers()) {
    if (app.get_option(option)->count() == 0 || suites.contains(suite)) continue;
    const auto reason = option == "--data" ? reasons().find(suite) : reasons().end();
    throw Error(ErrorCode::invalid_argument, option,
                reason != reasons().end()
                    ? fmt::format("{} takes no data: {}", suite, reason->second)
                    : fmt::format("is not for the suite {}, but for {}", suite, fmt::join(suites, ", ")));
  }
}

}  // namespace proxel::tool
