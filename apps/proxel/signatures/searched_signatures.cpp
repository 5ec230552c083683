#include "signatures/searched_signatures.hpp"

#include <fmt/format.h>

#include "padding.hpp"
#include "proxel/error.hpp"

namespace proxel::tool {

void check_signature_search(const SignatureSearchChoice& choice, bool method_given) {
  check_permutations(choice.permutation);
  const auto refuse = [](bool given, const char* option, const char* why) {
    if (given) throw Error(ErrorCode::invalid_argument, option, why);
  };
  const bool permutations = choice.permutation.permutants != 0;
  refuse(permutations && method_given, "--method", "compares all signatures; without --permutants it is followed");
  refuse(!choice.krulis.wanted && choice.krulis.set, choice.krulis.set, "is for --method krulis");
}

SearchedSignatures::SearchedSignatures(const std::vector<std::unique_ptr<Device>>& devices,
                                       const Signatures& signatures, const SignatureSearchChoice& choice,
                                       std::optional<std::uint64_t> k, ProgressBar& bar) {
  bar.set_title("uploading");
  if (choice.krulis.wanted) {
    index_.emplace(make_krulis_index(choice.krulis, choice.index, devices, signatures, bar.callback()));
    return;
  }
  if (choice.permutation.permutants == 0) {
    index_.emplace(SignatureIndex(*devices.front(), signatures, choice.index));
    return;
  }
  const PermutationOptions options = permutation_options(
      choice.permutation, {.scratch_limit = choice.index.scratch_limit, .timing = choice.index.timing});
  SignaturePermutationIndex made(*devices.front(), signatures, choice.index.similarity, options, bar.callback());
  fraction_ = choice.permutation.fraction.value_or(PermutationChoice::usual_fraction);
  if (choice.permutation.recall) {
    if (!k)
      throw Error(ErrorCode::unsupported, "--recall",
                  "chooses a fraction for the k nearest; --radius takes --fraction");
    bar.set_title("choosing the fraction");
    chosen_ = made.choose_fraction(*choice.permutation.recall, *k, Signatures(signatures.dimensions()), bar.callback());
    fraction_ = chosen_->fraction;
  }
  index_.emplace(std::move(made));
}

RangeNeighbors SearchedSignatures::nearest(const Signatures& queries, std::uint64_t k, const Progress& progress) {
  return std::visit([&]<typename Own>(Own& own) {
    if constexpr (std::is_same_v<Own, SignaturePermutationIndex>)
      return without_padding(own.search(queries, k, fraction_, progress));
    else
      return without_padding(own.search(queries, k, progress));
  }, *index_);
}

RangeNeighbors SearchedSignatures::within(const Signatures& queries, float radius, const Progress& progress) {
  return std::visit([&]<typename Own>(Own& own) {
    if constexpr (std::is_same_v<Own, SignaturePermutationIndex>)
      return own.range_search(queries, radius, fraction_, progress);
    else
      return own.range_search(queries, radius, progress);
  }, *index_);
}

std::uint64_t SearchedSignatures::size() const {
  return std::visit([](const auto& own) { return own.size(); }, *index_);
}

double SearchedSignatures::build_milliseconds() const {
  return std::visit([](const auto& own) { return own.build_milliseconds(); }, *index_);
}

std::string SearchedSignatures::method(const SearchReport& report) const {
  return std::holds_alternative<KrulisIndex>(*index_) ? fmt::format("krulis, {}", report.method)
                                                      : std::string(report.method);
}

}  // namespace proxel::tool
