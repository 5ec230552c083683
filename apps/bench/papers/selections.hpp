#pragma once

#include <string>
#include <vector>

#include "bench/papers/exhibit.hpp"
#include "bench/select_matrix.hpp"
#include "bench/suite.hpp"

namespace proxel::tool::papers {

/// The method of Komarov 2013, as exhibits name it.
inline constexpr const char* quick_multi_select = "quick multi-select";

inline constexpr const char* truncated_sort = "truncated bitonic sort";
inline constexpr const char* radix_select = "Alabi's radix select";
inline constexpr const char* bucket_select = "Alabi's bucket select";

/// "k = 64"
std::string curve_of_k(std::uint64_t k);

/// What is timed beside quick multi-select, and how.
struct Beside {
  bool garcia = false;       ///< Garcia's insertion sort, on each device
  bool nth_element = false;  ///< std::nth_element on one thread
  /// Rivals that proxel selects by as well, as exhibits name them.
  std::vector<std::pair<SelectionMethod, const char*>> methods = {};
  bool fewer_queries = false;  ///< on processors, where all would take them long; otherwise those are left out there
};

/// Times selections of a figure of Komarov 2013 into its rows, milliseconds, answers checked: quick multi-select in the
/// form that the paper uses for so many queries, today's selection, and rivals.
class Selections {
 public:
  Selections(Exhibit& exhibit, Beside beside, const BenchOptions& options, Recorder& recorder)
      : exhibit_(exhibit), beside_(beside), options_(options), recorder_(recorder) {}

  /// The k smallest of each of `queries` rows of `columns` values, for every k, on every device that has room for it and
  /// is no processor that would take it long. Where fewer queries fit, those, and their time is multiplied, which is noted.
  /// @param x  of the points
  void measure(double x, std::uint64_t queries, std::uint64_t columns, const std::vector<std::uint64_t>& ks);

 private:
  std::uint64_t rows_here(Device& device, std::uint64_t queries, std::uint64_t columns);
  void select(Device& device, SelectMatrix& matrix, double x, std::uint64_t k, Role role, SelectionMethod method,
              const char* name);
  void add(const std::string& id, Role role, const std::string& method, std::uint64_t k, double x,
           const SelectMatrix::Measured& measured);

  Exhibit& exhibit_;
  Beside beside_;
  const BenchOptions& options_;
  Recorder& recorder_;
  double scale_ = 1;  // of times, where a part of the queries is selected from
};

}  // namespace proxel::tool::papers
