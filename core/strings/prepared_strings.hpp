#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include "index/answer_block.hpp"
#include "index/each_block.hpp"
#include "index/queries_at_once.hpp"
#include "index/stopwatch.hpp"
#include "proxel/strings.hpp"
#include "search/check.hpp"
#include "strings/string_search.hpp"

namespace proxel::strings {

inline StringSearchDescription& strings_part(StringSearchDescription& whole) { return whole; }
inline const StringSearchDescription& strings_part(const StringSearchDescription& whole) { return whole; }

using index::neighbors_room;

/// Throws Error(invalid_argument).
inline void check(const StringIndexOptions& options) {
  search::require_range("scratch limit", options.scratch_limit, std::uint64_t{1} << 20, UINT64_MAX);
  search::require_enumerator("distance", options.distance, StringDistance::hamming);
  search::require_enumerator("timing", options.timing, Timing::passes);
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
      : description_(description), search_(device, stored, description),
        symbols_(device.create_buffer(std::max<std::uint64_t>(symbols, 1) * 4, MemoryKind::upload)),
        offsets_(device.create_buffer((std::uint64_t{query_count()} + 1) * 4, MemoryKind::upload)),
        near_symbols_(device.create_buffer(symbols_->bytes(), MemoryKind::device)),
        near_offsets_(device.create_buffer(offsets_->bytes(), MemoryKind::device)),
        block_(device, {query_count(), strings_part(description).k, strings_part(description).radius},
               matches, search_.scratch_bytes(), timing,
               [&](Recording& recording, const search::AnswerBuffers& answers) {
                 recording.copy(*symbols_, *near_symbols_);
                 recording.copy(*offsets_, *near_offsets_);
                 recording.barrier();
                 search_.record(recording, {*near_symbols_, *near_offsets_, answers.scratch,
                                            answers.indices, answers.distances, answers.offsets});
               }) {}

  const Description& description() const { return description_; }
  std::uint64_t symbols() const { return symbols_->bytes() / 4; }
  std::uint64_t slots() const { return block_.slots(); }

  void run(const Strings& queries, std::uint64_t first, const Alphabet& alphabet,
           std::uint32_t* indices, float* distances, SearchTimes& times) {
    upload(queries, first, alphabet, times);
    block_.run(indices, distances, times);
  }

  /// As AnswerBlock::run().
  std::uint64_t run(const Strings& queries, std::uint64_t first, const Alphabet& alphabet,
                    RangeNeighbors& found, SearchTimes& times) {
    upload(queries, first, alphabet, times);
    return block_.run(found, times);
  }

 private:
  std::uint32_t query_count() const { return strings_part(description_).queries; }

  void upload(const Strings& queries, std::uint64_t first, const Alphabet& alphabet, SearchTimes& times) {
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
  }

  Description description_;
  Search search_;
  std::unique_ptr<Buffer> symbols_, offsets_, near_symbols_, near_offsets_;
  index::AnswerBlock block_;
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
    each_block(database, queries, block, progress, [&](std::uint64_t first, std::uint64_t count) {
      const std::uint64_t symbols = take(queries, first, count, wanted);
      prepare(database.stored, wanted, symbols, 0)
          .run(queries, first, database.alphabet, found.indices.data() + first * k,
               found.distances.data() + first * k, times_);
    });
    times_.total_milliseconds = stopwatch.milliseconds();
    return found;
  }

  RangeNeighbors range_search(const Database& database, const Strings& queries, Description wanted,
                              const Progress& progress) {
    const index::Stopwatch stopwatch;
    search::require_radius(*strings_part(wanted).radius);
    const std::uint64_t block = begin(database, queries, wanted, index::MatchBlocks::usual_matches);
    RangeNeighbors found;
    found.offsets.push_back(0);
    each_block(database, queries, block, progress, [&](std::uint64_t first, std::uint64_t some) {
      matches_.answer(first, some, database.strings.count,
                      [&](std::uint64_t from, std::uint64_t count, std::uint64_t matches) {
                        Description of_block = wanted;
                        const std::uint64_t symbols = take(queries, from, count, of_block);
                        return prepare(database.stored, of_block, symbols, matches)
                            .run(queries, from, database.alphabet, found, times_);
                      });
    });
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

  template <typename Run>
  void each_block(const Database& database, const Strings& queries, std::uint64_t most, const Progress& progress,
                  const Run& run) {
    // Steps of a comparison, which takes 32 symbols of the query at a time.
    constexpr double usual_length = 16;
    const double per_query =
        static_cast<double>(database.strings.count) * usual_length * static_cast<double>(1 + queries.longest() / 32);
    index::each_block({queries.size(), most, per_query}, pace_, progress, times_, run, [&] { prepared_.reset(); });
  }

  // Returns the symbols of the queries that are taken.
  static std::uint64_t take(const Strings& queries, std::uint64_t first, std::uint64_t count,
                            Description& wanted) {
    strings_part(wanted).queries = static_cast<std::uint32_t>(count);
    std::uint64_t symbols = 0;
    for (std::uint64_t i = 0; i < count; ++i) symbols += queries[first + i].size();
    return symbols;
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
  index::MatchBlocks matches_;
  index::Pace pace_{device_};
  std::optional<Prepared> prepared_;
};

}  // namespace proxel::strings
