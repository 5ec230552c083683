#include "proxel/permutation.hpp"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

#include "in_use.hpp"
#include "session/told.hpp"
#include "permutation/permutants.hpp"
#include "strings/fraction_choice.hpp"
#include "strings/permutation_file_layout.hpp"
#include "strings/string_permutation_search.hpp"
#include "strings/string_searcher.hpp"

namespace proxel {

using namespace strings;
using passes::PermutationDistance;
using permutation::choose_permutants;
using permutation::kept_permutants;
using permutation::random_sample;

namespace {

constexpr std::pair<PermutationDistance, std::string_view> distance_names[] = {
    {PermutationDistance::footrule, "footrule"},
    {PermutationDistance::spearman_rho, "spearman-rho"},
    {PermutationDistance::kendall_tau, "kendall-tau"},
};

StringIndexOptions string_options(const PermutationOptions& options) {
  return {options.string_distance, options.scratch_limit, options.timing};
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
  InUse in_use;
  using Searcher = StringSearcher<StringPermutationSearch, StoredPermutations, StringPermutationDescription>;

  Device& device;
  PermutationOptions options;
  StringStore store;
  std::vector<std::uint32_t> permutants;  // their numbers
  Strings permutant_strings;
  std::optional<StoredPermutations> stored;  // unless strings have changed since
  Searcher searcher;
  double build_milliseconds = 0;

  Implementation(Device& of, const Strings& strings, const PermutationOptions& wanted, const Progress& progress)
      : device(of),
        options(wanted),
        store(strings),
        permutants(choose_permutants(wanted, strings.size())),
        permutant_strings(strings_at(strings, permutants)),
        searcher(of, string_options(wanted)) {
    build({}, progress);
  }

  Implementation(Device& of, PermutationFile file, const StringIndexOptions& strings)
      : device(of),
        store(std::move(file.objects), std::move(file.identifiers), file.next_identifier),
        permutants(std::move(file.permutant_identifiers)),
        permutant_strings(std::move(file.permutants)),
        searcher(of, strings) {
    options.distance = file.distance;
    options.prefix = file.kept;
    options.string_distance = file.string_distance;
    options.scratch_limit = strings.scratch_limit;
    options.timing = strings.timing;
    if (store.strings().size() != 0) build(file.positions);
  }

  void build(const std::vector<std::uint32_t>& positions, const Progress& progress = {}) {
    const session::Stopwatch building;
    stored.emplace(device, store.strings(), permutant_strings, options, positions, progress);
    build_milliseconds = building.milliseconds();
  }
  void forget() {
    searcher.forget();
    stored.reset();
  }
  // Some strings of the index, where there are no queries.
  FractionSample sample(const Strings& queries) const;
  Searcher::Database database() {
    if (!stored) build({});
    return {*stored, stored->strings, stored->alphabet, store.strings().units()};
  }
  // @param k  that candidates are at least; 1 within a radius
  StringPermutationDescription describe(std::uint64_t k, double fraction) const {
    StringPermutationDescription wanted;
    wanted.strings.k = k;
    wanted.selection = options.selection;
    wanted.candidates = permutation::candidate_count(store.strings().size(), k, fraction);
    return wanted;
  }
  StringPermutationDescription describe_range(float radius, double fraction) const {
    StringPermutationDescription wanted = describe(1, fraction);
    wanted.strings.radius = radius;
    return wanted;
  }
  // @param describe  what is asked for; not called where answers would have to be renamed
  template <typename Describe>
  std::unique_ptr<StringPlan> plan(std::uint32_t queries, std::uint32_t longest_query, const Describe& describe) {
    require_places(store);
    StringPermutationDescription wanted = describe();
    wanted.strings.queries = queries;
    wanted.strings.longest_query = longest_query;
    return searcher.plan(database(), wanted);
  }
};

PermutationIndex::PermutationIndex(Device& device, const Strings& strings, const PermutationOptions& options,
                                   const Progress& progress) {
  check(string_options(options));
  const std::uint64_t permutants =
      options.chosen.empty() ? std::min<std::uint64_t>(options.permutants, strings.size()) : options.chosen.size();
  session::Told told(progress, permutants);
  implementation_ = std::make_unique<Implementation>(device, strings, options, told.as_progress());
}
PermutationIndex::PermutationIndex(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
PermutationIndex::~PermutationIndex() = default;
PermutationIndex::PermutationIndex(PermutationIndex&&) noexcept = default;
PermutationIndex& PermutationIndex::operator=(PermutationIndex&&) noexcept = default;

std::uint64_t PermutationIndex::candidates(std::uint64_t k, double fraction) const {
  return permutation::candidate_count(size(), k, fraction);
}

Neighbors PermutationIndex::search(const Strings& queries, std::uint64_t k, double fraction, const Progress& progress) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  const StringPermutationDescription wanted = self.describe(k, fraction);
  if (size() == 0) return no_neighbors(queries, k);
  Neighbors found = self.searcher.search(self.database(), queries, wanted, progress);
  self.store.rename({found.indices.data(), queries.size() * k});
  return found;
}

RangeNeighbors PermutationIndex::range_search(const Strings& queries, float radius, double fraction,
                                              const Progress& progress) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  const StringPermutationDescription wanted = self.describe_range(radius, fraction);
  if (size() == 0) return no_matches(queries);
  RangeNeighbors found = self.searcher.range_search(self.database(), queries, wanted, progress);
  self.store.rename(found.indices);
  return found;
}

std::unique_ptr<StringPlan> PermutationIndex::plan(std::uint32_t queries, std::uint32_t longest_query, std::uint64_t k,
                                                   double fraction) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  return self.plan(queries, longest_query, [&] { return self.describe(k, fraction); });
}

std::unique_ptr<StringPlan> PermutationIndex::plan_range(std::uint32_t queries, std::uint32_t longest_query,
                                                         float radius, double fraction) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  return self.plan(queries, longest_query, [&] { return self.describe_range(radius, fraction); });
}

FractionSample PermutationIndex::Implementation::sample(const Strings& queries) const {
  constexpr std::uint64_t usual_sample = 500;
  if (queries.size() != 0) return {queries, {}};
  const std::vector<std::uint32_t> places = random_sample(store.strings().size(), usual_sample, options.seed + 1);
  FractionSample own{strings_at(store.strings(), places), places};
  store.rename(own.held_out);
  return own;
}

FractionChoice PermutationIndex::choose_fraction(double recall, std::uint64_t k, const Strings& queries,
                                                 const Progress& progress) {
  if (size() == 0) return {};
  return strings::choose_fraction(*this, recall, k, implementation_->sample(queries), progress);
}

FractionChoice PermutationIndex::choose_range_fraction(double recall, float radius, const Strings& queries,
                                                       const Progress& progress) {
  if (size() == 0) return {};
  return strings::choose_range_fraction(*this, recall, radius, implementation_->sample(queries), progress);
}

std::uint32_t PermutationIndex::add(const Strings& strings) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  const std::uint32_t first = implementation_->store.add(strings);
  if (strings.size() != 0) implementation_->forget();
  return first;
}

std::uint64_t PermutationIndex::remove(std::span<const std::uint32_t> numbers) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  const std::uint64_t removed = implementation_->store.remove(numbers);
  if (removed != 0) implementation_->forget();
  return removed;
}

PermutationIndex PermutationIndex::load(Device& device, const std::string& path, const StringIndexOptions& options) {
  check(options);
  return PermutationIndex(std::make_unique<Implementation>(device, read_permutation_file(path), options));
}

bool PermutationIndex::is_saved(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string begin(data::section_file_magic.size(), ' ');
  return file.read(begin.data(), static_cast<std::streamsize>(begin.size())) && begin == data::section_file_magic;
}

void PermutationIndex::save(const std::string& path) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  PermutationFile file;
  file.string_distance = self.options.string_distance;
  file.units = units();
  file.distance = self.options.distance;
  file.kept = kept_permutants(self.options, static_cast<std::uint32_t>(self.permutants.size()));
  file.objects = self.store.strings();
  file.identifiers = self.store.numbers();
  file.next_identifier = self.store.next();
  file.permutants = self.permutant_strings;
  file.permutant_identifiers = self.permutants;
  if (size() != 0) {
    self.database();  // made anew where strings have changed
    file.positions = self.stored->read_positions(self.device);
  }
  write_permutation_file(path, file);
}

std::string PermutationIndex::text(std::uint32_t number) const { return implementation_->store.text(number); }
std::uint64_t PermutationIndex::size() const { return implementation_->store.strings().size(); }
StringUnits PermutationIndex::units() const { return implementation_->store.strings().units(); }
std::span<const std::uint32_t> PermutationIndex::permutants() const { return implementation_->permutants; }
double PermutationIndex::build_milliseconds() const { return implementation_->build_milliseconds; }
double PermutationIndex::build_compute_milliseconds() const {
  return implementation_->stored ? implementation_->stored->build_compute_milliseconds : 0;
}

}  // namespace proxel
