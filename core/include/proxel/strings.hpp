#pragma once

// Exact nearest strings, by a distance between strings.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "proxel/export.h"
#include "proxel/index.hpp"
#include "proxel/neighbors.hpp"
#include "proxel/selection.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// What a string is a sequence of.
enum class StringUnits {
  code_points,  ///< of UTF-8 text; anything else is refused
  bytes,        ///< of anything
};

/// Strings in host memory, one after another, as symbols: code points or bytes.
class Strings {
 public:
  explicit Strings(StringUnits units = StringUnits::code_points) : units_(units) {}

  /// Adds a string, empty ones and repeated ones too. Throws Error(invalid_argument)
  /// that says at which byte it is not UTF-8, and has then changed nothing.
  void add(std::string_view text);
  /// Adds symbols of these units, which are not checked.
  void append(std::span<const std::uint32_t> symbols);
  /// Adds all strings of another object, of the same units. These and add() change nothing where they throw.
  void append(const Strings& more);
  /// Strings first … first + count - 1, copied. Throws Error(invalid_argument) for more than there are.
  Strings slice(std::uint64_t first, std::uint64_t count) const;

  StringUnits units() const { return units_; }
  std::uint64_t size() const { return offsets_.size() - 1; }
  /// Symbols of string i; valid until add().
  std::span<const std::uint32_t> operator[](std::uint64_t i) const {
    return {symbols_.data() + offsets_[i], symbols_.data() + offsets_[i + 1]};
  }
  /// The symbols of all strings, one after another; valid until add().
  std::span<const std::uint32_t> symbols() const { return symbols_; }
  /// String i as it was added.
  std::string text(std::uint64_t i) const;
  /// Symbols of the longest string; 0 without strings.
  std::uint64_t longest() const { return longest_; }

 private:
  template <typename Append>
  void add_whole(const Append& append);

  StringUnits units_;
  std::vector<std::uint32_t> symbols_;
  std::vector<std::uint64_t> offsets_{0};
  std::uint64_t longest_ = 0;
};

/// How far two strings are from each other: a whole number, and a metric.
enum class StringDistance {
  /// The fewest insertions, deletions and substitutions of one symbol that turn one into the other.
  levenshtein,
  /// The places at which they have different symbols; those that only the longer one has
  /// differ too.
  hamming,
};

/// "levenshtein", "hamming".
std::string_view to_string(StringDistance distance);
/// Throws Error(invalid_argument) that lists them.
StringDistance string_distance_from_string(std::string_view name);

struct StringIndexOptions {
  StringDistance distance = StringDistance::levenshtein;
  /// Device memory that one search may use beside the strings, bytes; at least
  /// 1 MiB. Less memory means fewer queries at a time.
  std::uint64_t scratch_limit = std::uint64_t{256} << 20;
  Timing timing = Timing::whole;
  /// Device memory that the strings may take, bytes, and no more than the device's largest buffer; 0: four fifths of what
  /// the device has. Strings that need more stay in host memory and pass through the device in parts at every search; the answer is
  /// the same. From the first search on host memory holds the parts as the device reads them as well. A string that needs more
  /// is a part by itself.
  std::uint64_t memory_limit = 0;
};

/// Queries as a device reads them.
struct EncodedStrings {
  std::vector<std::uint32_t> symbols;  ///< of one query after another
  std::vector<std::uint32_t> offsets;  ///< [queries + 1]: where each begins
};

/// A search among strings. The index is not changed while there is one.
class StringPlan : public Plan {
 public:
  /// Queries as the device reads them. Throws Error(invalid_argument) unless they are as
  /// many as were planned, none of them longer, and of the index's units.
  virtual EncodedStrings encode(const Strings& queries) const = 0;
};

/// Strings on a device, and exact searches among them: every distance is computed,
/// Levenshtein's by bit-parallel columns (Myers 1999; Hyyro 2003 for strings past one word),
/// a query's 32 symbols per word, a string per lane.
///
/// Strings may be added and removed. Of n strings there were the numbers are 0…n-1; those
/// added later follow, and no number is given twice. What is on the device follows at
/// the next search, which then makes it anew, as build_milliseconds() says.
class StringIndex {
 public:
  /// Uploads the strings, and keeps a copy in host memory; they need not outlive the index.
  /// Throws Error(invalid_argument | unsupported | out_of_memory): at least one
  /// string, at most 2^32-2, of at most 2^24-1 symbols each, whose distances binary32
  /// holds exactly.
  StringIndex(Device& device, const Strings& strings, const StringIndexOptions& options = {});
  ~StringIndex();
  StringIndex(StringIndex&&) noexcept;
  StringIndex& operator=(StringIndex&&) noexcept;

  /// The k nearest strings of each query, ordered by (distance, index); slots past
  /// size() as in Neighbors. Distances are whole numbers.
  /// @param queries  of the index's units; symbols that no string has match nothing
  /// @param k        1…2^32-2
  /// Throws Error(invalid_argument | unsupported | out_of_memory | device_lost).
  Neighbors search(const Strings& queries, std::uint64_t k, const Progress& progress = {});

  /// The strings at most `radius` from each query. A string whose length alone puts it
  /// farther away is not compared.
  /// @param radius  any number but NaN; nothing is within a negative one
  /// Throws as search() does.
  RangeNeighbors range_search(const Strings& queries, float radius, const Progress& progress = {});

  /// A search to be recorded by the caller, who brings its buffers.
  /// @param queries        at least 1
  /// @param longest_query  symbols that a query has at most
  /// Throws as search() does, and Error(unsupported) where strings have been removed, or pass in parts.
  std::unique_ptr<StringPlan> plan(std::uint32_t queries, std::uint32_t longest_query, std::uint64_t k);
  /// The same of range_search(): exact counts whatever there is room for, as of RangePlan.
  std::unique_ptr<StringPlan> plan_range(std::uint32_t queries, std::uint32_t longest_query, float radius);

  /// Adds strings behind those there were. Returns the number of the first.
  /// Throws Error(invalid_argument), and has then added none.
  std::uint32_t add(const Strings& strings);
  /// Removes strings; the others keep their numbers. Twice the same, or one removed
  /// before, is allowed; all may be removed, and nothing is found until some are added.
  /// Returns how many there were.
  /// Throws Error(invalid_argument) for a number that was never given, and has then removed none.
  std::uint64_t remove(std::span<const std::uint32_t> numbers);

  /// String `number`, while it is there. Throws Error(invalid_argument).
  std::string text(std::uint32_t number) const;
  /// Strings that are there.
  std::uint64_t size() const;
  StringUnits units() const;
  /// Different symbols of all strings, as of the latest search.
  std::uint32_t alphabet() const;
  /// In how many parts a search passes over the strings, as of the latest; 1 where they are on the device.
  std::uint64_t parts() const;
  double build_milliseconds() const;

 private:
  struct PROXEL_HIDDEN Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace proxel
PROXEL_PUBLIC_END
