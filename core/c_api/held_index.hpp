#pragma once

// Indexes of every kind are one kind of handle: what C++ has for a kind is called, and what it lacks is refused.

#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "c_api/handle.hpp"
#include "c_api/requests.hpp"
#include "proxel/index.hpp"
#include "proxel/papers/krulis.hpp"
#include "proxel/permutation.hpp"
#include "proxel/sharded_index.hpp"
#include "proxel/sharded_permutation.hpp"
#include "proxel/sharded_signatures.hpp"
#include "proxel/sharded_strings.hpp"
#include "proxel/signature_index.hpp"
#include "proxel/signature_permutation.hpp"
#include "proxel/vector_permutation.hpp"

namespace proxel::c_api {

/// What an index of C++ is in C: its name, what it is searched for, and the options that its searches and plans know.
template <typename Own>
struct KindOf;
template <>
struct KindOf<Index> {
  using Queries = MatrixView<float>;
  static constexpr const char* name = "vectors";
  static constexpr unsigned options = option_metric | option_raw | option_filter | options_of_nearest;
};
template <>
struct KindOf<ShardedIndex> : KindOf<Index> {
  static constexpr const char* name = "sharded-vectors";
};
template <>
struct KindOf<StringIndex> {
  using Queries = Strings;
  static constexpr const char* name = "strings";
  static constexpr unsigned options = option_ordered | option_longest_query;
};
template <>
struct KindOf<SignatureIndex> {
  using Queries = Signatures;
  static constexpr const char* name = "signatures";
  static constexpr unsigned options = option_ordered | option_longest_query;
};
template <>
struct KindOf<PermutationIndex> {
  using Queries = Strings;
  static constexpr const char* name = "string-permutations";
  static constexpr unsigned options = option_fraction | option_ordered | option_longest_query;
};
template <>
struct KindOf<VectorPermutationIndex> {
  using Queries = MatrixView<float>;
  static constexpr const char* name = "vector-permutations";
  static constexpr unsigned options = option_fraction;
};
template <>
struct KindOf<SignaturePermutationIndex> {
  using Queries = Signatures;
  static constexpr const char* name = "signature-permutations";
  static constexpr unsigned options = option_fraction | option_ordered | option_longest_query;
};
template <>
struct KindOf<KrulisIndex> {
  using Queries = Signatures;
  static constexpr const char* name = "krulis";
  static constexpr unsigned options = option_ordered;
};

template <>
struct KindOf<ShardedStringIndex> : KindOf<StringIndex> {
  static constexpr const char* name = "sharded-strings";
};
template <>
struct KindOf<ShardedSignatureIndex> : KindOf<SignatureIndex> {
  static constexpr const char* name = "sharded-signatures";
};
template <>
struct KindOf<ShardedPermutationIndex> : KindOf<PermutationIndex> {
  static constexpr const char* name = "sharded-string-permutations";
};
template <>
struct KindOf<ShardedVectorPermutationIndex> : KindOf<VectorPermutationIndex> {
  static constexpr const char* name = "sharded-vector-permutations";
};
template <>
struct KindOf<ShardedSignaturePermutationIndex> : KindOf<SignaturePermutationIndex> {
  static constexpr const char* name = "sharded-signature-permutations";
};

template <typename Own>
concept OfVectors = std::is_same_v<Own, Index> || std::is_same_v<Own, ShardedIndex>;
template <typename Own>
concept OfPermutations = (KindOf<Own>::options & option_fraction) != 0;
template <typename Own>
using QueriesOf = typename KindOf<Own>::Queries;

// What C++ has for some kinds alone.
template <typename Own>
concept ChoosingMethods = std::is_same_v<Own, Index>;
template <typename Own>
concept OnSeveral = requires(const Own& own) { own.shards(); };
template <typename Own>
concept WithPlans = requires { &Own::plan; };
template <typename Own>
concept Changing = requires { &Own::add; };
template <typename Own>
concept WithTexts = requires { &Own::text; };
template <typename Own>
concept WithFiles = requires { &Own::save; };
template <typename Own>
concept WithAllDistances = requires { &Own::distances; };
template <typename Own>
concept WithRangeFractions = requires { &Own::choose_range_fraction; };

/// What searches of a kind know. @param without  options that this search has not
template <typename Own>
Known known_to(const Own&, const char* searches, unsigned without = 0) {
  return {KindOf<Own>::options & ~without, searches, KindOf<Own>::name};
}

/// An index with the devices that it needs. Plans hold what the handle holds.
struct HeldIndex {
  std::vector<std::shared_ptr<Device>> devices;
  std::variant<Index, ShardedIndex, StringIndex, ShardedStringIndex, SignatureIndex, ShardedSignatureIndex,
               PermutationIndex, ShardedPermutationIndex, VectorPermutationIndex, ShardedVectorPermutationIndex,
               SignaturePermutationIndex, ShardedSignaturePermutationIndex, KrulisIndex>
      index;
  const char* method = nullptr;  // that was asked for, a literal
  std::uint64_t changes = 0;     // of what it holds; each ends the plans made before
};

template <>
struct ObjectOf<proxel_index> : ObjectOfKind<std::shared_ptr<HeldIndex>, HandleKind::index> {};

/// Calls with the index of C++ that a handle stands for. Throws Error(unsupported) that names the kind where it is none
/// that can be called with.
/// @param what  that such a kind does not have
template <typename Result = void, typename Call>
Result with_index(HeldIndex& held, const char* what, const Call& call) {
  return std::visit([&]<typename Own>(Own& own) -> Result {
    if constexpr (std::is_invocable_v<const Call&, Own&>)
      return call(own);
    else
      throw Error(ErrorCode::unsupported, "index",
                  std::string("is of kind ") + KindOf<Own>::name + ", which has no " + what);
  }, held.index);
}

/// The same for a function of the C API.
template <typename Handle, typename Call>
proxel_status use_index(Handle* index, const char* what, const Call& call) {
  return guarded([&] { with_index(*handled(index, "index"), what, call); });
}

}  // namespace proxel::c_api
