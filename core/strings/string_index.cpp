#include "proxel/strings.hpp"
#include "in_use.hpp"
#include "session/stopwatch.hpp"
#include "strings/string_searcher.hpp"

namespace proxel {

using namespace strings;

namespace {

// What is on the device, of strings as they are.
struct Built {
  Alphabet alphabet;
  StoredStrings stored;

  Built(Device& device, const Strings& strings, StringDistance distance)
      : alphabet(strings), stored(device, PackedStrings(strings, alphabet), alphabet, distance) {}
};

}  // namespace

struct StringIndex::Implementation {
  InUse in_use;
  using Searcher = StringSearcher<StringSearch, StoredStrings, StringSearchDescription>;

  Device& device;
  StringDistance distance;
  StringStore store;
  std::optional<Built> built;  // unless strings have changed since
  Searcher searcher;
  double build_milliseconds = 0;

  Implementation(Device& of, const Strings& strings, const StringIndexOptions& options)
      : device(of), distance(options.distance), store(strings), searcher(of, options) {
    build();
  }

  void build() {
    const session::Stopwatch building;
    built.emplace(device, store.strings(), distance);
    build_milliseconds = building.milliseconds();
  }
  void forget() {
    searcher.forget();
    built.reset();
  }
  Searcher::Database database() {
    if (!built) build();
    return {built->stored, built->stored, built->alphabet, store.strings().units()};
  }
  // @param wanted  k or the radius
  std::unique_ptr<StringPlan> plan(std::uint32_t queries, std::uint32_t longest_query, StringSearchDescription wanted) {
    require_places(store);
    wanted.queries = queries;
    wanted.longest_query = longest_query;
    return searcher.plan(database(), wanted);
  }
};

StringIndex::StringIndex(Device& device, const Strings& strings, const StringIndexOptions& options) {
  check(options);
  implementation_ = std::make_unique<Implementation>(device, strings, options);
}
StringIndex::~StringIndex() = default;
StringIndex::StringIndex(StringIndex&&) noexcept = default;
StringIndex& StringIndex::operator=(StringIndex&&) noexcept = default;

Neighbors StringIndex::search(const Strings& queries, std::uint64_t k, const Progress& progress) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  if (size() == 0) return no_neighbors(queries, k);
  StringSearchDescription wanted;
  wanted.k = k;
  Neighbors found = self.searcher.search(self.database(), queries, wanted, progress);
  self.store.rename({found.indices.data(), queries.size() * k});
  return found;
}

RangeNeighbors StringIndex::range_search(const Strings& queries, float radius, const Progress& progress) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  if (size() == 0) return no_matches(queries);
  StringSearchDescription wanted;
  wanted.radius = radius;
  RangeNeighbors found = self.searcher.range_search(self.database(), queries, wanted, progress);
  self.store.rename(found.indices);
  return found;
}

std::unique_ptr<StringPlan> StringIndex::plan(std::uint32_t queries, std::uint32_t longest_query, std::uint64_t k) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  StringSearchDescription wanted;
  wanted.k = k;
  return implementation_->plan(queries, longest_query, wanted);
}

std::unique_ptr<StringPlan> StringIndex::plan_range(std::uint32_t queries, std::uint32_t longest_query, float radius) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  StringSearchDescription wanted;
  wanted.radius = radius;
  return implementation_->plan(queries, longest_query, wanted);
}

std::uint32_t StringIndex::add(const Strings& strings) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  const std::uint32_t first = implementation_->store.add(strings);
  if (strings.size() != 0) implementation_->forget();
  return first;
}

std::uint64_t StringIndex::remove(std::span<const std::uint32_t> numbers) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  const std::uint64_t removed = implementation_->store.remove(numbers);
  if (removed != 0) implementation_->forget();
  return removed;
}

std::string StringIndex::text(std::uint32_t number) const { return implementation_->store.text(number); }
std::uint64_t StringIndex::size() const { return implementation_->store.strings().size(); }
StringUnits StringIndex::units() const { return implementation_->store.strings().units(); }
std::uint32_t StringIndex::alphabet() const {
  return implementation_->built ? implementation_->built->alphabet.size() : 0;
}
double StringIndex::build_milliseconds() const { return implementation_->build_milliseconds; }

}  // namespace proxel
