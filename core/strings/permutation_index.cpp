#include "proxel/permutation.hpp"

#include <cmath>
#include <numeric>
#include <random>

#include <fmt/format.h>

#include "index/run_once.hpp"
#include "passes/permutation_positions.hpp"
#include "strings/permutation_search.hpp"
#include "strings/prepared_strings.hpp"

namespace proxel {

using namespace strings;
using passes::PermutationDistance;

namespace {

constexpr std::pair<PermutationDistance, std::string_view> distance_names[] = {
    {PermutationDistance::footrule, "footrule"},
    {PermutationDistance::spearman_rho, "spearman-rho"},
    {PermutationDistance::kendall_tau, "kendall-tau"},
};

// A number below `limit`, each as likely, the same with every standard library.
std::uint32_t uniform(std::mt19937_64& random, std::uint32_t limit) {
  const std::uint64_t fair = UINT64_MAX - UINT64_MAX % limit;
  std::uint64_t number;
  do number = random();
  while (number >= fair);
  return static_cast<std::uint32_t>(number % limit);
}

std::vector<std::uint32_t> choose(const PermutationOptions& options, std::uint64_t count) {
  if (!options.chosen.empty()) {
    search::require_range("permutants", options.chosen.size(), 1, passes::most_permutants);
    for (const std::uint32_t index : options.chosen)
      search::require_range("permutant", index, 0, count - 1);
    return options.chosen;
  }
  search::require_range("permutants", options.permutants, 1, passes::most_permutants);
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0u);
  const auto wanted = static_cast<std::uint32_t>(std::min<std::uint64_t>(options.permutants, count));
  std::mt19937_64 random(options.seed);
  for (std::uint32_t i = 0; i < wanted; ++i)
    std::swap(all[i], all[i + uniform(random, static_cast<std::uint32_t>(count - i))]);
  all.resize(wanted);
  return all;
}

Strings chosen_strings(const Strings& strings, const std::vector<std::uint32_t>& indices) {
  Strings chosen(strings.units());
  for (const std::uint32_t index : indices) chosen.add(strings.text(index));
  return chosen;
}

// The permutations of all strings: their distances to the permutants, which are the
// queries here, and the order of those.
std::unique_ptr<Buffer> make_positions(Device& device, const StoredStrings& strings,
                                       const Strings& permutants, const Alphabet& alphabet,
                                       const StringIndexOptions& options) {
  const auto count = static_cast<std::uint32_t>(permutants.size());
  std::vector<std::uint32_t> symbols, offsets{0};
  for (std::uint32_t i = 0; i < count; ++i) {
    for (const std::uint32_t symbol : permutants[i]) symbols.push_back(alphabet.number(symbol));
    offsets.push_back(static_cast<std::uint32_t>(symbols.size()));
  }
  symbols.push_back(0);
  const std::uint64_t distance_bytes = std::uint64_t{count} * strings.count * 4;
  // All permutants' distances are there at once.
  const StringDistances plan(device, strings, count, permutants.longest(), strings.count,
                             std::max(distance_bytes, options.scratch_limit / 4));
  const auto near_symbols = upload(device, symbols);
  const auto near_offsets = upload(device, offsets);
  const auto tables = device.create_buffer(plan.table_bytes(), MemoryKind::device);
  const auto carries = device.create_buffer(std::max<std::uint64_t>(plan.carry_bytes(), 4), MemoryKind::device);
  const auto distances = device.create_buffer(distance_bytes, MemoryKind::device);
  auto positions = device.create_buffer(passes::permutation_bytes(strings.count, count), MemoryKind::device);

  index::run_once(device, [&](Recording& recording) {
    StringAddresses at{near_offsets->address(), tables->address(), carries->address(), 0};
    plan.record_tables(recording, near_symbols->address(), at);
    for (std::uint32_t first = 0; first < count; first += plan.chunk()) {
      recording.barrier();
      at.distances = distances->address() + std::uint64_t{first} * strings.count * 4;
      plan.record(recording, at, first, std::min(plan.chunk(), count - first));
    }
    recording.barrier();
    passes::PermutationsParameters pass{};
    pass.distances = distances->address();
    pass.positions = positions->address();
    pass.objects = static_cast<std::uint32_t>(strings.count);
    pass.permutants = count;
    pass.object_stride = 1;
    pass.permutant_stride = static_cast<std::uint32_t>(strings.count);
    recording.record(passes::make_permutations(pass));
  });
  return positions;
}

}  // namespace

std::string_view to_string(PermutationDistance distance) {
  for (const auto& [known, name] : distance_names)
    if (known == distance) return name;
  return "unknown";
}

PermutationDistance permutation_distance_from_string(std::string_view name) {
  for (const auto& [distance, known] : distance_names)
    if (known == name) return distance;
  throw Error(ErrorCode::invalid_argument, "permutation distance",
              fmt::format("'{}' was given; footrule, spearman-rho and kendall-tau are allowed", name));
}

struct PermutationIndex::Implementation {
  index::Stopwatch building;
  StringUnits units;
  std::vector<std::uint32_t> permutants;
  Alphabet alphabet;
  Strings permutant_strings;
  StoredStrings stored, stored_permutants;
  std::unique_ptr<Buffer> positions;
  PermutationDistance distance;
  StringSearcher<PermutationSearch, StoredPermutations, PermutationSearchDescription> searcher;
  double build_milliseconds;

  Implementation(Device& device, const Strings& strings, const PermutationOptions& options)
      : units(strings.units()), permutants(choose(options, checked(strings).size())),
        alphabet(strings), permutant_strings(chosen_strings(strings, permutants)),
        stored(device, PackedStrings(strings, alphabet), alphabet),
        stored_permutants(device, PackedStrings(permutant_strings, alphabet), alphabet),
        positions(make_positions(device, stored, permutant_strings, alphabet, options.strings)),
        distance(options.distance), searcher(device, options.strings),
        build_milliseconds(building.milliseconds()) {}
};

PermutationIndex::PermutationIndex(Device& device, const Strings& strings,
                                   const PermutationOptions& options) {
  search::require_range("scratch limit", options.strings.scratch_limit, std::uint64_t{1} << 20, UINT64_MAX);
  implementation_ = std::make_unique<Implementation>(device, strings, options);
}
PermutationIndex::~PermutationIndex() = default;
PermutationIndex::PermutationIndex(PermutationIndex&&) noexcept = default;
PermutationIndex& PermutationIndex::operator=(PermutationIndex&&) noexcept = default;

std::uint64_t PermutationIndex::candidates(std::uint64_t k, double fraction) const {
  if (!(fraction > 0 && fraction <= 1))
    throw Error(ErrorCode::invalid_argument, "fraction",
                fmt::format("{} was given, more than 0 and at most 1 is allowed", fraction));
  // What the binary fraction is above the decimal one that was meant is not rounded up.
  const double share = fraction * static_cast<double>(size());
  const auto wanted = static_cast<std::uint64_t>(std::ceil(share - 1e-9 * share));
  return std::min(std::max(wanted, k), size());
}

Neighbors PermutationIndex::search(const Strings& queries, std::uint64_t k, double fraction,
                                   const Progress& progress) {
  Implementation& self = *implementation_;
  PermutationSearchDescription wanted;
  wanted.strings.k = k;
  wanted.candidates = candidates(k, fraction);
  return self.searcher.search({self.stored, self.stored_permutants, *self.positions, self.distance},
                              self.stored, self.alphabet, self.units, queries, wanted, progress);
}

std::uint64_t PermutationIndex::size() const { return implementation_->stored.count; }
std::span<const std::uint32_t> PermutationIndex::permutants() const { return implementation_->permutants; }
const SearchTimes& PermutationIndex::times() const { return implementation_->searcher.times(); }
double PermutationIndex::build_milliseconds() const { return implementation_->build_milliseconds; }

}  // namespace proxel
