#include "signatures/searched_signatures.hpp"

#include <fmt/format.h>

#include "divided_output.hpp"
#include "padding.hpp"
#include "proxel/error.hpp"

namespace proxel::tool {

void check_signature_search(const SignatureSearchChoice& choice, const DeviceOptions& devices, bool method_given) {
  check_permutations(choice.permutation);
  const auto refuse = [](bool given, const char* option, const char* why) {
    if (given) throw Error(ErrorCode::invalid_argument, option, why);
  };
  const bool permutations = choice.permutation.permutants != 0;
  refuse(permutations && method_given, "--method", "compares all signatures; without --permutants it is followed");
  refuse(!choice.krulis.wanted && choice.krulis.set, choice.krulis.set, "is for --method krulis");
  constexpr const char* why = "is not for --method krulis, which gives blocks to whichever device is free";
  refuse(choice.krulis.wanted && devices.divide, "--divide", why);
  refuse(choice.krulis.wanted && !devices.shares.empty(), "--shares", why);
}

SearchedSignatures::SearchedSignatures(const SearchedDevices& devices, const Signatures& signatures,
                                       const SignatureSearchChoice& choice, std::optional<std::uint64_t> k,
                                       ProgressBar& bar) {
  bar.set_title("uploading");
  if (choice.krulis.wanted) {
    index_.emplace(make_krulis_index(choice.krulis, choice.index, devices.all(), signatures, bar.callback()));
    return;
  }
  if (choice.permutation.permutants == 0) {
    index_.emplace(ShardedSignatureIndex(devices.all(), signatures, devices.divided(choice.index), bar.callback()));
    return;
  }
  const PermutationOptions options = permutation_options(
      choice.permutation, {.scratch_limit = choice.index.scratch_limit, .timing = choice.index.timing});
  ShardedSignaturePermutationIndex made(devices.all(), signatures, choice.index.similarity, devices.divided(options),
                                        bar.callback());
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
    if constexpr (std::is_same_v<Own, ShardedSignaturePermutationIndex>)
      return without_padding(own.search(queries, k, fraction_, progress));
    else
      return without_padding(own.search(queries, k, progress));
  }, *index_);
}

RangeNeighbors SearchedSignatures::within(const Signatures& queries, float radius, const Progress& progress) {
  return std::visit([&]<typename Own>(Own& own) {
    if constexpr (std::is_same_v<Own, ShardedSignaturePermutationIndex>)
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

void SearchedSignatures::describe(const SearchReport& report, nlohmann::ordered_json& document) const {
  std::visit([&](const auto& own) {
    if constexpr (requires { own.shards(); }) describe_division(own, report, document);
  }, *index_);
}

std::string SearchedSignatures::division(const SearchReport& report) const {
  return std::visit([&](const auto& own) -> std::string {
    if constexpr (requires { own.shards(); })
      return division_line(own, report);
    else
      return {};
  }, *index_);
}

std::string SearchedSignatures::method(const SearchReport& report) const {
  return std::holds_alternative<KrulisIndex>(*index_) ? fmt::format("krulis, {}", report.method)
                                                      : std::string(report.method);
}

}  // namespace proxel::tool
