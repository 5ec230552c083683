#include "proxel/sharded_signatures.hpp"

#include "in_use.hpp"
#include "session/stopwatch.hpp"
#include "sharding/objects.hpp"
#include "signatures/packed_signatures.hpp"

namespace proxel {

using namespace sharding;

struct ShardedSignatureIndex::Implementation {
  InUse in_use;
  Shards<SignatureIndex> shards;
  std::uint64_t size;
  double build_milliseconds = 0;

  Implementation(std::span<Device* const> devices, const Signatures& signatures, const ShardedSignatureOptions& with,
                 const Progress& progress)
      : shards(devices, with.division, "signatures", signatures.size()), size(signatures.size()) {
    const session::Stopwatch building;
    // What is wrong is said of all of them, and not by their numbers on a device.
    signatures::require_scalable(signatures, 0, size, signatures::SimilarityScale(with.index.similarity));
    constexpr std::uint64_t fewest_tried = 256;
    shards.make(size, with.shares, trial_of<SignatureIndex>(signatures, fewest_tried, with.index), 1, progress,
                [&](Device& device, Part part, const Progress& told) {
      return part.of(signatures,
                     [&](const Signatures& mine) { return SignatureIndex(device, mine, with.index, told); });
    });
    build_milliseconds = building.milliseconds();
  }

  const SignatureIndex& any() const { return shards.any(); }
  void check(const Signatures& queries) const {
    signatures::require_scalable(queries, 0, queries.size(), signatures::SimilarityScale(any().similarity()));
  }
};

ShardedSignatureIndex::ShardedSignatureIndex(std::span<Device* const> devices, const Signatures& signatures,
                                             const ShardedSignatureOptions& options, const Progress& progress)
    : implementation_(std::make_unique<Implementation>(devices, signatures, options, progress)) {}
ShardedSignatureIndex::~ShardedSignatureIndex() = default;
ShardedSignatureIndex::ShardedSignatureIndex(ShardedSignatureIndex&&) noexcept = default;
ShardedSignatureIndex& ShardedSignatureIndex::operator=(ShardedSignatureIndex&&) noexcept = default;

Neighbors ShardedSignatureIndex::search(const Signatures& queries, std::uint64_t k, const Progress& progress) {
  return searched(*implementation_, [&] {
    implementation_->check(queries);
    return nearest_objects(implementation_->shards, queries, k, progress);
  });
}

RangeNeighbors ShardedSignatureIndex::range_search(const Signatures& queries, float radius, const Progress& progress) {
  return searched(*implementation_, [&] {
    implementation_->check(queries);
    return objects_within(implementation_->shards, queries, radius, progress);
  });
}

Distances ShardedSignatureIndex::distances(const Signatures& queries, const Progress& progress) {
  Implementation& self = *implementation_;
  return searched(self, [&] {
    self.check(queries);
    Distances all{Matrix<float>(queries.size(), self.size)};
    std::vector<SearchReport> reports(self.shards.size());
    self.shards.each_asked(queries.size(), progress, [&](auto& shard, std::size_t i, Part part, const Progress& told) {
      Distances found = part.of(queries, [&](const Signatures& asked) { return shard.index->distances(asked, told); });
      // The signatures of a device follow one another.
      copy_rows_to(found.values, part.first, all.values, shard.numbers.number(0));
      reports[i] = std::move(found.report);
    });
    for (const SearchReport& report : reports) add_device(all.report, report);
    return all;
  });
}

std::uint64_t ShardedSignatureIndex::size() const { return implementation_->size; }
std::uint32_t ShardedSignatureIndex::dimensions() const { return implementation_->any().dimensions(); }
const SimilarityFunction& ShardedSignatureIndex::similarity() const { return implementation_->any().similarity(); }
Division ShardedSignatureIndex::division() const { return implementation_->shards.division(); }
std::vector<ShardInfo> ShardedSignatureIndex::shards() const { return implementation_->shards.infos(); }
double ShardedSignatureIndex::build_milliseconds() const { return implementation_->build_milliseconds; }

}  // namespace proxel
