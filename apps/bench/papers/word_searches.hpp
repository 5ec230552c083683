#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "bench/papers/exhibit.hpp"
#include "bench/papers/real_data.hpp"
#include "bench/suite.hpp"
#include "proxel/permutation.hpp"

namespace proxel::tool::papers {

/// The method of Lopresti 2013, as exhibits name it.
inline constexpr const char* permutation_index = "permutation index, GPU-Qsort";

/// What Lopresti 2013, section 6, varies.
struct WordSizes {
  std::vector<std::uint64_t> words = {4'000, 29'000, 84'000};
  std::vector<std::uint32_t> permutants = {5, 64, 128};                         ///< of figures
  std::vector<std::uint32_t> table_permutants = {5, 16, 32, 64, 80, 100, 128};  ///< those of figures among them
  std::vector<std::uint64_t> parallel = {5, 10, 20, 40, 80};                    ///< queries at a time
  std::vector<std::uint32_t> recall_permutants = {64, 128};
  std::vector<std::uint64_t> sorted = {4'000, 29'000, 68'000, 84'000};  ///< elements of figure 8
  std::uint64_t recall_queries = 1'000;
};
WordSizes word_sizes(const BenchOptions& options);

/// "64 permutants"
std::string permutants_text(std::uint32_t permutants);

/// A search that was timed.
struct Speed {
  std::uint64_t words;
  std::uint32_t permutants;
  std::uint64_t queries;  ///< at a time
  bool range;             ///< within a radius, or the nearest
  Role role;
  std::string device, method;
  double ms;  ///< of the whole call
};

/// Searches words through permutation indexes: on one thread, on all, and on devices, sorted by GPU-Qsort and by today's
/// selection. Answers are compared with one another.
class WordSearches {
 public:
  /// @param words, sizes, options  outlive this object
  WordSearches(const NamedWords& words, const WordSizes& sizes, const BenchOptions& options, Recorder& recorder,
               ProgressBar& bar);

  std::uint64_t largest() const { return largest_; }    ///< words of the largest database
  std::uint64_t held_out() const { return held_out_; }  ///< words that are queries

  /// Everything that figures 3 to 6 and the tables show.
  std::vector<Speed> speeds();
  /// Adds the recall of k-NN and range searches over the fraction, per cent, as figure 7 has it.
  void recalls(Exhibit& exhibit);

 private:
  PermutationIndex make(Device& device, const Strings& database, std::uint32_t permutants,
                        SelectionMethod selection) const;
  void measure(Device& device, const std::string& id, Role role, std::uint64_t words, std::uint32_t permutants);
  Timed time(const std::function<double()>& once) const;
  void compare(const std::string& what, const Neighbors& found);

  const std::vector<std::string>& words_;
  const WordSizes& sizes_;
  const BenchOptions& options_;
  Recorder& recorder_;
  ProgressBar& bar_;
  std::uint64_t largest_ = 0, held_out_ = 0;
  std::vector<Speed> speeds_;
  std::map<std::string, Neighbors> answers_;
};

}  // namespace proxel::tool::papers
