#include <cstring>
#include <span>
#include <string>

#include "check.hpp"
#include "data/ground_truth_layout.hpp"
#include "promises.hpp"

namespace {

using namespace proxel;

const std::string name = "gt.ibin";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const data::MemorySource source(name, std::as_bytes(std::span(bytes, size)));
  if (const auto truth = fuzzing::attempt(name, [&] { return data::parse_ground_truth(source); })) {
    const std::uint64_t slots = truth->ids.rows() * truth->ids.columns();
    const bool with_distances = truth->distances.columns() != 0;
    fuzzing::require(size == 8 + slots * (with_distances ? 8 : 4), "every byte is of an id or a distance");
    for (std::uint64_t slot = 0; slot < slots; ++slot) {
      std::uint32_t stored = 0;
      std::memcpy(&stored, bytes + 8 + 4 * slot, sizeof stored);
      const std::int64_t id = truth->ids.data()[slot];
      fuzzing::require(static_cast<std::uint32_t>(id) == stored && id >= -1 && id < UINT32_MAX,
                       "an id is that of the file");
    }
    if (with_distances)
      fuzzing::require(std::memcmp(truth->distances.data(), bytes + 8 + 4 * slots, 4 * slots) == 0,
                       "distances are those of the file");
  }
  if (const auto range = fuzzing::attempt(name, [&] { return data::parse_range_ground_truth(source); })) {
    fuzzing::require(range->offsets.front() == 0 && range->offsets.back() == range->indices.size(),
                     "every match is of a query");
    fuzzing::require(range->indices.size() == range->distances.size(), "every match has a distance");
    fuzzing::require(size == 8 + 4 * (range->offsets.size() - 1) + 8 * range->indices.size(), "every byte is used");
    for (std::size_t query = 0; query + 1 < range->offsets.size(); ++query)
      fuzzing::require(range->offsets[query] <= range->offsets[query + 1], "matches are in the order of queries");
  }
  return 0;
}
