#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compare/answer.hpp"
#include "divided_output.hpp"
#include "proxel/division.hpp"
#include "proxel/index.hpp"
#include "proxel/sharded_permutation.hpp"

namespace proxel::tool {

/// What is found of each query: the k nearest or, where there is one, everything within a radius.
struct Reach {
  std::uint64_t k = 10;
  std::optional<float> radius = std::nullopt;

  /// "k = 10", "radius 0.5"
  std::string text() const;
};

/// What is searched and what for: what stands above a comparison.
struct Description {
  std::string what;              ///< the kind of search: "vectors", "range", "words"
  std::string database_path;     ///< a file, or what was made
  std::string objects;           ///< "words", "signatures"; empty for rows of dimensions
  std::uint64_t rows = 0;        ///< of those objects
  std::uint64_t dimensions = 0;  ///< of a row or a centroid; symbols of the longest word
  std::uint64_t queries = 0;
  std::string distance = "l2sq";  ///< by its name
  Reach reach = {};
  std::string how = "";           ///< what else decides the answer: "self excluded"
  std::string baseline = "scan";  ///< the method that, on the CPU, speed-ups are against

  /// "262,144 × 64, 100 queries, l1, k = 10"
  std::string task() const;
};

/// How several devices divide a search.
struct Dividing {
  std::optional<Division> divide = {};  ///< not given: rows, which permutation indexes alone cannot divide
  std::vector<double> shares = {};      ///< without any they are measured

  template <typename Options>
  ShardedOptionsOf<Options> divided(const Options& index) const {
    return {divide.value_or(Division::rows), shares, index};
  }
  ShardedPermutationOptions divided(const PermutationOptions& index) const {
    return {divide.value_or(Division::queries), shares, index};
  }
};

/// How a search is made ready.
struct Preparation {
  std::string method;      ///< one of Task::methods()
  bool reference = false;  ///< its answer is what others are compared with
  Timing timing = Timing::whole;
  Dividing dividing = {};
};

/// A search that is ready on a device, and runs any number of times.
struct ReadySearch {
  double build_milliseconds = 0;  ///< upload and packing of what is searched
  Support support;                ///< where it is not given, there is no search
  std::string method;             ///< what answers; empty: the answer's report says so
  std::function<Answer(const Progress&)> search;
  Divided divided = {};
};

/// One kind of search over given data, which any device and method is to answer alike, to the bit.
class Task {
 public:
  virtual ~Task() = default;

  virtual const Description& description() const = 0;
  /// Terms of distances that comparing everything evaluates: whether a plain reference answers in reasonable time.
  virtual double terms() const = 0;
  /// Names of the methods that it has.
  virtual std::vector<std::string> methods() const = 0;
  /// Those that are compared unless others are named, the reference's first.
  virtual std::vector<std::string> usual_methods() const { return methods(); }
  /// Uploads to a device, which outlives the search; so does the task. Throws Error.
  virtual ReadySearch prepare(Device& device, const Preparation& preparation, const Progress& progress) const = 0;
  /// The same of several devices, which divide what is searched; not supported unless a kind says how.
  virtual ReadySearch prepare_together(std::span<Device* const> devices, const Preparation& preparation,
                                       const Progress& progress) const;
  /// Of an approximate search: the share of the exact answer that was found.
  virtual std::optional<double> recall(const Answer&) const { return std::nullopt; }
};

}  // namespace proxel::tool
