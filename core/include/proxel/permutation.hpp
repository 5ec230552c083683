#pragma once

// The permutation index: approximate nearest objects of a metric space, of which only
// a fraction is compared with the query (Chavez, Figueroa, Navarro 2005; on GPUs
// Lopresti, Miranda, Piccoli, Reyes 2013).

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "proxel/export.h"
#include "proxel/passes/permutation_distance.h"
#include "proxel/strings.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// "footrule", "spearman-rho", "kendall-tau".
std::string_view to_string(passes::PermutationDistance distance);
/// Throws Error(invalid_argument) that lists them.
passes::PermutationDistance permutation_distance_from_string(std::string_view name);

struct PermutationOptions {
  /// Objects whose order, by distance, stands for an object: 1…256, and no more
  /// than there are objects (then all of them are taken).
  std::uint32_t permutants = 64;
  /// Seeds the choice of permutants, which is uniformly at random without repeats.
  std::uint64_t seed = 1;
  /// The permutants themselves, indices of objects, instead of a choice; may be empty.
  std::vector<std::uint32_t> chosen = {};
  /// Only the positions of the nearest so many permutants count, and all others stand
  /// together behind them; 0: of all.
  std::uint32_t prefix = 0;
  passes::PermutationDistance distance = passes::PermutationDistance::footrule;
  /// How the nearest permutations and then the nearest strings are found:
  /// SelectionMethod::quick_sort as in Lopresti 2013, section 4.2. All give the same answer.
  SelectionMethod selection = SelectionMethod::automatic;
  /// Between strings; vectors have a metric.
  StringDistance string_distance = StringDistance::levenshtein;
  /// Device memory that one search may use beside the index, bytes; at least 1 MiB.
  std::uint64_t scratch_limit = std::uint64_t{256} << 20;
  Timing timing = Timing::whole;
};

/// What PermutationIndex::choose_fraction() found.
struct FractionChoice {
  double fraction = 1;
  double recall = 1;          ///< on the sample
  std::uint64_t queries = 0;  ///< of the sample
};

/// Strings under a distance between strings through a permutation index: an object's
/// permutation is the order of the permutants by their distance from it, ties by the
/// permutants' order. A query is compared with those objects whose permutations are
/// nearest to its own.
///
/// Strings are added and removed as from a StringIndex. The permutants stay what they
/// were chosen to be, also where they are removed.
class PermutationIndex {
 public:
  /// Computes the distances of all strings to the permutants, and their
  /// permutations. Takes permutants * size() * 4 bytes of device memory and tables of
  /// the permutants (4 bytes for each symbol of the alphabet and 32 symbols of the longest of
  /// them, each) while it does, and permutants * size() bytes afterwards.
  /// @param progress  told of permutants, out of all, while distances are computed; what it throws
  ///                  ends the making. May be empty
  /// Throws Error(invalid_argument | unsupported | out_of_memory).
  PermutationIndex(Device& device, const Strings& strings, const PermutationOptions& options = {},
                   const Progress& progress = {});
  /// An index that was saved, on this device or another, and is of the distance that the file says.
  /// Throws Error: not_found; input_output; malformed_file, which says what is damaged;
  /// unsupported for files of another version; out_of_memory.
  static PermutationIndex load(Device& device, const std::string& path, const StringIndexOptions& options = {});
  /// Whether a file begins as those of save() do, of whatever objects; load() tells whether it is whole.
  static bool is_saved(const std::string& path);
  ~PermutationIndex();
  PermutationIndex(PermutationIndex&&) noexcept;
  PermutationIndex& operator=(PermutationIndex&&) noexcept;

  /// The k nearest among the candidates: the fraction of all strings, rounded up and
  /// at least k, whose permutations are nearest, ties by index. Ordered by
  /// (distance, index); every distance is exact, but nearer strings may be missing.
  /// The same answer on every device. With fraction 1 that of StringIndex.
  /// @param fraction  0 < fraction <= 1 (f in Lopresti 2013, section 3)
  Neighbors search(const Strings& queries, std::uint64_t k, double fraction, const Progress& progress = {});

  /// Those of the candidates that are at most `radius` from the query, as
  /// StringIndex::range_search() orders them; others may be missing.
  /// @param radius    any number but NaN
  /// @param fraction  as above
  RangeNeighbors range_search(const Strings& queries, float radius, double fraction, const Progress& progress = {});

  /// Plans as StringIndex::plan() does.
  std::unique_ptr<StringPlan> plan(std::uint32_t queries, std::uint32_t longest_query, std::uint64_t k,
                                   double fraction);
  /// Plans as StringIndex::plan_range() does.
  std::unique_ptr<StringPlan> plan_range(std::uint32_t queries, std::uint32_t longest_query, float radius,
                                         double fraction);

  /// The smallest fraction, within a twentieth of it, that reaches a recall on a sample,
  /// and what it reaches there. Recall is the share of the k neighbours that are no
  /// farther than the true k-th; it never falls where the fraction grows.
  /// @param recall   0 < recall <= 1
  /// @param queries  the sample; without any, 500 strings of the index drawn at random,
  ///                 each looked for among the others
  FractionChoice choose_fraction(double recall, std::uint64_t k, const Strings& queries, const Progress& progress = {});
  /// The same for range searches: recall is the share of what is within the radius.
  FractionChoice choose_range_fraction(double recall, float radius, const Strings& queries,
                                       const Progress& progress = {});

  /// These do what StringIndex::add() and StringIndex::remove() do.
  std::uint32_t add(const Strings& strings);
  std::uint64_t remove(std::span<const std::uint32_t> numbers);

  /// Writes the index to a file, whole or not at all; the same bytes whatever the device.
  /// Throws Error(input_output | device_lost | out_of_memory).
  void save(const std::string& path);

  std::uint64_t size() const;
  StringUnits units() const;
  /// String `number`, while it is there. Throws Error(invalid_argument).
  std::string text(std::uint32_t number) const;
  /// Numbers of the strings that are the permutants, in their order.
  std::span<const std::uint32_t> permutants() const;
  /// Candidates per query of a search.
  std::uint64_t candidates(std::uint64_t k, double fraction) const;
  double build_milliseconds() const;
  /// The part of it that the device computed; 0 where it has no timestamps.
  double build_compute_milliseconds() const;

 private:
  struct PROXEL_HIDDEN Implementation;
  explicit PermutationIndex(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace proxel
PROXEL_PUBLIC_END
