#pragma once

#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>

#include "index/queries_at_once.hpp"
#include "index/stopwatch.hpp"
#include "proxel/strings.hpp"
#include "search/check.hpp"
#include "strings/string_search.hpp"

namespace proxel::strings {

/// Distances are at most the longer string's length, and exact in binary32.
inline constexpr std::uint64_t most_symbols = (std::uint64_t{1} << 24) - 1;

/// Throws Error(invalid_argument) unless an index can hold the strings.
inline const Strings& checked(const Strings& strings) {
  search::require_range("strings", strings.size(), 1, search::most_rows);
  search::require_range("string length", strings.longest(), 0, most_symbols);
  return strings;
}

inline StringSearchDescription& strings_part(StringSearchDescription& whole) { return whole; }
inline const StringSearchDescription& strings_part(const StringSearchDescription& whole) { return whole; }

/// A search of one shape with its buffers and its recorded commands, submitted once
/// per block of queries.
/// @tparam Search       made from the device, what is stored and the description
template <typename Search, typename Stored, typename Description>
class PreparedStrings {
 public:
  /// @param symbols  that the queries of a block have together, at most
  PreparedStrings(Device& device, const Stored& stored, const Description& description,
                  std::uint64_t symbols, Timing timing)
      : device_(device), description_(description), search_(device, stored, description),
        symbols_(device.create_buffer(std::max<std::uint64_t>(symbols, 1) * 4, MemoryKind::upload)),
        offsets_(device.create_buffer((std::uint64_t{query_count()} + 1) * 4, MemoryKind::upload)),
        near_symbols_(device.create_buffer(symbols_->bytes(), MemoryKind::device)),
        near_offsets_(device.create_buffer(offsets_->bytes(), MemoryKind::device)),
        scratch_(device.create_buffer(search_.scratch_bytes(), MemoryKind::device)),
        indices_(device.create_buffer(slots() * 4, MemoryKind::readback)),
        distances_(device.create_buffer(slots() * 4, MemoryKind::readback)),
        timed_(device.capabilities().timestamps && timing != Timing::none),
        commands_(device.create_commands(timing)) {
    commands_->begin();
    commands_->copy(*symbols_, *near_symbols_);
    commands_->copy(*offsets_, *near_offsets_);
    commands_->barrier();
    search_.record(*commands_, {*near_symbols_, *near_offsets_, *scratch_, *indices_, *distances_});
    commands_->end();
  }

  const Description& description() const { return description_; }
  std::uint64_t symbols() const { return symbols_->bytes() / 4; }

  void run(const Strings& queries, std::uint64_t first, const Alphabet& alphabet,
           std::uint32_t* indices, float* distances, SearchTimes& times) {
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

    const index::Stopwatch reading;
    std::memcpy(indices, indices_->mapped(), slots() * 4);
    std::memcpy(distances, distances_->mapped(), slots() * 4);
    times.readback_milliseconds += reading.milliseconds();
    auto passes = commands_->pass_times();
    std::move(passes.begin(), passes.end(), std::back_inserter(times.passes));
  }

 private:
  std::uint32_t query_count() const { return strings_part(description_).queries; }
  std::uint64_t slots() const { return query_count() * strings_part(description_).k; }

  Device& device_;
  Description description_;
  Search search_;
  std::unique_ptr<Buffer> symbols_, offsets_, near_symbols_, near_offsets_, scratch_, indices_, distances_;
  bool timed_;
  std::unique_ptr<Commands> commands_;
};

/// Searches block by block, each as large as memory allows, and keeps what the latest
/// used for the next of the same shape.
template <typename Search, typename Stored, typename Description>
class StringSearcher {
 public:
  StringSearcher(Device& device, const StringIndexOptions& options) : device_(device), options_(options) {}

  /// @param wanted  but for what the queries say
  Neighbors search(const Stored& stored, const StoredStrings& strings, const Alphabet& alphabet,
                   StringUnits units, const Strings& queries, Description wanted,
                   const Progress& progress) {
    const index::Stopwatch stopwatch;
    StringSearchDescription& part = strings_part(wanted);
    search::require_range("k", part.k, 1, search::most_rows);
    search::require_range("query length", queries.longest(), 0, most_symbols);
    if (queries.units() != units)
      throw Error(ErrorCode::invalid_argument, "queries",
                  "are of code points or of bytes, and the strings of the index are not");
    times_ = {};
    Neighbors found = room(queries.size(), part.k);
    const std::uint64_t block = std::min<std::uint64_t>(
        {index::queries_at_once((queries.longest() + 2 * part.k + 1) * 4),
         StringDistances::queries_at_once(strings, queries.longest(), options_.scratch_limit / 4),
         std::max<std::uint64_t>(pairs_at_once / strings.count, 1)});
    part.scratch_limit = options_.scratch_limit;
    part.longest_query = static_cast<std::uint32_t>(queries.longest());
    for (std::uint64_t first = 0; first < queries.size(); first += block) {
      part.queries = static_cast<std::uint32_t>(std::min(block, queries.size() - first));
      std::uint64_t symbols = 0;
      for (std::uint32_t i = 0; i < part.queries; ++i) symbols += queries[first + i].size();
      prepare(stored, wanted, symbols)
          .run(queries, first, alphabet, found.indices.data() + first * part.k,
               found.distances.data() + first * part.k, times_);
      if (progress) progress(first + part.queries, queries.size());
    }
    times_.total_milliseconds = stopwatch.milliseconds();
    return found;
  }

  const SearchTimes& times() const { return times_; }

 private:
  using Prepared = PreparedStrings<Search, Stored, Description>;
  // Of one submission, so that it ends before a driver loses patience.
  static constexpr std::uint64_t pairs_at_once = std::uint64_t{1} << 32;

  static Neighbors room(std::uint64_t queries, std::uint64_t k) {
    try {
      return {Matrix<std::uint32_t>(queries, k), Matrix<float>(queries, k)};
    } catch (const std::exception&) {
      // bad_alloc, or length_error from a size that no allocation could have
      throw Error(ErrorCode::out_of_memory, "k", "the neighbours do not fit the host's memory");
    }
  }

  Prepared& prepare(const Stored& stored, const Description& wanted, std::uint64_t symbols) {
    if (prepared_ && prepared_->description() == wanted && prepared_->symbols() >= symbols)
      return *prepared_;
    prepared_.reset();  // its memory may be what the next needs
    return prepared_.emplace(device_, stored, wanted, symbols, options_.timing);
  }

  Device& device_;
  StringIndexOptions options_;
  SearchTimes times_;
  std::optional<Prepared> prepared_;
};

}  // namespace proxel::strings
