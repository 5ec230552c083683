#pragma once

#include <optional>
#include <string>
#include <variant>

#include "permutation_options.hpp"
#include "progress_bar.hpp"
#include "proxel/sharded_signatures.hpp"
#include "searched_devices.hpp"
#include "signatures/krulis_options.hpp"

namespace proxel::tool {

/// How signatures are searched.
struct SignatureSearchChoice {
  SignatureIndexOptions index;
  KrulisChoice krulis;
  PermutationChoice permutation;
};

/// Throws Error(invalid_argument) for options that do not go together.
/// @param method_given  whether --method was
void check_signature_search(const SignatureSearchChoice& choice, const DeviceOptions& devices, bool method_given);

/// An index of signatures as it was chosen: exact, exact as Krulis et al. 2011 have it, or by permutations.
class SearchedSignatures {
 public:
  /// @param k  of the searches to come, for which a fraction is chosen where a recall is wanted; none: within a radius
  SearchedSignatures(const SearchedDevices& devices, const Signatures& signatures, const SignatureSearchChoice& choice,
                     std::optional<std::uint64_t> k, ProgressBar& bar);

  /// The k nearest without slots for which there is none.
  RangeNeighbors nearest(const Signatures& queries, std::uint64_t k, const Progress& progress);
  RangeNeighbors within(const Signatures& queries, float radius, const Progress& progress);
  std::uint64_t size() const;
  double build_milliseconds() const;
  /// As divided_output.hpp has them.
  void describe(const SearchReport& report, nlohmann::ordered_json& document) const;
  std::string division(const SearchReport& report) const;
  /// What a recall led to.
  const std::optional<FractionChoice>& fraction() const { return chosen_; }
  /// "krulis, pivots"; of the others what answered.
  std::string method(const SearchReport& report) const;

 private:
  std::optional<std::variant<ShardedSignatureIndex, KrulisIndex, ShardedSignaturePermutationIndex>> index_;
  double fraction_ = 1;
  std::optional<FractionChoice> chosen_;
};

}  // namespace proxel::tool
