#include "strings/stored_permutations.hpp"

#include <algorithm>

#include "session/run_once.hpp"
#include "passes/permutation_positions.hpp"
#include "permutation/permutants.hpp"
#include "search/check.hpp"
#include "watch.hpp"

namespace proxel::strings {
namespace {

// Between two reports of progress: a fraction of a second on the slowest of devices.
constexpr std::uint64_t pairs_between_reports = std::uint64_t{1} << 20;

// The permutations of all strings: their distances to the permutants, which are the
// queries here, and the order of those.
std::unique_ptr<Buffer> make_positions(Device& device, const StoredStrings& strings, const Strings& permutants,
                                       const Alphabet& alphabet, std::uint32_t kept, const PermutationOptions& options,
                                       const Progress& progress, double& milliseconds) {
  const auto count = static_cast<std::uint32_t>(permutants.size());
  std::vector<std::uint32_t> symbols, offsets{0};
  for (std::uint32_t i = 0; i < count; ++i) {
    for (const std::uint32_t symbol : permutants[i]) symbols.push_back(alphabet.number(symbol));
    offsets.push_back(static_cast<std::uint32_t>(symbols.size()));
  }
  symbols.push_back(0);
  const std::uint64_t distance_bytes = count * StringDistances::stride_of(strings.count) * 4;
  // All permutants' distances are there at once.
  const StringDistances plan(device, strings, count, permutants.longest(), {strings.count},
                             std::max(distance_bytes, options.scratch_limit / 4));
  const UploadedWords queries(device, {&symbols, &offsets});
  const std::uint64_t carries = search::align_scratch(plan.table_bytes());
  const std::uint64_t distances = carries + search::align_scratch(plan.carry_bytes());
  const auto scratch = device.create_buffer(distances + distance_bytes, MemoryKind::device);
  auto positions = device.create_buffer(passes::permutation_bytes(strings.count, count), MemoryKind::device);

  StringAddresses at{queries.address(1), scratch->address(), scratch->address() + carries, 0};
  const auto record_begin = [&](Recording& recording) {
    recording.fill(*positions, 0);  // of objects past the last
    plan.record_tables(recording, queries.address(0), at);
  };
  const auto record_distances = [&](Recording& recording, std::uint32_t first, std::uint32_t end) {
    for (; first < end; first += plan.chunk()) {
      recording.barrier();
      at.distances = scratch->address() + distances + first * plan.stride() * 4;
      plan.record(recording, at, first, std::min(plan.chunk(), end - first));
    }
  };
  const auto record_order = [&](Recording& recording) {
    recording.barrier();
    passes::PermutationsParameters pass{};
    pass.distances = scratch->address() + distances;
    pass.positions = positions->address();
    pass.objects = static_cast<std::uint32_t>(strings.count);
    pass.permutants = count;
    pass.kept = kept;
    pass.object_stride = 1;
    pass.permutant_stride = static_cast<std::uint32_t>(plan.stride());
    recording.record(passes::make_permutations(pass));
  };

  // In one submission where nobody is told, or could end it between two.
  const auto piece =
      progress || Watch::current()
          ? static_cast<std::uint32_t>(std::clamp<std::uint64_t>(pairs_between_reports / strings.count, 1, count))
          : count;
  for (std::uint32_t first = 0; first < count; first += piece) {
    const std::uint32_t end = std::min(first + piece, count);
    milliseconds += session::run_once(device, [&](Recording& recording) {
      if (first == 0) record_begin(recording);
      record_distances(recording, first, end);
      if (end == count) record_order(recording);
    }, Timing::whole);
    if (progress) progress(end, count);
  }
  return positions;
}

}  // namespace

StoredPermutations::StoredPermutations(Device& device, const Strings& of, const Strings& permutants_of,
                                       const PermutationOptions& options, const std::vector<std::uint32_t>& known,
                                       const Progress& progress)
    : alphabet(of, permutants_of),
      strings(device, PackedStrings(of, alphabet), alphabet, options.string_distance),
      permutants(device, PackedStrings(permutants_of, alphabet), alphabet, options.string_distance) {
  permutations.objects = strings.count;
  permutations.permutants = static_cast<std::uint32_t>(permutants_of.size());
  permutations.kept = permutation::kept_permutants(options, permutations.permutants);
  permutations.distance = options.distance;
  permutations.positions = known.empty() ? make_positions(device, strings, permutants_of, alphabet, permutations.kept,
                                                          options, progress, build_compute_milliseconds)
                                         : UploadedWords(device, {&known}).release();
}

std::vector<std::uint32_t> StoredPermutations::read_positions(Device& device) const {
  const std::uint64_t bytes = passes::permutation_bytes(permutations.objects, permutations.permutants);
  const auto staging = device.create_buffer(bytes, MemoryKind::readback);
  session::run_once(device, [&](Recording& recording) {
    recording.copy(BufferView(*permutations.positions).part(0, bytes), *staging);
  });
  const auto* words = static_cast<const std::uint32_t*>(staging->mapped());
  return {words, words + bytes / 4};
}

}  // namespace proxel::strings
