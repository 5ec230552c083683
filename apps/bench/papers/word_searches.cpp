#include "bench/papers/word_searches.hpp"

#include <algorithm>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "bench/host_threads.hpp"
#include "bench/papers/rows.hpp"
#include "recall.hpp"

namespace proxel::tool::papers {
namespace {

constexpr const char* today = "permutation index, proxel's selection";

// The paper does not say which f, k and r its speeds are of: the first of each that section 6 lists.
constexpr double fraction = 0.1;
constexpr std::uint64_t k_of_speeds = 2;
constexpr float radius_of_speeds = 1;

Strings part(const std::vector<std::string>& words, std::uint64_t first, std::uint64_t count) {
  Strings strings;
  for (std::uint64_t i = first; i < first + count; ++i) strings.add(words[i % words.size()]);
  return strings;
}

}  // namespace

WordSizes word_sizes(const BenchOptions& options) {
  if (!options.quick) return {};
  return {{500, 1'000, 2'000}, {5, 16}, {5, 16}, {5, 20}, {16}, {1'000, 4'000}, 100};
}

std::string permutants_text(std::uint32_t permutants) { return fmt::format("{} permutants", permutants); }

WordSearches::WordSearches(const NamedWords& words, const WordSizes& sizes, const BenchOptions& options,
                           Recorder& recorder, ProgressBar& bar)
    : words_(words.words), sizes_(sizes), options_(options), recorder_(recorder), bar_(bar) {
  held_out_ = std::min<std::uint64_t>(sizes.recall_queries, words_.size() / 10);
  largest_ = std::min<std::uint64_t>(sizes.words.back(), words_.size() - held_out_);
}

std::vector<Speed> WordSearches::speeds() {
  std::set<std::pair<std::uint64_t, std::uint32_t>> indexes;
  for (const std::uint64_t words : sizes_.words)
    for (const std::uint32_t permutants : words == sizes_.words.back() ? sizes_.table_permutants : sizes_.permutants)
      indexes.emplace(std::min(words, largest_), permutants);
  std::uint64_t step = 0;
  for (const auto& [words, permutants] : indexes) {
    bar_.update(step++, indexes.size());
    const auto one = open_with_threads(1);
    measure(*one, host, Role::one_thread, words, permutants);
    const auto all = open_with_threads(std::max(1U, std::thread::hardware_concurrency()));
    measure(*all, host, Role::all_threads, words, permutants);
    for (const std::string& id : options_.devices)
      on_device(id, recorder_, [&, words = words, permutants = permutants](Device& device) {
        measure(device, id, Role::faithful, words, permutants);
        measure(device, id, Role::best, words, permutants);
      });
  }
  return speeds_;
}

void WordSearches::recalls(Exhibit& exhibit) {
  for (const std::string& id : options_.devices)
    on_device(id, recorder_, [&](Device& device) {
      const bool on_host = device.capabilities().runs_on_host;
      const Strings queries = part(words_, largest_, on_host ? std::min<std::uint64_t>(held_out_, 100) : held_out_);
      const Strings database = part(words_, 0, largest_);
      StringIndex exact(device, database);
      for (const std::uint32_t permutants : sizes_.recall_permutants) {
        PermutationIndex index = make(device, database, permutants, SelectionMethod::quick_sort);
        const auto add = [&](const std::string& what, double part_of_all, double recall) {
          add_measured(exhibit, Role::faithful, id, permutation_index,
                       fmt::format("{}, {}", what, permutants_text(permutants)), 100 * part_of_all, 100 * recall,
                       "recall");
        };
        for (const std::uint64_t k : {2, 4, 16}) {
          const Neighbors truth = exact.search(queries, k);
          for (const double part_of_all : {0.1, 0.2, 0.3})
            add(fmt::format("k = {}", k), part_of_all,
                recall_of(truth, index.search(queries, k, part_of_all)).by_identity);
        }
        for (const float radius : {1.0F, 2.0F, 3.0F}) {
          const RangeNeighbors truth = exact.range_search(queries, radius);
          for (const double part_of_all : {0.1, 0.2, 0.3})
            add(fmt::format("r = {}", radius), part_of_all,
                recall_of(truth, index.range_search(queries, radius, part_of_all)));
        }
      }
    });
}

PermutationIndex WordSearches::make(Device& device, const Strings& database, std::uint32_t permutants,
                                    SelectionMethod selection) const {
  return PermutationIndex(device, database, {.permutants = permutants, .seed = options_.seed, .selection = selection});
}

void WordSearches::measure(Device& device, const std::string& id, Role role, std::uint64_t words,
                           std::uint32_t permutants) {
  const bool best = role == Role::best;
  PermutationIndex index =
      make(device, part(words_, 0, words), permutants, best ? SelectionMethod::automatic : SelectionMethod::quick_sort);
  const std::string method = best                                                      ? today
                             : device.info().backend == BackendKind::cpu && id == host ? "sequential permutation index"
                                                                                       : permutation_index;
  const auto is_shown = std::ranges::find(sizes_.permutants, permutants) != sizes_.permutants.end();
  for (const std::uint64_t parallel : sizes_.parallel) {
    if (parallel != sizes_.parallel.back() && (words != largest_ || !is_shown)) continue;
    const Strings queries = part(words_, largest_, parallel);
    for (const bool range : {true, false}) {
      const Timed timed = time([&] {
        return range ? index.range_search(queries, radius_of_speeds, fraction).report.times.total_milliseconds
                     : index.search(queries, k_of_speeds, fraction).report.times.total_milliseconds;
      });
      speeds_.push_back({words, permutants, parallel, range, role, id, method, timed.median_ms});
    }
    compare(fmt::format("{} words, {} permutants, {} queries, {}", words, permutants, parallel, id),
            index.search(queries, k_of_speeds, fraction));
  }
}

// Once where it takes long, and then without a warm-up.
Timed WordSearches::time(const std::function<double()>& once) const {
  const double first = once();
  if (first > 10'000 * options_.patience.seconds) return {first, first, 1};
  return repeat(options_.patience, [&](std::uint32_t) { return once(); });
}

// Every device, thread and selection gives the same answer.
void WordSearches::compare(const std::string& what, const Neighbors& found) {
  const auto [first, is_first] = answers_.try_emplace(what.substr(0, what.rfind(',')), found);
  if (!is_first && !same_answer(first->second, found))
    recorder_.difference(fmt::format("{}: another answer than the first", what));
}

}  // namespace proxel::tool::papers
