#include "proxel/sharded_permutation.hpp"

#include "in_use.hpp"
#include "session/stopwatch.hpp"
#include "sharding/objects.hpp"
#include "sharding/shard_updates.hpp"
#include "strings/string_store.hpp"

namespace proxel {

using namespace sharding;

namespace {

// Each device has all rows.
Division checked(Division division) {
  if (division == Division::rows)
    throw Error(ErrorCode::unsupported, "division",
                "by rows was asked for: which objects are candidates depends on all of them, so that permutation "
                "indexes divide queries alone");
  return division;
}

}  // namespace

template <typename IndexOf>
struct ShardedPermutationsOf<IndexOf>::Implementation {
  InUse in_use;
  Shards<IndexOf> shards;
  std::uint64_t given;  // numbers that objects have been given
  double build_milliseconds = 0;
  bool changed = false;

  // @param make  (device, objects, options, progress) -> IndexOf
  template <typename Make>
  Implementation(std::span<Device* const> devices, const char* what, const Objects& objects,
                 const ShardedPermutationOptions& options, const Progress& progress, const Make& make)
      : shards(devices, checked(options.division), what, count_of(objects)), given(count_of(objects)) {
    const session::Stopwatch building;
    constexpr std::uint64_t fewest_tried = 256;
    constexpr double usual_fraction = 0.1;
    PermutationOptions tried = options.index;
    tried.timing = Timing::none;
    tried.chosen.clear();
    const Trial trial = trial_of(objects, fewest_tried, [&make, tried](Device& device, const Objects& sample) {
      return make(device, sample, tried, Progress());
    }, [](IndexOf& index, const Objects& queries) { index.search(queries, Trial::k, usual_fraction); });
    shards.make(given, options.shares, trial, 1, progress,
                [&](Device& device, Part, const Progress& told) { return make(device, objects, options.index, told); });
    build_milliseconds = building.milliseconds();
  }

  const auto& first() const {
    return *std::ranges::find_if(shards, [](const auto& shard) { return shard.share > 0; });
  }
  // Calls with the index of a device that has a share; what fails names the device.
  template <typename Call>
  auto on_first(const Call& call) {
    auto& one = const_cast<ShardOf<IndexOf>&>(first());
    try {
      return call(*one.index);
    } catch (const Error&) {
      rethrow_of(one.device->info().id, std::current_exception());
    }
  }
};

template <typename IndexOf>
ShardedPermutationsOf<IndexOf>::ShardedPermutationsOf(std::span<Device* const> devices, const Strings& strings,
                                                      const ShardedPermutationOptions& options,
                                                      const Progress& progress)
  requires std::same_as<IndexOf, PermutationIndex>
    : implementation_(std::make_unique<Implementation>(
          devices, "strings", strings, options, progress,
          [](Device& device, const Strings& some, const PermutationOptions& with, const Progress& told) {
            return PermutationIndex(device, some, with, told);
          })) {}

template <typename IndexOf>
ShardedPermutationsOf<IndexOf>::ShardedPermutationsOf(std::span<Device* const> devices, MatrixView<float> database,
                                                      Metric metric, const ShardedPermutationOptions& options,
                                                      const Progress& progress)
  requires std::same_as<IndexOf, VectorPermutationIndex>
{
  if (!database.data) throw Error(ErrorCode::invalid_argument, "database", "is a null pointer");
  implementation_ = std::make_unique<Implementation>(
      devices, "rows", database, options, progress,
      [metric](Device& device, const MatrixView<float>& some, const PermutationOptions& with, const Progress& told) {
    return VectorPermutationIndex(device, some, metric, with, told);
  });
}

template <typename IndexOf>
ShardedPermutationsOf<IndexOf>::ShardedPermutationsOf(std::span<Device* const> devices, const Signatures& signatures,
                                                      const SimilarityFunction& similarity,
                                                      const ShardedPermutationOptions& options,
                                                      const Progress& progress)
  requires std::same_as<IndexOf, SignaturePermutationIndex>
    : implementation_(std::make_unique<Implementation>(
          devices, "signatures", signatures, options, progress,
          [similarity](Device& device, const Signatures& some, const PermutationOptions& with, const Progress& told) {
            return SignaturePermutationIndex(device, some, similarity, with, told);
          })) {}

template <typename IndexOf>
ShardedPermutationsOf<IndexOf>::~ShardedPermutationsOf() = default;
template <typename IndexOf>
ShardedPermutationsOf<IndexOf>::ShardedPermutationsOf(ShardedPermutationsOf&&) noexcept = default;
template <typename IndexOf>
ShardedPermutationsOf<IndexOf>& ShardedPermutationsOf<IndexOf>::operator=(ShardedPermutationsOf&&) noexcept = default;

template <typename IndexOf>
Neighbors ShardedPermutationsOf<IndexOf>::search(const Objects& queries, std::uint64_t k, double fraction,
                                                 const Progress& progress) {
  return searched(*implementation_,
                  [&] { return nearest_objects(implementation_->shards, queries, k, progress, fraction); });
}

template <typename IndexOf>
RangeNeighbors ShardedPermutationsOf<IndexOf>::range_search(const Objects& queries, float radius, double fraction,
                                                            const Progress& progress) {
  return searched(*implementation_,
                  [&] { return objects_within(implementation_->shards, queries, radius, progress, fraction); });
}

template <typename IndexOf>
FractionChoice ShardedPermutationsOf<IndexOf>::choose_fraction(double recall, std::uint64_t k, const Objects& queries,
                                                               const Progress& progress) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  implementation_->shards.require_whole();
  return implementation_->on_first([&](IndexOf& index) { return index.choose_fraction(recall, k, queries, progress); });
}

template <typename IndexOf>
FractionChoice ShardedPermutationsOf<IndexOf>::choose_range_fraction(double recall, float radius,
                                                                     const Objects& queries, const Progress& progress)
  requires std::same_as<IndexOf, PermutationIndex>
{
  const InUse::Scope in_use(implementation_->in_use, "index");
  implementation_->shards.require_whole();
  return implementation_->on_first(
      [&](IndexOf& index) { return index.choose_range_fraction(recall, radius, queries, progress); });
}

template <typename IndexOf>
std::uint32_t ShardedPermutationsOf<IndexOf>::add(const Strings& strings)
  requires std::same_as<IndexOf, PermutationIndex>
{
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  self.shards.require_whole();
  strings::require_addable(strings, units(), self.given);
  const auto first = static_cast<std::uint32_t>(self.given);
  self.changed = true;
  if (strings.size() != 0)
    add_to_all(self.shards, self.given, strings.size(), {}, [](const IndexOf& index) { return index.size(); },
               [&](ShardOf<IndexOf>& shard, const Progress&) { shard.index->add(strings); });
  return first;
}

template <typename IndexOf>
std::uint64_t ShardedPermutationsOf<IndexOf>::remove(std::span<const std::uint32_t> numbers)
  requires std::same_as<IndexOf, PermutationIndex>
{
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  self.shards.require_whole();
  strings::require_given(numbers, self.given);
  self.changed = true;
  return remove_from_each(self.shards, numbers);
}

template <typename IndexOf>
std::string ShardedPermutationsOf<IndexOf>::text(std::uint32_t number) const
  requires std::same_as<IndexOf, PermutationIndex>
{
  return implementation_->shards.any().text(number);
}
template <typename IndexOf>
StringUnits ShardedPermutationsOf<IndexOf>::units() const
  requires std::same_as<IndexOf, PermutationIndex>
{
  return implementation_->shards.any().units();
}
template <typename IndexOf>
void ShardedPermutationsOf<IndexOf>::save(const std::string& path)
  requires std::same_as<IndexOf, PermutationIndex>
{
  const InUse::Scope in_use(implementation_->in_use, "index");
  implementation_->shards.require_whole();
  implementation_->on_first([&](IndexOf& index) { index.save(path); });
}

template <typename IndexOf>
std::uint32_t ShardedPermutationsOf<IndexOf>::dimensions() const
  requires(!std::same_as<IndexOf, PermutationIndex>)
{
  return implementation_->shards.any().dimensions();
}
template <typename IndexOf>
Metric ShardedPermutationsOf<IndexOf>::metric() const
  requires std::same_as<IndexOf, VectorPermutationIndex>
{
  return implementation_->shards.any().metric();
}
template <typename IndexOf>
const SimilarityFunction& ShardedPermutationsOf<IndexOf>::similarity() const
  requires std::same_as<IndexOf, SignaturePermutationIndex>
{
  return implementation_->shards.any().similarity();
}
template <typename IndexOf>
std::uint64_t ShardedPermutationsOf<IndexOf>::size() const {
  return implementation_->shards.any().size();
}
template <typename IndexOf>
std::span<const std::uint32_t> ShardedPermutationsOf<IndexOf>::permutants() const {
  return implementation_->shards.any().permutants();
}
template <typename IndexOf>
std::uint64_t ShardedPermutationsOf<IndexOf>::candidates(std::uint64_t k, double fraction) const {
  return implementation_->shards.any().candidates(k, fraction);
}
template <typename IndexOf>
Division ShardedPermutationsOf<IndexOf>::division() const {
  return implementation_->shards.division();
}
template <typename IndexOf>
std::vector<ShardInfo> ShardedPermutationsOf<IndexOf>::shards() const {
  return implementation_->shards.infos();
}
template <typename IndexOf>
double ShardedPermutationsOf<IndexOf>::build_milliseconds() const {
  return implementation_->changed ? longest_build(implementation_->shards) : implementation_->build_milliseconds;
}

template class ShardedPermutationsOf<PermutationIndex>;
template class ShardedPermutationsOf<VectorPermutationIndex>;
template class ShardedPermutationsOf<SignaturePermutationIndex>;

}  // namespace proxel
