#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>

#include "index/queries_at_once.hpp"
#include "index/run_once.hpp"
#include "index/stopwatch.hpp"
#include "proxel/strings.hpp"
#include "search/check.hpp"
#include "strings/string_search.hpp"

namespace proxel::strings {

inline StringSearchDescription& strings_part(StringSearchDescription& whole) { return whole; }
inline const StringSearchDescription& strings_part(const StringSearchDescription& whole) { return whole; }

/// Throws Error(out_of_memory).
inline Neighbors neighbors_room(std::uint64_t queries, std::uint64_t k) {
  search::require_range("k", k, 1, search::most_rows);
  try {
    return {Matrix<std::uint32_t>(queries, k), Matrix<float>(queries, k)};
  } catch (const std::exception&) {
    // bad_alloc, or length_error from a size that no allocation could have
    throw Error(ErrorCode::out_of_memory, "k", "the neighbours do not fit the host's memory");
  }
}

/// The answers of an index without strings.
inline Neighbors no_neighbors(const Strings& queries, std::uint64_t k) {
  Neighbors none = neighbors_room(queries.size(), k);
  std::fill_n(none.indices.data(), queries.size() * k, no_neighbor);
  std::fill_n(none.distances.data(), queries.size() * k, std::numeric_limits<float>::infinity());
  return none;
}
inline RangeNeighbors no_matches(const Strings& queries) {
  return {std::vector<std::uint64_t>(queries.size() + 1, 0), {}, {}};
}

/// A search of one shape with its buffers and its recorded commands, submitted once
/// per block of queries.
/// @tparam Search       made from the device, what is stored and the description
template <typename Search, typename Stored, typename Description>
class PreparedStrings {
 public:
  /// @param symbols  that the queries of a block have together, at most
  /// @param matches  slots for the answers of a block within a radius
  PreparedStrings(Device& device, const Stored& stored, const Description& description,
                  std::uint64_t symbols, std::uint64_t matches, Timing timing)
      : device_(device), description_(description), search_(device, stored, description),
        slots_(within() ? matches : query_count() * strings_part(description).k),
        symbols_(device.create_buffer(std::max<std::uint64_t>(symbols, 1) * 4, MemoryKind::upload)),
        offsets_(device.create_buffer((std::uint64_t{query_count()} + 1) * 4, MemoryKind::upload)),
        near_symbols_(device.create_buffer(symbols_->bytes(), MemoryKind::device)),
        near_offsets_(device.create_buffer(offsets_->bytes(), MemoryKind::device)),
        scratch_(device.create_buffer(search_.scratch_bytes(), MemoryKind::device)),
        // Matches are sorted where they lie.
        indices_(device.create_buffer(slots_ * 4, within() ? MemoryKind::device : MemoryKind::readback)),
        distances_(device.create_buffer(slots_ * 4, within() ? MemoryKind::device : MemoryKind::readback)),
        timed_(device.capabilities().timestamps && timing != Timing::none),
        commands_(device.create_commands(timing)) {
    const std::uint64_t match_bytes = within() ? (std::uint64_t{query_count()} + 1) * 8 : 8;
    matches_ = device.create_buffer(match_bytes, MemoryKind::device);
    matches_read_ = device.create_buffer(match_bytes, MemoryKind::readback);
    commands_->begin();
    commands_->copy(*symbols_, *near_symbols_);
    commands_->copy(*offsets_, *near_offsets_);
    commands_->barrier();
    search_.record(*commands_,
                   {*near_symbols_, *near_offsets_, *scratch_, *indices_, *distances_, *matches_});
    if (within()) {
      commands_->barrier();
      commands_->copy(*matches_, *matches_read_);
    }
    commands_->end();
  }

  const Description& description() const { return description_; }
  std::uint64_t symbols() const { return symbols_->bytes() / 4; }
  std::uint64_t slots() const { return slots_; }

  void run(const Strings& queries, std::uint64_t first, const Alphabet& alphabet,
           std::uint32_t* indices, float* distances, SearchTimes& times) {
    compute(queries, first, alphabet, times);
    const index::Stopwatch reading;
    std::memcpy(indices, indices_->mapped(), slots_ * 4);
    std::memcpy(distances, distances_->mapped(), slots_ * 4);
    times.readback_milliseconds += reading.milliseconds();
  }

  /// Appends the matches of a block, unless they are more than there are slots.
  /// Returns how many they are.
  std::uint64_t run(const Strings& queries, std::uint64_t first, const Alphabet& alphabet,
                    RangeNeighbors& found, SearchTimes& times) {
    compute(queries, first, alphabet, times);
    const index::Stopwatch reading;
    const auto* matches = static_cast<const std::uint64_t*>(matches_read_->mapped());
    const std::uint64_t count = matches[query_count()];
    if (count > slots_) return count;
    const std::uint64_t before = found.indices.size();
    for (std::uint32_t i = 1; i <= query_count(); ++i) found.offsets.push_back(before + matches[i]);
    if (count != 0) {
      found.indices.resize(before + count);
      found.distances.resize(before + count);
      read(*indices_, found.indices.data() + before, count);
      read(*distances_, found.distances.data() + before, count);
    }
    times.readback_milliseconds += reading.milliseconds();
    return count;
  }

 private:
  std::uint32_t query_count() const { return strings_part(description_).queries; }
  bool within() const { return strings_part(description_).radius.has_value(); }

  void compute(const Strings& queries, std::uint64_t first, const Alphabet& alphabet, SearchTimes& times) {
    const index::Stopwatch uploading;
    auto* symbols = static_cast<std::uint32_t*>(symbols_->mapped());
    auto* offsets = static_cast<std::uint32_t*>(offsets_->mapped());
    std::uint32_t used = 0;
    for (std::uint32_t i = 0; i < query_count(); ++i) {
      offsets[i] = used;
      for (const std::uint32_t symbol : queries[first + i]) symbols[used++] = alphabet.number(symbol);
    }
    offsets[query_count()] = used;
    times.upload_milliseconds += uploading.milliseconds();

    const index::Stopwatch computing;
    device_.submit(*commands_);
    device_.wait();
    times.compute_milliseconds += timed_ ? commands_->milliseconds() : computing.milliseconds();
    auto passes = commands_->pass_times();
    std::move(passes.begin(), passes.end(), std::back_inserter(times.passes));
  }

  template <typename Element>
  void read(Buffer& from, Element* to, std::uint64_t count) {
    const auto staging = device_.create_buffer(count * 4, MemoryKind::readback);
    index::run_once(device_, [&](Recording& recording) {
      recording.copy(BufferView(from).part(0, count * 4), *staging);
    });
    std::memcpy(to, staging->mapped(), count * 4);
  }

  Device& device_;
  Description description_;
  Search search_;
  std::uint64_t slots_;
  std::unique_ptr<Buffer> symbols_, offsets_, near_symbols_, near_offsets_, scratch_, indices_, distances_;
  std::unique_ptr<Buffer> matches_, matches_read_;
  bool timed_;
  std::unique_ptr<Commands> commands_;
};

/// Searches block by block, each as large as memory allows, and keeps what the latest
/// used for the next of the same shape.
template <typename Search, typename Stored, typename Description>
class StringSearcher {
 public:
  StringSearcher(Device& device, const StringIndexOptions& options) : device_(device), options_(options) {}

  /// What is searched: its strings, how they are numbered, and what the search goes by.
  struct Database {
    const Stored& stored;
    const StoredStrings& strings;
    const Alphabet& alphabet;
    StringUnits units;
  };

  /// @param wanted  but for what the queries say
  Neighbors search(const Database& database, const Strings& queries, Description wanted,
                   const Progress& progress) {
    const index::Stopwatch stopwatch;
    const std::uint64_t k = strings_part(wanted).k;
    Neighbors found = neighbors_room(queries.size(), k);
    const std::uint64_t block = begin(database, queries, wanted, 2 * k);
    for (std::uint64_t first = 0; first < queries.size(); first += block) {
      const std::uint64_t symbols = take(queries, first, std::min(block, queries.size() - first), wanted);
      prepare(database.stored, wanted, symbols, 0)
          .run(queries, first, database.alphabet, found.indices.data() + first * k,
               found.distances.data() + first * k, times_);
      if (progress) progress(first + strings_part(wanted).queries, queries.size());
    }
    times_.total_milliseconds = stopwatch.milliseconds();
    return found;
  }

  RangeNeighbors range_search(const Database& database, const Strings& queries, Description wanted,
                              const Progress& progress) {
    const index::Stopwatch stopwatch;
    if (std::isnan(*strings_part(wanted).radius))
      throw Error(ErrorCode::invalid_argument, "radius", "NaN was given, a number is allowed");
    const std::uint64_t block = begin(database, queries, wanted, usual_matches);
    RangeNeighbors found;
    found.offsets.push_back(0);
    for (std::uint64_t first = 0; first < queries.size(); first += block) {
      within(database, queries, first, std::min(block, queries.size() - first), wanted, found);
      if (progress) progress(std::min(first + block, queries.size()), queries.size());
    }
    times_.total_milliseconds = stopwatch.milliseconds();
    return found;
  }

  const SearchTimes& times() const { return times_; }
  /// What is stored is another.
  void forget() { prepared_.reset(); }

 private:
  using Prepared = PreparedStrings<Search, Stored, Description>;
  // Of one submission, so that it ends before a driver loses patience.
  static constexpr std::uint64_t pairs_at_once = std::uint64_t{1} << 32;
  // Matches per query that there is room for at first, and of a block at most.
  static constexpr std::uint64_t usual_matches = 64;
  static constexpr std::uint64_t most_matches = std::uint64_t{1} << 25;

  // Checks the queries; returns how many are searched at once.
  // @param slots  words of results per query
  std::uint64_t begin(const Database& database, const Strings& queries, Description& wanted,
                      std::uint64_t slots) {
    search::require_range("query length", queries.longest(), 0, most_symbols);
    if (queries.units() != database.units)
      throw Error(ErrorCode::invalid_argument, "queries",
                  "are of code points or of bytes, and the strings of the index are not");
    times_ = {};
    strings_part(wanted).scratch_limit = options_.scratch_limit;
    strings_part(wanted).longest_query = static_cast<std::uint32_t>(queries.longest());
    return std::min<std::uint64_t>(
        {index::queries_at_once((queries.longest() + slots + 1) * 4),
         StringDistances::queries_at_once(database.strings, queries.longest(), options_.scratch_limit / 4),
         std::max<std::uint64_t>(pairs_at_once / database.strings.count, 1)});
  }

  // Returns the symbols of the queries that are taken.
  static std::uint64_t take(const Strings& queries, std::uint64_t first, std::uint64_t count,
                            Description& wanted) {
    strings_part(wanted).queries = static_cast<std::uint32_t>(count);
    std::uint64_t symbols = 0;
    for (std::uint64_t i = 0; i < count; ++i) symbols += queries[first + i].size();
    return symbols;
  }

  void within(const Database& database, const Strings& queries, std::uint64_t first, std::uint64_t count,
              const Description& wanted, RangeNeighbors& found) {
    std::uint64_t matches = std::max(count * usual_matches, matches_);
    // A lone query's are at most all strings.
    const std::uint64_t most = count == 1 ? std::max(most_matches, database.strings.count) : most_matches;
    for (;;) {
      matches = std::min(matches, most);
      Description of_block = wanted;
      const std::uint64_t symbols = take(queries, first, count, of_block);
      const std::uint64_t found_here = prepare(database.stored, of_block, symbols, matches)
                                           .run(queries, first, database.alphabet, found, times_);
      if (found_here <= matches) return;
      if (found_here > most) break;
      matches = matches_ = found_here + found_here / 8;
    }
    within(database, queries, first, count / 2, wanted, found);
    within(database, queries, first + count / 2, count - count / 2, wanted, found);
  }

  Prepared& prepare(const Stored& stored, const Description& wanted, std::uint64_t symbols,
                    std::uint64_t matches) {
    if (prepared_ && prepared_->description() == wanted && prepared_->symbols() >= symbols &&
        prepared_->slots() >= matches)
      return *prepared_;
    prepared_.reset();  // its memory may be what the next needs
    return prepared_.emplace(device_, stored, wanted, symbols, matches, options_.timing);
  }

  Device& device_;
  StringIndexOptions options_;
  SearchTimes times_;
  std::uint64_t matches_ = 0;  // of a block, as many as there were before
  std::optional<Prepared> prepared_;
};

}  // namespace proxel::strings
