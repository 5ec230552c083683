#include "data/ground_truth_layout.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "data/elements.hpp"
#include "data/guarded.hpp"
#include "data/load.hpp"

namespace proxel::data {
namespace {

constexpr std::uint64_t counts_bytes = 8;

std::vector<std::uint32_t> words_at(const ByteSource& source, std::uint64_t offset, std::uint64_t count) {
  std::vector<std::uint32_t> words(count);
  if (count == 0) return words;
  source.read(offset, std::as_writable_bytes(std::span(words)));
  for (std::uint32_t& word : words) word = load<std::uint32_t>(reinterpret_cast<const std::byte*>(&word), false);
  return words;
}

void to_floats(const std::vector<std::uint32_t>& words, float* to) {
  std::ranges::transform(words, to, [](std::uint32_t word) { return std::bit_cast<float>(word); });
}

}  // namespace

GroundTruth parse_ground_truth(const ByteSource& source) {
  return guarded(source.name(), [&] {
    const auto header = words_at(source, 0, 2);
    const std::uint64_t queries = header[0], k = header[1], slots = queries * k, present = source.size() - counts_bytes;
    if (k == 0) source.fail_at(4, "its queries have no neighbours");
    const auto ids_alone = product(slots, 4), both = product(slots, 8);
    const bool with_distances = both && *both == present;
    if (!with_distances && !(ids_alone && *ids_alone == present))
      source.fail(
          fmt::format("{} queries with {} neighbours each are promised, which take {} bytes, or {} with distances; "
                      "{} follow the header",
                      queries, k, ids_alone ? fmt::format("{}", *ids_alone) : "more than 2^64",
                      both ? fmt::format("{}", *both) : "more than 2^64", present));
    GroundTruth truth{Matrix<std::int64_t>(queries, k), {}};
    std::ranges::transform(words_at(source, counts_bytes, slots), truth.ids.data(), [](std::uint32_t id) {
      return id == no_neighbor ? std::int64_t{-1} : static_cast<std::int64_t>(id);
    });
    if (with_distances && slots != 0) {
      truth.distances = Matrix<float>(queries, k);
      to_floats(words_at(source, counts_bytes + 4 * slots, slots), truth.distances.data());
    }
    return truth;
  });
}

RangeNeighbors parse_range_ground_truth(const ByteSource& source) {
  return guarded(source.name(), [&] {
    const auto header = words_at(source, 0, 2);
    const std::uint64_t queries = header[0], matches = header[1];
    const std::uint64_t expected = counts_bytes + 4 * queries + 8 * matches;
    if (expected != source.size())
      source.fail(fmt::format("{} queries with {} matches are promised, which take {} bytes; it has {}", queries,
                              matches, expected, source.size()));
    RangeNeighbors truth;
    truth.offsets = {0};
    truth.offsets.reserve(queries + 1);
    for (const std::uint32_t count : words_at(source, counts_bytes, queries))
      truth.offsets.push_back(truth.offsets.back() + count);
    if (truth.offsets.back() != matches)
      source.fail(fmt::format("its queries have {} matches, its header says {}", truth.offsets.back(), matches));
    truth.indices = words_at(source, counts_bytes + 4 * queries, matches);
    truth.distances.resize(matches);
    to_floats(words_at(source, counts_bytes + 4 * queries + 4 * matches, matches), truth.distances.data());
    return truth;
  });
}

bool has_long_ids(const GroundTruth& truth) {
  const std::span<const std::int64_t> ids(truth.ids.data(), truth.ids.rows() * truth.ids.columns());
  return std::ranges::any_of(ids, [](std::int64_t id) { return id > largest_short_id; });
}

}  // namespace proxel::data
