#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "input_lines.hpp"
#include "permutation_options.hpp"
#include "progress_bar.hpp"
#include "proxel/sharded_strings.hpp"
#include "searched_devices.hpp"

namespace proxel::tool {

/// What `proxel words` searches, and how.
struct WordOptions {
  std::string file;  ///< words, a line each, or a saved index
  bool bytes = false;
  std::string distance = "levenshtein";
  std::uint64_t k = 5;
  std::optional<float> radius;  ///< instead of k
  PermutationChoice permutations;
  std::string add, remove;         ///< files of words
  std::uint64_t memory_limit = 0;  ///< of the words on a device; 0: its own
  bool trace = false;
};

/// Strings of lines; what is at fault is told with its place.
Strings strings_of(const TextLines& lines, StringUnits units, const std::string& where);
/// @param before  lines that came before these
Strings strings_of(const std::vector<std::string>& lines, StringUnits units, const std::string& where,
                   std::uint64_t before = 0);

/// Words on one device or several, compared all or in part.
class WordIndex {
 public:
  /// @param bar  says what is being done
  /// Throws Error: unsupported where an index that was saved is to be searched by several devices.
  WordIndex(const SearchedDevices& devices, const WordOptions& options, ProgressBar& bar);

  /// The k nearest, or those within the radius, of each query: query i's stand at
  /// offsets[i] … offsets[i + 1] - 1.
  RangeNeighbors search(const Strings& queries, const Progress& progress);
  /// Throws Error(unsupported) where there is no permutation index.
  void save(const std::string& path);

  std::uint64_t size() const;
  StringUnits units() const;
  std::string text(std::uint32_t number) const;
  double build_milliseconds() const;
  std::uint64_t compared() const;    ///< words per query
  std::uint64_t permutants() const;  ///< 0 where every word is compared
  /// As divided_output.hpp has it, and "parts", where words pass in several: of the device that has the most.
  void describe(const SearchReport& report, nlohmann::ordered_json& document) const;
  /// The same as lines of text.
  std::vector<std::string> remarks(const SearchReport& report) const;
  /// Where a recall was asked for.
  const std::optional<FractionChoice>& choice() const { return choice_; }

 private:
  void update(ProgressBar& bar);
  void choose_fraction(ProgressBar& bar);
  bool is_approximate() const;
  // Calls the one with an exact index, or the other with one of permutations.
  template <typename Exact, typename Approximate>
  auto of_kind(const Exact& exact, const Approximate& approximate) const;

  WordOptions options_;
  double fraction_ = 1;
  std::optional<std::variant<ShardedStringIndex, ShardedPermutationIndex, PermutationIndex>> index_;  // the last: saved
  std::optional<FractionChoice> choice_;
};

}  // namespace proxel::tool
