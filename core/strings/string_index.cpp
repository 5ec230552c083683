#include "proxel/strings.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <future>
#include <optional>
#include <utility>
#include <vector>

#include "in_use.hpp"
#include "session/compute_times.hpp"
#include "session/memory_limit.hpp"
#include "session/stopwatch.hpp"
#include "sharding/answers.hpp"
#include "sharding/objects.hpp"
#include "strings/string_parts.hpp"
#include "strings/string_searcher.hpp"

namespace proxel {

using namespace strings;

namespace {

// Strings that pass through the device part by part. A part is packed while the one before it is searched, and stays so for
// the searches to come: that takes a quarter of the memory of the strings where they have at most 256 different symbols.
class PassingParts {
 public:
  // @param strings, alphabet  outlive this
  PassingParts(const Strings& strings, const Alphabet& alphabet, std::vector<sharding::Part> parts)
      : strings_(strings), alphabet_(alphabet), parts_(std::move(parts)), packed_(parts_.size()) {}

  std::size_t size() const { return parts_.size(); }
  std::uint32_t first(std::size_t part) const { return static_cast<std::uint32_t>(parts_[part].first); }

  // Waits for it where it is being packed.
  const PackedStrings& packed(std::size_t part) {
    if (!packed_[part].valid()) packed_[part] = pack(part, std::launch::deferred);
    try {
      return packed_[part].get();
    } catch (...) {
      packed_[part] = {};  // another search tries again
      throw;
    }
  }
  // Returns at once.
  void pack_ahead(std::size_t part) {
    if (part >= size() || packed_[part].valid()) return;
    try {
      packed_[part] = pack(part, std::launch::async);
    } catch (const std::exception&) {
      // No thread or no memory is to be had: packed() does it.
    }
  }
  // Returns when nothing is being packed.
  void wait() const {
    for (const auto& one : packed_)
      if (one.valid() && one.wait_for(std::chrono::seconds(0)) != std::future_status::deferred) one.wait();
  }

 private:
  std::shared_future<PackedStrings> pack(std::size_t part, std::launch when) const {
    return std::async(
        when, [this, of = parts_[part]] { return PackedStrings(strings_.slice(of.first, of.count), alphabet_); });
  }

  const Strings& strings_;
  const Alphabet& alphabet_;
  std::vector<sharding::Part> parts_;
  std::vector<std::shared_future<PackedStrings>> packed_;
};

}  // namespace

struct StringIndex::Implementation {
  InUse in_use;
  using Searcher = StringSearcher<StringSearch, StoredStrings, StringSearchDescription>;

  // A search that is broken off leaves nothing that reads the strings.
  struct PackingEnds {
    const PassingParts& parts;
    ~PackingEnds() { parts.wait(); }
  };
  // Has a searcher forget what it keeps before that goes.
  struct Forgotten {
    Searcher& searcher;
    ~Forgotten() { searcher.forget(); }
  };

  Device& device;
  StringIndexOptions options;
  StringStore store;
  // What was built of the strings, unless these have changed since: of all of them, where they fit, or else of their parts.
  std::optional<StoredStrings> built;
  std::optional<PassingParts> parts;
  // The alphabet of what was built.
  std::optional<Alphabet> alphabet;
  std::uint64_t passes = 1;  // how many parts were built
  Searcher searcher;
  double build_milliseconds = 0;

  Implementation(Device& of, const Strings& strings, const StringIndexOptions& with)
      : device(of), options(with), store(strings), searcher(of, with) {
    build();
  }

  void build() {
    const session::Stopwatch building;
    const std::uint64_t limit =
        std::min(session::memory_limit_of(device, options.memory_limit), device.capabilities().max_allocation_bytes);
    alphabet.emplace(store.strings());
    std::vector<sharding::Part> divided = parts_within(store.strings(), *alphabet, limit);
    passes = divided.size();
    if (passes == 1)
      built.emplace(device, PackedStrings(store.strings(), *alphabet), *alphabet, options.distance);
    else
      parts.emplace(store.strings(), *alphabet, std::move(divided));
    build_milliseconds = building.milliseconds();
  }
  void forget() {
    searcher.forget();
    built.reset();
    parts.reset();
  }
  Searcher::Database database(const StoredStrings& of) const { return {of, of, *alphabet, store.strings().units()}; }
  // The answer of all strings, where they are on the device, or else that of their parts together.
  // @param search  (database, progress)
  // @param rename  (answer, number of the part's first)
  // @param merge   (answers of the parts): their distances, indices and report, but for the whole time
  template <typename Search, typename Rename, typename Merge>
  auto of_all(const Progress& progress, const Search& search, const Rename& rename, const Merge& merge) {
    const session::Stopwatch stopwatch;
    if (!built && !parts) build();
    if (built) return search(database(*built), progress);
    auto found = merge(of_parts(progress, search, rename));
    found.report.times.total_milliseconds = stopwatch.milliseconds();
    return found;
  }
  // The answers of the parts, by the numbers of the strings that there are.
  // @param search  (database, progress)
  // @param rename  (answer, number of the part's first)
  template <typename Search, typename Rename>
  auto of_parts(const Progress& progress, const Search& search, const Rename& rename) {
    std::vector<decltype(search(std::declval<Searcher::Database>(), progress))> found;
    const std::size_t count = parts->size();
    const PackingEnds ends{*parts};
    for (std::size_t i = 0; i < count; ++i) {
      Progress told;
      if (progress)
        told = [&](std::uint64_t done, std::uint64_t total) { progress((i * total + done) / count, total); };
      const session::Stopwatch building;
      const StoredStrings of_part(device, parts->packed(i), *alphabet, options.distance);
      const double upload = building.milliseconds();
      parts->pack_ahead(i + 1);
      const Forgotten end{searcher};  // what it keeps is of this part alone
      found.push_back(search(database(of_part), told));
      found.back().report.times.upload_milliseconds += upload;
      rename(found.back(), parts->first(i));
    }
    return found;
  }
  // @param wanted  k or the radius
  std::unique_ptr<StringPlan> plan(std::uint32_t queries, std::uint32_t longest_query, StringSearchDescription wanted) {
    require_places(store);
    if (!built && !parts) build();
    if (!built)
      throw Error(
          ErrorCode::unsupported, "plan",
          "strings that do not fit the device pass through it in parts, which takes the host's part; use search()");
    wanted.queries = queries;
    wanted.longest_query = longest_query;
    return searcher.plan(database(*built), wanted);
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
  const auto search = [&](const Implementation::Searcher::Database& database, const Progress& told) {
    StringSearchDescription wanted;
    wanted.k = k;
    return self.searcher.search(database, queries, wanted, told);
  };
  const auto rename = [](Neighbors& of_part, std::uint32_t first) {
    for (std::uint32_t& number : std::span(of_part.indices.data(), of_part.indices.rows() * of_part.indices.columns()))
      if (number != no_neighbor) number += first;
  };
  const auto merge = [&](const std::vector<Neighbors>& parts) {
    Neighbors merged = sharding::merged(parts, k, sharding::object_metric);
    merged.report.devices.clear();
    return merged;
  };
  Neighbors found = self.of_all(progress, search, rename, merge);
  self.store.rename({found.indices.data(), queries.size() * k});
  return found;
}

RangeNeighbors StringIndex::range_search(const Strings& queries, float radius, const Progress& progress) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  if (size() == 0) return no_matches(queries);
  const auto search = [&](const Implementation::Searcher::Database& database, const Progress& told) {
    StringSearchDescription wanted;
    wanted.radius = radius;
    return self.searcher.range_search(database, queries, wanted, told);
  };
  const auto rename = [](RangeNeighbors& of_part, std::uint32_t first) {
    for (std::uint32_t& number : of_part.indices) number += first;
  };
  const auto merge = [&](const std::vector<RangeNeighbors>& parts) {
    RangeNeighbors merged = sharding::merged(parts, queries.size(), sharding::object_metric, true);
    for (const RangeNeighbors& part : parts) session::add(merged.report, part.report);
    merged.report.method = parts.front().report.method;
    return merged;
  };
  RangeNeighbors found = self.of_all(progress, search, rename, merge);
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
std::uint32_t StringIndex::alphabet() const { return implementation_->alphabet->size(); }
std::uint64_t StringIndex::parts() const { return implementation_->passes; }
double StringIndex::build_milliseconds() const { return implementation_->build_milliseconds; }

}  // namespace proxel
